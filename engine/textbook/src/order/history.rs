//! History: what was good in one place of the tree is good in others. Each quiet move has a count
//! by where it goes from and to, which grows by one whenever the move raises alpha. The source has
//! one table of 64 times 64 for both sides; here each side has its own.
//!
//! CITE: Jonathan Schaeffer, "The History Heuristic" (1983).

use crate::prelude::*;

group! {
    /// History: quiet moves by how often they have raised alpha in this search (Kornilov after p.
    /// 142, history).
    History, sound {
        /// History on or off.
        enabled: Switch,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// How often a quiet move that can be played here has been good.
    pub(crate) fn history_of(&self, mv: G::Move) -> i32 {
        let route = || self.game.history_index(mv, G::Threats::default()).route;
        if self.methods.history.enabled() { self.history[route()] } else { 0 }
    }

    /// Counts a quiet move that was good here.
    pub(crate) fn praise(&mut self, mv: G::Move) {
        self.history[self.game.history_index(mv, G::Threats::default()).route] += 1;
    }
}
