//! Records of games held to their form: read to the first fault, and written, as PGN or in XML.
//!
//! Both hold the tags, the moves in one notation throughout, and the result. The notation is not
//! named: it is the one in which all moves are legal. A text that two of them read in different
//! ways is refused; only digits, as of keypads, allow that. Where [`crate::Games`] lets pass what it
//! can, for the sake of old files, a fault is an error here.

mod reader;
mod text;
mod xml;

pub use text::{parse, write};
pub use xml::{parse_xml, without_element, write_xml};

use playable::{Color, Game, GameResult, Move, MoveError, Position};
use thiserror::Error;

use crate::games::start_by;

/// The tag that says which kind of a game is played, where the field has one.
const GAME_TYPE: &str = "GameType";

/// Tags that a writer makes of the game itself, as it does the kind where the game has one.
const MADE: [&str; 3] = ["Result", "FEN", "SetUp"];

/// A game as it was recorded.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Names and values of the tags in their order, without those of kind, start and result. A
    /// name has letters, digits and low lines only.
    pub tags: Vec<(String, String)>,
    /// Where the game began, without past.
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
    /// The start is no position of the game, or the variant another one, in words.
    #[error("{0}")]
    Start(String),
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

    /// The record of a game that the texts mean.
    fn finish(self, game: Game) -> Result<GameRecord, RecordError> {
        let value = |name: &str| self.tags.iter().find(|(_, it, _)| it == name);
        let start = start_by(game, |name| value(name).map(|(_, _, text)| &**text));
        let start = start.map_err(|(name, reason)| {
            let line = value(name).map_or(1, |(line, ..)| *line);
            RecordFault::Start(reason).at(line)
        })?;
        let result = match value("Result") {
            None => None,
            Some((line, _, text)) => {
                let result = parse_result(text);
                result.ok_or_else(|| RecordFault::Result(text.clone()).at(*line))?
            }
        };
        let moves = read_moves(&start, &self.moves)?;
        let is_kind = |name: &str| name == GAME_TYPE && game.record_type().is_some();
        let is_made = |name: &str| MADE.contains(&name) || is_kind(name);
        let tags = self.tags.into_iter().map(|(_, name, value)| (name, value));
        let tags = tags.filter(|(name, _)| !is_made(name)).collect();
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
    for notation in 0..start.game().notations().len() {
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
            let place = GameRecord::place(start, &one[..at]);
            let (first, second) = (place.uci(one[at]), place.uci(other[at]));
            (at, MoveError::Ambiguous { text, first, second })
        }
    };
    Err(RecordFault::from(error).at(texts[at].0))
}

/// Reads moves in a notation; the fault has the number of its move.
fn read_in(
    notation: usize,
    start: &Position,
    texts: &[(usize, String)],
) -> Result<Vec<Move>, (usize, MoveError)> {
    let mut position = start.clone();
    let read = |(at, (_, text)): (usize, &(usize, String))| {
        let mv = position.parse_in(notation, text).map_err(|error| (at, error))?;
        position.play(mv);
        Ok(mv)
    };
    texts.iter().enumerate().map(read).collect()
}

impl GameRecord {
    /// The position behind some moves.
    fn place(start: &Position, moves: &[Move]) -> Position {
        let mut position = start.clone();
        moves.iter().for_each(|&mv| position.play(mv));
        position
    }

    /// The start as text if it is not the usual one.
    fn start_text(&self) -> Option<String> {
        (!self.start.is_start()).then(|| self.start.uci_fen())
    }

    /// The moves as texts, each with who moves and the number of the move.
    fn move_texts(&self, notation: usize) -> Vec<(Color, u32, String)> {
        let mut position = self.start.clone();
        let text = |&mv: &Move| {
            let (color, number) = (position.side_to_move(), position.move_number());
            let mut text = String::new();
            position.play_and_push_in(notation, mv, &mut text);
            (color, number, text)
        };
        self.moves.iter().map(text).collect()
    }
}
