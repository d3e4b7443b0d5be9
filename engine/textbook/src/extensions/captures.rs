//! Captures by a table of plies: captures change the balance, great ones far from the root as well.
//! All of them everywhere would explode the tree.

use crate::prelude::*;

group! {
    /// Captures by a table of plies: first any capture is searched deeper, then only one of a
    /// piece, then of a rook, then of a queen, then none (Kornilov p. 109).
    CaptureExtension, sound {
        /// The extension on or off.
        enabled: Switch,
        /// Plies from the root in which a pawn is enough; each greater piece has one more.
        pawn_plies: i32 = 6 in 0..=16 step 1,
    }
}

impl CaptureExtension {
    pub(crate) fn plies<M>(&self, step: &Step<M>, ply: usize) -> i32 {
        i32::from(self.enabled() && self.is_great(step.traits.prize, ply))
    }

    /// Whether a capture of this prize is great enough at this ply.
    pub(crate) fn is_great(&self, prize: i32, ply: usize) -> bool {
        let least = (ply as i32 - self.pawn_plies + 2).max(1);
        prize >= least
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Methods, MoveTraits};

    /// The source's table: a pawn for plies 0 to 5, a bishop for 6, a rook for 7, a queen for 8.
    #[test]
    fn captures_must_be_the_greater_the_farther_from_the_root() {
        let captures: CaptureExtension = Methods::declared().capture_extension;
        let least = |ply| (1..=5).find(|&prize| captures.is_great(prize, ply)).expect("a prize");
        assert_eq!([0, 5, 6, 7, 8, 9].map(least), [1, 1, 2, 3, 4, 5]);
        assert!(!captures.is_great(0, 0), "no capture at all");
        let promotion = MoveTraits { promotes: true, ..MoveTraits::default() };
        assert!(captures.is_great(promotion.gain_step(), 8), "as much as a queen");
    }
}
