//! Positions as text, in two forms.
//!
//! Our own is like the FEN of chess: ranks from White's far one on, `M` and `K` for White's men and
//! kings, `m` and `k` for Black's, the turn, plies with kings alone, plies without capture, the
//! number of the move:
//!
//! ```text
//! 1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 w 0 0 1
//! ```
//!
//! The form of PDN names the turn and the squares of each side, kings with `K`. Squares have names
//! or numbers, a1 being 1, and a range may stand for its squares. It is read where our own is, with
//! the counters behind it or without them:
//!
//! ```text
//! W:Wc3,f2,Ka5:Bd6,h8
//! ```

use std::fmt::Write;

use playable::Color;
use thiserror::Error;

use super::ALIKE_MAX;
use super::Board;
use super::board::CROWNING;
use super::squares::{SQUARES, at_place, bits, name_of, named};

/// Most men of a side.
const MEN_MAX: u32 = 12;

/// A fault of a FEN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// Too few ranks, or too many.
    #[error("the board has {0} ranks, not 8")]
    Ranks(usize),
    /// A rank is too short or too long.
    #[error("rank {0} has {1} squares, not 8")]
    RankLength(usize, usize),
    /// A letter of no man.
    #[error("{0:?} is no man: M, K, m, k or a number of empty squares is expected")]
    Letter(char),
    /// A man on a light square.
    #[error("a man on the light square {0}")]
    Light(String),
    /// The turn is neither side's.
    #[error("the turn is {0:?}, neither w nor b")]
    Turn(String),
    /// A part that names no side.
    #[error("{0:?} is no side with its squares, as in Wc3,Kf2")]
    Side(String),
    /// The men of a side are missing, or stand twice.
    #[error("the men of {0} are named {1} times")]
    Sides(&'static str, usize),
    /// A text that is no square.
    #[error("{0:?} is no dark square, by name or by a number from 1 to 32")]
    Square(String),
    /// Two men on a square.
    #[error("two men on {0}")]
    Twice(String),
    /// A man on the row where it would be a king.
    #[error("a man of {0} on its last row, on {1}, where it is a king")]
    Uncrowned(&'static str, String),
    /// More men than a side can have.
    #[error("{0} has {1} men, more than {MEN_MAX}")]
    Men(&'static str, u32),
    /// More captures than moves can name.
    #[error("more than {ALIKE_MAX} captures of different men from {0} to {1}")]
    Captures(String, String),
    /// A counter that is none.
    #[error("the counter {0:?} is no number")]
    Counter(String),
    /// More words than there are.
    #[error("{0:?} behind the end")]
    Rest(String),
}

const NAMES: [&str; 2] = ["White", "Black"];

/// Reads a position in either form.
pub(super) fn parse(text: &str) -> Result<Board, FenError> {
    let mut words = text.split_whitespace();
    let men = words.next().unwrap_or_default();
    let (men, kings, side) = if men.contains(':') {
        listed(men)?
    } else {
        let (men, kings) = ranks(men)?;
        (men, kings, turn(words.next().unwrap_or("w"))?)
    };
    let mut counter = |usual: u32| match words.next() {
        None => Ok(usual),
        Some(word) => word.parse().map_err(|_| FenError::Counter(word.to_owned())),
    };
    let counters = [counter(0)?, counter(0)?, counter(1)?];
    match words.next() {
        Some(word) => Err(FenError::Rest(word.to_owned())),
        None => Board::checked(men, kings, side, counters),
    }
}

fn turn(text: &str) -> Result<Color, FenError> {
    match text {
        "w" | "W" => Ok(Color::White),
        "b" | "B" => Ok(Color::Black),
        _ => Err(FenError::Turn(text.to_owned())),
    }
}

/// Men of both sides, and kings, from ranks.
fn ranks(text: &str) -> Result<([u32; 2], u32), FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::Ranks(ranks.len()));
    }
    let (mut men, mut kings) = ([0; 2], 0);
    for (rank, text) in (0..8).rev().zip(ranks) {
        let mut file = 0;
        for letter in text.chars() {
            let side = match letter {
                'M' | 'K' => 0,
                'm' | 'k' => 1,
                '1'..='8' => {
                    file += letter as usize - '0' as usize;
                    continue;
                }
                _ => return Err(FenError::Letter(letter)),
            };
            if file < 8 {
                let column = char::from(b'a' + file as u8);
                let name = || FenError::Light(format!("{column}{}", rank + 1));
                let square = at_place(rank * 8 + file).ok_or_else(name)?;
                men[side] |= 1 << square;
                kings |= u32::from(matches!(letter, 'K' | 'k')) << square;
            }
            file += 1;
        }
        if file != 8 {
            return Err(FenError::RankLength(rank + 1, file));
        }
    }
    Ok((men, kings))
}

