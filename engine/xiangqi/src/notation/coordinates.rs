//! Moves by their squares: files a to i from Red's left, ranks from Red's side.
//!
//! Programs count ranks from 0 (UCCI, ICCS) or from 1 (UCI of engines for many games); a text does
//! not tell which, so the caller does.

use playable::MoveError;

use crate::rules::{Board, Move, Piece, Square};

/// Where the count of ranks begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ranks {
    /// At 0: the ranks are 0 to 9.
    FromZero,
    /// At 1: the ranks are 1 to 10.
    FromOne,
}

impl Ranks {
    const fn first(self) -> usize {
        match self {
            Ranks::FromZero => 0,
            Ranks::FromOne => 1,
        }
    }
}

/// A move as `h2e2`, or `h3e3` with ranks from 1.
pub fn text(mv: Move, ranks: Ranks) -> String {
    let square = |square: Square| {
        format!("{}{}", char::from(b'a' + square.file() as u8), square.rank() + ranks.first())
    };
    square(mv.from()) + &square(mv.to())
}

/// Reads a legal move like `h2e2`, or `h3e3` with ranks from 1.
///
/// # Errors
/// The text is no pair of squares, or the move is not legal.
pub fn parse(board: &Board, text: &str, ranks: Ranks) -> Result<Move, MoveError> {
    let squares = || {
        let (from, rest) = square(text, ranks)?;
        Some((from, ended(square(rest, ranks)?)?))
    };
    legal(board, text, squares().map(|(from, to)| Move::new(from, to)))
}

/// The move with its man's letter: `Ch2-e2`.
pub(super) fn piece_text(board: &Board, mv: Move) -> Option<String> {
    let letter = board.man_on(mv.from())?.kind.letter().to_ascii_uppercase();
    Some(format!("{letter}{}-{}", mv.from(), mv.to()))
}

/// Reads such a move.
pub(super) fn parse_piece(board: &Board, text: &str) -> Result<Move, MoveError> {
    let mut rest = text.chars();
    let kind = rest.next().and_then(Piece::of_letter).map(|piece| piece.kind);
    let mv = kind.and_then(|_| dashed(rest.as_str()));
    match mv {
        Some(mv) if board.man_on(mv.from()).map(|man| man.kind) != kind => {
            Err(MoveError::Illegal(text.to_owned()))
        }
        _ => legal(board, text, mv),
    }
}

/// The move as internet servers write it: `H2-E2`.
pub(super) fn iccs_text(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase()
}

/// Reads such a move.
pub(super) fn parse_iccs(board: &Board, text: &str) -> Result<Move, MoveError> {
    legal(board, text, dashed(text))
}

/// A move with a dash between its squares.
fn dashed(text: &str) -> Option<Move> {
    let (from, to) = text.split_once('-')?;
    let square = |text| ended(square(text, Ranks::FromZero)?);
    Some(Move::new(square(from)?, square(to)?))
}

fn ended((square, rest): (Square, &str)) -> Option<Square> {
    rest.is_empty().then_some(square)
}

/// The square at the start of a text, and what follows it.
fn square(text: &str, ranks: Ranks) -> Option<(Square, &str)> {
    let letter = text.chars().next()?.to_ascii_lowercase();
    let file = ('a'..='i').position(|file| file == letter)?;
    let behind = text[1..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |at| at + 1);
    let digits = &text[1..behind];
    let rank = (0..Square::RANKS).find(|rank| (rank + ranks.first()).to_string() == digits)?;
    Some((Square::new(file, rank), &text[behind..]))
}

fn legal(board: &Board, text: &str, mv: Option<Move>) -> Result<Move, MoveError> {
    match mv {
        None => Err(MoveError::Malformed(text.to_owned())),
        Some(mv) if board.is_legal(mv) => Ok(mv),
        Some(_) => Err(MoveError::Illegal(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;
    use crate::rules::Position;

    #[test]
    fn the_count_of_ranks_is_the_callers() {
        let position = Position::from_fen("r3k4/9/9/9/9/9/9/9/9/R4K3 b").expect("a position");
        let mv = Move::new(Square::new(0, 9), Square::new(1, 9));
        assert_eq!(text(mv, Ranks::FromZero), "a9b9");
        assert_eq!(text(mv, Ranks::FromOne), "a10b10");
        assert_eq!(parse(&position, "a9b9", Ranks::FromZero), Ok(mv));
        assert_eq!(parse(&position, "A10B10", Ranks::FromOne), Ok(mv));
        let illegal = parse(&position, "a9b9", Ranks::FromOne);
        assert_eq!(illegal, Err(MoveError::Illegal("a9b9".to_owned())));
        let malformed = parse(&position, "a10b10", Ranks::FromZero);
        assert_eq!(malformed, Err(MoveError::Malformed("a10b10".to_owned())));
    }

    #[test]
    fn texts_that_are_no_moves_are_refused() {
        let start = Position::start();
        for text in ["", "h", "h2", "h2e", "h2e2x", "h02e2", "j2e2", "炮2e2", "h2-e2", "h2é2"] {
            let refused = Notation::Coordinates.parse(&start, text);
            assert_eq!(refused, Err(MoveError::Malformed(text.to_owned())));
        }
        for text in ["", "h2e2", "H2--E2", "H2-E2-", "-"] {
            let refused = Notation::Iccs.parse(&start, text);
            assert_eq!(refused, Err(MoveError::Malformed(text.to_owned())));
        }
        let refused = Notation::Piece.parse(&start, "Rh2-e2");
        assert_eq!(refused, Err(MoveError::Illegal("Rh2-e2".to_owned())));
        let refused = Notation::Piece.parse(&start, "h2-e2");
        assert_eq!(refused, Err(MoveError::Malformed("h2-e2".to_owned())));
    }
}
