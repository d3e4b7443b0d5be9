//! Null threat: what the opponent does with a free move is what he threatens. Where that wins much,
//! the node is searched a ply deeper.

use crate::prelude::*;

group! {
    /// Null threat: a node where the answer to a pass wins is searched deeper, since it is under a
    /// threat (Kornilov p. 111, and after p. 142, null move).
    NullThreat, sound {
        /// The extension on or off.
        enabled: Switch,
        /// Least gain of the answer against the evaluation; a mate always counts (centipawns).
        loss_min: i32 = 300 in 50..=1200 step 50,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// By how many plies a node is searched deeper where a pass is worth so much to the mover.
    pub(crate) fn null_threat(&self, node: &Node<G::Move>, value: Value) -> i32 {
        let threat = &self.methods.null_threat;
        let loses = node.evaluation.is_some_and(|evaluation| value + threat.loss_min <= evaluation);
        let is_threatened = value <= -DECIDED || loses;
        i32::from(threat.enabled() && is_threatened && self.may_extend(node.ply))
    }
}