/// Men of both sides, kings and turn, from squares.
fn listed(text: &str) -> Result<([u32; 2], u32, Color), FenError> {
    let mut parts = text.trim_end_matches('.').split(':');
    let side = turn(parts.next().unwrap_or_default())?;
    let (mut men, mut kings, mut named) = ([0; 2], 0, [0; 2]);
    for part in parts {
        let malformed = || FenError::Side(part.to_owned());
        let (place, squares) = match part.as_bytes().first() {
            Some(b'W') => (0, &part[1..]),
            Some(b'B') => (1, &part[1..]),
            _ => return Err(malformed()),
        };
        named[place] += 1;
        for item in squares.split(',').filter(|item| !item.is_empty()) {
            let (name, is_king) = match item.strip_prefix('K') {
                Some(name) => (name, true),
                None => (item, false),
            };
            let (first, last) = name.split_once('-').unwrap_or((name, name));
            for square in square(first)?..=square(last)? {
                if (men[0] | men[1]) >> square & 1 == 1 {
                    return Err(FenError::Twice(name_of(square)));
                }
                men[place] |= 1 << square;
                kings |= u32::from(is_king) << square;
            }
        }
    }
    match named.iter().position(|&count| count != 1) {
        Some(place) => Err(FenError::Sides(NAMES[place], named[place])),
        None => Ok((men, kings, side)),
    }
}

/// A square by its name or number, from 0.
fn square(text: &str) -> Result<usize, FenError> {
    let number = || text.parse().ok().filter(|number| (1..=SQUARES).contains(number));
    let square = named(text).or_else(|| number().map(|number| number - 1));
    square.ok_or_else(|| FenError::Square(text.to_owned()))
}

impl Board {
    /// A board that can be, with its counters: plies with kings alone, plies without capture, and
    /// the number of the move.
    pub(crate) fn checked(
        men: [u32; 2],
        kings: u32,
        side: Color,
        [clock, since_capture, number]: [u32; 3],
    ) -> Result<Board, FenError> {
        if let Some(square) = bits(men[0] & men[1]).next() {
            return Err(FenError::Twice(name_of(square)));
        }
        for place in 0..2 {
            let (name, count) = (NAMES[place], men[place].count_ones());
            if count > MEN_MAX {
                return Err(FenError::Men(name, count));
            }
            if let Some(square) = bits(men[place] & !kings & CROWNING[place]).next() {
                return Err(FenError::Uncrowned(name, name_of(square)));
            }
        }
        let kings = kings & (men[0] | men[1]);
        let board = Board { men, kings, side, clock, since_capture, number };
        match board.unnamed_captures() {
            Some((from, to)) => Err(FenError::Captures(name_of(from), name_of(to))),
            None => Ok(board),
        }
    }

    /// The board in ranks, with turn and counters.
    pub fn to_fen(&self) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for place in rank * 8..rank * 8 + 8 {
                match self.letter_at(place) {
                    None => empty += 1,
                    Some(letter) => {
                        if empty > 0 {
                            let _ = write!(text, "{empty}");
                        }
                        empty = 0;
                        text.push(letter);
                    }
                }
            }
            if empty > 0 {
                let _ = write!(text, "{empty}");
            }
            text.push(if rank == 0 { ' ' } else { '/' });
        }
        let turn = ["w", "b"][self.side.index()];
        let _ = write!(text, "{turn} {} {} {}", self.clock, self.since_capture, self.number);
        text
    }

    /// The board in names of squares, as PDN and other programs write it; the counters follow if
    /// they are not those of a game's begin.
    pub fn to_pdn(&self) -> String {
        let squares = |color: Color| {
            let name = |square: usize| {
                let sign = if self.kings >> square & 1 == 1 { "K" } else { "" };
                sign.to_owned() + &name_of(square)
            };
            bits(self.of(color)).map(name).collect::<Vec<_>>().join(",")
        };
        let turn = ["W", "B"][self.side.index()];
        let men = format!("{turn}:W{}:B{}", squares(Color::White), squares(Color::Black));
        match (self.clock, self.since_capture, self.number) {
            (0, 0, 1) => men,
            (clock, since_capture, number) => format!("{men} {clock} {since_capture} {number}"),
        }
    }

    /// The letter of the man at a place of the whole board, from White's left, row by row.
    pub(crate) fn letter_at(&self, place: usize) -> Option<char> {
        at_place(place).and_then(|square| self.letter_on(square))
    }
}
