//! Check: the answers are few, and a mate would not be seen. The safest of all extensions.

use crate::prelude::*;

group! {
    /// Check extension: a move that gives check is searched one ply deeper (Kornilov p. 108).
    CheckExtension, sound {
        /// Check extension on or off.
        enabled: Switch,
    }
}

impl CheckExtension {
    pub(crate) fn plies<M>(&self, step: &Step<M>) -> i32 {
        i32::from(self.enabled() && step.gives_check)
    }
}
