//! The tree: fail-soft principal-variation search. Each technique is one paragraph.

use super::audit::{Auditor, Rule};
use super::classics::Look;
use super::history::Rows;
use super::learning::FailedMoves;
use super::ordering::{MainPicker, Pick, Picker, RootPicker, TacticalPicker};
use super::singular::Singular;
use super::value::{Bound, DECIDED, DRAW, INFINITY, MAX_PLY, UNKNOWN, Value, is_decided, mated_at};
use super::{Game, GameMove, HistoryIndex, Ruled, Search, TableEntry};

/// What kind of node is searched. Kinds are types, so that each has its own code.
pub(super) trait Kind {
    /// The position that was asked about.
    const ROOT: bool;
    /// The window is open: the node may lie on the line of best play.
    const PRINCIPAL: bool;
}

/// The position that was asked about.
pub(super) struct Root;
/// A node with an open window.
pub(super) struct Principal;
/// A node of which only "above or not" is asked.
pub(super) struct ZeroWindow;

impl Kind for Root {
    const ROOT: bool = true;
    const PRINCIPAL: bool = true;
}

impl Kind for Principal {
    const ROOT: bool = false;
    const PRINCIPAL: bool = true;
}

impl Kind for ZeroWindow {
    const ROOT: bool = false;
    const PRINCIPAL: bool = false;
}

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy)]
pub(super) struct Node<M> {
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// The parent expects a cutoff here.
    pub(super) cut: bool,
    pub(super) in_check: bool,
    /// Evaluation before corrections, for the table.
    pub(super) raw: Value,
    /// Best guess of the value: evaluation, corrected, refined by the table.
    pub(super) guess: Value,
    /// The mover stands better than at its last turn.
    pub(super) improving: bool,
    /// The node lies, or once lay, on the line of best play.
    pub(super) was_principal: bool,
    /// Some move will be at least as good as passing: only then do the bad ones say nothing of the
    /// others.
    pub(super) may_pass: bool,
    /// None of its moves is skipped or reduced.
    pub(super) trusted: bool,
    /// It is not cut as a whole: it is trusted, or the answer at a node that is.
    pub(super) uncut: bool,
    pub(super) excluded: M,
    pub(super) entry: Option<TableEntry<M>>,
    pub(super) table_move: M,
    /// The table's move is noisy.
    pub(super) table_move_is_noisy: bool,
}

/// A move about to be tried.
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    /// Its number among the node's moves, from 1.
    pub(super) count: usize,
    pub(super) noisy: bool,
    pub(super) index: HistoryIndex,
    pub(super) history: i32,
    /// Late-move reduction in hundredths of a ply, before what depends on the move's effect.
    pub(super) reduction: i32,
    /// What of it counts where moves are pruned, in hundredths of a ply.
    pub(super) pruning_reduction: i32,
}

impl<M> Candidate<M> {
    /// The depth by which the move is pruned: what is left after it and its reduction.
    #[inline]
    pub(super) fn reduced_depth(&self, node: &Node<M>) -> i32 {
        reduced_depth(node.depth, self.pruning_reduction)
    }
}

/// What a reduction in hundredths of a ply leaves of a depth, after the move itself.
pub(super) fn reduced_depth(depth: i32, reduction: i32) -> i32 {
    (depth - 1 - reduction / 100).max(0)
}

/// What became of a node's moves.
pub(super) struct Best<M> {
    pub(super) value: Value,
    pub(super) mv: M,
    /// Number of moves tried or skipped, but for those left out together.
    pub(super) count: usize,
    /// The value rests on a search of less than the node's depth.
    pub(super) by_shallow_search: bool,
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// The value of the current position searched to `depth`; exact within the window, else a
    /// bound.
    ///
    /// CITE: Donald E. Knuth and Ronald W. Moore, "An Analysis of Alpha-Beta Pruning" (1975).
    pub(super) fn node<K: Kind>(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        if depth <= 0 && !K::ROOT {
            return self.leaf::<K>(alpha, beta, ply);
        }
        if K::PRINCIPAL {
            self.variations[ply].length = 0;
        }
        if self.enter(ply) {
            return DRAW;
        }
        if K::ROOT {
            return self.undecided_node::<K>(alpha, beta, depth, ply, cut);
        }
        // What the rules have decided needs no search.
        let (least, most) = match self.ruled(alpha, beta, ply, depth) {
            Ruled::Settled(value) => return value,
            Ruled::Within(least, most) => (least, most),
        };
        let (alpha, beta) = (alpha.max(least), beta.min(most));
        self.undecided_node::<K>(alpha, beta, depth, ply, cut).clamp(least, most)
    }

