//! Three lists of quiet moves: a move to a better place is better more often than not. Good moves
//! come first, then small gains, then losses.

use crate::prelude::*;

group! {
    /// Three lists: quiet moves are tried by what they gain in the tables of squares, good ones,
    /// small gains, losses (Kornilov p. 66); within a list by history.
    QuietLists, sound {
        /// The three lists on or off.
        enabled: Switch,
        /// Least gain of a good move (centipawns).
        good_min: i32 = 10 in 1..=60 step 4,
    }
}

impl QuietLists {
    /// The move's list: 2 is tried first.
    pub(crate) fn points(&self, traits: &MoveTraits) -> i32 {
        let gain = traits.positional_gain;
        let list = i32::from(gain >= 0) + i32::from(gain >= self.good_min);
        if self.enabled() { list } else { 0 }
    }
}
