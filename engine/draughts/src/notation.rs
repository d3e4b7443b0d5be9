//! Moves in numbers of squares, as in PDN.
//!
//! A step is written `11-15`, a capture `22x15`. Where several captures begin and end alike, all squares
//! are written between: `22x18x15`. In UCI sessions they always are, so that a text means one move in
//! whatever position.

use playable::MoveError;

use crate::rules::{Board, Move};

/// A move that is legal on a board, as short as it is clear.
pub(crate) fn text(board: &Board, mv: Move) -> String {
    let (from, to) = (mv.route().from, mv.route().to);
    let fits = |other: &Move| other.route().from == from && other.route().to == to;
    let is_clear = board.legal_moves().iter().filter(|mv| fits(mv)).count() == 1;
    match is_clear && mv.is_capture() {
        true => format!("{}x{}", from + 1, to + 1),
        false => mv.to_string(),
    }
}

/// The squares of a text (from 0): numbers parted by `-` or `x`.
fn squares(text: &str) -> Option<Vec<u8>> {
    let square = |part: &str| {
        let is_plain = part.len() <= 2 && !part.starts_with('0');
        let number: u8 = part.parse().ok().filter(|_| is_plain)?;
        (1..=32).contains(&number).then(|| number - 1)
    };
    let squares: Option<Vec<u8>> = text.split(['-', 'x']).map(square).collect();
    squares.filter(|squares| squares.len() >= 2)
}

/// The legal move that is written so in full.
pub(crate) fn parse_full(board: &Board, text: &str) -> Result<Move, MoveError> {
    squares(text).ok_or_else(|| MoveError::Malformed(text.to_owned()))?;
    let known = board.legal_moves().into_iter().find(|mv| mv.to_string() == text);
    known.ok_or_else(|| MoveError::Illegal(text.to_owned()))
}

/// The legal move that passes all squares of a text, and begins and ends there; the sign between them
/// may be either.
pub(crate) fn parse(board: &Board, text: &str) -> Result<Move, MoveError> {
    let squares = squares(text).ok_or_else(|| MoveError::Malformed(text.to_owned()))?;
    let fits = |mv: &Move| {
        let path = mv.path();
        match squares[..] {
            [from, to] => path.first() == Some(&from) && path.last() == Some(&to),
            _ => path == squares,
        }
    };
    let found: Vec<Move> = board.legal_moves().into_iter().filter(fits).collect();
    match found[..] {
        [mv] => Ok(mv),
        [] => Err(MoveError::Illegal(text.to_owned())),
        [first, second, ..] => Err(MoveError::Ambiguous {
            text: text.to_owned(),
            first: first.to_string(),
            second: second.to_string(),
        }),
    }
}
