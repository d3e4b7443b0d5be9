//! Notations of moves.
//!
//! Some name the squares (`coordinates.rs`). The others name the man, the direction and the
//! distance as his side sees them: they share how to tell which man is meant (`designation.rs`),
//! and differ in signs.

mod chinese;
pub mod coordinates;
mod designation;
mod letters;
mod wxf;

use playable::MoveError;

use crate::rules::{Board, Move};
use coordinates::Ranks;

/// A notation of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notation {
    /// From and to, ranks from 0: `h2e2`.
    Coordinates,
    /// The man's letter, from and to: `Ch2-e2`.
    Piece,
    /// From and to in capitals: `H2-E2`.
    Iccs,
    /// Of the World Xiangqi Federation: `C2=5`.
    Wxf,
    /// The older one with letters: `C2.5`.
    Letters,
    /// The same with digits for men: `62.5`.
    Keypad,
    /// In characters: 炮二平五.
    Chinese,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 7] = [
        Notation::Coordinates,
        Notation::Piece,
        Notation::Iccs,
        Notation::Wxf,
        Notation::Letters,
        Notation::Keypad,
        Notation::Chinese,
    ];

    /// A legal move as text. A move of no man of the mover is written in coordinates.
    pub fn text(self, board: &Board, mv: Move) -> String {
        let text = match self {
            Notation::Coordinates => None,
            Notation::Piece => coordinates::piece_text(board, mv),
            Notation::Iccs => Some(coordinates::iccs_text(mv)),
            Notation::Wxf => wxf::text(board, mv),
            Notation::Letters => letters::text(board, mv),
            Notation::Keypad => letters::keypad_text(board, mv),
            Notation::Chinese => chinese::text(board, mv),
        };
        text.unwrap_or_else(|| coordinates::text(mv, Ranks::FromZero))
    }

    /// Reads a legal move.
    ///
    /// # Errors
    /// The text has not the form of this notation, or not exactly one legal move fits it.
    pub fn parse(self, board: &Board, text: &str) -> Result<Move, MoveError> {
        let text = text.trim();
        let designation = match self {
            Notation::Coordinates => return coordinates::parse(board, text, Ranks::FromZero),
            Notation::Piece => return coordinates::parse_piece(board, text),
            Notation::Iccs => return coordinates::parse_iccs(board, text),
            Notation::Wxf => wxf::read(text),
            Notation::Letters => letters::read(text),
            Notation::Keypad => letters::read_keypad(text),
            Notation::Chinese => chinese::read(text),
        };
        designation.ok_or_else(|| MoveError::Malformed(text.to_owned()))?.find(board, text)
    }
}
