//! The rules of Russian draughts: boards, moves, positions and their texts.
//!
//! The 32 dark squares are the bits of a word, in the order of their numbers: square 1, a1, is bit
//! 0.

mod board;
mod captures;
mod draws;
mod fen;
mod generate;
mod moves;
mod position;
mod squares;

pub use board::Board;
pub(crate) use board::mixed;
pub use draws::ENDINGS;
pub use fen::FenError;
pub use moves::{ALIKE_MAX, Move};
pub use playable::Color;
pub use position::Position;
pub(crate) use squares::{FROM_A, named};
pub use squares::{ROAD, SQUARES, bits, name_of, neighbors, shifted, turned};

/// These rules as the tag `GameType` of records says them: White begins, on 8 × 8 squares that have
/// names from White's lower left on, and a king that captures may choose its way.
pub const RUSSIAN: &str = "25,W,8,8,A0,0";
