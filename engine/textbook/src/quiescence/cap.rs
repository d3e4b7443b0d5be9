//! Cap of quiescence: leaves beyond it are just evaluated.

use crate::prelude::*;

group! {
    /// Cap of quiescence: leaves beyond it are just evaluated (Kornilov p. 104, which needs none:
    /// captures end by themselves).
    QuiescenceCap, sound {
        /// The cap on or off.
        enabled: Switch,
        /// Most plies below the main search (plies).
        plies_max: i32 = 8 in 0..=40 step 2,
    }
}

impl QuiescenceCap {
    /// Whether quiescence has gone on for as long as it may.
    pub(crate) fn forbids(&self, plies: usize) -> bool {
        self.enabled() && plies > self.plies_max as usize
    }
}
