//! A node of the tree: fail-soft principal-variation search, from its window to its last move. A file
//! beside this one has all of a technique: its numbers, its formula, its reason and its use.
//!
//! The node reads from top to bottom as a list of techniques. Moves are skipped unsearched only
//! where the game allows it (`Game::may_skip`).
//!
//! Terms. The root is the position that was asked about; `ply` is the distance from it. A principal
//! node has an open window, with values between alpha and beta, and may lie on the line of best play.
//! A zero-window node has beta = alpha + 1, which asks only whether its value is above alpha. The type
//! parameter `K: Kind` tells these kinds apart. A node fails high with a value of beta or more, and low
//! with one of alpha or less; the value is then a lower or an upper bound (fail-soft). A cut node is
//! expected to fail high. A noisy move changes the balance at once, as a capture does; all others are
//! quiet. A killer move is a quiet move that refuted another node at the same ply. History gives each move
//! points, which it wins by refuting nodes and loses where another refutes. A null move is a pass.
//!
//! "Rules of the game" end a game or bound its value (`rule_bounds`). A pruning rule ([`Rule`]) is a
//! technique that leaves something unsearched.
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

use super::audit::Auditor;
use super::audit::events::{MoveReduced, MoveSkipped, NodeWasCut};
use super::audit::rule::rules;
use super::memory::history::Rows;
use super::memory::learning::TriedMoves;
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
    }
}

rules! {
    /// A node is cut because its evaluation is far above beta.
    ReverseFutility = reverse_futility::RULE,
    /// A node far below alpha is left to quiescence.
    Razoring = razoring::RULE,
    /// A node is cut because passing keeps it above beta.
    NullMove = null_move::RULE,
    /// A node is cut because a capture stays far above beta in a shallower search.
    ProbCut = prob_cut::RULE,
    /// A node without a table move is searched less deeply.
    InternalReduction = internal_reduction::RULE,
    /// A node is cut because a second move reaches nearly the value of the table's move.
    MultiCut = singular_extension::MULTI_CUT,
    /// A quiet move is skipped because many came before it.
    LateMovePruning = late_move_pruning::RULE,
    /// A quiet move is skipped because the evaluation is far below alpha.
    Futility = futility::RULE,
    /// A noisy move is skipped because its gain leaves the evaluation far below alpha.
    NoisyFutility = noisy_futility::RULE,
    /// A quiet move is skipped because it nearly always failed.
    HistoryPruning = history_pruning::RULE,
    /// A quiet move is skipped because it loses material.
    ExchangeQuiet = exchange_pruning::QUIET_RULE,
    /// A noisy move is skipped because it loses material.
    ExchangeNoisy = exchange_pruning::NOISY_RULE,
    /// A move late in the order is searched less deeply and fails low.
    LateMoveReduction = late_move_reduction::RULE,
    /// A noisy move is skipped in quiescence because the evaluation is far below alpha.
    QuiescenceFutility = super::quiescence::FUTILITY_RULE,
    /// A noisy move is skipped in quiescence because it loses material.
    QuiescenceExchange = super::quiescence::EXCHANGE_RULE,
}

/// The pruning rule that cuts a node as a whole, and the value it gives.
type NodeCut = (Rule, Value);

