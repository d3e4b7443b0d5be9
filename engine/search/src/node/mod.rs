//! A node of the tree: fail-soft principal-variation search, from its window to its last move. A file
//! beside this one has all of a technique: its numbers, its formula, its reason and its use.
//!
//! The node reads from top to bottom as a list of techniques. Moves are skipped unsearched only
//! where the game says that moving is as good as passing (`Game::may_pass`).
//!
//! CITE: Donald E. Knuth and Ronald W. Moore, "An Analysis of Alpha-Beta Pruning" (1975).

mod check_extension;
mod evaluation_history;
mod exchange_pruning;
mod extension_limit;
mod fail_high_blend;
mod futility;
mod hindsight;
mod history_pruning;
mod inherited_line;
mod internal_reduction;
pub(super) mod kinds;
pub(super) mod known;
mod late_move_pruning;
pub(super) mod late_move_reduction;
mod lmr_research;
mod mate_distance;
mod noisy_futility;
mod null_move;
mod prior_move_bonus;
mod prob_cut;
mod razoring;
mod reduce_after_alpha;
mod reverse_futility;
mod singular_extension;
mod table_cutoff;
mod upcoming_repetition;

use parameters::Switch;
use parameters::table;

use super::audit::{Auditor, Rule};
use super::literature::Look;
use super::memory::history::Rows;
use super::memory::learning::FailedMoves;
use super::ordering::{MainPicker, Pick, Picker, RootPicker, TacticalPicker};
use super::value::{Bound, DECIDED, DRAW, INFINITY, MAX_PLY, Value};
use super::{Game, GameMove, RuleBounds, Search};
use kinds::{Kind, Principal, ZeroWindow};
use known::{Candidate, Node};
use singular_extension::Singular;

table! {
    /// Every search margin and switch, a group a technique.
    Margins {
        aspiration: super::root::aspiration::Aspiration,
        root_order: super::root::iterate::RootOrder,
        mate_distance: mate_distance::MateDistance,
        upcoming_repetition: upcoming_repetition::UpcomingRepetition,
        table: super::memory::table::TableMargins,
        table_cutoff: table_cutoff::TableCutoff,
        correction_history: super::memory::history::CorrectionHistory,
        reverse_futility: reverse_futility::ReverseFutility,
        razoring: razoring::Razoring,
        null_move: null_move::NullMove,
        internal_reduction: internal_reduction::InternalReduction,
        hindsight: hindsight::Hindsight,
        prob_cut: prob_cut::ProbCut,
        late_move_pruning: late_move_pruning::LateMovePruning,
        futility: futility::Futility,
        noisy_futility: noisy_futility::NoisyFutility,
        history_pruning: history_pruning::HistoryPruning,
        exchange_pruning: exchange_pruning::ExchangePruning,
        singular_extension: singular_extension::SingularExtension,
        check_extension: check_extension::CheckExtension,
        extension_limit: extension_limit::ExtensionLimit,
        late_move_reduction: late_move_reduction::LateMoveReduction,
        #[was(second_look)]
        lmr_research: lmr_research::LmrResearch,
        #[was(raised_alpha)]
        reduce_after_alpha: reduce_after_alpha::ReduceAfterAlpha,
        inherited_line: inherited_line::InheritedLine,
        #[was(blending)]
        fail_high_blend: fail_high_blend::FailHighBlend,
        killer: super::memory::history::Killer,
        counter_move: super::memory::history::CounterMove,
        quiet_history: super::memory::history::QuietHistory,
        capture_history: super::memory::history::CaptureHistory,
        structure_history: super::memory::history::StructureHistory,
        continuation_history: super::memory::history::ContinuationHistory,
        history: super::memory::history::History,
        #[was(prior_move)]
        prior_move_bonus: prior_move_bonus::PriorMoveBonus,
        evaluation_history: evaluation_history::EvaluationHistory,
        ordering: super::ordering::Ordering,
        quiescence: super::quiescence::Quiescence,
        quiescence_evasions: super::quiescence::QuiescenceEvasions,
        quiescence_exchange: super::quiescence::QuiescenceExchange,
        quiescence_futility: super::quiescence::QuiescenceFutility,
        time: super::root::time::Time,
        time_stability: super::root::time::TimeStability,
        time_node_share: super::root::time::TimeNodeShare,
        time_falling_score: super::root::time::TimeFallingScore,
        // Methods of the literature, off in ordinary play.
        negascout: super::literature::margins::NegaScout,
        mtd: super::literature::margins::Mtd,
        last_mover_first: super::literature::margins::LastMoverFirst,
        lightest_attacker: super::literature::margins::LightestAttacker,
        quiet_lists: super::literature::margins::QuietLists,
        piece_order: super::literature::margins::PieceOrder,
        two_tables: super::literature::margins::TwoTables,
        line_repetition: super::literature::margins::LineRepetition,
        null_move_rules: super::literature::margins::NullMoveRules,
        null_threat: super::literature::margins::NullThreat,
        frontier: super::literature::margins::Frontier,
        static_search: super::literature::margins::StaticSearch,
        lazy_eval: super::literature::margins::LazyEval,
        internal_deepening: super::literature::margins::InternalDeepening,
        quiescence_cap: super::literature::margins::QuiescenceCap,
        forced_checks: super::literature::margins::ForcedChecks,
        single_reply: super::literature::margins::SingleReply,
        recapture_extension: super::literature::margins::RecaptureExtension,
        capture_extension: super::literature::margins::CaptureExtension,
        pawn_extension: super::literature::margins::PawnExtension,
        queen_approach: super::literature::margins::QueenApproach,
        king_safety_extension: super::literature::margins::KingSafetyExtension,
        score_change_extension: super::literature::margins::ScoreChangeExtension,
        fractional_extension: super::literature::margins::FractionalExtension,
        principal_tree: super::literature::margins::PrincipalTree,
    }
}

