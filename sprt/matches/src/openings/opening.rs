//! An opening, and what is no file of openings.

use pgn::GameError;
use playable::Position;
use system::files::FileError;
use thiserror::Error;

/// An opening file that cannot be used.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Chess960 is asked for in another game, of which this is the name.
    #[error("Chess960 is no game of {0}: leave out --chess960")]
    Chess960(&'static str),
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
    #[error("{origin}: no opening in it; `sprt openings` makes some")]
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
