//! One move: how deeply it is searched, and with which window.

use super::alpha_beta::{Candidate, Kind, Node, Principal, ZeroWindow};
use super::audit::Auditor;
use super::history::Rows;
use super::value::{INFINITY, Value};
use super::{Game, Search};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Plays and searches one move of a node whose best one so far has the value `best`.
    pub(super) fn try_move<K: Kind>(
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
        let is_safe = || self.game.exchange_at_least(candidate.mv, 0);
        let extends_check = margins.check_extension.applies(node.depth)
            && extension == 0
            && margins.extension_limit.allows(ply, self.root_depth)
            && (!margins.check_extension.safe_only() || is_safe());
        if K::PRINCIPAL {
            // A move that fails high at once leaves no variation: not that of the one before.
            self.variations[ply + 1].length = 0;
        }
        let prospects = self.classics().moves.then(|| self.prospects(node, candidate));
        self.play_candidate(candidate, ply);
        let gives_check = self.game.in_check();

        // Check extension: the answers are few, and what the check threatens should be seen.
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

        // Late-move reduction: moves late in the order must first show at less depth that they are
        // good.
        // CITE: Tord Romstad, "An Introduction to Late Move Reductions" (2006).
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
                depth += margins.second_look.plies(value - best);
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
            value = -self.node::<ZeroWindow>(-alpha - 1, -alpha, depth, ply + 1, !node.cut);
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

    /// Late-move reduction of the move just played, in hundredths of a ply, with what depends on its
    /// effect and its node.
    #[inline(always)]
    fn reduction<K: Kind>(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        favored: bool,
        gives_check: bool,
    ) -> i32 {
        let late_move = &self.margins.late_move_reduction;
        let mut reduction = candidate.reduction;
        reduction -= i32::from(K::PRINCIPAL) * late_move.principal;
        reduction -= i32::from(node.was_principal) * late_move.former_principal;
        reduction += i32::from(node.cut) * late_move.cut;
        reduction += i32::from(!node.improving) * late_move.worsening;
        reduction -= i32::from(favored) * late_move.killer;
        reduction -= i32::from(gives_check) * late_move.check;
        if node.table_move_is_noisy && !candidate.noisy {
            reduction += late_move.noisy_table_move;
        }
        if self.frame(node.ply + 1).cutoffs >= late_move.cutoffs_min {
            reduction += late_move.many_cutoffs;
        }
        reduction
    }
}
