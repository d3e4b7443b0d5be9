//! Shadow searches: what a node or move is worth without the rule that cut it, and how all is put
//! back afterwards.

use crate::audit::strata::{SamplingPlan, Wanted};
use crate::audit::{Auditor, Change, Cut, Event, Verdict};
use crate::memory::history::Histories;
use crate::memory::table::SavedPlace;
use crate::node::kinds::{Principal, ZeroWindow};
use crate::node::known::{Candidate, Node};
use crate::ordering::{Pick, Picker, Quiets};
use crate::value::{INFINITY, Value};
use crate::{CHECK_INTERVAL, Frame, Game, Margins, Rule, Search};

/// The auditor that asks shadow searches.
pub(crate) struct Shadows<G: Game> {
    pub(crate) plan: SamplingPlan,
    /// The cuts that were looked into.
    pub(crate) cuts: Vec<Cut>,
    node_limit: u64,
    /// A shadow search is running.
    is_running: bool,
    /// The rule that is off, and where.
    off: Option<(Rule, usize)>,
    /// Clusters of the table as they were before the shadow search stored there.
    clusters: Vec<SavedPlace>,
    /// The histories before the shadow search, if it has changed them.
    histories: Histories<G>,
    histories_changed: bool,
    stack: Vec<Frame<G::Move>>,
}

/// The answer of a shadow search.
pub(super) struct Answer {
    /// None if its nodes were used up.
    value: Option<Value>,
    nodes: u64,
    covered: bool,
}

impl<G: Game> Shadows<G> {
    pub(crate) fn new(plan: SamplingPlan, node_limit: u64) -> Shadows<G> {
        Shadows {
            plan,
            cuts: Vec::new(),
            node_limit,
            is_running: false,
            off: None,
            clusters: Vec::new(),
            histories: Histories::new(),
            histories_changed: false,
            stack: Vec::new(),
        }
    }

    /// Notes a cut that stands for `weight` cuts; `claim` is the value that the rule gave, `is_wrong`
    /// what a value of the shadow search means for it.
    pub(super) fn note(
        &mut self,
        cut: Cut,
        weight: f64,
        answer: &Answer,
        claim: Value,
        is_wrong: impl Fn(Value) -> bool,
    ) {
        let verdict = match answer.value {
            None => Verdict::Unknown,
            Some(value) if is_wrong(value) => Verdict::Wrong,
            Some(_) => Verdict::Right,
        };
        let shift = answer.value.map_or(0, |value| value - claim);
        let &Answer { nodes, covered, .. } = answer;
        self.cuts.push(Cut { verdict, shift, covered, nodes, weight, ..cut });
    }

    /// Whether a shadow search is running, within which nothing is audited.
    pub(super) fn is_running(&self) -> bool {
        self.is_running
    }

    /// Counts nodes that a rule spent at a depth without a cut.
    pub(super) fn count_in_vain(&mut self, rule: Rule, depth: i32, nodes: u64) {
        if !self.is_running {
            self.plan.count_in_vain(rule, depth, nodes);
        }
    }
}

