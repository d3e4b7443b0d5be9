//! Upcoming repetition: a mover who can repeat a position is sure of what the rules give for it, in
//! chess of a draw.
//!
//! CITE: Marcel van Kervinck, "The Design and Implementation of the Rookie 2.0 Chess Playing Program"
//! (2002).

use parameters::Switch;
use parameters::group;

use crate::audit::Auditor;
use crate::value::Value;
use crate::{Game, Ruling, Search};

group! {
    /// Upcoming repetition: a node from which the mover can repeat a position is a draw at least.
    UpcomingRepetition, sound {
        /// Upcoming repetition on or off.
        enabled: Switch,
    }
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Alpha, raised to what the mover is sure of where he can repeat a position.
    #[inline]
    pub(super) fn raise_by_repetition(&self, alpha: Value, ply: usize) -> Value {
        if !self.margins.upcoming_repetition.enabled() {
            return alpha;
        }
        match self.game.upcoming_repetition(alpha, ply) {
            Ruling::AtLeast(value) => value.max(alpha),
            Ruling::Open | Ruling::Exact(_) | Ruling::AtMost(_) => alpha,
        }
    }
}
