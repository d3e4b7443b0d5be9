//! The tree: fail-soft principal-variation search. Each technique is one paragraph.

use super::history::Histories;
use super::learning::Tried;
use super::ordering::Picker;
use super::reductions;
use super::value::{DRAW, INFINITY, MATE_IN_MAX, MAX_PLY, UNKNOWN, Value, is_mate, mated_at};
use super::{Bound, Cells, Entry, GameMove, Position, Search};

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
    pub(super) excluded: M,
    pub(super) entry: Option<Entry<M>>,
    pub(super) table_move: M,
}

/// A move about to be tried.
pub(super) struct Try<M> {
    pub(super) mv: M,
    /// Its number among the node's moves, from 1.
    pub(super) count: usize,
    pub(super) noisy: bool,
    pub(super) cells: Cells,
    pub(super) history: i32,
    /// Late-move reduction in hundredths of a ply, before what depends on the move's effect.
    pub(super) reduction: i32,
}

/// What became of a node's moves.
pub(super) struct Best<M> {
    pub(super) value: Value,
    pub(super) mv: M,
    /// Number of moves tried or skipped.
    pub(super) count: usize,
    /// The value rests on a search of less than the node's depth.
    pub(super) by_shallow_search: bool,
}

impl<P: Position> Search<'_, P> {
    /// The value of the current position searched to `depth`; exact within the window, else a
    /// bound.
    pub(super) fn node<K: Kind>(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        if depth <= 0 && !K::ROOT {
            return self.quiescence::<K>(alpha, beta, ply);
        }
        if K::PRINCIPAL {
            self.lines[ply].length = 0;
        }
        if self.enter(ply) {
            return DRAW;
        }

        // Rules and mate distance: what is decided already needs no search.
        if !K::ROOT {
            if let Some(value) = self.ruled(alpha, beta, ply) {
                return value;
            }
            if ply >= MAX_PLY - 1 {
                return self.position.evaluate();
            }
            if self.margins.mate_distance_enabled != 0 {
                alpha = alpha.max(mated_at(ply));
                beta = beta.min(-mated_at(ply + 1));
                if alpha >= beta {
                    return alpha;
                }
            }
        }

        // Transposition table: the same question may have been answered before.
        let excluded = self.frame(ply).excluded;
        let entry = if excluded == P::Move::NONE { self.probe(ply) } else { None };
        if let Some(entry) = entry
            && !K::PRINCIPAL
            && self.margins.table_cutoff_enabled != 0
            && entry.depth >= depth
            && entry.settles(alpha, beta)
        {
            return entry.value;
        }

        let mut node = self.look_at(depth, ply, cut, excluded, entry);
        if !K::PRINCIPAL
            && !node.in_check
            && excluded == P::Move::NONE
            && let Some(value) = self.cut_without_moves(&node, alpha, beta)
        {
            return value;
        }

        // Internal reduction: without a table move the order is poor; a shallower search finds the
        // move for next time.
        if self.margins.internal_reduction_enabled != 0
            && depth >= self.margins.internal_reduction_depth_min
            && node.table_move == P::Move::NONE
            && excluded == P::Move::NONE
            && !K::ROOT
        {
            depth -= 1;
            node.depth = depth;
        }

        let floor = self.moves.len();
        let best = self.search_moves::<K>(&node, alpha, beta);
        self.moves.truncate(floor);
        if self.stopped {
            return DRAW;
        }
        if best.count == 0 {
            let stuck = excluded == P::Move::NONE;
            return if stuck { self.position.stuck(ply) } else { alpha };
        }
        if excluded == P::Move::NONE && !best.by_shallow_search {
            self.remember::<K>(&node, &best, alpha, beta);
        }
        best.value
    }

    /// Looks at a node without searching: check, evaluation, trend, table move.
    fn look_at(
        &mut self,
        depth: i32,
        ply: usize,
        cut: bool,
        excluded: P::Move,
        entry: Option<Entry<P::Move>>,
    ) -> Node<P::Move> {
        let in_check = self.position.in_check();
        let mut raw = 0;
        let mut evaluation = UNKNOWN;
        let mut guess = UNKNOWN;
        if !in_check {
            if excluded == P::Move::NONE {
                raw = entry.map_or_else(|| self.position.evaluate(), |entry| entry.evaluation);
                evaluation = self.corrected(raw);
            } else {
                evaluation = self.frame(ply).evaluation;
            }
            guess = entry.map_or(evaluation, |entry| entry.refine(evaluation));
        }
        self.frame_mut(ply).evaluation = evaluation;
        self.frame_mut(ply + 2).killers = [P::Move::NONE; 2];
        let improving = !in_check && self.is_improving(ply);
        let table_move = entry.map_or(P::Move::NONE, |entry| entry.mv);
        let usable = table_move != P::Move::NONE && self.position.is_plausible(table_move);
        let table_move = if usable { table_move } else { P::Move::NONE };
        Node { depth, ply, cut, in_check, raw, guess, improving, excluded, entry, table_move }
    }

    /// True if the mover stands better than two plies (or, after a check there, four plies) ago.
    fn is_improving(&self, ply: usize) -> bool {
        let before = |back: usize| self.stack[super::BEFORE_ROOT + ply - back].evaluation;
        let then = if before(2) == UNKNOWN { before(4) } else { before(2) };
        then == UNKNOWN || self.frame(ply).evaluation > then
    }

    /// Cuts of a whole zero-window node that need none of its moves.
    fn cut_without_moves(
        &mut self,
        node: &Node<P::Move>,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        let margins = self.margins;
        let &Node { depth, ply, guess, .. } = node;

        // Reverse futility: so far above beta that the opponent will not catch up in the depth
        // left.
        if margins.reverse_futility_enabled != 0
            && depth <= margins.reverse_futility_depth_max
            && !is_mate(guess)
            && !is_mate(beta)
            && guess - reductions::reverse_futility(margins, depth, node.improving) >= beta
        {
            return Some(guess);
        }

        // Razoring: so far below alpha that only a capture could help; quiescence says whether one
        // does.
        if margins.razoring_enabled != 0
            && depth <= margins.razoring_depth_max
            && guess + reductions::razoring(margins, depth) <= alpha
        {
            let value = self.quiescence::<ZeroWindow>(alpha, beta, ply);
            if value <= alpha || self.stopped {
                return Some(value);
            }
        }

        // Null move: if even passing keeps the mover above beta, some move will too.
        let passed_before = self.rows(ply)[0] == Histories::<P>::NO_ROW;
        if margins.null_move_enabled != 0
            && depth >= margins.null_move_depth_min
            && guess >= beta
            && self.frame(ply).evaluation >= beta
            && !is_mate(beta)
            && !passed_before
            && self.position.may_pass()
        {
            let reduction = reductions::null_move(margins, depth, guess - beta);
            self.pass(ply);
            let value =
                -self.node::<ZeroWindow>(-beta, 1 - beta, depth - reduction, ply + 1, !node.cut);
            self.position.undo();
            if self.stopped {
                return Some(DRAW);
            }
            if value >= beta {
                // A win found after a pass is not proven.
                return Some(if is_mate(value) { beta } else { value });
            }
        }
        None
    }

    /// Tries the node's moves one by one.
    fn search_moves<K: Kind>(
        &mut self,
        node: &Node<P::Move>,
        mut alpha: Value,
        beta: Value,
    ) -> Best<P::Move> {
        let ply = node.ply;
        let rows = self.rows(ply);
        let mut best =
            Best { value: -INFINITY, mv: P::Move::NONE, count: 0, by_shallow_search: false };
        let mut quiets = Tried::new();
        let mut noisies = Tried::new();
        let mut picker = if K::ROOT {
            Picker::root(self)
        } else {
            Picker::new(self, ply, node.table_move, node.in_check)
        };
        while let Some(mv) = picker.next(self) {
            if mv == node.excluded {
                continue;
            }
            best.count += 1;
            let noisy = self.position.is_noisy(mv);
            let cells = self.position.cells(mv);
            let histories = &self.memory.histories;
            let history = if noisy { histories.noisy(cells) } else { histories.quiet(cells, rows) };
            let mut reduction =
                self.memory.logarithms.reduction(self.margins, noisy, node.depth, best.count);
            reduction -= history * 100 / self.margins.late_move_reduction_history_divisor;
            let tried = Try { mv, count: best.count, noisy, cells, history, reduction };

            if !K::ROOT && best.value > -MATE_IN_MAX {
                if !noisy && !node.in_check && self.is_late(node, best.count) {
                    picker.skip_quiets();
                    continue;
                }
                if self.is_hopeless(node, &tried, alpha) {
                    continue;
                }
            }

            let extension = match self.singular_extension::<K>(node, mv, beta) {
                Ok(extension) => extension,
                Err(value) => {
                    best.value = value;
                    best.by_shallow_search = true;
                    break;
                }
            };
            if self.stopped {
                break;
            }

            if K::PRINCIPAL {
                // A zero window fills no line in, and the last move's must not stand for this one's.
                self.lines[ply + 1].length = 0;
            }
            let nodes_before = self.nodes;
            let value = self.try_move::<K>(node, &tried, extension, alpha, beta);
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
                        self.extend_line(ply, mv);
                    }
                    if value >= beta {
                        self.learn(node, &tried, quiets.moves(), noisies.moves());
                        break;
                    }
                    alpha = value;
                }
            }
            if noisy { noisies.push(mv) } else { quiets.push(mv) }
        }
        best
    }

    /// Late-move pruning: after so many moves the order has shown that no quiet one will help.
    fn is_late(&self, node: &Node<P::Move>, count: usize) -> bool {
        self.margins.late_move_pruning_enabled != 0
            && node.depth <= self.margins.late_move_pruning_depth_max
            && count > reductions::late_moves(self.margins, node.depth, node.improving)
    }

    /// Moves not worth a search this close to the leaves.
    fn is_hopeless(&self, node: &Node<P::Move>, tried: &Try<P::Move>, alpha: Value) -> bool {
        let margins = self.margins;
        let reduced = (node.depth - 1 - tried.reduction / 100).max(0);

        // Futility: a quiet move without check will not lift so low an evaluation to alpha.
        if margins.futility_enabled != 0
            && !tried.noisy
            && !node.in_check
            && reduced <= margins.futility_depth_max
            && node.guess + reductions::futility(margins, reduced) <= alpha
            && !self.position.gives_check(tried.mv)
        {
            return true;
        }

        // History pruning: a quiet move that nearly always failed will fail again.
        if margins.history_pruning_enabled != 0
            && !tried.noisy
            && reduced <= margins.history_pruning_depth_max
            && tried.history < -margins.history_pruning_margin * (reduced + 1)
            && !self.position.gives_check(tried.mv)
        {
            return true;
        }

        // Exchange pruning: a move that simply loses material needs more depth than is left to pay.
        margins.exchange_pruning_enabled != 0
            && node.depth <= margins.exchange_pruning_depth_max
            && !self.position.exchange_at_least(
                tried.mv,
                reductions::exchange(margins, tried.noisy, node.depth, reduced),
            )
    }

    /// Singular extension: if all other moves stay clearly below the table move's value, much hangs
    /// on that move.
    ///
    /// Plies to extend the move by, or the value of the node if another move was found to refute it
    /// as well.
    fn singular_extension<K: Kind>(
        &mut self,
        node: &Node<P::Move>,
        mv: P::Move,
        beta: Value,
    ) -> Result<i32, Value> {
        let margins = self.margins;
        let Some(entry) = node.entry else { return Ok(0) };
        if margins.singular_extension_enabled == 0
            || K::ROOT
            || mv != node.table_move
            || node.excluded != P::Move::NONE
            || node.depth < margins.singular_extension_depth_min
            || entry.depth < node.depth - 3
            || entry.bound == Bound::Upper
            || is_mate(entry.value)
            || node.ply as i32 >= 2 * self.root_depth
        {
            return Ok(0);
        }
        let target = entry.value - margins.singular_extension_margin * node.depth / 100;
        self.frame_mut(node.ply).excluded = mv;
        let value =
            self.node::<ZeroWindow>(target - 1, target, (node.depth - 1) / 2, node.ply, node.cut);
        self.frame_mut(node.ply).excluded = P::Move::NONE;
        if value < target {
            let double = margins.singular_extension_double_margin;
            return Ok(if !K::PRINCIPAL && value < target - double { 2 } else { 1 });
        }
        if !K::PRINCIPAL && target >= beta {
            // Two moves refute the node.
            return Err(target);
        }
        // Neither alone nor clearly better: such a move deserves less than full depth.
        Ok(if entry.value >= beta { -1 } else { 0 })
    }

    /// Plays and searches one move.
    fn try_move<K: Kind>(
        &mut self,
        node: &Node<P::Move>,
        tried: &Try<P::Move>,
        mut extension: i32,
        alpha: Value,
        beta: Value,
    ) -> Value {
        let margins = self.margins;
        let ply = node.ply;
        let favored = !tried.noisy && self.frame(ply).killers.contains(&tried.mv);
        self.frame_mut(ply).row = tried.cells.piece_to;
        self.position.play(tried.mv);
        let gives_check = self.position.in_check();

        // Check extension: the answers are few, and what the check threatens should be seen.
        if margins.check_extension_enabled != 0
            && gives_check
            && extension == 0
            && (ply as i32) < 2 * self.root_depth
        {
            extension = 1;
        }
        let depth = node.depth - 1 + extension;

        // Late-move reduction: moves late in the order must first show at less depth that they are
        // good.
        let mut value = INFINITY;
        let mut verified = false;
        let first_reduced = if K::PRINCIPAL { 3 } else { 2 };
        if margins.late_move_reduction_enabled != 0
            && node.depth >= margins.late_move_reduction_depth_min
            && tried.count >= first_reduced
        {
            let mut reduction = tried.reduction;
            reduction -= i32::from(K::PRINCIPAL) * margins.late_move_reduction_principal;
            reduction += i32::from(node.cut) * margins.late_move_reduction_cut;
            reduction += i32::from(!node.improving) * margins.late_move_reduction_worsening;
            reduction -= i32::from(favored) * margins.late_move_reduction_killer;
            reduction -= i32::from(gives_check) * margins.late_move_reduction_check;
            let reduced = (depth - reduction / 100).clamp(1, depth.max(1));
            value = -self.node::<ZeroWindow>(-alpha - 1, -alpha, reduced, ply + 1, true);
            verified = value <= alpha || reduced >= depth;
        }

        // Zero window: all but the first move need only show that they are no better.
        if !verified && value > alpha && (!K::PRINCIPAL || tried.count > 1) && !self.stopped {
            value = -self.node::<ZeroWindow>(-alpha - 1, -alpha, depth, ply + 1, !node.cut);
        }

        // Open window: for the first move, and for one that turned out better after all.
        let open = tried.count == 1 || (value > alpha && value < beta);
        if K::PRINCIPAL && open && !self.stopped {
            value = -self.node::<Principal>(-beta, -alpha, depth, ply + 1, false);
        }
        self.position.undo();
        value
    }
}
