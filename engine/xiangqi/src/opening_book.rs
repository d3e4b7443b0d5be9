//! Opening books as text: a line a move, with its weight and the position where it is played, as in
//! `h2e2 4 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1`.
//!
//! Left and right are the same to xiangqi, so a position and its mirror image share their moves. The book
//! writes down one of both, and reads either.
//!
//! SOURCE: form and limits are those of the source's book, which draws among the moves of a position
//! without regard to their weights.

use std::collections::BTreeMap;
use std::fmt::Write;

use playable::MoveError;
use search::GameMove;
use thiserror::Error;

use crate::notation::Notation;
use crate::rules::{Board, FenError, Move, Position};

/// Most moves of a position.
pub const MOVES_MAX: usize = 40;
/// Most positions.
pub const POSITIONS_MAX: usize = 1 << 14;
/// Greatest weight of a move.
pub const WEIGHT_MAX: u32 = 65_535;

/// Moves by the men and the side to move, of one of both mirror images, each with its weight.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Book {
    places: BTreeMap<String, Vec<(Move, u32)>>,
}

/// A fault of a book and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {fault}")]
pub struct BookError {
    /// The line, from 1.
    pub line: usize,
    /// The fault.
    pub fault: BookFault,
}

/// A fault of a book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BookFault {
    /// The bytes are no text.
    #[error("no text: a book has lines of a move, its weight and a FEN")]
    Binary,
    /// There is no move in it.
    #[error("a book has at least one move")]
    Empty,
    /// A line has not its three parts.
    #[error("{0:?}: a move, its weight and a FEN are expected")]
    Form(String),
    /// The weight is none.
    #[error("{0:?} is no weight from 1 to {WEIGHT_MAX}")]
    Weight(String),
    /// The FEN is no position.
    #[error(transparent)]
    Position(#[from] FenError),
    /// The move is none there.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The position has too many moves.
    #[error("more than {MOVES_MAX} moves of a position")]
    Moves,
    /// The book has too many positions.
    #[error("more than {POSITIONS_MAX} positions")]
    Positions,
}

