//! Shadow searches: what a node or move is worth without the rule that cut it, and how all is put
//! back afterwards.

use crate::audit::strata::{Plan, Wanted};
use crate::audit::{Auditor, Cut, NodeKind, Rule, Verdict};
use crate::memory::history::Histories;
use crate::memory::table::SavedPlace;
use crate::node::kinds::{Kind, ZeroWindow};
use crate::node::known::{Candidate, Node, reduced_depth};
use crate::ordering::{Pick, Picker, Quiets};
use crate::value::{INFINITY, Value};
use crate::{CHECK_INTERVAL, Frame, Game, Margins, Search};

/// The auditor that asks shadow searches.
pub(crate) struct Shadows<G: Game> {
    pub(crate) plan: Plan,
    /// What was found.
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

/// What a rule saw when it cut.
struct Context {
    rule: Rule,
    depth: i32,
    gap: i32,
    lead: i32,
    improving: bool,
    history: i32,
    count: usize,
    node: NodeKind,
    spent: u64,
}

/// What a shadow search says.
struct Answer {
    /// None if its nodes were used up.
    value: Option<Value>,
    nodes: u64,
    covered: bool,
}

impl<G: Game> Shadows<G> {
    pub(crate) fn new(plan: Plan, node_limit: u64) -> Shadows<G> {
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

    /// Notes what was found; `claim` is the value that the rule gave, `is_wrong` what a value of
    /// the shadow search means for it.
    fn note(
        &mut self,
        context: Context,
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
        let Context { rule, depth, gap, lead, improving, history, count, node, spent } = context;
        self.cuts.push(Cut {
            rule,
            depth,
            gap,
            lead,
            improving,
            history,
            count,
            node,
            verdict,
            shift: answer.value.map_or(0, |value| value - claim),
            covered: answer.covered,
            nodes: answer.nodes,
            spent,
            weight,
        });
    }
}

impl<G: Game> Search<'_, G, Shadows<G>> {
    /// Counts a cut; something if it is one to look into.
    fn count(&mut self, rule: Rule, depth: i32) -> Option<Wanted> {
        let is_real = !self.auditor.is_running && !self.stopped;
        if is_real { self.auditor.plan.count(rule, depth) } else { None }
    }

    /// Asks a question of a search that leaves no trace.
    fn shadow(&mut self, question: impl FnOnce(&mut Self) -> Value) -> Answer {
        let (nodes, next_check, node_limit) = (self.nodes, self.next_check, self.node_limit);
        let (selective_depth, floor) = (self.selective_depth, self.moves.len());
        let mut stack = std::mem::take(&mut self.auditor.stack);
        stack.clone_from(&self.stack);
        self.auditor.is_running = true;
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
        // What was stored later lies above what was stored earlier.
        while let Some(saved) = self.auditor.clusters.pop() {
            self.memory.table.put_back(&saved);
        }
        if std::mem::take(&mut self.auditor.histories_changed) {
            std::mem::swap(&mut self.memory.histories, &mut self.auditor.histories);
        }
        answer
    }

    /// What a move is worth that was skipped at a node: at least alpha plus one, or at most alpha.
    fn shadow_of_move<K: Kind>(
        &mut self,
        off: Option<Rule>,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        alpha: Value,
    ) -> Answer {
        self.auditor.off = off.map(|rule| (rule, node.ply));
        // What futility leaves out together late-move pruning would have skipped in part.
        let is_late = off == Some(Rule::Futility) && self.is_late(node, candidate.count);
        self.shadow(|search| {
            if is_late || search.pruning_rule(node, candidate, alpha).is_some() {
                alpha
            } else {
                let rows = search.rows(node.ply);
                search.try_move::<K>(node, candidate, &rows, 0, (alpha, alpha + 1), alpha)
            }
        })
    }

    /// The quiet moves that a picker, which keeps them, still has, with their place among these, and would
    /// not have any longer if only some were kept.
    fn quiets_left_out<P: Picker<G>>(
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

    /// What exchanges that a move begins lose for certain (centipawns).
    fn loss(&self, mv: G::Move) -> Value {
        // The greatest threshold that is reached lies in low..high.
        let (mut low, mut high) = (-INFINITY, INFINITY);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.game.exchange_at_least(mv, middle) { low = middle } else { high = middle }
        }
        -low
    }

