//! The limit of extensions: far beyond the depth asked for, no line grows longer.

use parameters::group;

group! {
    /// Limit of extensions: far beyond the depth asked for, no line grows longer (Kornilov p. 108).
    ExtensionLimit, sound {
        /// Plies from the root up to which moves are extended, per ply of the iteration's depth.
        ply_factor: i32 = 2 in 1..=4 step 1,
    }
}

impl ExtensionLimit {
    /// Whether moves may still be extended at this distance from the root.
    #[inline]
    pub(crate) fn allows(&self, ply: usize, root_depth: i32) -> bool {
        (ply as i32) < self.ply_factor * root_depth
    }
}
