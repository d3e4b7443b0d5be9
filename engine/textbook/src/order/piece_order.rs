//! Order of pieces as style: where evaluations cut, of two moves that gain the same the first
//! raises alpha and the second is cut. So the order decides how such a search plays.

use crate::prelude::*;

group! {
    /// Order of pieces as style: quiet moves by who moves (Kornilov after p. 142, plausible moves).
    PieceOrder, sound {
        /// Queen, rook, bishop, knight, king, pawn: on or off.
        enabled: Switch,
        /// The reverse: pawn, king, knight, bishop, rook, queen.
        light_first: Switch,
        /// Backward moves after all others.
        retreats_last: Switch,
    }
}

impl PieceOrder {
    /// Whether the move goes back (-1) or not, and how early its piece has its turn.
    pub(crate) fn points(&self, traits: &MoveTraits) -> [i32; 2] {
        if !self.enabled() {
            return [0, 0];
        }
        let retreats = self.retreats_last() && traits.retreats;
        let weight = if self.light_first() { -traits.weight } else { traits.weight };
        [-i32::from(retreats), weight]
    }
}
