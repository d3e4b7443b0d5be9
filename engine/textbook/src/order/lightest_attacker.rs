//! Of captures that gain the same, that by the cheapest piece comes first: it risks least.

use crate::prelude::*;

group! {
    /// Lightest attacker: of captures that gain the same, that by the cheapest piece first, the
    /// king last (Kornilov pp. 61-65).
    LightestAttacker, sound {
        /// The order on or off.
        enabled: Switch,
    }
}

impl LightestAttacker {
    pub(crate) fn points(&self, traits: &MoveTraits) -> i32 {
        if self.enabled() { -traits.price } else { 0 }
    }
}
