//! Razoring: so far below alpha only a capture can help near the leaves, and quiescence says
//! whether one does.
//!
//! CITE: John A. Birmingham and Peter Kent, "Tree-Searching and Tree-Pruning Techniques" (1977).

use crate::prelude::*;

group! {
    /// Razoring: a node whose evaluation is hopelessly below alpha is left to quiescence.
    Razoring {
        /// Razoring on or off.
        enabled: Switch,
        /// Greatest depth left (plies).
        depth_max: i32 = 3 in 1..=8 step 1,
        /// How far below alpha the evaluation must be (centipawns).
        base: i32 = 150 in 0..=600 step 25,
        /// How much further below per ply of depth left (centipawns).
        margin: i32 = 200 in 50..=600 step 25,
        /// At the greatest depth alone, and the node is searched a ply less deep instead (Heinz).
        reduces: Switch,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// An upper bound of at most alpha, where quiescence finds nothing better.
    pub(crate) fn try_razoring(&mut self, node: &mut Node<G::Move>, alpha: Value) -> Option<Value> {
        let razoring = &self.methods.razoring;
        let deficit = razoring.base + razoring.margin * node.depth;
        let applies = razoring.enabled() && !node.uncut && node.depth <= razoring.depth_max;
        if !applies || node.evaluation? + deficit > alpha {
            return None;
        }
        if razoring.reduces() {
            node.depth -= i32::from(node.depth == razoring.depth_max);
            return None;
        }
        let value = self.leaf(alpha, alpha + 1, node.ply);
        (value <= alpha || self.stopped).then_some(value)
    }
}
