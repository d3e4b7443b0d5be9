//! Labelled positions from text: lines with results, and CSV as `tuner positions` writes it.

use std::io::{BufRead, Read};
use std::path::Path;

use anyhow::{Context, ensure};
use engine::chess::Position;

use super::super::counts::Counts;
use super::super::filter::Candidate;
use super::super::rows::{BATCH, Place, Row, gather};
use super::super::source::{Source, View};
use super::line::{Labelled, parse_line, parse_result, parse_score};

/// Longest line that is believed (bytes).
const LINE_BYTES_MAX: u64 = 1 << 20;

/// What some editors put before a text in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// What to do with a file that is no text.
const ADVICE: &str = "if it is not text, --input-form says what it is";

/// The games of lines of a FEN and a result, see [`gather`].
///
/// # Errors
/// If the file cannot be read, or too great a share of its lines is unusable.
pub(in crate::positions) fn read_lines(
    source: &Source,
    mut file: impl BufRead,
    first_game: u32,
    counts: &mut Counts,
) -> anyhow::Result<Vec<Vec<Candidate>>> {
    let mut number = 0;
    let next_batch = || {
        let mut batch = Vec::new();
        while batch.len() < BATCH
            && let Some(line) = next_line(&mut file, &source.path, &mut number)?
        {
            if !line.trim_ascii().is_empty() && !line.starts_with(b"#") {
                batch.push((Place::Line(number), line));
            }
        }
        Ok(batch)
    };
    gather(source, first_game, counts, next_batch, |line| {
        std::str::from_utf8(line)
            .map_err(|_| format!("not text in UTF-8: {ADVICE}"))
            .and_then(|line| parse_line(line.trim(), source.view))
            .map(Row::alone)
    })
}

/// The next line and its number; none at the end of the file.
fn next_line(
    file: &mut impl BufRead,
    path: &Path,
    number: &mut u64,
) -> anyhow::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = file.take(LINE_BYTES_MAX).read_until(b'\n', &mut line);
    *number += 1;
    if *number == 1 && line.starts_with(BYTE_ORDER_MARK) {
        line.drain(..BYTE_ORDER_MARK.len());
    }
    read.with_context(|| format!("cannot read {} beyond line {}", path.display(), *number - 1))?;
    ensure!(
        (line.len() as u64) < LINE_BYTES_MAX || line.ends_with(b"\n"),
        "{}:{number}: the line is longer than a megabyte: {ADVICE}",
        path.display()
    );
    Ok(Some(line).filter(|line| !line.is_empty()))
}

/// The games of CSV with a line of column names, see [`gather`].
///
/// # Errors
/// If the file cannot be read, or too great a share of its lines is unusable.
pub(in crate::positions) fn read_csv(
    source: &Source,
    file: impl BufRead,
    first_game: u32,
    counts: &mut Counts,
) -> anyhow::Result<Vec<Vec<Candidate>>> {
    let path = source.path.display();
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file);
    let names = reader.byte_headers().with_context(|| format!("cannot read {path}"))?;
    let columns = Columns::find(names).with_context(|| format!("{path}:1"))?;
    let mut records = reader.byte_records();
    let mut line = 1;
    let next_batch = || {
        let mut batch = Vec::new();
        for record in records.by_ref().take(BATCH) {
            let record =
                record.with_context(|| format!("cannot read {path} beyond line {line}"))?;
            line = record.position().map_or(line, csv::Position::line);
            batch.push((Place::Line(line), record));
        }
        Ok(batch)
    };
    gather(source, first_game, counts, next_batch, |record| columns.parse(record, source.view))
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

    fn parse(&self, record: &csv::ByteRecord, view: View) -> Result<Row, String> {
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
        let labelled = Labelled { position, result, score }.seen_by(view);
        Ok(Row { ply, game, ..Row::alone(labelled) })
    }
}
