//! Pawn to the seventh rank: a queen is near.

use crate::prelude::*;

group! {
    /// Pawn to the seventh rank: searched deeper (Kornilov p. 109).
    PawnExtension, sound {
        /// The extension on or off.
        enabled: Switch,
    }
}

impl PawnExtension {
    pub(crate) fn plies<M>(&self, step: &Step<M>) -> i32 {
        i32::from(self.enabled() && step.traits.reaches_seventh)
    }
}
