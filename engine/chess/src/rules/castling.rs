//! Castling: which rooks still may, and where the pieces go.

use super::attacks;
use super::{Bitboard, Board, Color, Square};

/// Where the king goes when castling with this rook.
#[inline]
pub(super) fn king_target(king: Square, rook: Square) -> Square {
    Square::from_coordinates(if rook.file() > king.file() { 6 } else { 2 }, king.rank())
}

/// Where the rook goes when castling.
#[inline]
pub(super) fn rook_target(king: Square, rook: Square) -> Square {
    Square::from_coordinates(if rook.file() > king.file() { 5 } else { 3 }, king.rank())
}

impl Board {
    /// The squares of the rooks that this side may still castle with, at most one on each side of
    /// its king.
    #[inline]
    pub fn castling_rooks(&self, color: Color) -> Bitboard {
        self.castling & Bitboard::relative_rank(color, 0)
    }

    /// The rook that this side may still castle with towards the h-file.
    pub fn king_side_rook(&self, color: Color) -> Option<Square> {
        let king = self.king(color);
        self.castling_rooks(color).into_iter().find(|rook| rook.file() > king.file())
    }

    /// The rook that this side may still castle with towards the a-file.
    pub fn queen_side_rook(&self, color: Color) -> Option<Square> {
        let king = self.king(color);
        self.castling_rooks(color).into_iter().find(|rook| rook.file() < king.file())
    }

    /// Whether the side to move, which has the right and is not in check, may castle with this
    /// rook now: the way is free, the king crosses no attacked square, and (Chess960) the rook
    /// does not shield it.
    #[inline]
    pub(super) fn can_castle(&self, king: Square, rook: Square) -> bool {
        let king_to = king_target(king, rook);
        let rook_to = rook_target(king, rook);
        let way = attacks::between(king, rook)
            | attacks::between(king, king_to)
            | attacks::between(rook, rook_to)
            | king_to.bitboard()
            | rook_to.bitboard();
        let others = self.occupied() - king.bitboard() - rook.bitboard();
        if way.intersects(others) || self.pinned.contains(rook) {
            return false;
        }
        let us = self.side_to_move();
        (attacks::between(king, king_to) | king_to.bitboard())
            .into_iter()
            .all(|square| !self.is_attacked(square, !us, self.occupied()))
    }
}
