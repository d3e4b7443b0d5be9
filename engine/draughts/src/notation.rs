//! Moves in squares, as in PDN and in UCI.
//!
//! In PDN a step is written `c3-d4`, a capture `c3xe5`. Where several captures begin and end alike,
//! all squares of a way are written: `c3xe5xg7xe5`. Squares may be numbers, too, a1 being 1. In UCI
//! all squares are written without a sign between them: `e3c5a7`.

use playable::MoveError;

use crate::rules::{Board, Move, name_of, named};

/// A legal move with all its squares, as UCI has it: of several ways that first in the alphabet.
pub(crate) fn full(board: &Board, mv: Move) -> String {
    board.path(mv).into_iter().map(name_of).collect()
}

/// A legal move as PDN has it, as short as it is clear.
pub(crate) fn text(board: &Board, mv: Move) -> String {
    if board.captured(mv) == 0 {
        return format!("{}-{}", name_of(mv.from()), name_of(mv.to()));
    }
    let path = if between(board, mv.from(), mv.to()).len() == 1 {
        vec![mv.from(), mv.to()]
    } else {
        board.path(mv)
    };
    path.into_iter().map(name_of).collect::<Vec<_>>().join("x")
}

fn between(board: &Board, from: usize, to: usize) -> Vec<Move> {
    let moves = board.legal_moves().into_iter();
    moves.filter(|mv| (mv.from(), mv.to()) == (from, to)).collect()
}

/// The squares of a text without signs.
fn unparted(text: &str) -> Option<Vec<usize>> {
    let is_even = text.is_ascii() && text.len().is_multiple_of(2);
    let places = (0..text.len() / 2).filter(|_| is_even);
    let squares: Vec<usize> =
        places.map(|at| named(&text[2 * at..2 * at + 2])).collect::<Option<_>>()?;
    (squares.len() >= 2).then_some(squares)
}

/// The squares of a text, names or numbers, parted by a sign or unparted.
fn squares(text: &str) -> Option<Vec<usize>> {
    let square = |part: &str| {
        let is_plain =
            part.len() <= 2 && part.starts_with(|digit: char| matches!(digit, '1'..='9'));
        let number = || part.parse::<usize>().ok().filter(|number| is_plain && *number <= 32);
        named(part).or_else(|| number().map(|number| number - 1))
    };
    let parted: Option<Vec<usize>> = text.split(['-', 'x', ':']).map(square).collect();
    parted.filter(|squares| squares.len() >= 2).or_else(|| unparted(text))
}

/// The legal moves that go these squares: by all of them, or from the first of two to the second.
fn fitting(board: &Board, squares: &[usize]) -> Vec<Move> {
    match *squares {
        [from, to] => between(board, from, to),
        _ => board.capture_by(squares).into_iter().collect(),
    }
}

/// The legal move of a text in UCI, any of its ways.
pub(crate) fn parse_full(board: &Board, text: &str) -> Result<Move, MoveError> {
    let squares = unparted(text).ok_or_else(|| MoveError::Malformed(text.to_owned()))?;
    let is_step = !board.must_capture() && squares.len() == 2;
    let found = match is_step {
        true => between(board, squares[0], squares[1]).first().copied(),
        false => board.capture_by(&squares),
    };
    found.ok_or_else(|| MoveError::Illegal(text.to_owned()))
}

/// The legal move of a text in PDN, or in UCI.
pub(crate) fn parse(board: &Board, text: &str) -> Result<Move, MoveError> {
    let squares = squares(text).ok_or_else(|| MoveError::Malformed(text.to_owned()))?;
    match fitting(board, &squares)[..] {
        [mv] => Ok(mv),
        [] => Err(MoveError::Illegal(text.to_owned())),
        [first, second, ..] => Err(MoveError::Ambiguous {
            text: text.to_owned(),
            first: full(board, first),
            second: full(board, second),
        }),
    }
}
