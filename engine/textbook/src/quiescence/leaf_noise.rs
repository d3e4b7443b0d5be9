//! Noise at leaves: values a little wrong make games that differ, and a position is wrong by the same
//! each time, so that the table does no harm.

use crate::prelude::*;

group! {
    /// Leaf noise: chance adds to the evaluation of leaves and takes off (a xiangqi program's mask).
    LeafNoise, sound {
        /// The noise on or off.
        enabled: Switch,
        /// Bits that are kept of each of two random numbers, one added, one taken off (centipawns).
        mask: i32 = 7 in 0..=127 step 8,
        /// Seed of the random numbers.
        seed: i32 in 0..=65535 step 1,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// The evaluation of a leaf, with its noise.
    pub(crate) fn evaluate_leaf(&mut self) -> Value {
        let (noise, value) = (&self.methods.leaf_noise, self.game.evaluate());
        let seeded = self.game.table_key() ^ noise.seed as u64;
        let random = seeded.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let part = |shift: u32| (random >> shift) as i32 & noise.mask;
        if noise.enabled() { value + part(56) - part(48) } else { value }
    }
}
