//! Fractional depth: reasons that are too weak alone add up along a line.

use crate::prelude::*;

group! {
    /// Fractional depth: reasons to search deeper add up along a line, in quarters of a ply
    /// (Kornilov p. 110).
    FractionalExtension, sound {
        /// The extension on or off.
        enabled: Switch,
        /// For a check (quarters of a ply).
        check: i32 = 4 in 0..=8 step 1,
        /// For a recapture (quarters of a ply).
        exchange: i32 = 3 in 0..=8 step 1,
        /// For a pawn that reaches the seventh rank (quarters of a ply).
        pawn: i32 = 3 in 0..=8 step 1,
    }
}

impl FractionalExtension {
    /// The reasons that a move has, in quarters of a ply.
    pub(crate) fn quarters<M>(&self, step: &Step<M>, is_recapture: bool) -> i32 {
        if !self.enabled() {
            return 0;
        }
        i32::from(step.gives_check) * self.check
            + i32::from(is_recapture) * self.exchange
            + i32::from(step.traits.reaches_seventh) * self.pawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Methods, MoveTraits};

    #[test]
    fn four_exchanges_are_three_plies() {
        let mut fraction = Methods::declared().fractional_extension;
        let traits = MoveTraits::default();
        let step = |gives_check| Step {
            mv: (),
            noisy: true,
            gives_check,
            traits,
            extension: 0,
            quarters: 0,
            at_trusted: false,
        };
        assert_eq!(fraction.quarters(&step(true), true), 0, "off");
        fraction.enabled = Switch::ON;
        let each = fraction.quarters(&step(false), true);
        let plies: i32 = (0..4).map(|past| (past + 1) * each / 4 - past * each / 4).sum();
        assert_eq!(plies, 3);
        assert_eq!(fraction.quarters(&step(true), false), 4);
    }
}