    /// The value of a node about which the rules leave the question of this window open.
    pub(super) fn undecided_node<K: Kind>(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        if !K::ROOT {
            if ply >= MAX_PLY - 1 {
                return self.evaluate();
            }
            (alpha, beta) = self.narrowed(alpha, beta, ply);
            if alpha >= beta {
                return alpha;
            }
        }

        // Transposition table: the same question may have been answered before.
        // CITE: Richard D. Greenblatt, Donald E. Eastlake and Stephen D. Crocker, "The Greenblatt
        // Chess Program" (1967).
        let excluded = self.frame(ply).excluded;
        let entry = if excluded == G::Move::NONE { self.probe(ply) } else { None };
        if let Some(entry) = entry
            && !K::PRINCIPAL
            && self.margins.table_cutoff.enabled()
            && entry.depth >= depth
            && entry.settles(alpha, beta)
        {
            self.learn_from_table(&entry, beta, depth, ply);
            return entry.value;
        }

        // A pass may be tried before any move.
        if !K::PRINCIPAL && self.margins.null_move.applies(depth) {
            self.memory.table.prefetch(self.game.likely_key_after_pass());
        }
        let mut node = self.look_at::<K>(depth, ply, cut, excluded, entry);
        let before = self.nodes;

        // Methods of the literature, if any is on.
        let mut sure = -INFINITY;
        if self.classics().nodes {
            match self.look_classically::<K>(&mut node, depth, (alpha, beta)) {
                Look::Answer(value) => return value,
                Look::AtLeast(value) => sure = value,
            }
        }
        if !K::PRINCIPAL
            && !node.in_check
            && !node.uncut
            && excluded == G::Move::NONE
            && let Some((rule, value)) = self.cut_without_moves(&mut node, alpha, beta)
        {
            A::cut_node(self, rule, &node, node.depth, (alpha, beta), value, before);
            return value;
        }

        // Internal reduction: without a table move the order is poor; a shallower search finds the
        // move for next time.
        let depth = node.depth;
        if excluded == G::Move::NONE && !K::ROOT && !A::is_off(self, Rule::InternalReduction, ply) {
            let known = node.entry.filter(|_| node.table_move != G::Move::NONE);
            let expects_cut = K::PRINCIPAL || cut;
            let known_depth = known.map(|entry| entry.depth);
            node.depth = self.margins.internal_reduction.depth(depth, known_depth, expects_cut);
        }

        let mut best = self.search_in_order::<K>(&mut node, alpha.max(sure), beta);
        if self.stopped {
            return DRAW;
        }
        if best.count == 0 {
            let stuck = excluded == G::Move::NONE;
            return if stuck { self.game.stuck(ply) } else { alpha };
        }
        best.value = best.value.max(sure);
        if node.depth < depth && !K::PRINCIPAL {
            let rule = Rule::InternalReduction;
            A::cut_node(self, rule, &node, depth, (alpha, beta), best.value, before);
        }
        if excluded == G::Move::NONE && !best.by_shallow_search {
            if best.value <= alpha {
                self.learn_from_failing_low(&node);
            }
            // What is asked of some of the root's moves alone says nothing of the position.
            if !K::ROOT || self.asks_all_of_root() {
                let bound = Bound::of(best.value, alpha, beta);
                self.remember(&node, &best, bound);
                self.learn_correction(&node, &best, bound);
            }
        }
        best.value
    }

    /// Tries the moves of a node in the order that suits it.
    #[inline(always)]
    fn search_in_order<K: Kind>(
        &mut self,
        node: &mut Node<G::Move>,
        alpha: Value,
        beta: Value,
    ) -> Best<G::Move> {
        let floor = self.moves.len();
        self.look_for_threats(node.ply);
        let best = if K::ROOT {
            let picker = RootPicker::new(self);
            self.search_moves::<K, _>(node, picker, alpha, beta)
        } else if node.in_check {
            let picker = TacticalPicker::new(self, node.ply, node.table_move, true);
            self.search_moves::<K, _>(node, picker, alpha, beta)
        } else {
            let picker = MainPicker::new(self, node.ply, node.table_move);
            self.search_moves::<K, _>(node, picker, alpha, beta)
        };
        self.moves.truncate(floor);
        best
    }

