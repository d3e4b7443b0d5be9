//! Captures by victim: the greatest victim refutes most. Those that lose material by exchanges may
//! come last, behind the quiet moves.

use crate::prelude::*;

group! {
    /// Order of captures: the greatest gain first (Kornilov pp. 61-65).
    Ordering, sound {
        /// The order on or off.
        enabled: Switch,
        /// Captures that lose by exchanges come after quiet moves.
        losing_last: Switch,
        /// Loss by exchanges that still counts as a good move (centipawns).
        exchange_margin: i32 = 20 in 0..=200 step 10,
    }
}

impl Ordering {
    /// Whether a noisy move comes before quiet ones (1) or after them (-1), and what it gains
    /// (centipawns).
    pub(crate) fn stage_and_gain<G: TextbookGame>(&self, game: &G, mv: G::Move) -> (i32, Value) {
        let loses = || !game.exchange_at_least(mv, -self.exchange_margin);
        let stage = if self.enabled() && self.losing_last() && loses() { -1 } else { 1 };
        (stage, if self.enabled() { game.gain(mv) } else { 0 })
    }
}
