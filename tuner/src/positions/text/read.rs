//! Labelled positions from text: EPD with results, and CSV as `tuner positions` writes it.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use engine::chess::Position;
use rayon::prelude::*;

use super::super::counts::Counts;
use super::super::filter::{Candidate, Filter, Rejection};
use super::super::sample::Sample;
use super::line::{Labelled, parse_epd, parse_result, parse_score};

/// Lines that are read before they are parsed in parallel.
const BATCH: usize = 1 << 16;

/// Lines in a block of those without a game, if the file has enough of them for so many blocks.
const BLOCK_LINES_MAX: usize = 64;
const BLOCKS: usize = 400;

/// A line's content.
struct Row {
    labelled: Labelled,
    ply: Option<u16>,
    /// Number of the game in its file; none if the line is a game of its own.
    game: Option<u64>,
}

/// What a line came to.
enum Parsed {
    Bad(String),
    Rejected(Rejection, Option<u64>, Trail),
    Candidate(Candidate, Option<u64>, Trail),
}

/// What tells whether a line can be of the same game as the one before it.
#[derive(Clone, Copy, Debug)]
struct Trail {
    /// White's points.
    result: f32,
    pieces: u32,
    /// Number of the move; 1 in all lines without counters.
    move_number: u32,
}

impl Trail {
    fn new(position: &Position, result: f32) -> Trail {
        let pieces = position.occupied().count();
        Trail { result, pieces, move_number: position.fullmove_number() }
    }

    /// Can `next` come later in the same game? Its result is the same, and neither the number of
    /// the move nor the pieces taken go back.
    fn may_go_on_to(&self, next: &Trail) -> bool {
        self.result == next.result
            && self.pieces >= next.pieces
            && self.move_number <= next.move_number
    }
}

/// The games of a text file, each with its candidates in the order of lines; game numbers begin at
/// `first_game`.
///
/// # Errors
/// If the file cannot be read, or too great a share of its lines is unusable.
pub(in crate::positions) fn read_text(
    path: &Path,
    filter: &Filter,
    first_game: u32,
    counts: &mut Counts,
) -> anyhow::Result<Vec<Vec<Candidate>>> {
    let text = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    counts.bytes += text.len() as u64;
    let newlines = text.iter().filter(|&&byte| byte == b'\n').count();
    let mut games = Games {
        first: first_game,
        block_lines: (newlines / BLOCKS).clamp(1, BLOCK_LINES_MAX),
        ..Games::default()
    };
    let is_csv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let lines = if is_csv {
        read_csv(path, &text, filter, &mut games, counts)?
    } else {
        read_epd(path, &text, filter, &mut games, counts)?
    };
    let bad = &counts.bad_lines;
    if bad.count as f64 > filter.bad_lines_max * lines as f64 {
        bail!(
            "{}: {} of {lines} lines are unusable, more than {} %:\n  {}",
            path.display(),
            bad.count,
            100.0 * filter.bad_lines_max,
            bad.shown.join("\n  ")
        );
    }
    ensure!(lines > 0, "{} holds no positions", path.display());
    counts.games += games.candidates.len() as u64;
    Ok(games.candidates)
}

/// Reads EPD; the number of lines that should hold positions.
fn read_epd(
    path: &Path,
    text: &[u8],
    filter: &Filter,
    games: &mut Games,
    counts: &mut Counts,
) -> anyhow::Result<u64> {
    let is_content = |line: &[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
    let lines: Vec<(u64, &[u8])> =
        (1..).zip(text.split(|&byte| byte == b'\n')).filter(|(_, line)| is_content(line)).collect();
    for batch in lines.chunks(BATCH) {
        let parsed = batch.par_iter().map(|&(_, line)| {
            let row = std::str::from_utf8(line)
                .map_err(|_| "not text in UTF-8".to_owned())
                .and_then(|line| parse_epd(line.trim()))
                .map(|labelled| Row { labelled, ply: None, game: None });
            examine(row, filter)
        });
        let numbers = batch.iter().map(|&(number, _)| number);
        games.take(path, numbers.zip(parsed.collect::<Vec<_>>()), counts)?;
    }
    Ok(lines.len() as u64)
}

/// Reads CSV with a line of column names; the number of lines after it.
fn read_csv(
    path: &Path,
    text: &[u8],
    filter: &Filter,
    games: &mut Games,
    counts: &mut Counts,
) -> anyhow::Result<u64> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
    let columns =
        Columns::find(reader.byte_headers()?).with_context(|| format!("{}:1", path.display()))?;
    let mut lines = 0;
    let mut records = reader.byte_records();
    loop {
        let mut batch = Vec::new();
        for record in records.by_ref().take(BATCH) {
            let record = record.with_context(|| format!("cannot read {}", path.display()))?;
            batch.push((record.position().map_or(0, csv::Position::line), record));
        }
        if batch.is_empty() {
            return Ok(lines);
        }
        lines += batch.len() as u64;
        let parsed = batch.par_iter().map(|(_, record)| examine(columns.parse(record), filter));
        let numbers = batch.iter().map(|&(number, _)| number);
        games.take(path, numbers.zip(parsed.collect::<Vec<_>>()), counts)?;
    }
}

