//! Captures of the piece that moved last come before all others: most captures are recaptures, and
//! what has just come there is often unguarded.

use crate::prelude::*;

group! {
    /// Captures of the piece that moved last are tried before all others (Kornilov p. 65).
    LastMoverFirst, sound {
        /// The order on or off.
        enabled: Switch,
    }
}

impl LastMoverFirst {
    pub(crate) fn points(&self, traits: &MoveTraits) -> i32 {
        i32::from(self.enabled() && traits.takes_last_mover)
    }
}
