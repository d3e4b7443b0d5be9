//! Killer: siblings are often refuted by the same quiet move, so the last one that did so is tried
//! early. One a ply is kept, and a node forgets that of the ply after it.
//!
//! CITE: Selim G. Akl and Monroe M. Newborn, "The Principal Continuation and the Killer Heuristic"
//! (1977).

use crate::prelude::*;

group! {
    /// Killer: the quiet move that refuted a sibling is tried first among quiet moves (Kornilov
    /// after p. 142, killer).
    Killer, sound {
        /// The killer on or off.
        enabled: Switch,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// 1 for the killer, else 0.
    pub(crate) fn is_killer(&self, mv: G::Move, ply: usize) -> i32 {
        i32::from(self.methods.killer.enabled() && self.killers[ply] == mv)
    }

    pub(crate) fn forget_killer(&mut self, ply: usize) {
        self.killers[ply] = G::Move::NONE;
    }

    /// Learns from a move that raised alpha, or even refutes the node.
    pub(crate) fn learn(&mut self, mv: G::Move, ply: usize, refutes: bool) {
        if self.game.is_noisy(mv) {
            return;
        }
        if refutes {
            self.killers[ply] = mv;
        }
        self.praise(mv);
    }
}
