//! Positions as text (FEN).
//!
//! Six fields as in chess, of which the third and fourth say nothing: `- -`. Four are read, too, in which
//! the counters follow the turn; and fields at the end may be missing.

use std::fmt::Write;

use thiserror::Error;

use super::board::NATURAL_LIMIT;
use super::{Bitboard, Board, Color, Kind, Piece, Square, attacks};

/// The start of a game.
pub(super) const START: &str =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Most men of each kind of a side, in the order of [`Kind::ALL`].
const MOST: [u32; Kind::COUNT] = [5, 2, 2, 2, 2, 2, 1];

/// The fault of a text that is no position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// Another number of ranks than ten.
    #[error("the board has {0} ranks, not 10")]
    Ranks(usize),
    /// A rank has not nine squares.
    #[error("rank {rank} has {squares} squares, not 9")]
    Squares {
        /// The rank, from 0.
        rank: usize,
        /// Squares that its text names.
        squares: usize,
    },
    /// A letter that is no man, and no number of empty squares.
    #[error("{0:?} is no man")]
    Letter(char),
    /// A man stands where its kind cannot go.
    #[error("{man} cannot stand on {square}")]
    Place {
        /// Its letter.
        man: char,
        /// Its square.
        square: Square,
    },
    /// Too many men of a kind, or not exactly one king.
    #[error("there are {count} {man}, and at most {most} can be")]
    Count {
        /// The letter of the kind.
        man: char,
        /// How many there are.
        count: u32,
        /// How many there can be.
        most: u32,
    },
    /// A side has no king.
    #[error("there is no {0}")]
    NoKing(char),
    /// The turn is neither `w` (or `r`) nor `b`.
    #[error("{0:?} is no turn: w or b is expected")]
    Turn(String),
    /// A field between turn and counters says something.
    #[error("{0:?} stands where `-` is expected")]
    Field(String),
    /// A counter is no number, or too large.
    #[error("{0:?} is no counter")]
    Counter(String),
    /// More fields than a position has.
    #[error("{0:?} follows after the counters")]
    More(String),
    /// The side that is not to move is in check, by the other king perhaps.
    #[error("the side that has moved is in check")]
    Check,
}

/// Reads a position.
pub(super) fn parse(text: &str) -> Result<Board, FenError> {
    let mut fields = text.split_whitespace().peekable();
    let men = parse_men(fields.next().unwrap_or_default())?;
    let mover = match fields.next() {
        None | Some("w" | "r") => Color::White,
        Some("b") => Color::Black,
        Some(other) => return Err(FenError::Turn(other.to_owned())),
    };
    if fields.peek().is_some_and(|field| field.parse::<u32>().is_err()) {
        for field in fields.by_ref().take(2) {
            if field != "-" {
                return Err(FenError::Field(field.to_owned()));
            }
        }
    }
    let clock = counter(fields.next(), 0, NATURAL_LIMIT)?;
    let number = counter(fields.next(), 1, u32::from(u16::MAX))?;
    if let Some(more) = fields.next() {
        return Err(FenError::More(more.to_owned()));
    }
    Board::checked(men, mover, clock, number)
}

impl Board {
    /// A board with these men, if a game can come to it. Programs count moves from 0, some of them.
    ///
    /// # Errors
    /// Too many men of a kind, no king, men where they cannot stand, or the side that has moved is in check.
    pub fn checked(
        men: Vec<(Square, Piece)>,
        mover: Color,
        clock: u32,
        number: u32,
    ) -> Result<Board, FenError> {
        check_men(&men)?;
        let board = Board::new(men, mover, clock, number.max(1));
        match board.checkers_of(!mover).any() {
            true => Err(FenError::Check),
            false => Ok(board),
        }
    }
}

fn counter(field: Option<&str>, missing: u32, most: u32) -> Result<u32, FenError> {
    let Some(field) = field else { return Ok(missing) };
    let number = field.parse().ok().filter(|number| *number <= most);
    number.ok_or_else(|| FenError::Counter(field.to_owned()))
}

/// Reads the men, from the last rank on.
fn parse_men(text: &str) -> Result<Vec<(Square, Piece)>, FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != Square::RANKS {
        return Err(FenError::Ranks(ranks.len()));
    }
    let mut men = Vec::new();
    for (rank, text) in ranks.iter().rev().enumerate() {
        let mut file = 0;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10).filter(|empty| *empty > 0) {
                file += empty as usize;
                continue;
            }
            let piece = Piece::of_letter(letter).ok_or(FenError::Letter(letter))?;
            if file < Square::FILES {
                men.push((Square::new(file, rank), piece));
            }
            file += 1;
        }
        if file != Square::FILES {
            return Err(FenError::Squares { rank, squares: file });
        }
    }
    Ok(men)
}

fn check_men(men: &[(Square, Piece)]) -> Result<(), FenError> {
    for color in Color::ALL {
        for kind in Kind::ALL {
            let (most, piece) = (MOST[kind.index()], Piece { color, kind });
            let count = men.iter().filter(|(_, man)| *man == piece).count() as u32;
            match count {
                0 if kind == Kind::King => return Err(FenError::NoKing(piece.letter())),
                _ if count > most => {
                    return Err(FenError::Count { man: piece.letter(), count, most });
                }
                _ => {}
            }
        }
    }
    match men.iter().find(|(square, piece)| !places_of(*piece).contains(*square)) {
        Some(&(square, piece)) => Err(FenError::Place { man: piece.letter(), square }),
        None => Ok(()),
    }
}

/// The squares where a man can stand.
pub(super) fn places_of(piece: Piece) -> Bitboard {
    let own = piece.color.index();
    let (palace, half) = (attacks::palace(own), attacks::half(own));
    let on_rank = |files: &[usize], rank: usize| -> Bitboard {
        let rank = if own == 0 { rank } else { Square::RANKS - 1 - rank };
        files.iter().map(|&file| Square::new(file, rank)).collect()
    };
    match piece.kind {
        Kind::King => palace,
        Kind::Advisor => on_rank(&[3, 5], 0) | on_rank(&[4], 1) | on_rank(&[3, 5], 2),
        Kind::Elephant => on_rank(&[2, 6], 0) | on_rank(&[0, 4, 8], 2) | on_rank(&[2, 6], 4),
        Kind::Pawn => {
            let before = on_rank(&[0, 2, 4, 6, 8], 3) | on_rank(&[0, 2, 4, 6, 8], 4);
            before | (!half & Bitboard::ALL)
        }
        Kind::Cannon | Kind::Horse | Kind::Rook => Bitboard::ALL,
    }
}

impl Board {
    /// The position as text, with all six fields.
    pub fn to_fen(&self) -> String {
        let mut text = String::with_capacity(80);
        for rank in (0..Square::RANKS).rev() {
            let mut empty = 0;
            for file in 0..Square::FILES {
                match self.man_on(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_empty(&mut text, empty);
                        empty = 0;
                        text.push(piece.letter());
                    }
                }
            }
            push_empty(&mut text, empty);
            text.push(if rank == 0 { ' ' } else { '/' });
        }
        let turn = if self.side_to_move() == Color::White { 'w' } else { 'b' };
        let _ = write!(text, "{turn} - - {} {}", self.clock(), self.number());
        text
    }
}

fn push_empty(text: &mut String, empty: u32) {
    if empty > 0 {
        text.extend(char::from_digit(empty, 10));
    }
}
