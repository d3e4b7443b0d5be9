//! From rows (lines of text, records of a fixed size) to candidates in the games that they name or
//! that are guessed.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use playable::Position;
use rayon::prelude::*;

use super::counts::{BadLines, Counts, Rejection};
use super::filter::{Candidate, Filter};
use super::sample::Sample;
use super::source::Source;
use super::text::Labelled;

/// Rows that are read before they are parsed in parallel.
pub(super) const BATCH: usize = 1 << 16;
/// Bytes after which there are fewer, because rows may be of any length.
pub(super) const BATCH_BYTES: usize = 16 << 20;

/// Lines in a block of those without a game, if the file has enough of them for so many blocks: fewer
/// than a batch, so that the first batch tells.
const BLOCK_LINES_MAX: usize = 64;
const BLOCKS: usize = 400;

pub(super) struct Row {
    pub labelled: Labelled,
    pub ply: Option<u16>,
    /// Number of the game in its file; none if the row is a game of its own.
    pub game: Option<u64>,
    /// The board is turned so that the mover is White: the results of one game alternate.
    pub is_turned: bool,
}

impl Row {
    /// A row that names no game.
    pub fn alone(labelled: Labelled) -> Row {
        Row { labelled, ply: None, game: None, is_turned: false }
    }
}

/// Where a row stands in its file.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowPlace {
    /// A line of text, from 1.
    Line(u64),
    /// A record, from 1, and the byte that it begins at.
    Record(u64, u64),
}

impl RowPlace {
    /// The noun for the rows of such a file.
    fn unit(&self) -> &'static str {
        match self {
            RowPlace::Line(_) => "lines",
            RowPlace::Record(..) => "records",
        }
    }
}

/// The place as it follows the name of the file.
impl fmt::Display for RowPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowPlace::Line(line) => write!(f, ":{line}"),
            RowPlace::Record(record, byte) => write!(f, ": record {record} at byte {byte}"),
        }
    }
}

/// A line after parsing and filtering.
enum Parsed {
    Bad(String),
    Rejected(Rejection, Option<u64>, Trail),
    Candidate(Candidate, Option<u64>, Trail),
}

/// Marks by which a line can be of the same game as the one before it.
#[derive(Clone, Copy, Debug)]
struct Trail {
    /// White's points.
    result: f32,
    /// The result as all lines of a game share it, whichever side is to move.
    lasting: f32,
    pieces: u32,
    /// Number of the move; 1 in all lines without counters.
    move_number: u32,
}

impl Trail {
    fn new(position: &Position, result: f32, is_turned: bool) -> Trail {
        let pieces = position.men();
        // Where boards are turned, a win is a loss a ply later.
        let lasting = if is_turned { result.max(1.0 - result) } else { result };
        Trail { result, lasting, pieces, move_number: position.move_number() }
    }

    /// Can `next` come later in the same game? Its result is the same, and neither the number of
    /// the move nor the pieces taken go back.
    fn may_go_on_to(&self, next: &Trail) -> bool {
        self.lasting == next.lasting
            && self.pieces >= next.pieces
            && self.move_number <= next.move_number
    }
}

/// A candidate with the game that it is of.
pub(super) struct OfGame {
    /// Index of the game in its file.
    pub game: u32,
    pub candidate: Candidate,
}

/// Takes whole games one after another: the candidates of each in the order of rows.
pub(super) type TakeGames<'a> = &'a mut dyn FnMut(&[OfGame]) -> anyhow::Result<()>;

/// Hands the games of a file of rows to `take`, and says what was found; game numbers begin at
/// `first_game`. `next_batch` gives the rows, [`BATCH`] at a time, and none at the end. Only what is
/// behind the first row that names its game is held until the end: others of that game may follow.
///
/// # Errors
/// If the file cannot be read, or too great a share of its rows is unusable.
pub(super) fn gather<T: Send + Sync>(
    source: &Source,
    first_game: u32,
    take: TakeGames,
    mut next_batch: impl FnMut() -> anyhow::Result<Vec<(RowPlace, T)>>,
    parse: impl Fn(&T) -> Result<Row, String> + Sync,
) -> anyhow::Result<Counts> {
    let path = &source.path;
    let mut counts = Counts::default();
    let mut games = Games { first: first_game, ..Games::default() };
    let (mut rows, mut unit) = (0, "lines");
    loop {
        let batch = next_batch()?;
        let Some((place, _)) = batch.first() else { break };
        unit = place.unit();
        if rows == 0 {
            games.block_lines = (batch.len() / BLOCKS).clamp(1, BLOCK_LINES_MAX);
        }
        rows += batch.len() as u64;
        let parsed = batch.par_iter().map(|(_, row)| examine(parse(row), &source.filter));
        let places = batch.iter().map(|&(place, _)| place);
        games.take(path, places.zip(parsed.collect::<Vec<_>>()), &mut counts)?;
        if games.known.is_empty() {
            take(&games.candidates)?;
            games.candidates.clear();
        }
    }
    check_share(path, unit, &counts.bad_lines, rows, source.filter.bad_lines_max)?;
    ensure!(rows > 0, "{} holds no positions", path.display());
    // Within a game in the order of rows.
    games.candidates.sort_by_key(|candidate| candidate.game);
    take(&games.candidates)?;
    counts.games = u64::from(games.count);
    Ok(counts)
}

