//! Random numbers by which positions are told apart.
//!
//! CITE: Albert L. Zobrist, "A New Hashing Method with Application for Game Playing" (1970).

use super::{Piece, Square};

/// A number for each man on each square.
static MEN: [[u64; Square::COUNT]; Piece::COUNT] = men();
/// The number of Black to move.
pub const BLACK_TO_MOVE: u64 = mixed(1 << 20);

/// A number that looks random (SplitMix64).
const fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const fn men() -> [[u64; Square::COUNT]; Piece::COUNT] {
    let mut table = [[0; Square::COUNT]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            table[piece][square] = mixed((piece * Square::COUNT + square) as u64);
            square += 1;
        }
        piece += 1;
    }
    table
}

/// The number of a man on a square.
#[inline]
pub fn man(piece: Piece, square: Square) -> u64 {
    MEN[piece.index()][square.index()]
}