impl<G: Game> Search<'_, G, Shadows<G>> {
    /// Counts a cut; something if it is one to look into.
    pub(super) fn count(&mut self, rule: Rule, depth: i32) -> Option<Wanted> {
        let is_real = !self.auditor.is_running && !self.stopped;
        if is_real { self.auditor.plan.count(rule, depth) } else { None }
    }

    /// Asks a question of a search that leaves no trace, where a rule is off at a ply.
    pub(super) fn shadow(
        &mut self,
        off: Option<(Rule, usize)>,
        question: impl FnOnce(&mut Self) -> Value,
    ) -> Answer {
        let (nodes, next_check, node_limit) = (self.nodes, self.next_check, self.node_limit);
        let (selective_depth, floor) = (self.selective_depth, self.moves.len());
        let mut stack = std::mem::take(&mut self.auditor.stack);
        stack.clone_from(&self.stack);
        self.auditor.is_running = true;
        self.auditor.off = off;
        self.nodes = 0;
        self.node_limit = self.auditor.node_limit;
        self.next_check = self.node_limit.min(CHECK_INTERVAL);

        let value = question(self);
        let answer = Answer {
            value: (!self.stopped).then_some(value),
            nodes: self.nodes,
            covered: self.nodes == 0,
        };

        self.auditor.is_running = false;
        self.auditor.off = None;
        self.stopped = false;
        (self.nodes, self.next_check, self.node_limit) = (nodes, next_check, node_limit);
        self.selective_depth = selective_depth;
        self.moves.truncate(floor);
        std::mem::swap(&mut self.stack, &mut stack);
        self.auditor.stack = stack;
        // Later saves lie above earlier ones.
        while let Some(saved) = self.auditor.clusters.pop() {
            self.memory.table.put_back(&saved);
        }
        if std::mem::take(&mut self.auditor.histories_changed) {
            std::mem::swap(&mut self.memory.histories, &mut self.auditor.histories);
        }
        answer
    }

    /// The worth of a move that was skipped at a node: at least alpha plus one, or at most alpha.
    pub(super) fn shadow_of_move(
        &mut self,
        off: Option<Rule>,
        (node, is_principal): (&Node<G::Move>, bool),
        candidate: &Candidate<G::Move>,
        alpha: Value,
    ) -> Answer {
        // Late-move pruning would have skipped a part of the moves that futility leaves out together.
        let is_late = off == Some(Rule::Futility) && self.is_late(node, candidate.count);
        self.shadow(off.map(|rule| (rule, node.ply)), |search| {
            if is_late || search.pruning_rule(node, candidate, alpha).is_some() {
                return alpha;
            }
            let (rows, window) = (search.rows(node.ply), (alpha, alpha + 1));
            if is_principal {
                search.try_move::<Principal>(node, candidate, &rows, 0, window, alpha)
            } else {
                search.try_move::<ZeroWindow>(node, candidate, &rows, 0, window, alpha)
            }
        })
    }

    /// The quiet moves that a picker, which keeps them, still has, with their place among these, and would
    /// not have any longer if only some were kept.
    pub(super) fn quiets_left_out<P: Picker<G>>(
        &mut self,
        node: &Node<G::Move>,
        picker: &P,
        kept: Quiets,
    ) -> Vec<(usize, G::Move)> {
        let all = self.quiets_to_come(node, picker, Quiets::All);
        let kept = self.quiets_to_come(node, picker, kept);
        all.into_iter().enumerate().filter(|(_, mv)| !kept.contains(mv)).collect()
    }

    /// The quiet moves that a picker, which keeps them, would have if only these were kept.
    fn quiets_to_come<P: Picker<G>>(
        &mut self,
        node: &Node<G::Move>,
        picker: &P,
        kept: Quiets,
    ) -> Vec<G::Move> {
        // A picker of our own sees which moves there are; the real one finds its own again.
        let moves = self.moves.clone();
        let mut picker = picker.clone();
        picker.keep_quiets(kept, self);
        let mut quiets = Vec::new();
        loop {
            match picker.next(self) {
                Pick::Move(mv) if self.game.is_noisy(mv) => break,
                Pick::Move(mv) if mv != node.excluded => quiets.push(mv),
                Pick::Move(_) | Pick::QuietsNext => {}
                Pick::End => break,
            }
        }
        self.moves = moves;
        quiets
    }

    /// The material that the exchanges which a move begins lose for certain (centipawns).
    pub(super) fn loss(&self, mv: G::Move) -> Value {
        // The greatest threshold that is reached lies in low..high.
        let (mut low, mut high) = (-INFINITY, INFINITY);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.game.exchange_at_least(mv, middle) { low = middle } else { high = middle }
        }
        -low
    }
}

impl<G: Game> Auditor<G> for Shadows<G> {
    type Margins<'a> = &'a Margins;

    fn is_off(search: &Search<'_, G, Self>, rule: Rule, ply: usize) -> bool {
        search.auditor.off == Some((rule, ply))
    }

    fn event(search: &mut Search<'_, G, Self>, event: impl Event<G>) {
        event.look_into(search);
    }

    fn before_change(search: &mut Search<'_, G, Self>, change: Change) {
        if !search.auditor.is_running {
            return;
        }
        match change {
            Change::Table => {
                let saved = search.memory.table.saved(search.game.table_key());
                search.auditor.clusters.push(saved);
            }
            Change::Histories if !search.auditor.histories_changed => {
                search.auditor.histories.copy_from(&search.memory.histories);
                search.auditor.histories_changed = true;
            }
            Change::Histories => {}
        }
    }
}
