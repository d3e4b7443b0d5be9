//! Where games start: openings from a file, embedded, or made.
//!
//! An opening is a position without past, so that nothing in a book counts for repetition. The
//! opening of pair n is a function of seed, n and the settings of the order; `--opening-start`
//! shifts n. A book is read whole at the start, so that a bad line is known before the first game.

mod book;
mod epd;
mod generate;
mod opening;
mod settings;
mod sources;

use std::ops::RangeInclusive;
use std::path::Path;

use playable::{Game, Position};
use rand::{Rng, RngExt};

pub use book::{Book, Format};
pub use generate::{GenerateError, GenerateSettings, ScoredOpening, generate, write};
pub use opening::{Opening, OpeningsError};
pub use settings::{OpeningOrder, OpeningSettings};
pub use sources::{Line, PLIES, Source, Taste};

/// Reads all openings, of this game, of a file: see [`Book::load`].
///
/// # Errors
/// As [`Book::load`].
pub fn load(game: Game, path: &Path) -> Result<Vec<Opening>, OpeningsError> {
    let settings = OpeningSettings::of(game);
    Ok(Book::load(path, &settings)?.openings().collect())
}

/// A position reached from the start by random legal moves, as many as a random number within
/// `plies`; the game is not over there. The position keeps its past.
pub fn random_opening(game: Game, random: &mut impl Rng, plies: RangeInclusive<u32>) -> Position {
    loop {
        let mut position = game.start();
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