/// The best of a node's moves so far.
pub(crate) struct Best<M> {
    /// The greatest value of a move; minus infinity while none has been searched.
    pub(crate) value: Value,
    /// The last move that raised alpha; NONE if none has.
    pub(crate) mv: M,
    /// Number of moves that the picker has handed out, searched or skipped. Quiet moves that it drops
    /// together ([`Picker::keep_quiets`]) are not counted.
    pub(crate) count: usize,
    /// The value comes from the shallower search of singular extension (multi-cut).
    pub(crate) by_shallow_search: bool,
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// The value of the current position searched to `depth`; exact within the window, else a
    /// bound. `cut_node` says that a beta cutoff is expected here; some techniques then reduce more.
    pub(crate) fn node<K: Kind>(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        if depth <= 0 && !K::ROOT {
            return self.quiescence::<K>(alpha, beta, ply);
        }
        if K::PRINCIPAL {
            self.variations[ply].length = 0;
        }
        if self.enter(ply) {
            // The search has been stopped: nobody uses the value.
            return DRAW;
        }
        if K::ROOT {
            return self.unsettled_node::<K>(alpha, beta, depth, ply, cut_node);
        }
        // The rules of the game may settle the value, as by a repetition; else they may bound it.
        let (least, most) = match self.rule_bounds(alpha, beta, ply, depth) {
            RuleBounds::Settled(value) => return value,
            RuleBounds::Within(least, most) => (least, most),
        };
        let (alpha, beta) = (alpha.max(least), beta.min(most));
        self.unsettled_node::<K>(alpha, beta, depth, ply, cut_node).clamp(least, most)
    }

    /// The value of a node that the rules of the game have not settled for this window.
    pub(crate) fn unsettled_node<K: Kind>(
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
            // The window loses the values that no node at this ply can have: no mate comes sooner than
            // by the next move. Alpha rises where the mover can repeat a position.
            (alpha, beta) = self.margins.mate_distance.narrow(alpha, beta, ply);
            alpha = self.raise_by_repetition(alpha, ply);
            if alpha >= beta {
                return alpha;
            }
        }

        // `excluded` is set by singular extension, which searches this position again without that
        // move. The transposition table, which knows the position with all its moves, is not asked then.
        let excluded = self.frame(ply).excluded;
        let entry = if excluded == G::Move::NONE { self.probe(ply) } else { None };
        if !K::PRINCIPAL
            && let Some(value) = self.try_table_cutoff(entry, (alpha, beta), depth, ply)
        {
            return value;
        }

        // The transposition table's data of the position after a null move, which may come first, are
        // fetched early: they arrive while the node is prepared.
        if !K::PRINCIPAL && self.margins.null_move.applies(depth) {
            self.memory.table.prefetch(self.game.likely_table_key_after_pass());
        }
        // The flags set here (`improving`, `may_skip` and others) are explained at `Node`.
        let mut node = self.prepare_node::<K>(depth, ply, cut_node, excluded, entry);
        let nodes_before = self.nodes;

        // Pruning rules that cut the node as a whole.
        if !K::PRINCIPAL && !node.in_check && excluded == G::Move::NONE {
            let cut = self
                .try_reverse_futility(&node, beta)
                .or_else(|| self.try_razoring(&node, alpha, beta))
                .or_else(|| self.try_null_move(&node, beta))
                .or_else(|| self.try_prob_cut(&node, beta));
            if let Some((rule, value)) = cut {
                let (depth, window) = (node.depth, (alpha, beta));
                let node = &node;
                A::event(self, NodeWasCut { rule, node, depth, window, value, nodes_before });
                return value;
            }
        }
        // Internal reduction may search the moves less deeply than the node was asked for.
        let full_depth = node.depth;
        node.depth = self.depth_of_moves::<K>(&node);

        let best = self.search_in_order::<K>(&mut node, alpha, beta);
        if self.stopped {
            return DRAW;
        }
        if best.count == 0 {
            // The game is over; or the excluded move is the only one: no other exceeds alpha.
            let no_legal_move = excluded == G::Move::NONE;
            return if no_legal_move { self.game.stuck(ply) } else { alpha };
        }
        if node.depth < full_depth && !K::PRINCIPAL {
            let (rule, node, depth) = (Rule::InternalReduction, &node, full_depth);
            let (window, value) = ((alpha, beta), best.value);
            A::event(self, NodeWasCut { rule, node, depth, window, value, nodes_before });
        }
        // A search without one move, or of less depth, says nothing of the whole node.
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

    /// Chooses the picker of moves that suits the node (root, in check or neither), and tries the moves
    /// in its order.
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