    /// What a rule saw of a node that it cut.
    fn context_of_node(
        &self,
        rule: Rule,
        node: &Node<G::Move>,
        depth: i32,
        (alpha, beta): (Value, Value),
        value: Value,
    ) -> Context {
        let margins = self.margins;
        let (gap, margin) = match rule {
            Rule::ReverseFutility => {
                let lead = margins.reverse_futility.lead(depth, node.improving, node.tt_pv);
                (node.eval - beta, lead)
            }
            Rule::Razoring => (alpha - node.eval, margins.razoring.deficit(depth)),
            Rule::InternalReduction => (depth - node.depth, 0),
            Rule::MultiCut => (value - beta, 0),
            _ => (node.eval - beta, 0),
        };
        Context {
            rule,
            depth,
            gap,
            lead: gap - margin,
            improving: node.improving,
            history: 0,
            count: 0,
            node: if node.cut_node { NodeKind::Cut } else { NodeKind::All },
            spent: 0,
        }
    }

    /// What a rule saw of a move that it skipped.
    fn context_of_move<K: Kind>(
        &self,
        rule: Rule,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        alpha: Value,
    ) -> Context {
        let margins = self.margins;
        let reduced = candidate.reduced_depth(node);
        let depth = depth_of(rule, node, candidate);
        let loss_allowed =
            || -margins.exchange_pruning.threshold(candidate.noisy, node.depth, reduced);
        let (gap, margin) = match rule {
            Rule::Futility => (alpha - node.eval, margins.futility.gain_max(reduced)),
            Rule::NoisyFutility => {
                let lead = alpha - self.most_by_capture(node, candidate);
                let margin = margins.noisy_futility.gain_max(reduced, candidate.history);
                (lead + margin, margin)
            }
            Rule::HistoryPruning => {
                (-candidate.history, -margins.history_pruning.points_min(reduced))
            }
            Rule::LateMovePruning => {
                let moves = margins.late_move_pruning.moves(node.depth, node.improving);
                (candidate.count as i32, moves as i32)
            }
            _ => (self.loss(candidate.mv), loss_allowed()),
        };
        Context {
            rule,
            depth,
            gap,
            lead: gap - margin,
            improving: node.improving,
            history: candidate.history,
            count: candidate.count,
            node: kind_of(K::PRINCIPAL, node),
            spent: 0,
        }
    }
}

/// The depth that a rule for moves counts by.
fn depth_of<M>(rule: Rule, node: &Node<M>, candidate: &Candidate<M>) -> i32 {
    match rule {
        Rule::Futility | Rule::NoisyFutility | Rule::HistoryPruning => {
            candidate.reduced_depth(node)
        }
        Rule::ExchangeQuiet => candidate.reduced_depth(node).max(1),
        _ => node.depth,
    }
}

fn kind_of<M>(is_principal: bool, node: &Node<M>) -> NodeKind {
    match (is_principal, node.cut_node) {
        (true, _) => NodeKind::Principal,
        (false, true) => NodeKind::Cut,
        (false, false) => NodeKind::All,
    }
}

impl<G: Game> Auditor<G> for Shadows<G> {
    type Margins<'a> = &'a Margins;

    fn is_off(search: &Search<'_, G, Self>, rule: Rule, ply: usize) -> bool {
        search.auditor.off == Some((rule, ply))
    }

    fn node_was_cut(
        search: &mut Search<'_, G, Self>,
        rule: Rule,
        node: &Node<G::Move>,
        depth: i32,
        window: (Value, Value),
        value: Value,
        nodes_before: u64,
    ) {
        let Some(wanted) = search.count(rule, depth) else { return };
        let mut context = search.context_of_node(rule, node, depth, window, value);
        context.spent = search.nodes - nodes_before;
        let (alpha, beta) = window;
        search.auditor.off = Some((rule, node.ply));
        let answer = search.shadow(|search| {
            // The depth is that after hindsight, which looks back only once.
            search.frame_mut(node.ply - 1).plies_reduced = 0;
            search.unsettled_node::<ZeroWindow>(alpha, beta, depth, node.ply, node.cut_node)
        });
        let is_wrong = |shadow: Value| (shadow >= beta) != (value >= beta);
        search.auditor.note(context, wanted.weight, &answer, value, is_wrong);
    }

    fn was_in_vain(search: &mut Search<'_, G, Self>, rule: Rule, depth: i32, nodes_before: u64) {
        if !search.auditor.is_running {
            let nodes = search.nodes - nodes_before;
            search.auditor.plan.count_in_vain(rule, depth, nodes);
        }
    }

    fn skipped_move<K: Kind>(
        search: &mut Search<'_, G, Self>,
        rule: Rule,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        alpha: Value,
    ) {
        let Some(wanted) = search.count(rule, depth_of(rule, node, candidate)) else { return };
        let context = search.context_of_move::<K>(rule, node, candidate, alpha);
        let answer = search.shadow_of_move::<K>(Some(rule), node, candidate, alpha);
        search.auditor.note(context, wanted.weight, &answer, alpha, |value| value > alpha);
    }

