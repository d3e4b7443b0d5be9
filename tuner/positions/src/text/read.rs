//! Labelled positions from text: lines with results, and tables such as `tuner positions` writes.

use std::io::{BufRead, Read};
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use playable::Game;

use super::super::counts::Counts;
use super::super::rows::{BATCH, BATCH_BYTES, Row, RowPlace, TakeGames, gather};
use super::super::source::Source;
use super::line::parse_line;
use super::table::Table;

/// Longest line that is believed (bytes).
const LINE_BYTES_MAX: u64 = 1 << 20;

/// Advice about a file that is no text.
const ADVICE: &str = "if it is not text, --input-form says what it is";

/// Reads the games of lines of a FEN and a result or, where the first line names columns, of the rows
/// below it, see [`gather`]. `is_table` says that the source is meant to be such a table.
///
/// # Errors
/// If the file cannot be read, a table does not say what its columns are, or too great a share of the
/// lines is unusable.
pub(crate) fn read(
    game: Game,
    source: &Source,
    mut file: impl BufRead,
    is_table: bool,
    first_game: u32,
    take: TakeGames,
) -> anyhow::Result<Counts> {
    let mut number = 0;
    let mut next = || loop {
        let line = next_line(&mut file, &source.path, &mut number)?;
        let is_content = |line: &Vec<u8>| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
        if line.as_ref().is_none_or(is_content) {
            return anyhow::Ok(line.map(|line| (RowPlace::Line(number), line)));
        }
    };
    let mut first = next()?;
    let table = match &first {
        Some((place, line)) => {
            let line = String::from_utf8_lossy(line);
            let wrong = |reason: String| {
                let path = source.path.display();
                anyhow!("{path}{place}: {reason}: {}", super::table::ADVICE)
            };
            match Table::find(&line) {
                Ok(None) if is_table => match parse_line(game, line.trim(), source.view) {
                    Ok(_) => None,
                    Err(reason) => return Err(wrong(reason)),
                },
                Err(reason) if is_table => return Err(wrong(reason)),
                found => found.unwrap_or_default(),
            }
        }
        None => None,
    };
    first.take_if(|_| table.is_some());
    let next_batch = || {
        let mut batch: Vec<_> = first.take().into_iter().collect();
        let mut bytes = 0;
        while batch.len() < BATCH
            && bytes < BATCH_BYTES
            && let Some((place, line)) = next()?
        {
            bytes += line.len();
            batch.push((place, line));
        }
        Ok(batch)
    };
    gather(source, first_game, take, next_batch, |line| {
        let line = std::str::from_utf8(line).map_err(|_| format!("not text in UTF-8: {ADVICE}"))?;
        match &table {
            Some(table) => table.parse(game, line, source.view),
            None => parse_line(game, line.trim(), source.view).map(Row::alone),
        }
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
    read.with_context(|| format!("cannot read {} beyond line {}", path.display(), *number - 1))?;
    ensure!(
        (line.len() as u64) < LINE_BYTES_MAX || line.ends_with(b"\n"),
        "{}:{number}: the line is longer than a megabyte: {ADVICE}",
        path.display()
    );
    Ok(Some(line).filter(|line| !line.is_empty()))
}