impl Book {
    /// Reads a book. Blank lines mean nothing. The weights of a move that stands there several times, in
    /// mirror images too, are added.
    ///
    /// # Errors
    /// The first line with a fault; a book has at most [`POSITIONS_MAX`] positions of at most
    /// [`MOVES_MAX`] moves.
    pub fn parse(bytes: &[u8]) -> Result<Book, BookError> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&it| it == b'\n').count();
            BookError { line, fault: BookFault::Binary }
        })?;
        let mut book = Book::default();
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).zip(1..);
        for (text, line) in lines.filter(|(text, _)| !text.is_empty()) {
            book.read(text).map_err(|fault| BookError { line, fault })?;
        }
        match book.places.is_empty() {
            true => Err(BookError { line: 1, fault: BookFault::Empty }),
            false => Ok(book),
        }
    }

    fn read(&mut self, line: &str) -> Result<(), BookFault> {
        fn first_word(text: &str) -> Option<(&str, &str)> {
            text.split_once(char::is_whitespace)
        }
        let parts = first_word(line).and_then(|(mv, rest)| Some((mv, first_word(rest.trim())?)));
        let (mv, (weight, fen)) = parts.ok_or_else(|| BookFault::Form(line.to_owned()))?;
        let is_weight = |weight: &u32| (1..=WEIGHT_MAX).contains(weight);
        let weight = weight.parse().ok().filter(is_weight);
        let weight = weight.ok_or_else(|| {
            let word = line.split_whitespace().nth(1).unwrap_or_default();
            BookFault::Weight(word.to_owned())
        })?;
        let position = Position::from_fen(fen)?;
        let mv = Notation::Coordinates.parse(&position, mv)?;
        let moves = self.add(&position, mv, weight);
        if moves > MOVES_MAX {
            return Err(BookFault::Moves);
        }
        if self.places.len() > POSITIONS_MAX {
            return Err(BookFault::Positions);
        }
        Ok(())
    }

    /// Counts each of the moves of a game once.
    pub fn learn(&mut self, start: &Position, moves: impl IntoIterator<Item = Move>) {
        let mut position = Position::from_board(*start.board());
        for mv in moves {
            self.add(&position, mv, 1);
            position.play(mv);
        }
    }

    /// Leaves out moves of less weight than `least`; then, beyond the limits of a book, the moves of least
    /// weight of each position, and the positions whose moves have the least together.
    pub fn cut(&mut self, least: u32) {
        for moves in self.places.values_mut() {
            moves.retain(|&(_, weight)| weight >= least);
            moves.sort_by_key(|&(mv, weight)| (u32::MAX - weight, mv.bits()));
            moves.truncate(MOVES_MAX);
        }
        self.places.retain(|_, moves| !moves.is_empty());
        let total = |moves: &[(Move, u32)]| moves.iter().map(|&(_, weight)| weight).sum::<u32>();
        let mut totals: Vec<u32> = self.places.values().map(|moves| total(moves)).collect();
        totals.sort_unstable_by(|one, other| other.cmp(one));
        if let Some(&next) = totals.get(POSITIONS_MAX) {
            let mut equals = POSITIONS_MAX - totals.partition_point(|&it| it > next);
            self.places.retain(|_, moves| {
                let is_equal = total(moves) == next;
                let has_room = equals > 0;
                equals -= usize::from(is_equal && has_room);
                total(moves) > next || is_equal && has_room
            });
        }
    }

    /// Adds to the weight of a move, of the mirror image where the book has that; the moves that the
    /// position has then.
    fn add(&mut self, board: &Board, mv: Move, weight: u32) -> usize {
        let (place, image) = place_of(board);
        let mv = image.of(mv);
        let moves = self.places.entry(place).or_default();
        match moves.iter_mut().find(|(other, _)| *other == mv) {
            Some((_, sum)) => *sum = (*sum + weight).min(WEIGHT_MAX),
            None => moves.push((mv, weight)),
        }
        moves.len()
    }

    /// A move by weight and its weight, where the position or its mirror image is in the book; `pick` draws
    /// a number below the one that it is given.
    pub fn pick(&self, board: &Board, pick: &mut dyn FnMut(u32) -> u32) -> Option<(Move, u32)> {
        let (place, image) = place_of(board);
        let moves = self.places.get(&place)?;
        let mut left = pick(moves.iter().map(|&(_, weight)| weight).sum());
        for &(mv, weight) in moves {
            if left < weight {
                return Some((image.of(mv), weight));
            }
            left -= weight;
        }
        None
    }

    /// Number of positions, and of moves in all of them.
    pub fn size(&self) -> (usize, usize) {
        (self.places.len(), self.places.values().map(Vec::len).sum())
    }

    /// The book as [`Book::parse`] reads it.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (place, moves) in &self.places {
            for (mv, weight) in moves {
                writeln!(text, "{mv} {weight} {place} - - 0 1").expect("strings take all");
            }
        }
        text
    }
}

/// How the book sees a board.
#[derive(Clone, Copy)]
enum Image {
    Same,
    Mirrored,
    /// Both images are one, and so are a move and its mirror image.
    Symmetric,
}

impl Image {
    fn of(self, mv: Move) -> Move {
        let mirrored = Move::new(mv.from().mirrored(), mv.to().mirrored());
        match self {
            Image::Same => mv,
            Image::Mirrored => mirrored,
            Image::Symmetric if mirrored.bits() > mv.bits() => mirrored,
            Image::Symmetric => mv,
        }
    }
}

/// The text of a board under which the book has it, and which image that is.
fn place_of(board: &Board) -> (String, Image) {
    let [own, mirrored] = [*board, board.mirrored()].map(|board| {
        let fen = board.to_fen();
        let words: Vec<&str> = fen.split(' ').take(2).collect();
        words.join(" ")
    });
    match own.cmp(&mirrored) {
        std::cmp::Ordering::Less => (own, Image::Same),
        std::cmp::Ordering::Equal => (own, Image::Symmetric),
        std::cmp::Ordering::Greater => (mirrored, Image::Mirrored),
    }
}