    fn skipped_late<K: Kind, P: Picker<G>>(
        search: &mut Search<'_, G, Self>,
        node: &Node<G::Move>,
        picker: &P,
        candidate: &Candidate<G::Move>,
        alpha: Value,
    ) {
        let rule = Rule::LateMovePruning;
        let Some(wanted) = search.count(rule, node.depth) else { return };
        let kept = search.margins.late_move_pruning.kept();
        let mut skipped = vec![(0, candidate.mv)];
        let others = search.quiets_left_out(node, picker, kept).into_iter();
        skipped.extend(others.map(|(place, mv)| (place + 1, mv)));
        let (place, mv) = skipped[(wanted.random as usize * skipped.len()) >> 32];
        let rows = search.rows(node.ply);
        let chosen = search.candidate(node, mv, candidate.count + place, rows);
        let context = search.context_of_move::<K>(rule, node, &chosen, alpha);
        let answer = search.shadow_of_move::<K>(None, node, &chosen, alpha);
        let weight = wanted.weight * skipped.len() as f64;
        search.auditor.note(context, weight, &answer, alpha, |value| value > alpha);
    }

    fn skipped_futile<K: Kind, P: Picker<G>>(
        search: &mut Search<'_, G, Self>,
        node: &Node<G::Move>,
        picker: &P,
        count: usize,
        pruning_reduction: i32,
        alpha: Value,
    ) {
        if search.auditor.is_running {
            return;
        }
        let rule = Rule::Futility;
        let depth = reduced_depth(node.depth, pruning_reduction);
        let rows = search.rows(node.ply);
        let kept = search.margins.futility.kept();
        for (place, mv) in search.quiets_left_out(node, picker, kept) {
            let Some(wanted) = search.count(rule, depth) else { continue };
            let candidate = search.candidate(node, mv, count + 1 + place, rows);
            let answer = search.shadow_of_move::<K>(Some(rule), node, &candidate, alpha);
            let as_seen = Candidate { pruning_reduction, ..candidate };
            let context = search.context_of_move::<K>(rule, node, &as_seen, alpha);
            search.auditor.note(context, wanted.weight, &answer, alpha, |value| value > alpha);
        }
    }

    fn reduced_move<K: Kind>(
        search: &mut Search<'_, G, Self>,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        (depth, plies): (i32, i32),
        alpha: Value,
        value: Value,
        nodes_before: u64,
    ) {
        let rule = Rule::LateMoveReduction;
        if value > alpha {
            Self::was_in_vain(search, rule, depth, nodes_before);
            return;
        }
        let Some(wanted) = search.count(rule, depth) else { return };
        let context = Context {
            rule,
            depth,
            gap: candidate.base_reduction,
            lead: plies,
            improving: node.improving,
            history: candidate.history,
            count: candidate.count,
            node: kind_of(K::PRINCIPAL, node),
            spent: search.nodes - nodes_before,
        };
        let answer = search.shadow(|search| {
            -search.node::<ZeroWindow>(-alpha - 1, -alpha, depth, node.ply + 1, !node.cut_node)
        });
        search.auditor.note(context, wanted.weight, &answer, value, |value| value > alpha);
    }

    fn skipped_leaf_move(
        search: &mut Search<'_, G, Self>,
        rule: Rule,
        mv: G::Move,
        alpha: Value,
        ply: usize,
        (lead, threshold): (Value, Value),
    ) {
        let Some(wanted) = search.count(rule, 0) else { return };
        let margins = search.margins;
        let (gap, lead) = if rule == Rule::QuiescenceFutility {
            (lead + margins.quiescence_futility.margin, lead)
        } else {
            let loss = search.loss(mv);
            (loss, loss + threshold)
        };
        // The rule that comes after futility would have skipped the move as well.
        let is_covered = rule == Rule::QuiescenceFutility
            && margins.quiescence_exchange.enabled()
            && !search.game.exchange_at_least(mv, threshold);
        let answer = search.shadow(|search| {
            if is_covered {
                return alpha;
            }
            search.play(mv, ply);
            let value = -search.quiescence::<ZeroWindow>(-alpha - 1, -alpha, ply + 1);
            search.game.undo();
            value
        });
        let context = Context {
            rule,
            depth: 0,
            gap,
            lead,
            improving: false,
            history: 0,
            count: 0,
            node: NodeKind::Leaf,
            spent: 0,
        };
        search.auditor.note(context, wanted.weight, &answer, alpha, |value| value > alpha);
    }

    fn before_storing(search: &mut Search<'_, G, Self>) {
        if search.auditor.is_running {
            let saved = search.memory.table.saved(search.game.key());
            search.auditor.clusters.push(saved);
        }
    }

    fn before_learning(search: &mut Search<'_, G, Self>) {
        if search.auditor.is_running && !search.auditor.histories_changed {
            search.auditor.histories.copy_from(&search.memory.histories);
            search.auditor.histories_changed = true;
        }
    }
}