    /// The part of a window in which the value can lie, whatever the moves are; empty where that is
    /// known.
    #[inline]
    fn narrowed(&self, mut alpha: Value, mut beta: Value, ply: usize) -> (Value, Value) {
        // Mate distance: no line longer than a mate already found is of interest.
        if self.margins.mate_distance.enabled() {
            alpha = alpha.max(mated_at(ply));
            beta = beta.min(-mated_at(ply + 1));
        }
        // Upcoming repetition: who can repeat has a draw at least.
        // CITE: Marcel van Kervinck, "The Design and Implementation of the Rookie 2.0 Chess Playing
        // Program" (2002).
        if self.margins.upcoming_repetition.enabled()
            && alpha < self.game.draw()
            && self.game.can_repeat(ply)
        {
            alpha = self.game.draw();
        }
        (alpha, beta)
    }

    /// Looks at a node without searching: check, evaluation, trend, table move.
    fn look_at<K: Kind>(
        &mut self,
        depth: i32,
        ply: usize,
        cut: bool,
        excluded: G::Move,
        entry: Option<TableEntry<G::Move>>,
    ) -> Node<G::Move> {
        let table_move = entry.map_or(G::Move::NONE, |entry| entry.mv);
        let usable = table_move != G::Move::NONE && self.game.is_plausible(table_move);
        let table_move = if usable { table_move } else { G::Move::NONE };
        if usable {
            self.expect(table_move);
        }
        let in_check = self.game.in_check();
        let mut raw = 0;
        let mut evaluation = UNKNOWN;
        let mut guess = UNKNOWN;
        if !in_check {
            if excluded == G::Move::NONE {
                (raw, evaluation) = self.evaluated(&entry, ply);
            } else {
                evaluation = self.frame(ply).evaluation;
            }
            guess = entry.map_or(evaluation, |entry| entry.refine(evaluation));
        }
        // Without the table's move it is the node that it was.
        let was_principal = if excluded == G::Move::NONE {
            K::PRINCIPAL || entry.is_some_and(|entry| entry.was_principal)
        } else {
            self.frame(ply).was_principal
        };
        let frame = self.frame_mut(ply);
        (frame.evaluation, frame.was_principal) = (evaluation, was_principal);
        let grandchild = self.frame_mut(ply + 2);
        grandchild.killers = [G::Move::NONE; 2];
        grandchild.cutoffs = 0;
        if evaluation != UNKNOWN && excluded == G::Move::NONE {
            self.learn_from_evaluation(evaluation, ply);
        }
        let improving = !in_check && self.is_improving(ply);
        let is_whole = !K::ROOT && excluded == G::Move::NONE;
        Node {
            depth: if is_whole { depth + self.hindsight(depth, ply) } else { depth },
            ply,
            cut,
            in_check,
            raw,
            guess,
            improving,
            was_principal,
            may_pass: self.game.may_pass(),
            trusted: false,
            uncut: false,
            excluded,
            entry,
            table_move,
            table_move_is_noisy: usable && self.game.is_noisy(table_move),
        }
    }

    /// Hindsight: what the evaluation after a reduced move says of that reduction, in plies.
    fn hindsight(&self, depth: i32, ply: usize) -> i32 {
        let before = &self.stack[super::BEFORE_ROOT + ply - 1];
        let now = self.frame(ply).evaluation;
        if before.reduction == 0 || now == UNKNOWN || before.evaluation == UNKNOWN {
            return 0;
        }
        self.margins.hindsight.plies(before.reduction, before.evaluation + now, depth)
    }

    /// True if the mover stands better than two plies (or, after a check there, four plies) ago.
    fn is_improving(&self, ply: usize) -> bool {
        let before = |back: usize| self.stack[super::BEFORE_ROOT + ply - back].evaluation;
        let then = if before(2) == UNKNOWN { before(4) } else { before(2) };
        then == UNKNOWN || self.frame(ply).evaluation > then
    }

