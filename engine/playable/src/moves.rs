//! Moves of any game, and why a text is none.

use search::GameMove;
use thiserror::Error;

/// A move in sixteen bits, whose meaning the game alone knows.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move(u16);

impl Move {
    /// No move.
    pub const NONE: Move = Move(0);

    /// The move with these bits.
    #[inline]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// Its bits.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether it is no move.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The same as a move of a game's search.
    #[inline]
    pub fn of<M: GameMove>(mv: M) -> Move {
        Move(mv.bits())
    }

    /// The same as a move of a game's search.
    #[inline]
    pub fn typed<M: GameMove>(self) -> M {
        M::from_bits(self.0)
    }
}

impl<M: GameMove> From<M> for Move {
    fn from(mv: M) -> Move {
        Move::of(mv)
    }
}

/// A text that is no move here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The text has not the form of a move.
    #[error("\"{0}\" is not written as a move")]
    Malformed(String),
    /// No legal move is meant by the text.
    #[error("\"{0}\" is no legal move here")]
    Illegal(String),
    /// More than one legal move fits the text.
    #[error("\"{text}\" may mean {first} or {second}")]
    Ambiguous {
        /// The text that names no move.
        text: String,
        /// One move that fits, in coordinates.
        first: String,
        /// Another move that it could mean.
        second: String,
    },
}
