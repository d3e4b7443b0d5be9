//! A move in sixteen bits: from, to, and which of the captures between them.

use std::fmt;

use search::GameMove;

use super::squares::name_of;

/// Most captures of different men from one square to another that moves can name.
pub const ALIKE_MAX: usize = 64;

/// A move of a position: the square where it begins (bits 0 to 4), that where it ends (5 to 9), and
/// the place of its captured squares, as a number, among those of all captures between the two (10
/// to 15). Only the board tells what it captures. A king cannot come back to a1, so none has bits
/// of 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    #[inline]
    pub(super) fn new(from: usize, to: usize, rank: usize) -> Move {
        Move((from | to << 5 | rank << 10) as u16)
    }

    /// Where it begins (0 to 31).
    #[inline]
    pub fn from(self) -> usize {
        usize::from(self.0 & 31)
    }

    /// Where it ends (0 to 31).
    #[inline]
    pub fn to(self) -> usize {
        usize::from(self.0 >> 5 & 31)
    }

    /// Its place among the captures that begin and end alike.
    #[inline]
    pub(super) fn rank(self) -> usize {
        usize::from(self.0 >> 10)
    }
}

impl GameMove for Move {
    const NONE: Move = Move(0);

    #[inline]
    fn bits(self) -> u16 {
        self.0
    }

    #[inline]
    fn from_bits(bits: u16) -> Move {
        Move(bits)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}/{}", name_of(self.from()), name_of(self.to()), self.rank())
    }
}