    /// Tries the node's moves one by one. `node.depth` may fall meanwhile, and is put back at the end.
    fn search_moves<K: Kind, P: Picker<G>>(
        &mut self,
        node: &mut Node<G::Move>,
        mut picker: P,
        mut alpha: Value,
        beta: Value,
    ) -> Best<G::Move> {
        let ply = node.ply;
        let history_rows = self.rows(ply);
        // In principal nodes `node.depth` may fall once a move has raised alpha.
        let initial_depth = node.depth;
        let mut best =
            Best { value: -INFINITY, mv: G::Move::NONE, count: 0, by_shallow_search: false };
        // Moves tried without a cutoff, those that raised alpha included: they lose history points if
        // a later one cuts.
        let mut tried_quiets = TriedMoves::new();
        let mut tried_noisies = TriedMoves::new();
        loop {
            // Moves are skipped only once one has been searched that does not lose for sure: a sure
            // loss is proven only by searching all moves.
            let may_skip = !K::ROOT && node.may_skip && best.value > -DECIDED;
            let next = self.next_wanted::<K, P>(node, &mut picker, best.count, alpha, may_skip);
            let Some(mv) = next else { break };
            best.count += 1;
            self.prefetch_after(mv);
            let candidate = self.candidate(node, mv, best.count, history_rows);
            let noisy = candidate.noisy;

            if may_skip {
                if self.skips_late::<K, P>(node, &mut picker, &candidate, alpha) {
                    continue;
                }
                if let Some(rule) = self.pruning_rule(node, &candidate, alpha) {
                    let (is_principal, candidate) = (K::PRINCIPAL, &candidate);
                    A::event(self, MoveSkipped { rule, node, is_principal, candidate, alpha });
                    if rule == Rule::Futility && picker.is_among_quiets() {
                        let reduction = candidate.pruning_reduction;
                        self.skip_futile::<K, P>(node, &mut picker, best.count, reduction, alpha);
                    }
                    continue;
                }
            }

            // Singular extension of the transposition table's move: the others are searched first.
            let nodes_before = self.nodes;
            let extension = match self.singular_extension::<K>(node, mv, beta) {
                Singular::Extension(extension) => extension,
                Singular::Cutoff(value) => {
                    let (rule, depth, window) = (Rule::MultiCut, node.depth, (alpha, beta));
                    let node = &*node;
                    A::event(self, NodeWasCut { rule, node, depth, window, value, nodes_before });
                    best.value = value;
                    best.by_shallow_search = true;
                    break;
                }
            };
            if self.stopped {
                break;
            }

            let nodes_before_move = self.nodes;
            let value = self.try_move::<K>(
                node,
                &candidate,
                &history_rows,
                extension,
                (alpha, beta),
                best.value,
            );
            if self.stopped {
                break;
            }
            if K::ROOT {
                self.judge_root_move(best.count, value, alpha, beta, nodes_before_move);
            }

            if value > best.value {
                best.value = value;
                if value > alpha {
                    best.mv = mv;
                    if K::PRINCIPAL {
                        self.update_variation(ply, mv);
                    }
                    if value >= beta {
                        self.learn(node, &candidate, tried_quiets.moves(), tried_noisies.moves());
                        best.value = self.margins.fail_high_blend.searched(value, beta, node.depth);
                        break;
                    }
                    alpha = value;
                    if K::PRINCIPAL {
                        node.depth =
                            self.margins.reduce_after_alpha.depth(initial_depth, alpha, beta);
                    }
                }
            }
            if noisy { tried_noisies.push(mv) } else { tried_quiets.push(mv) }
        }
        node.depth = initial_depth;
        best
    }

