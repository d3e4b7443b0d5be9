//! Where games start: openings from a file, embedded, or by random legal moves.

mod generate;

use std::ops::RangeInclusive;
use std::path::Path;

use engine::chess::Position;
use rand::{Rng, RngExt};
use thiserror::Error;

use crate::files::{FileError, read_text};

pub use generate::{BalancedOpening, GenerateError, GenerateSettings, generate, write};

/// The repository's own openings: balanced, unique, made by `sprt openings`.
pub const EMBEDDED: &str = include_str!("../../../data/openings/kamerton.epd");

/// An opening file that cannot be used.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line is no position or one that cannot be played.
    #[error("{origin}:{line}: {reason}: {text:?}")]
    Line {
        /// The file.
        origin: String,
        /// Line number from 1.
        line: usize,
        /// What is wrong.
        reason: String,
        /// The line.
        text: String,
    },
    /// There is not one opening.
    #[error("{origin}: no opening in it")]
    Empty {
        /// The file.
        origin: String,
    },
}

/// An opening of a file.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The position to start from, without past.
    pub position: Position,
    /// Score in centipawns from the view of the side to move (`ce`), if the file states one.
    pub score: Option<i32>,
}

/// Reads an opening file: EPD or FEN lines; empty lines and lines that start with `#` are skipped.
///
/// # Errors
/// The file cannot be read, holds no opening, or a line is malformed or a game that is over.
pub fn load(path: &Path) -> Result<Vec<Opening>, OpeningsError> {
    parse(&read_text(path)?, &path.display().to_string())
}

/// As [`load`] with the text of the file; `origin` names it in errors.
///
/// # Errors
/// As [`load`].
pub fn parse(text: &str, origin: &str) -> Result<Vec<Opening>, OpeningsError> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = parse_line(line).map_err(|reason| OpeningsError::Line {
            origin: origin.to_owned(),
            line: index + 1,
            reason,
            text: line.chars().take(120).collect(),
        })?;
        openings.push(opening);
    }
    if openings.is_empty() {
        return Err(OpeningsError::Empty { origin: origin.to_owned() });
    }
    Ok(openings)
}

fn parse_line(line: &str) -> Result<Opening, String> {
    // Four fields, then the two counters of a FEN or the operations of an EPD.
    let end_of_fields = line
        .match_indices(' ')
        .filter(|(index, _)| !line[..*index].ends_with(' '))
        .map(|(index, _)| index)
        .nth(3)
        .unwrap_or(line.len());
    let (fields, rest) = line.split_at(end_of_fields);
    let is_fen = rest.split_whitespace().next().is_some_and(|word| word.parse::<u32>().is_ok());
    let position = Position::from_fen(if is_fen { line } else { fields })
        .map_err(|error| error.to_string())?;
    let mut score = None;
    if !is_fen {
        for operation in rest.split(';').map(str::trim) {
            if let Some(operand) = operation.strip_prefix("ce ") {
                let value = operand.trim().parse();
                score = Some(value.map_err(|_| format!("ce {operand} is no whole number"))?);
            }
        }
    }
    match position.outcome() {
        Some(ending) => Err(format!("the game is over ({ending:?})")),
        None => Ok(Opening { position, score }),
    }
}

/// A position reached from the start by random legal moves, as many as a random number within
/// `plies`; the game is not over there. The position keeps its past.
pub fn random_opening(random: &mut impl Rng, plies: RangeInclusive<u32>) -> Position {
    loop {
        let mut position = Position::start();
        for _ in 0..random.random_range(plies.clone()) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.random_range(0..moves.len())]);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}
