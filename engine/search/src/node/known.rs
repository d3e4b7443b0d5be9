//! A node as it is known before its moves are tried, and a move before it is searched.

use super::kinds::Kind;
use super::late_move_reduction::BaseReduction;
use crate::audit::Auditor;
use crate::memory::history::Rows;
use crate::value::{UNKNOWN, Value};
use crate::{BEFORE_ROOT, Game, GameMove, HistoryIndex, Search, TableEntry};

/// A node as it is known before its moves are tried.
#[derive(Clone, Copy)]
pub(crate) struct Node<M> {
    /// Plies left to search, after hindsight and what other techniques add or take off.
    pub(crate) depth: i32,
    /// Distance from the root in plies.
    pub(crate) ply: usize,
    /// A beta cutoff is expected: the parent thinks that this node fails high.
    pub(crate) cut_node: bool,
    pub(crate) in_check: bool,
    /// Evaluation before corrections, as the transposition table keeps it.
    pub(crate) raw_eval: Value,
    /// Static eval, or the value in the transposition table where that says more.
    pub(crate) eval: Value,
    /// The static eval is higher than at the mover's last turn. Margins and reductions depend on it.
    pub(crate) improving: bool,
    /// The node lies, or by the transposition table once lay, on the line of best play.
    pub(crate) tt_pv: bool,
    /// Some move will be at least as good as a pass (no zugzwang). Only then is a null move tried.
    pub(crate) may_pass: bool,
    /// Bad moves may be skipped unsearched, in the trust that another one will do.
    pub(crate) may_skip: bool,
    /// The move to leave out, or NONE. Singular extension sets it, and searches this position again
    /// without that move.
    pub(crate) excluded: M,
    /// The position's entry in the transposition table.
    pub(crate) entry: Option<TableEntry<M>>,
    /// The move of that entry if it can be played here, else NONE.
    pub(crate) table_move: M,
    pub(crate) table_move_is_noisy: bool,
}

/// A move about to be tried.
pub(crate) struct Candidate<M> {
    pub(crate) mv: M,
    /// Its number among the node's moves, from 1.
    pub(crate) count: usize,
    pub(crate) noisy: bool,
    /// Its place in the histories.
    pub(crate) index: HistoryIndex,
    /// Its points in the histories.
    pub(crate) history: i32,
    /// Base of its late-move reduction ([`BaseReduction::search`]), in hundredths of a ply.
    pub(crate) base_reduction: i32,
    /// The same for pruning ([`BaseReduction::pruning`]), in hundredths of a ply.
    pub(crate) pruning_reduction: i32,
}

impl<M> Candidate<M> {
    /// The depth by which the move is pruned: what is left after it and its reduction.
    #[inline]
    pub(crate) fn reduced_depth(&self, node: &Node<M>) -> i32 {
        reduced_depth(node.depth, self.pruning_reduction)
    }
}

/// The depth that a reduction in hundredths of a ply leaves, after the move itself.
#[inline]
pub(crate) fn reduced_depth(depth: i32, reduction: i32) -> i32 {
    (depth - 1 - reduction / 100).max(0)
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Builds the node as it is known without a search: check, evaluation, flags, table move. Resets the
    /// killers and cutoffs of the ply after next, whose nodes all lie below this one from now on.
    pub(super) fn prepare_node<K: Kind>(
        &mut self,
        depth: i32,
        ply: usize,
        cut_node: bool,
        excluded: G::Move,
        entry: Option<TableEntry<G::Move>>,
    ) -> Node<G::Move> {
        let table_move = entry.map_or(G::Move::NONE, |entry| entry.mv);
        let usable = table_move != G::Move::NONE && self.game.is_plausible(table_move);
        let table_move = if usable { table_move } else { G::Move::NONE };
        if usable {
            self.prefetch_after(table_move);
        }
        let in_check = self.game.in_check();
        let mut raw_eval = 0;
        let mut evaluation = UNKNOWN;
        let mut eval = UNKNOWN;
        if !in_check {
            if excluded == G::Move::NONE {
                (raw_eval, evaluation) = self.evaluated(&entry, ply);
            } else {
                evaluation = self.frame(ply).static_eval;
            }
            eval = entry.map_or(evaluation, |entry| entry.refine(evaluation));
        }
        // A search without a move keeps the flag of the node that it belongs to.
        let tt_pv = if excluded == G::Move::NONE {
            K::PRINCIPAL || entry.is_some_and(|entry| entry.tt_pv)
        } else {
            self.frame(ply).tt_pv
        };
        let frame = self.frame_mut(ply);
        (frame.static_eval, frame.tt_pv) = (evaluation, tt_pv);
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
            cut_node,
            in_check,
            raw_eval,
            eval,
            improving,
            tt_pv,
            may_pass: self.game.may_pass(),
            may_skip: self.game.may_skip(),
            excluded,
            entry,
            table_move,
            table_move_is_noisy: usable && self.game.is_noisy(table_move),
        }
    }

    /// True if the mover stands better than two plies (or, after a check there, four plies) ago.
    fn is_improving(&self, ply: usize) -> bool {
        let before = |back: usize| self.stack[BEFORE_ROOT + ply - back].static_eval;
        let then = if before(2) == UNKNOWN { before(4) } else { before(2) };
        then == UNKNOWN || self.frame(ply).static_eval > then
    }

    /// A move as it is known before it is searched. As a function of its own it would cost .7 %
    /// of all instructions.
    #[inline(always)]
    pub(crate) fn candidate(
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
        let BaseReduction { search: base_reduction, pruning: pruning_reduction } =
            late_move.base_reduction(reductions, noisy, node.depth, count, history);
        Candidate { mv, count, noisy, index, history, base_reduction, pruning_reduction }
    }
}
