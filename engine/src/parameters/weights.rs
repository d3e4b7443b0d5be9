//! The evaluation's weights, one group per theme, as `evaluation/` has one file per theme.

use super::declare::weights;
use super::{Scalar, Score};

weights! {
    /// Material.
    group material: Material {
        /// Worth of a pawn.
        pawn: Score in 50..=200,
        /// Worth of pieces: knight, bishop, rook, queen.
        pieces: [Score; 4] in 100..=2000,
    }
    /// Scale of drawish endgames.
    group scale: Scale {
        /// Opposite bishops only (128 = full).
        opposite_bishops: Scalar in 0..=128,
    }
}
