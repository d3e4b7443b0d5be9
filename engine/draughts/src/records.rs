//! Records of games as text: PDN, the form of PGN for draughts.
//!
//! Tags first, the start as `FEN` among them, then the moves in names of squares and the result,
//! whose first figure is White's. Numbers of squares are read, too. What the reader of PGN lets
//! pass for the sake of old files, wrong results and missing ones, is an error here.

use std::fmt::Write;

use pgn::{GameError, Games, PgnGame, PgnMove};
use playable::{Color, GameResult};
use thiserror::Error;

use crate::GAME;
use crate::notation;
use crate::rules::{Move, Position, RUSSIAN};

/// The tag that says which kind of draughts is played.
const GAME_TYPE: &str = "GameType";

/// A game as it was recorded.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Names and values of the tags in their order, without those of kind, start and result.
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
    /// The line, from 1: of the fault if it is among the moves, else that where the game begins.
    pub line: u64,
    /// The fault, in words.
    pub reason: String,
}

/// Reads all records of a text.
///
/// # Errors
/// The first fault, with its line.
pub fn parse_pdn(text: &str) -> Result<Vec<GameRecord>, RecordError> {
    Games::new(text.as_bytes(), "").map(|game| record_of(&game.map_err(plain)?)).collect()
}

/// An error of the reader, which has named no file.
fn plain(error: GameError) -> RecordError {
    match error {
        GameError::Game { line, reason, .. } => RecordError { line, reason },
        other => RecordError { line: 1, reason: other.to_string() },
    }
}

fn record_of(game: &PgnGame) -> Result<GameRecord, RecordError> {
    let fault = |reason: String| RecordError { line: game.line, reason };
    let kind = game.tag(GAME_TYPE).unwrap_or(RUSSIAN);
    if kind.split(',').next() != Some("25") {
        return Err(fault(format!("the game type \"{kind}\" is not that of Russian draughts, 25")));
    }
    let twice = |at: usize| game.tags[..at].iter().any(|tag| tag.name == game.tags[at].name);
    if let Some(at) = (0..game.tags.len()).find(|&at| twice(at)) {
        return Err(fault(format!("{} stands twice", game.tags[at].name)));
    }
    let stated = match game.tag("Result") {
        None => game.marker,
        Some("*") => None,
        Some(text) => {
            let read = pgn::game_result(text);
            Some(read.ok_or_else(|| fault(format!("{text:?} is no result")))?)
        }
    };
    if game.marker != stated {
        let marker = text_of(game.marker);
        return Err(fault(format!("the tag states another result than {marker} behind the moves")));
    }
    let start = game.start(GAME).map_err(plain)?.typed::<Position>().clone();
    let mut position = start.clone();
    let mut moves = Vec::new();
    for PgnMove { san, line, .. } in &game.moves {
        let mv = notation::parse(&position, san);
        let mv = mv.map_err(|error| RecordError { line: *line, reason: error.to_string() })?;
        position.play(mv);
        moves.push(mv);
    }
    let is_other = |name: &str| !["Result", "FEN", "SetUp", GAME_TYPE].contains(&name);
    let others = game.tags.iter().filter(|tag| is_other(&tag.name));
    Ok(GameRecord {
        tags: others.map(|tag| (tag.name.clone(), tag.value.clone())).collect(),
        start,
        moves,
        result: stated,
    })
}

fn text_of(result: Option<GameResult>) -> &'static str {
    result.map_or("*", GameResult::as_str)
}

/// A record as text, a line for two moves.
pub fn write_pdn(record: &GameRecord) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    for (name, value) in &record.tags {
        tag(name, value);
    }
    tag("Result", text_of(record.result));
    tag(GAME_TYPE, RUSSIAN);
    let start = record.start.board();
    if start != Position::start().board() {
        tag("FEN", &start.to_pdn());
    }
    text.push('\n');
    let mut position = Position::from_board(*start);
    let mut number = 1;
    for (at, &mv) in record.moves.iter().enumerate() {
        let san = notation::text(&position, mv);
        let _ = match (position.side_to_move(), at) {
            (Color::White, _) => write!(text, "{number}. {san}"),
            (Color::Black, 0) => writeln!(text, "{number}... {san}"),
            (Color::Black, _) => writeln!(text, " {san}"),
        };
        number += u32::from(position.side_to_move() == Color::Black);
        position.play(mv);
    }
    if !text.ends_with('\n') {
        text.push(' ');
    }
    text + text_of(record.result) + "\n"
}
