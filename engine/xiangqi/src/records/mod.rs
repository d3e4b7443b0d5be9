//! Records of games as text: one form like PGN, and one in XML.
//!
//! Both hold the tags, the moves in one notation throughout, and the result. The notation is not
//! named: it is the one in which all moves are legal. A text that two of them read in different
//! ways is refused; only digits, as of keypads, allow that.

mod pgn;
mod reader;
mod xml;

pub use pgn::{parse_pgn, write_pgn};
pub use xml::{parse_xml, write_xml};

use playable::{GameResult, MoveError};
use thiserror::Error;

use crate::notation::Notation;
use crate::rules::{FenError, Move, Position};

/// A game as it was recorded.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Names and values of the tags in their order, without those of the start and the result. A
    /// name has letters, digits and low lines only.
    pub tags: Vec<(String, String)>,
    /// Where the game began.
    pub start: Position,
    /// The legal moves from there.
    pub moves: Vec<Move>,
    /// Who won; `None` if the game was not finished.
    pub result: Option<GameResult>,
}

/// A fault of a record and where it is.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {reason}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The fault.
    pub reason: RecordFault,
}

/// A fault of a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordFault {
    /// A tag has not its form.
    #[error("a tag is written [Name \"value\"]")]
    Tag,
    /// A move or a result before any tag.
    #[error("a record begins with its tags")]
    NoTags,
    /// A tag or an element stands a second time.
    #[error("{0} stands twice")]
    Twice(String),
    /// A comment, a variation or an element is not closed.
    #[error("{0} is not closed")]
    Open(String),
    /// A sign that closes nothing.
    #[error("{0:?} closes nothing")]
    Stray(char),
    /// The text is no result.
    #[error("{0:?} is no result")]
    Result(String),
    /// Tag and end of the moves state different results.
    #[error("the tag states another result than {0}")]
    Contradiction(&'static str),
    /// No result after the moves, and none in the tags.
    #[error("the result is missing")]
    NoResult,
    /// The start is no position.
    #[error(transparent)]
    Start(#[from] FenError),
    /// A move is none here.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// Something else stands where this is expected.
    #[error("{0} is expected")]
    Expected(String),
    /// An element that records have not.
    #[error("<{0}> is no element of a record")]
    Element(String),
    /// An entity that stands for no character.
    #[error("&{0} stands for no character")]
    Entity(String),
}

impl RecordFault {
    fn at(self, line: usize) -> RecordError {
        RecordError { line, reason: self }
    }
}

/// The texts of a record, each with its line.
#[derive(Default)]
struct Draft {
    tags: Vec<(usize, String, String)>,
    moves: Vec<(usize, String)>,
}

impl Draft {
    /// Takes a tag.
    fn tag(&mut self, line: usize, name: &str, value: String) -> Result<(), RecordError> {
        if self.tags.iter().any(|(_, other, _)| other == name) {
            return Err(RecordFault::Twice(name.to_owned()).at(line));
        }
        self.tags.push((line, name.to_owned(), value));
        Ok(())
    }

    /// The record that the texts mean.
    fn finish(self) -> Result<GameRecord, RecordError> {
        let (mut start, mut result, mut tags) = (Position::start(), None, Vec::new());
        for (line, name, value) in self.tags {
            match &*name {
                "FEN" => {
                    let parsed = Position::from_fen(&value);
                    start = parsed.map_err(|error| RecordFault::from(error).at(line))?;
                }
                "Result" => {
                    result = parse_result(&value).ok_or(RecordFault::Result(value).at(line))?;
                }
                _ => tags.push((name, value)),
            }
        }
        let moves = read_moves(&start, &self.moves)?;
        Ok(GameRecord { tags, start, moves, result })
    }
}

/// A result, `*` for none yet.
fn parse_result(text: &str) -> Option<Option<GameResult>> {
    let all = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins].map(Some);
    all.into_iter().chain([None]).find(|result| result_text(*result) == text)
}

fn result_text(result: Option<GameResult>) -> &'static str {
    result.map_or("*", GameResult::as_str)
}

/// Reads moves in the notation in which all are legal. If there is none, the fault is that of the
/// notation that comes farthest.
fn read_moves(start: &Position, texts: &[(usize, String)]) -> Result<Vec<Move>, RecordError> {
    let (mut readings, mut faults) = (Vec::new(), Vec::new());
    for notation in Notation::ALL {
        match read_in(notation, start, texts) {
            Ok(moves) if readings.contains(&moves) => {}
            Ok(moves) => readings.push(moves),
            Err(fault) => faults.push(fault),
        }
    }
    let (at, error) = match &readings[..] {
        [moves] => return Ok(moves.clone()),
        [] => {
            let rank =
                |(at, error): &(usize, MoveError)| (*at, !matches!(error, MoveError::Malformed(_)));
            faults.into_iter().max_by_key(rank).expect("each notation has a fault")
        }
        [one, other, ..] => {
            let both = one.iter().zip(other);
            let at = both.take_while(|(one, other)| one == other).count();
            let text = texts[at].1.clone();
            let (first, second) = (one[at].to_string(), other[at].to_string());
            (at, MoveError::Ambiguous { text, first, second })
        }
    };
    Err(RecordFault::from(error).at(texts[at].0))
}

/// Reads moves in a notation; the fault has the number of its move.
fn read_in(
    notation: Notation,
    start: &Position,
    texts: &[(usize, String)],
) -> Result<Vec<Move>, (usize, MoveError)> {
    let mut position = start.clone();
    let read = |(at, (_, text)): (usize, &(usize, String))| {
        let mv = notation.parse(&position, text).map_err(|error| (at, error))?;
        position.play(mv);
        Ok(mv)
    };
    texts.iter().enumerate().map(read).collect()
}

impl GameRecord {
    /// The start as FEN if it is not the usual one.
    fn start_fen(&self) -> Option<String> {
        (self.start.board() != Position::start().board()).then(|| self.start.to_fen())
    }

    /// The moves as texts.
    fn move_texts(&self, notation: Notation) -> Vec<String> {
        let mut position = Position::from_board(*self.start.board());
        let text = |mv: &Move| {
            let text = notation.text(&position, *mv);
            position.play(*mv);
            text
        };
        self.moves.iter().map(text).collect()
    }
}
