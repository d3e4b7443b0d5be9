//! Which squares men attack.

pub use super::leapers::{
    advisor, diagonal_neighbors, elephant, half, horse, horses_to, king, palace, pawn, pawns_of,
    straight_neighbors,
};
pub use super::lines::{cannon, rook};

use super::{Bitboard, Kind, Piece, Square};

/// The squares on which a man could capture: those of a cannon are behind its screens.
#[inline(always)]
pub fn captures_of(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind {
        Kind::Pawn => pawn(piece.color, square),
        Kind::Elephant => elephant(square, occupied),
        Kind::Advisor => advisor(square),
        Kind::Cannon => cannon(square, occupied),
        Kind::Horse => horse(square, occupied),
        Kind::Rook => rook(square, occupied),
        Kind::King => king(square),
    }
}

/// The squares strictly between two of a rank or file; none if they do not share one.
#[inline]
pub fn between(one: Square, other: Square) -> Bitboard {
    Bitboard::indices_between(one, other) & shared_line(one, other)
}

/// The rank or file that two squares share; none if they share none.
#[inline]
fn shared_line(one: Square, other: Square) -> Bitboard {
    if one.rank() == other.rank() {
        Bitboard::rank(one.rank())
    } else if one.file() == other.file() {
        Bitboard::file(one.file())
    } else {
        Bitboard::EMPTY
    }
}

/// The rank and the file of a square.
#[inline]
pub fn cross(square: Square) -> Bitboard {
    Bitboard::rank(square.rank()) | Bitboard::file(square.file())
}

/// The rank of a square.
#[inline]
pub fn rank_of(square: Square) -> Bitboard {
    Bitboard::rank(square.rank())
}
