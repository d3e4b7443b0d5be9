//! Null move: to pass is nearly always worse than the best move. Who stays above beta even so, by a
//! search that is two or three plies less deep, has some move that does. Wrong in zugzwang, so only
//! where the game says that a pass tells something.
//!
//! It verifies a cut that the evaluation proposes, so the evaluation must lie above beta: else the
//! opponent nearly always improves, and the search is wasted.
//!
//! CITE: Chrilly Donninger, "Null Move and Deep Search" (1993).

use crate::prelude::*;

group! {
    /// Null move: a node that stays above beta even if the mover passes is cut (Kornilov after p.
    /// 142, null move).
    NullMove {
        /// Null move on or off.
        enabled: Switch,
        /// How much less deep the search after the pass is (plies).
        reduction: i32 = 2 in 0..=5 step 1,
        /// Depth left from which on it is a ply less deep than that (plies).
        deep_from: i32 = 7 in 2..=40 step 1,
        /// How far above beta the evaluation must be (centipawns).
        margin: i32 in 0..=200 step 10,
        /// A pass is tried wherever the evaluation lies.
        anywhere: Switch,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// Beta, where passing proves that the node reaches it. A threat that the pass shows makes the
    /// node deeper instead.
    pub(crate) fn try_null_move(&mut self, node: &mut Node<G::Move>, beta: Value) -> Option<Value> {
        let null_move = &self.methods.null_move;
        if !null_move.enabled()
            || node.uncut
            || !node.may_pass
            || is_decided(beta)
            || node.evaluation? - null_move.margin < beta && !null_move.anywhere()
            || self.step(1).is_none_or(|step| step.is_pass())
            || !self.may_pass_by_rules(node.ply)
        {
            return None;
        }
        let reduction = null_move.reduction + i32::from(node.depth >= null_move.deep_from);
        self.pass();
        let value = -self.node(-beta, 1 - beta, node.depth - 1 - reduction, node.ply + 1);
        self.undo();
        if self.stopped {
            return Some(DRAW);
        }
        if value >= beta {
            return Some(beta);
        }
        node.depth += self.null_threat(node, value);
        None
    }
}
