//! Moves and lists of them.

use std::fmt;
use std::ops::{Deref, DerefMut};

use smallvec::SmallVec;

use super::{PieceType, Square};

/// A move in 16 bits: from (6), to (6), kind (4). Castling goes from the king's square to the
/// square of its own rook, which names it without doubt in Chess960 too.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

const CASTLING: u16 = 1 << 12;
const EN_PASSANT: u16 = 2 << 12;
/// Kinds 4 to 7 are promotions to knight, bishop, rook and queen.
const PROMOTION: u16 = 4 << 12;
const KIND: u16 = 15 << 12;

impl Move {
    /// No move: from a1 to a1.
    pub const NONE: Move = Move(0);

    /// A plain move or capture.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6)
    }

    /// Castling of the king on `king` with the rook on `rook`.
    #[inline]
    pub const fn castling(king: Square, rook: Square) -> Move {
        Move(Move::new(king, rook).0 | CASTLING)
    }

    /// An en passant capture.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move(Move::new(from, to).0 | EN_PASSANT)
    }

    /// A promotion to `kind`, which must be knight, bishop, rook or queen.
    #[inline]
    pub const fn promoting(from: Square, to: Square, kind: PieceType) -> Move {
        debug_assert!(!matches!(kind, PieceType::Pawn | PieceType::King));
        Move(Move::new(from, to).0 | PROMOTION | (kind as u16 - 1) << 12)
    }

    /// The square the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u8)
    }

    /// The square the piece goes to; in castling, the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u8)
    }

    /// The piece that the pawn becomes, if it promotes.
    #[inline]
    pub const fn promotion(self) -> Option<PieceType> {
        if self.0 & PROMOTION == 0 || self.0 & KIND >= 8 << 12 {
            return None;
        }
        Some(PieceType::ALL[1 + (self.0 >> 12 & 3) as usize])
    }

    /// Whether it castles; see [`Move::to`] for the rook.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.0 & KIND == CASTLING
    }

    /// Whether it captures en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0 & KIND == EN_PASSANT
    }

    /// Whether it is neither castling, en passant nor promotion.
    #[inline]
    pub const fn is_plain(self) -> bool {
        self.0 & KIND == 0
    }

    /// The move as 16 bits: squares and kind.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move of these 16 bits, which may make no sense: see `Position::is_legal`.
    #[inline]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// Whether it is [`Move::NONE`].
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether it is a move.
    #[inline]
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }
}

impl fmt::Display for Move {
    /// Coordinates, with castling as king takes rook; `0000` for none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return write!(f, "0000");
        }
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Moves that fit without allocation. No position of a game has more than 218; boards full of queens,
/// which are read all the same, may have more.
const INLINE: usize = 256;

/// A list of moves that allocates nothing in any position a game can reach.
#[derive(Clone)]
pub struct MoveList(SmallVec<[Move; INLINE]>);

impl MoveList {
    /// An empty list.
    #[inline]
    pub fn new() -> MoveList {
        MoveList(SmallVec::new())
    }

    /// Appends a move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }

    /// Takes all moves out.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
