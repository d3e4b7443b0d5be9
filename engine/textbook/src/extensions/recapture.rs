//! Recapture: an exchange is not judged in its middle.

use crate::prelude::*;

group! {
    /// Recapture: a capture of the piece that has just captured is searched deeper (Kornilov p.
    /// 109).
    RecaptureExtension, sound {
        /// The extension on or off.
        enabled: Switch,
    }
}

impl RecaptureExtension {
    pub(crate) fn plies(&self, is_recapture: bool) -> i32 {
        i32::from(self.enabled() && is_recapture)
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// Whether the move just played takes a piece that has just captured. A capture before the root
    /// is not known.
    pub(crate) fn is_recapture(&self) -> bool {
        let takes = self.step(1).is_some_and(|step| step.noisy && step.traits.takes_last_mover);
        takes && self.step(2).is_some_and(|before| before.noisy)
    }
}
