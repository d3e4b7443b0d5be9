//! Queen approach: a queen beside the king mates. With it six plies see sharp attacks that need
//! eight or ten otherwise.

use crate::prelude::*;

group! {
    /// Queen approach: a queen that comes near the enemy king is searched deeper (Kornilov pp.
    /// 113-115).
    QueenApproach, sound {
        /// The extension on or off.
        enabled: Switch,
        /// Greatest distance after the move (king steps).
        distance_max: i32 = 3 in 1..=7 step 1,
        /// Plies beyond the iteration's depth up to which it is made.
        plies_over: i32 = 2 in 0..=8 step 1,
    }
}

impl QueenApproach {
    pub(crate) fn plies<M>(&self, step: &Step<M>, ply: usize, root_depth: i32) -> i32 {
        let is_near = step.traits.approach.is_some_and(|steps| steps <= self.distance_max);
        i32::from(self.enabled() && is_near && ply as i32 <= root_depth + self.plies_over)
    }
}
