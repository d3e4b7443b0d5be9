//! The rules of English draughts: boards, moves, positions and their texts.
//!
//! The 32 dark squares are the bits of a word, in the order of their numbers: square 1 is bit 0. A move
//! is the number of a route in a table of all routes that a board has (`routes.rs`).

mod board;
mod fen;
mod generate;
mod position;
mod routes;
mod squares;

pub use board::Board;
pub(crate) use board::mixed;
pub use fen::FenError;
pub use playable::Color;
pub use position::{ENDINGS, Position};
pub use routes::{Move, Route};
pub use squares::{SQUARES, backward, bits, neighbors, shifted, turned};
