//! Where games start: openings from a file, embedded, or made.
//!
//! An opening is a position without past, so that nothing in a book counts for repetition. The
//! opening of pair n is a function of seed, n and the settings of the order; `--opening-start`
//! shifts n. A book is read whole at the start, so that a bad line is known before the first game.

mod book;
mod epd;
mod generate;
mod settings;
mod sources;

use std::ops::RangeInclusive;
use std::path::Path;

use chess::Position;
use chess::pgn::GameError;
use rand::{Rng, RngExt};
use system::files::FileError;
use thiserror::Error;

pub use book::{Book, Format};
pub use generate::{GenerateError, GenerateSettings, ScoredOpening, generate, write};
pub use settings::{OpeningOrder, OpeningSettings};
pub use sources::{Line, PLIES, Source, Taste};

/// The repository's own openings: balanced, unique, made by `sprt openings`.
pub const EMBEDDED: &str = include_str!("../../../../data/openings/kamerton.epd");

/// An opening file that cannot be used.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line is no position or one that cannot be played.
    #[error("{origin}:{line}: {reason}: {text:?}")]
    Line {
        /// The opening file, or what stands for it.
        origin: String,
        /// Line number from 1.
        line: usize,
        /// The reason in words.
        reason: String,
        /// The line as it stands in the file.
        text: String,
    },
    /// A game of a PGN file cannot be an opening.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The file is packed.
    #[error("{origin}: a packed file: unpack it first")]
    Packed {
        /// The opening file, or what stands for it.
        origin: String,
    },
    /// A number of plies was given for a file of positions.
    #[error("{origin}: a number of plies is for openings in PGN, and this file holds positions")]
    Plies {
        /// The opening file, or what stands for it.
        origin: String,
    },
    /// There is not one opening.
    #[error("{origin}: no opening in it")]
    Empty {
        /// The opening file, or what stands for it.
        origin: String,
    },
}

/// An opening of a file.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The position to start from, without past: what happened in a line of a book counts neither
    /// for repetition nor is it shown to players, whether it was given as moves or as a position.
    pub position: Position,
    /// Score in centipawns from the view of the side to move (`ce`), if the file states one.
    pub score: Option<i32>,
    /// Its name: `id` of EPD; of PGN the tag Opening or, without it, the moves.
    pub name: Option<String>,
}

/// Reads all openings of a file: see [`Book::load`].
///
/// # Errors
/// As [`Book::load`].
pub fn load(path: &Path) -> Result<Vec<Opening>, OpeningsError> {
    Ok(Book::load(path, &OpeningSettings::default())?.openings().collect())
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