/// The rule that cuts a node as a whole, and the value it gives.
type NodeCut = (Rule, Value);

/// The best of a node's moves so far.
pub(crate) struct Best<M> {
    pub(crate) value: Value,
    pub(crate) mv: M,
    /// Number of moves tried or skipped, but for those left out together.
    pub(crate) count: usize,
    /// The value rests on a search of less than the node's depth.
    pub(crate) by_shallow_search: bool,
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// The value of the current position searched to `depth`; exact within the window, else a
    /// bound.
    pub(crate) fn node<K: Kind>(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
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
            return self.undecided_node::<K>(alpha, beta, depth, ply, cut_node);
        }
        // A node that the rules have decided needs no search.
        let (least, most) = match self.rule_bounds(alpha, beta, ply, depth) {
            RuleBounds::Settled(value) => return value,
            RuleBounds::Within(least, most) => (least, most),
        };
        let (alpha, beta) = (alpha.max(least), beta.min(most));
        self.undecided_node::<K>(alpha, beta, depth, ply, cut_node).clamp(least, most)
    }

    /// The value of a node about which the rules leave the question of this window open.
    pub(crate) fn undecided_node<K: Kind>(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        if !K::ROOT {
            if ply >= MAX_PLY - 1 {
                return self.evaluate();
            }
            (alpha, beta) = self.margins.mate_distance.narrow(alpha, beta, ply);
            alpha = self.raise_by_repetition(alpha, ply);
            if alpha >= beta {
                return alpha;
            }
        }

        let excluded = self.frame(ply).excluded;
        let entry = if excluded == G::Move::NONE { self.probe(ply) } else { None };
        if !K::PRINCIPAL
            && let Some(value) = self.try_table_cutoff(entry, (alpha, beta), depth, ply)
        {
            return value;
        }

        // A pass may be tried before any move.
        if !K::PRINCIPAL && self.margins.null_move.applies(depth) {
            self.memory.table.prefetch(self.game.likely_key_after_pass());
        }
        let mut node = self.look_at::<K>(depth, ply, cut_node, excluded, entry);
        let before = self.nodes;

        // Methods of the literature, if any is on.
        let mut sure = -INFINITY;
        if self.classics().nodes {
            match self.look_classically::<K>(&mut node, depth, (alpha, beta)) {
                Look::Answer(value) => return value,
                Look::AtLeast(value) => sure = value,
            }
        }
        if !K::PRINCIPAL && !node.in_check && !node.uncut && excluded == G::Move::NONE {
            let cut = self
                .try_reverse_futility(&node, beta)
                .or_else(|| self.try_razoring(&node, alpha, beta))
                .or_else(|| self.try_null_move(&mut node, beta))
                .or_else(|| self.try_prob_cut(&node, beta));
            if let Some((rule, value)) = cut {
                A::cut_node(self, rule, &node, node.depth, (alpha, beta), value, before);
                return value;
            }
        }
        let depth = node.depth;
        node.depth = self.depth_of_moves::<K>(&node);

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
            // A search of some of the root's moves says nothing of the position.
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
            self.prefetch_after(mv);
            let candidate = self.candidate(node, mv, best.count, rows);
            let noisy = candidate.noisy;

            if may_skip {
                if self.skips_late::<K, P>(node, &mut picker, &candidate, alpha) {
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
                        best.value = self.margins.fail_high_blend.searched(value, beta, node.depth);
                        break;
                    }
                    alpha = value;
                    if K::PRINCIPAL {
                        node.depth =
                            self.margins.reduce_after_alpha.depth(whole_depth, alpha, beta);
                    }
                }
            }
            if noisy { noisies.push(mv) } else { quiets.push(mv) }
        }
        node.depth = whole_depth;
        best
    }

    /// The rule by which a move is not worth a search this close to the leaves, if there is one.
    pub(crate) fn hopeless(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        alpha: Value,
    ) -> Option<Rule> {
        if self.skips_futile(node, candidate, alpha) {
            Some(Rule::Futility)
        } else if self.skips_noisy_futile(node, candidate, alpha) {
            Some(Rule::NoisyFutility)
        } else if self.skips_by_history(node, candidate) {
            Some(Rule::HistoryPruning)
        } else {
            self.skips_losing(node, candidate)
        }
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

    /// Plays and searches one move of a node whose best one so far has the value `best`.
    pub(crate) fn try_move<K: Kind>(
        &mut self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        rows: &Rows,
        mut extension: i32,
        (alpha, beta): (Value, Value),
        best: Value,
    ) -> Value {
        let margins = self.margins;
        let ply = node.ply;
        let favored = !candidate.noisy && self.frame(ply).killers.contains(&candidate.mv);
        let extends_check = self.extends_check(node, candidate, extension);
        if K::PRINCIPAL {
            // A move that fails high at once leaves no variation: not that of the one before.
            self.variations[ply + 1].length = 0;
        }
        let prospects = self.classics().moves.then(|| self.prospects(node, candidate));
        self.play_candidate(candidate, ply);
        let gives_check = self.game.in_check();

        if extends_check && gives_check {
            extension = 1;
        }
        // Extensions of the literature, if any is on.
        if let Some(prospects) = &prospects {
            extension = self.classic_extension(node, candidate, prospects, extension);
        }
        let mut depth = node.depth - 1 + extension;
        self.note_extension(ply, extension);

        // LazyEval of the literature, if it is on.
        if prospects.is_some()
            && let Some(value) = self.reduced_computation(node, candidate, depth, alpha)
        {
            self.game.undo();
            return value;
        }

        // Late-move reduction.
        let mut value = INFINITY;
        let mut verified = false;
        let late_move = &margins.late_move_reduction;
        if late_move.applies(K::PRINCIPAL, node.depth, candidate.count) && !node.trusted {
            let reduction = self.reduction::<K>(node, candidate, favored, gives_check);
            let reduced = (depth - reduction / 100).clamp(1, depth.max(1));
            let before = self.nodes;
            self.frame_mut(ply).reduction = depth - reduced;
            value = -self.node::<ZeroWindow>(-alpha - 1, -alpha, reduced, ply + 1, true);
            self.frame_mut(ply).reduction = 0;
            verified = value <= alpha || reduced >= depth;
            if reduced < depth {
                let plies = (depth, depth - reduced);
                A::reduced_move::<K>(self, node, candidate, plies, alpha, value, before);
            }
            if !verified {
                depth += margins.lmr_research.plies(value - best);
                verified = reduced >= depth;
            }
        }

        // Zero window: all but the first move need only show that they are no better.
        // CITE: T. A. Marsland and Murray Campbell, "Parallel Search of Strongly Ordered Game
        // Trees" (1982).
        let narrow_first = margins.negascout.first_move();
        let first = K::PRINCIPAL && candidate.count == 1 && !narrow_first;
        if !verified && value > alpha && !first && !self.stopped {
            let is_second = value < INFINITY;
            value = -self.node::<ZeroWindow>(-alpha - 1, -alpha, depth, ply + 1, !node.cut_node);
            if is_second && !self.stopped {
                self.learn_from_second_look(candidate, *rows, depth, value, (alpha, beta));
            }
        }

        // Open window: for the first move, and for one that turned out better after all, which NegaScout
        // asks only how much better.
        // CITE: Alexander Reinefeld, "An Improvement to the Scout Tree Search Algorithm" (1983).
        let better = value > alpha && value < beta;
        if K::PRINCIPAL && (first || better) && !self.stopped {
            let proved = if better && margins.negascout.enabled() { value } else { alpha };
            let searched = -self.node::<Principal>(-beta, -proved, depth, ply + 1, false);
            value = if proved > alpha { searched.max(proved) } else { searched };
        }
        self.game.undo();
        value
    }
}

impl Margins {
    /// The same without all that may leave out a line, or search one less deeply than asked: groups
    /// that are not declared sound are off. Leaves are searched on, since who is mated there is seen
    /// by his answers.
    pub fn without_cuts(&self) -> Margins {
        let mut margins = *self;
        for row in Margins::INFO.iter().filter(|row| row.is_switch() && !row.is_sound) {
            margins.cells_mut()[row.first_cell] = 0;
        }
        margins.quiescence.enabled = Switch::ON;
        margins
    }
}
