//! Mate-distance pruning: the value of a node lies between being mated there and mating with the next move.

use parameters::Switch;
use parameters::group;

use crate::value::{Value, mated_at};

group! {
    /// Mate-distance pruning: no line longer than a mate already found is of interest (Kornilov p.
    /// 30).
    MateDistance, sound {
        /// Mate-distance pruning on or off.
        enabled: Switch = true,
    }
}

impl MateDistance {
    /// The part of a window in which a value at this ply can lie; empty where that is known.
    #[inline]
    pub(super) fn narrow(&self, alpha: Value, beta: Value, ply: usize) -> (Value, Value) {
        if !self.enabled() {
            return (alpha, beta);
        }
        (alpha.max(mated_at(ply)), beta.min(-mated_at(ply + 1)))
    }
}