/// Refuses a file of which too great a share is unusable; `unit` says what there are `rows` of.
///
/// # Errors
/// With the first of its unusable rows.
pub(super) fn check_share(
    path: &Path,
    unit: &str,
    bad: &BadLines,
    rows: u64,
    share_max: f64,
) -> anyhow::Result<()> {
    if bad.count as f64 > share_max * rows as f64 {
        bail!(
            "{}: {} of {rows} {unit} are unusable, more than {} %:\n  {}",
            path.display(),
            bad.count,
            100.0 * share_max,
            bad.shown.join("\n  ")
        );
    }
    Ok(())
}

/// Applies the filter's quick tests to a line.
fn examine(row: Result<Row, String>, filter: &Filter) -> Parsed {
    let Row { labelled: Labelled { position, result, score }, ply, game, is_turned } = match row {
        Ok(row) => row,
        Err(reason) => return Parsed::Bad(reason),
    };
    let trail = Trail::new(&position, result, is_turned);
    match filter.quick_rejection(&position, ply, score, None) {
        Some(reason) => Parsed::Rejected(reason, game, trail),
        None => match Sample::new(&position, 0, ply.unwrap_or(0), score, result) {
            Ok(sample) => Parsed::Candidate(Candidate::new(&position, sample), game, trail),
            Err(error) => Parsed::Bad(error.to_string()),
        },
    }
}

/// Games as they come up in a file.
#[derive(Default)]
struct Games {
    first: u32,
    count: u32,
    /// Candidates that were not handed over yet.
    candidates: Vec<OfGame>,
    /// Index by the number in the file.
    known: HashMap<u64, u32>,
    /// Fewest lines of a block of those without a game.
    block_lines: usize,
    /// The block that the last line without a game belongs to.
    block: Option<Block>,
}

/// Successive lines that name no game: what is kept together when positions are split.
///
/// Games are guessed, and a guess that cuts a game in two would let its positions be both fitted to
/// and held out. Blocks of several games have few ends to be wrong about.
struct Block {
    /// Index of its first line's game.
    first: u32,
    lines: usize,
    last: Trail,
}

impl Games {
    /// Takes lines in their order.
    fn take(
        &mut self,
        path: &Path,
        rows: impl Iterator<Item = (RowPlace, Parsed)>,
        counts: &mut Counts,
    ) -> anyhow::Result<()> {
        for (place, parsed) in rows {
            let (candidate, game, trail) = match parsed {
                Parsed::Bad(reason) => {
                    counts.bad_lines.add(|| format!("{}{place}: {reason}", path.display()));
                    continue;
                }
                Parsed::Rejected(reason, game, trail) => {
                    counts.reject(reason);
                    (None, game, trail)
                }
                Parsed::Candidate(candidate, game, trail) => (Some(candidate), game, trail),
            };
            counts.positions += 1;
            let new = self.count;
            let index = game.map_or(new, |game| *self.known.entry(game).or_insert(new));
            if index == new {
                let count =
                    new.checked_add(1).filter(|&count| self.first.checked_add(count).is_some());
                self.count = count.context("there are more than 4 billion games")?;
                counts.result(trail.result);
            }
            let kept_with = if game.is_some() { index } else { self.guess(index, trail, counts) };
            if let Some(candidate) = candidate {
                let sample = candidate.sample.with_game(self.first + kept_with, game.is_none());
                self.candidates
                    .push(OfGame { game: index, candidate: Candidate { sample, ..candidate } });
            }
        }
        Ok(())
    }

    /// The index of the block that the line `index`, which names no game, belongs to.
    fn guess(&mut self, index: u32, trail: Trail, counts: &mut Counts) -> u32 {
        counts.guessed_positions += 1;
        let goes_on = self.block.as_ref().is_some_and(|block| block.last.may_go_on_to(&trail));
        counts.continued_positions += u64::from(goes_on);
        let block = self.block.take().filter(|block| goes_on || block.lines < self.block_lines);
        let block = block.unwrap_or(Block { first: index, lines: 0, last: trail });
        let first = block.first;
        self.block = Some(Block { lines: block.lines + 1, last: trail, ..block });
        first
    }
}
