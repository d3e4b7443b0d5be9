//! Upcoming repetition: a mover who can repeat a position has a draw at least.
//!
//! CITE: Marcel van Kervinck, "The Design and Implementation of the Rookie 2.0 Chess Playing Program"
//! (2002).

use parameters::Switch;
use parameters::group;

use crate::audit::Auditor;
use crate::value::Value;
use crate::{Game, Search};

group! {
    /// Upcoming repetition: a node from which the mover can repeat a position is a draw at least.
    UpcomingRepetition, sound {
        /// Upcoming repetition on or off.
        enabled: Switch,
    }
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Alpha, raised to a draw where the mover can repeat a position.
    #[inline]
    pub(super) fn raise_by_repetition(&self, alpha: Value, ply: usize) -> Value {
        let may_raise = self.margins.upcoming_repetition.enabled() && alpha < self.game.draw();
        if may_raise && self.game.can_repeat(ply) { self.game.draw() } else { alpha }
    }
}
