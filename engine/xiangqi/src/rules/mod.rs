//! The rules of xiangqi: boards, moves, positions and their texts.
//!
//! A board has a set of squares for each kind of man and each side beside the list of men by square. Rooks
//! and cannons look up where they reach by the men of their rank and of their file (`lines.rs`), all
//! others by the men beside them (`leapers.rs`). Nothing here does input or output.

pub mod attacks;
mod bitboard;
mod board;
mod chase;
mod dead;
mod ending;
mod exchange;
mod fen;
mod generate;
mod keys;
mod leapers;
mod legality;
mod lines;
mod moves;
mod perft;
mod piece;
mod position;
mod repetition;
mod square;

pub use bitboard::Bitboard;
pub use board::Board;
pub use ending::ENDINGS;
pub use fen::FenError;
pub use generate::Stage;
pub use moves::Move;
pub use perft::{perft, perft_divide};
pub use piece::{Kind, Piece};
pub use playable::Color;
pub use position::Position;
pub use repetition::{Cause, Judgement};
pub use square::Square;
