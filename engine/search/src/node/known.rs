//! A node as it is known before its moves are tried, and a move before it is searched.

use super::kinds::Kind;
use crate::audit::Auditor;
use crate::memory::history::Rows;
use crate::value::{UNKNOWN, Value};
use crate::{BEFORE_ROOT, Game, GameMove, HistoryIndex, Search, TableEntry};

/// A node as it is known before its moves are tried.
#[derive(Clone, Copy)]
pub(crate) struct Node<M> {
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    /// The parent expects a cutoff here.
    pub(crate) cut_node: bool,
    pub(crate) in_check: bool,
    /// Evaluation before corrections, for the table.
    pub(crate) raw_eval: Value,
    /// Static eval, or the value in the table where that says more.
    pub(crate) eval: Value,
    /// The mover stands better than at its last turn.
    pub(crate) improving: bool,
    /// The node lies, or once lay, on the line of best play.
    pub(crate) tt_pv: bool,
    /// Some move will be at least as good as passing: only then do the bad ones say nothing of the
    /// others.
    pub(crate) may_pass: bool,
    /// None of its moves is skipped or reduced.
    pub(crate) trusted: bool,
    /// It is not cut as a whole: it is trusted, or the answer at a node that is.
    pub(crate) uncut: bool,
    pub(crate) excluded: M,
    pub(crate) entry: Option<TableEntry<M>>,
    pub(crate) table_move: M,
    /// The table's move is noisy.
    pub(crate) table_move_is_noisy: bool,
}

/// A move about to be tried.
pub(crate) struct Candidate<M> {
    pub(crate) mv: M,
    /// Its number among the node's moves, from 1.
    pub(crate) count: usize,
    pub(crate) noisy: bool,
    pub(crate) index: HistoryIndex,
    pub(crate) history: i32,
    /// Late-move reduction in hundredths of a ply, before what depends on the move's effect.
    pub(crate) reduction: i32,
    /// The part of it that counts where moves are pruned, in hundredths of a ply.
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
    /// Looks at a node without searching: check, evaluation, trend, table move.
    pub(super) fn look_at<K: Kind>(
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
        // Without the table's move it is the node that it was.
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
            trusted: false,
            uncut: false,
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
        let (reduction, pruning_reduction) =
            late_move.reduction(reductions, noisy, node.depth, count, history);
        Candidate { mv, count, noisy, index, history, reduction, pruning_reduction }
    }
}
