//! The rules of chess, standard and Chess960: boards, moves, their generation and their notation.
//!
//! Nothing here reads or writes files, searches or evaluates.

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod chess960;
mod exchange;
mod fen;
mod generate;
mod keys;
mod legality;
mod moves;
mod notation;
mod perft;
mod pick;
mod piece;
mod play;
mod position;
mod quiet_checks;
mod repetition;
mod sliders;
mod square;

pub use playable::{Color, GameResult, MoveError};

pub use bitboard::Bitboard;
pub use board::Board;
pub use chess960::chess960_start;
pub use fen::FenError;
pub use generate::Stage;
pub use moves::{Move, MoveList};
pub use perft::{perft, perft_divide, perft_divide_until};
pub use piece::{Piece, PieceType};
pub use position::{Ending, Position};
pub use square::{Square, SquareError};
