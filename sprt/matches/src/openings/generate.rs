//! Making an opening file: positions from a source, kept where a search finds the lead that is wanted.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use playable::{Control, Engine, Game, Limits, Numbers, Position};
use rayon::prelude::*;
use system::files::{FileError, write_atomically};
use system::threads::ThreadError;
use system::threads::pool;
use thiserror::Error;

use super::sources::Source;
use random::stream;

/// The number of openings to make, their source, and conditions that they must meet.
#[derive(Debug)]
pub struct GenerateSettings {
    /// The source of positions: random moves, games, or a search's taste.
    pub source: Source,
    /// Number of openings to make.
    pub count: usize,
    /// Least and greatest lead of the side that is better off (centipawns).
    pub balance: RangeInclusive<i32>,
    /// Fewest and most men on the board.
    pub men: RangeInclusive<u32>,
    /// Most openings with the same pawns, if there is such a limit.
    pub alike: Option<usize>,
    /// Nodes of the search that finds the score.
    pub nodes: u64,
    /// Seed of all randomness.
    pub seed: u64,
}

/// Why no openings were made.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// Too few of the tried positions are what is wanted, and new.
    #[error(
        "only {found} of {wanted} openings found in {tried} tries: allow other plies (games may be \
         shorter), more leads, men or likeness, or another source"
    )]
    Exhausted {
        /// Openings that were found before the search was given up.
        found: usize,
        /// Openings that were asked for.
        wanted: usize,
        /// Positions that were tried.
        tried: u64,
    },
    /// An interrupt ended the work.
    #[error("interrupted: nothing was written")]
    Interrupted,
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadError),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// An opening with its score.
#[derive(Clone, Debug)]
pub struct ScoredOpening {
    /// The position, without past.
    pub position: Position,
    /// Score in centipawns from the view of the side to move.
    pub score: i32,
}

/// Makes unique openings, the same for any number of threads. `on_progress` hears how many
/// there are.
///
/// # Errors
/// See [`GenerateError`].
pub fn generate(
    settings: &GenerateSettings,
    numbers: &Numbers,
    threads: usize,
    on_progress: impl Fn(usize),
    interrupted: &AtomicBool,
) -> Result<Vec<ScoredOpening>, GenerateError> {
    /// Openings tried at once: fewest and most.
    const BLOCK: RangeInclusive<usize> = 16..=256;
    /// Give up when not one try in so many succeeds.
    const LEAST_YIELD: u64 = 1000;
    let pool = pool(threads)?;
    let mut openings: Vec<ScoredOpening> = Vec::new();
    let mut keys = HashSet::new();
    let mut of_pawns: HashMap<u64, usize> = HashMap::new();
    let mut tried = 0;
    while openings.len() < settings.count {
        if interrupted.load(Ordering::Relaxed) {
            return Err(GenerateError::Interrupted);
        }
        if tried > LEAST_YIELD * (1 + openings.len() as u64) {
            let (found, wanted) = (openings.len(), settings.count);
            return Err(GenerateError::Exhausted { found, wanted, tried });
        }
        let engine = || numbers.engine(1);
        let missing = settings.count - openings.len();
        let end = tried + (2 * missing).clamp(*BLOCK.start(), *BLOCK.end()) as u64;
        let block: Vec<Option<ScoredOpening>> = pool.install(|| {
            (tried..end)
                .into_par_iter()
                .map_init(engine, |engine, index| {
                    let goes_on = !interrupted.load(Ordering::Relaxed);
                    goes_on
                        .then(|| try_opening(settings, numbers.game(), &mut **engine, index))
                        .flatten()
                })
                .collect()
        });
        tried = end;
        // In the order of the tries, whichever thread was first.
        for opening in block.into_iter().flatten() {
            if openings.len() == settings.count || keys.contains(&opening.position.key()) {
                continue;
            }
            let alike = of_pawns.entry(opening.position.structure_key()).or_default();
            if settings.alike.is_none_or(|most| *alike < most) {
                *alike += 1;
                keys.insert(opening.position.key());
                openings.push(opening);
            }
        }
        on_progress(openings.len());
    }
    Ok(openings)
}

/// The source's opening for this index, if it is as wanted.
fn try_opening(
    settings: &GenerateSettings,
    game: Game,
    engine: &mut dyn Engine,
    index: u64,
) -> Option<ScoredOpening> {
    let mut random = stream(settings.seed, index);
    let drawn = settings.source.draw(game, engine, &mut random)?;
    if !settings.men.contains(&drawn.men()) {
        return None;
    }
    // Judged as a player of the file will see it: without past.
    let position = game.position(&epd_fields(&drawn)).expect("our own FEN is good");
    engine.new_game();
    let limits = Limits::nodes(settings.nodes);
    let outcome = engine.search(&position, &limits, &Control::default(), &mut |_| {});
    let lead = outcome.score.abs();
    settings.balance.contains(&lead).then_some(ScoredOpening { position, score: outcome.score })
}

/// Writes openings as EPD with their scores (`ce`), whole or not at all.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, openings: &[ScoredOpening]) -> Result<(), FileError> {
    use std::io::Write;
    write_atomically(path, |writer| {
        for opening in openings {
            writeln!(writer, "{} ce {};", epd_fields(&opening.position), opening.score)?;
        }
        Ok(())
    })
}

/// The fields of a position without its counters.
fn epd_fields(position: &Position) -> String {
    let fields = position.game().word_counts().0;
    position.to_fen().split(' ').take(fields).collect::<Vec<_>>().join(" ")
}