    /// Tries the node's moves one by one. The node is the same afterwards.
    fn search_moves<K: Kind, P: Picker<G>>(
        &mut self,
        node: &mut Node<G::Move>,
        mut picker: P,
        mut alpha: Value,
        beta: Value,
    ) -> Best<G::Move> {
        let ply = node.ply;
        let rows = self.rows(ply);
        // The depth falls once alpha has been raised.
        let whole_depth = node.depth;
        let mut best =
            Best { value: -INFINITY, mv: G::Move::NONE, count: 0, by_shallow_search: false };
        let mut quiets = FailedMoves::new();
        let mut noisies = FailedMoves::new();
        loop {
            // Some move can be searched, so that others may be skipped.
            let may_skip = !K::ROOT && node.may_pass && best.value > -DECIDED;
            let next = self.next_wanted::<K, P>(node, &mut picker, best.count, alpha, may_skip);
            let Some(mv) = next else { break };
            best.count += 1;
            self.expect(mv);
            let candidate = self.candidate(node, mv, best.count, rows);
            let noisy = candidate.noisy;

            if may_skip {
                let may_be_late = !noisy && !node.in_check;
                if may_be_late && self.skips_late::<K, P>(node, &mut picker, &candidate, alpha) {
                    continue;
                }
                if let Some(rule) = self.hopeless(node, &candidate, alpha) {
                    A::skipped_move::<K>(self, rule, node, &candidate, alpha);
                    if rule == Rule::Futility && picker.is_among_quiets() {
                        let reduction = candidate.pruning_reduction;
                        self.skip_futile::<K, P>(node, &mut picker, best.count, reduction, alpha);
                    }
                    continue;
                }
            }

            let before = self.nodes;
            let extension = match self.singular_extension::<K>(node, mv, beta) {
                Singular::Extension(extension) => extension,
                Singular::Cutoff(value) => {
                    let rule = Rule::MultiCut;
                    A::cut_node(self, rule, node, node.depth, (alpha, beta), value, before);
                    best.value = value;
                    best.by_shallow_search = true;
                    break;
                }
            };
            if self.stopped {
                break;
            }

            let nodes_before = self.nodes;
            let value =
                self.try_move::<K>(node, &candidate, &rows, extension, (alpha, beta), best.value);
            if self.stopped {
                break;
            }
            if K::ROOT {
                self.judge_root_move(best.count, value, alpha, beta, nodes_before);
            }

            if value > best.value {
                best.value = value;
                if value > alpha {
                    best.mv = mv;
                    if K::PRINCIPAL {
                        self.extend_variation(ply, mv);
                    }
                    if value >= beta {
                        self.learn(node, &candidate, quiets.moves(), noisies.moves());
                        best.value = self.margins.blending.searched(value, beta, node.depth);
                        break;
                    }
                    alpha = value;
                    // Raised alpha: a move is good enough already; the others must only be compared
                    // with it.
                    if K::PRINCIPAL && !is_decided(alpha) && !is_decided(beta) {
                        node.depth = whole_depth - self.margins.raised_alpha.plies(whole_depth);
                    }
                }
            }
            if noisy { noisies.push(mv) } else { quiets.push(mv) }
        }
        node.depth = whole_depth;
        best
    }

    /// The node's next move, after this number of them. Futility may leave out quiet ones before they
    /// are generated, if moves may be skipped.
    #[inline(always)]
    fn next_wanted<K: Kind, P: Picker<G>>(
        &mut self,
        node: &Node<G::Move>,
        picker: &mut P,
        count: usize,
        alpha: Value,
        may_skip: bool,
    ) -> Option<G::Move> {
        loop {
            match picker.next(self) {
                Pick::Move(mv) if mv == node.excluded => {}
                Pick::Move(mv) => return Some(mv),
                Pick::Quiets => {
                    if may_skip && let Some(reduction) = self.futile_by(node, count + 1, alpha) {
                        self.skip_futile::<K, P>(node, picker, count, reduction, alpha);
                    }
                }
                Pick::End => return None,
            }
        }
    }

    /// What is known of a move before it is searched. As a function of its own it would cost .7 %
    /// of all instructions.
    #[inline(always)]
    pub(super) fn candidate(
        &self,
        node: &Node<G::Move>,
        mv: G::Move,
        count: usize,
        rows: Rows,
    ) -> Candidate<G::Move> {
        let noisy = self.game.is_noisy(mv);
        let index = self.game.history_index(mv, self.threats_of_histories(node.ply));
        let histories = &self.memory.histories;
        let history = if noisy {
            histories.noisy(index)
        } else {
            histories.quiet(&self.margins, index, rows)
        };
        let reductions = &self.memory.reductions;
        let late_move = &self.margins.late_move_reduction;
        let (reduction, pruning_reduction) =
            late_move.reduction(reductions, noisy, node.depth, count, history);
        Candidate { mv, count, noisy, index, history, reduction, pruning_reduction }
    }
}
