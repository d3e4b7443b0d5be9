//! Squares, and the regions of the board that several themes speak of, for a side that plays up the
//! board.

use crate::rules::{Bitboard, Color, Square};

/// d4, e4, d5, e5.
pub(super) const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Files c to f.
pub(super) const CENTER_FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);

/// Files a to d.
pub(super) const LEFT_WING: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);

/// Distance of the square's file from the nearer edge: 0 (a, h) to 3 (d, e).
#[inline(always)]
pub(super) fn edge_file(square: Square) -> usize {
    usize::from(square.file().min(7 - square.file()))
}

/// All squares on the ranks ahead of the square's.
#[inline(always)]
pub(super) fn ranks_ahead(square: Square) -> Bitboard {
    Bitboard((!0 << (8 * u32::from(square.rank()))) << 8)
}

/// The squares ahead on the file.
#[inline(always)]
pub(super) fn file_ahead(square: Square) -> Bitboard {
    ranks_ahead(square) & Bitboard::file(square.file())
}

/// The squares and those to their left and right.
#[inline(always)]
pub(super) fn widen(squares: Bitboard) -> Bitboard {
    let inner = !Bitboard::FILE_A.0;
    Bitboard(squares.0 | ((squares.0 << 1) & inner) | ((squares.0 & inner) >> 1))
}

/// Squares that two of a side's pawns attack.
#[inline(always)]
pub(super) fn pawn_attacks_twice(color: Color, pawns: Bitboard) -> Bitboard {
    let next = pawns.forward(color).0;
    let inner = !Bitboard::FILE_A.0;
    Bitboard(((next << 1) & inner) & ((next & inner) >> 1))
}

/// The files of a king's wing: four from the edge, or the four in the middle.
pub(super) fn wing(king: Square) -> Bitboard {
    match king.file() {
        0..=2 => LEFT_WING,
        3..=4 => CENTER_FILES,
        _ => !LEFT_WING,
    }
}
