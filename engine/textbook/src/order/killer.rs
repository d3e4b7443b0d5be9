//! Killer: siblings are often refuted by the same quiet move, so the last one that did so is tried
//! early. A node forgets those of the ply after it. The source keeps one a ply.
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
        /// How many a ply are kept; the newest takes the last place of a full set (number).
        slots: i32 in 1..=4 step 1,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// Greater the earlier the killer came, 0 for other moves.
    pub(crate) fn killer_points(&self, mv: G::Move, ply: usize) -> i32 {
        let killer = &self.methods.killer;
        let place = self.killers[ply].iter().position(|&it| it == mv);
        place.filter(|_| killer.enabled()).map_or(0, |place| killer.slots - place as i32)
    }

    /// Learns from a move that raised alpha, or even refutes the node.
    pub(crate) fn learn(&mut self, mv: G::Move, node: &Node<G::Move>, refutes: bool) {
        if self.game.is_noisy(mv) {
            return;
        }
        let killers = &mut self.killers[node.ply];
        if refutes && !killers.contains(&mv) {
            killers.truncate(self.methods.killer.slots as usize - 1);
            killers.push(mv);
        }
        self.praise(mv, node.depth);
    }
}