/// Where the columns are.
struct Columns {
    count: usize,
    fen: usize,
    result: usize,
    score: Option<usize>,
    ply: Option<usize>,
    game: Option<usize>,
}

impl Columns {
    fn find(names: &csv::ByteRecord) -> anyhow::Result<Columns> {
        let column = |wanted: &str| {
            let is_wanted = |name: &[u8]| name.trim_ascii().eq_ignore_ascii_case(wanted.as_bytes());
            names.iter().position(is_wanted)
        };
        Ok(Columns {
            count: names.len(),
            fen: column("fen").context("no column is named fen")?,
            result: column("result").context("no column is named result")?,
            score: column("score"),
            ply: column("ply"),
            game: column("game"),
        })
    }

    fn parse(&self, record: &csv::ByteRecord) -> Result<Row, String> {
        if record.len() != self.count {
            return Err(format!("{} columns, not {}", record.len(), self.count));
        }
        let text = |column: usize| {
            let text = std::str::from_utf8(&record[column]).map_err(|_| "not text in UTF-8")?;
            Ok::<_, String>(text.trim())
        };
        // An empty cell says as little as a missing column.
        let optional = |column: Option<usize>| {
            let text = column.map(text).transpose()?;
            Ok::<_, String>(text.filter(|text| !text.is_empty()))
        };
        let number = |name: &str, text: &str| format!("'{text}' is no number of a {name}");
        let position = Position::from_fen(text(self.fen)?).map_err(|error| error.to_string())?;
        let result = parse_result(text(self.result)?)?;
        let score = optional(self.score)?.map(parse_score).transpose()?;
        let ply = optional(self.ply)?
            .map(|text| text.parse().map_err(|_| number("ply", text)))
            .transpose()?;
        let game = optional(self.game)?
            .map(|text| text.parse().map_err(|_| number("game", text)))
            .transpose()?;
        Ok(Row { labelled: Labelled { position, result, score }, ply, game })
    }
}

/// Applies the filter's quick tests to a line.
fn examine(row: Result<Row, String>, filter: &Filter) -> Parsed {
    let Row { labelled: Labelled { position, result, score }, ply, game } = match row {
        Ok(row) => row,
        Err(reason) => return Parsed::Bad(reason),
    };
    let trail = Trail::new(&position, result);
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
    candidates: Vec<Vec<Candidate>>,
    /// Index by the number in the file.
    known: HashMap<u64, usize>,
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
    /// Index of its first line's entry.
    first: usize,
    lines: usize,
    last: Trail,
}

impl Games {
    /// Takes lines in their order.
    fn take(
        &mut self,
        path: &Path,
        lines: impl Iterator<Item = (u64, Parsed)>,
        counts: &mut Counts,
    ) -> anyhow::Result<()> {
        for (number, parsed) in lines {
            let (candidate, game, trail) = match parsed {
                Parsed::Bad(reason) => {
                    counts.bad_lines.add(|| format!("{}:{number}: {reason}", path.display()));
                    continue;
                }
                Parsed::Rejected(reason, game, trail) => {
                    counts.reject(reason);
                    (None, game, trail)
                }
                Parsed::Candidate(candidate, game, trail) => (Some(candidate), game, trail),
            };
            counts.positions += 1;
            let new = self.candidates.len();
            let index = game.map_or(new, |game| *self.known.entry(game).or_insert(new));
            if index == new {
                self.candidates.push(Vec::new());
                counts.result(trail.result);
            }
            let kept_with = if game.is_some() { index } else { self.guess(index, trail, counts) };
            if let Some(candidate) = candidate {
                let number =
                    u32::try_from(kept_with).ok().and_then(|index| self.first.checked_add(index));
                let number = number.context("there are more than 4 billion games")?;
                let sample = candidate.sample.with_game(number, game.is_none());
                self.candidates[index].push(Candidate { sample, ..candidate });
            }
        }
        Ok(())
    }

    /// The index of the block that the line `index`, which names no game, belongs to.
    fn guess(&mut self, index: usize, trail: Trail, counts: &mut Counts) -> usize {
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
