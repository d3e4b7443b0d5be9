//! Null move: let the opponent move twice. If the mover still stays above beta, some move would, too.
//! Zugzwang proves that wrong, so a deep cut is verified without passing.
//!
//! CITE: Chrilly Donninger, "Null Move and Deep Search" (1993); Ernst A. Heinz, "How DarkThought Plays
//! Chess" (1997), for the verification.

use parameters::Switch;
use parameters::group;

use super::NodeCut;
use super::kinds::ZeroWindow;
use super::known::Node;
use crate::audit::Auditor;
use crate::audit::events::InVain;
use crate::audit::rule::{PruningRule, Unit};
use crate::memory::history::Histories;
use crate::value::{DRAW, Value, is_decided};
use crate::{BEFORE_ROOT, Game, Rule, Search};

group! {
    /// Null move: a node that stays above beta even if the mover passes is cut (Kornilov after p.
    /// 142, null move). Its reduction is the book's with reduction_base 300, depth_share 143 and
    /// evaluation_max 0.
    NullMove {
        /// Null move on or off.
        enabled: Switch = true,
        /// Least depth left (plies).
        depth_min: i32 = 3 in 1..=8 step 1,
        /// Reduction of the search after the pass (hundredths of a ply).
        reduction_base: i32 = 300 in 100..=800 step 30,
        /// Further reduction per ply of depth left (thousandths of a ply).
        depth_share: i32 = 250 in 100..=600 step 25,
        /// Evaluation above beta per further ply of reduction (centipawns).
        evaluation_divisor: i32 = 180 in 50..=500 step 25,
        /// Greatest reduction for evaluation above beta (plies).
        evaluation_max: i32 = 3 in 0..=6 step 1,
        /// How far below beta the static evaluation, without the transposition table's value, may be
        /// (centipawns).
        evaluation_slack: i32 in -100..=300 step 20,
        /// How much further below per ply of depth left (centipawns).
        evaluation_margin: i32 in 0..=40 step 3,
        /// Least depth left from which on a cut must be confirmed without passing (plies).
        verification_depth_min: i32 = 14 in 6..=60 step 3,
    }
}

impl NullMove {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(crate) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth >= self.depth_min
    }

    /// Plies taken off the search after a pass.
    #[inline]
    pub(crate) fn reduction(&self, depth: i32, above_beta: Value) -> i32 {
        (10 * self.reduction_base + self.depth_share * depth) / 1000
            + (above_beta / self.evaluation_divisor).min(self.evaluation_max)
    }

    /// The least static eval at which a pass is tried (centipawns).
    #[inline]
    pub(crate) fn evaluation_min(&self, beta: Value, depth: i32) -> Value {
        beta - self.evaluation_slack - self.evaluation_margin * depth
    }
}

/// The lead over beta.
pub(super) const RULE: PruningRule = PruningRule {
    name: "null_move",
    unit: Unit::Centipawns,
    depth: |seen| seen.depth,
    gap: |_, seen| (seen.eval - seen.beta, 0),
    priced: None,
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// A lower bound of at least beta, where passing proves one.
    #[inline(always)]
    pub(super) fn try_null_move(&mut self, node: &Node<G::Move>, beta: Value) -> Option<NodeCut> {
        let margins = self.margins;
        let &Node { depth, ply, eval, .. } = node;
        let passed_before = self.rows(ply).last() == Histories::<G>::NO_ROW;
        if !margins.null_move.applies(depth)
            || A::is_off(self, Rule::NullMove, ply)
            || eval < beta
            || self.frame(ply).static_eval < margins.null_move.evaluation_min(beta, depth)
            || is_decided(beta)
            || passed_before
            || !node.may_pass
            || ply < self.pass_from
        {
            return None;
        }
        let reduction = margins.null_move.reduction(depth, eval - beta);
        let nodes_before = self.nodes;
        self.pass(ply);
        let value =
            -self.node::<ZeroWindow>(-beta, 1 - beta, depth - reduction, ply + 1, !node.cut_node);
        self.game.undo();
        if self.stopped {
            return Some((Rule::NullMove, DRAW));
        }
        if value >= beta && self.is_confirmed(node, beta, depth - reduction) {
            // A win found after a pass is not proven.
            return Some((Rule::NullMove, if is_decided(value) { beta } else { value }));
        }
        if self.stopped {
            return Some((Rule::NullMove, DRAW));
        }
        A::event(self, InVain { rule: Rule::NullMove, depth, nodes_before });
        None
    }

    /// Whether a cut by a pass holds without passing, where so much depth is left that zugzwang may
    /// be seen.
    fn is_confirmed(&mut self, node: &Node<G::Move>, beta: Value, depth: i32) -> bool {
        if node.depth < self.margins.null_move.verification_depth_min || self.pass_from > 0 {
            return true;
        }
        let depth = depth.max(1);
        // Passes are forbidden for three quarters of the way, or this would ask the same again.
        self.pass_from = node.ply + 3 * depth as usize / 4 + 1;
        // The node has got already what the move before deserves in hindsight.
        let before = &mut self.stack[BEFORE_ROOT + node.ply - 1];
        let reduction = std::mem::take(&mut before.plies_reduced);
        let value = self.unsettled_node::<ZeroWindow>(beta - 1, beta, depth, node.ply, false);
        self.stack[BEFORE_ROOT + node.ply - 1].plies_reduced = reduction;
        self.pass_from = 0;
        !self.stopped && value >= beta
    }
}

#[cfg(test)]
mod tests {
    use crate::Margins;

    fn zeroed() -> Margins {
        bytemuck::Zeroable::zeroed()
    }

    /// The source's reduction: three plies, and one more for each seven of depth.
    #[test]
    fn a_pass_takes_a_share_of_the_depth() {
        let mut margins = zeroed().null_move;
        (margins.reduction_base, margins.depth_share, margins.evaluation_divisor) = (300, 143, 100);
        for depth in 1..60 {
            assert_eq!(margins.reduction(depth, 250), 3 + depth / 7, "depth {depth}");
        }
        (margins.evaluation_max, margins.depth_share) = (2, 0);
        assert_eq!(
            [0, 99, 100, 250, 900].map(|above| margins.reduction(9, above)),
            [3, 3, 4, 5, 5]
        );
    }
}
