//! Moves.

use std::fmt;

use search::GameMove;

use super::Square;

/// A move: from where to where, seven bits each.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    /// A move between two squares.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Move {
        Move((from.index() << 7 | to.index()) as u16)
    }

    /// The square it leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::at((self.0 >> 7) as usize)
    }

    /// The square it goes to.
    #[inline]
    pub const fn to(self) -> Square {
        Square::at((self.0 & 127) as usize)
    }
}

impl GameMove for Move {
    const NONE: Move = Move(0);

    #[inline]
    fn bits(self) -> u16 {
        self.0
    }

    /// Bits of no square are those of no move.
    #[inline]
    fn from_bits(bits: u16) -> Move {
        let is_move =
            usize::from(bits >> 7) < Square::COUNT && usize::from(bits & 127) < Square::COUNT;
        if is_move { Move(bits) } else { Move::NONE }
    }
}

/// In coordinates: `h2e2`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