    /// The pruning rule that skips this one move unsearched, if one does. Late-move pruning, which also
    /// skips the moves after it, is not among them.
    pub(crate) fn pruning_rule(
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

    /// The node's next move, after `count` of them; never the excluded one. If moves may be skipped,
    /// futility may drop the quiet ones before they are generated.
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
                Pick::QuietsNext => {
                    if may_skip && let Some(reduction) = self.futile_by(node, count + 1, alpha) {
                        self.skip_futile::<K, P>(node, picker, count, reduction, alpha);
                    }
                }
                Pick::End => return None,
            }
        }
    }

    /// Plays and searches one move of a node. `best_value` is the greatest value of the moves before.
    pub(crate) fn try_move<K: Kind>(
        &mut self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        history_rows: &Rows,
        mut extension: i32,
        (alpha, beta): (Value, Value),
        best_value: Value,
    ) -> Value {
        let margins = self.margins;
        let ply = node.ply;
        let is_killer = !candidate.noisy && self.frame(ply).killers.contains(&candidate.mv);
        let extends_check = self.extends_check(node, candidate, extension);
        if K::PRINCIPAL {
            // The next ply's variation may be that of the move before. A zero-window search leaves it
            // alone, so it is emptied here.
            self.variations[ply + 1].length = 0;
        }
        self.play_candidate(candidate, ply);
        let gives_check = self.game.in_check();

        if extends_check && gives_check {
            extension = 1;
        }
        let mut depth = node.depth - 1 + extension;
        self.note_extension(ply, extension);

        // Late-move reduction: a zero-window search at less depth comes first. A move that stays at or
        // below alpha there is not searched again, nor one that was not reduced after all. INFINITY
        // stands for "not searched yet": as it lies above alpha, the zero window below follows.
        let mut value = INFINITY;
        let mut needs_no_research = false;
        let late_move = &margins.late_move_reduction;
        if late_move.applies(K::PRINCIPAL, node.depth, candidate.count) {
            let reduction = self.full_reduction::<K>(node, candidate, is_killer, gives_check);
            let reduced = (depth - reduction / 100).clamp(1, depth.max(1));
            let nodes_before = self.nodes;
            // The node after the move is expected to fail high (`cut_node` is true). Hindsight reads
            // there by how much the move is reduced.
            self.frame_mut(ply).plies_reduced = depth - reduced;
            value = -self.node::<ZeroWindow>(-alpha - 1, -alpha, reduced, ply + 1, true);
            self.frame_mut(ply).plies_reduced = 0;
            needs_no_research = value <= alpha || reduced >= depth;
            if reduced < depth {
                let (is_principal, plies) = (K::PRINCIPAL, depth - reduced);
                A::event(
                    self,
                    MoveReduced {
                        node,
                        is_principal,
                        candidate,
                        depth,
                        plies,
                        alpha,
                        value,
                        nodes_before,
                    },
                );
            }
            if !needs_no_research {
                depth += margins.lmr_research.plies(value - best_value);
                needs_no_research = reduced >= depth;
            }
        }

        // Zero window at full depth: is the move better than alpha at all? The first move of a
        // principal node is not asked: it gets the open window at once. For zero-window nodes this is the only full search, of the first move as of others.
        // CITE: T. A. Marsland and Murray Campbell, "Parallel Search of Strongly Ordered Game
        // Trees" (1982).
        let opens_at_once = K::PRINCIPAL && candidate.count == 1;
        if !needs_no_research && value > alpha && !opens_at_once && !self.stopped {
            let is_research = value < INFINITY;
            value = -self.node::<ZeroWindow>(-alpha - 1, -alpha, depth, ply + 1, !node.cut_node);
            if is_research && !self.stopped {
                self.learn_from_research(candidate, *history_rows, depth, value, (alpha, beta));
            }
        }

        // Open window, in principal nodes alone: for the first move, and for a move whose zero-window
        // value lies inside the window, to find its exact value.
        let is_inside_window = value > alpha && value < beta;
        if K::PRINCIPAL && (opens_at_once || is_inside_window) && !self.stopped {
            value = -self.node::<Principal>(-beta, -alpha, depth, ply + 1, false);
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
