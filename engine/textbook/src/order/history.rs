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
        /// A success counts 2 to the power of the depth left less one, instead of 1.
        by_depth: Switch,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// How often a quiet move that can be played here has been good.
    pub(crate) fn history_of(&self, mv: G::Move) -> i32 {
        let route = || self.game.history_index(mv, G::Threats::default()).route;
        if self.methods.history.enabled() { self.history[route()] } else { 0 }
    }

    /// Counts a quiet move that was good here.
    pub(crate) fn praise(&mut self, mv: G::Move, depth: i32) {
        let power = if self.methods.history.by_depth() { (depth - 1).clamp(0, 20) } else { 0 };
        let count = &mut self.history[self.game.history_index(mv, G::Threats::default()).route];
        *count = count.saturating_add(1 << power);
    }
}
