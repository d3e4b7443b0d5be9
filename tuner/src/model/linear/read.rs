//! Reading a file of traces, whichever form it has.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;

use anyhow::{Context, anyhow};

use super::LinearPosition;
use super::packed::{MAGIC, read_records};
use super::text::parse_line;

/// Bytes read at a time.
const BUFFER: usize = 1 << 20;
/// Longest line: one without an end must not fill the memory.
const LINE_MAX: u64 = 1 << 20;
/// Successive positions that are kept together where a file does not tell games.
const GUESSED_GAME: u32 = 64;

/// Hands the positions of a file to `take`, each with its game; `cells` is the number of cells of the
/// parameter file. Returns how many positions' games were guessed.
///
/// # Errors
/// When the file cannot be read, or is damaged: then with line or offset and the reason.
pub fn read(
    path: &Path,
    cells: usize,
    mut take: impl FnMut(LinearPosition, u32) -> anyhow::Result<()>,
) -> anyhow::Result<usize> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut input = BufReader::with_capacity(BUFFER, file);
    let mut start = [0; MAGIC.len()];
    let cannot_read = || format!("cannot read {}", path.display());
    let is_packed = std::io::Read::read_exact(&mut input, &mut start).is_ok() && &start == MAGIC;
    if is_packed {
        let result = read_records(&mut input, cells, |position| {
            let game = position.game.unwrap_or_default();
            take(position, game).map_err(|error| format!("{error:#}"))
        });
        result.map_err(|(at, reason)| anyhow!("{}: at byte {at}: {reason}", path.display()))?;
        return Ok(0);
    }
    input.rewind().with_context(cannot_read)?;
    let (mut line, mut number, mut guessed) = (Vec::new(), 0u64, 0u32);
    loop {
        line.clear();
        let mut limited = std::io::Read::take(&mut input, LINE_MAX);
        if limited.read_until(b'\n', &mut line).with_context(cannot_read)? == 0 {
            return Ok(guessed as usize);
        }
        number += 1;
        let wrong = |reason: String| anyhow!("{}:{number}: {reason}", path.display());
        if line.len() as u64 == LINE_MAX {
            return Err(wrong(format!("a line of more than {LINE_MAX} bytes")));
        }
        let Some(position) = parse_line(&line, cells).map_err(wrong)? else { continue };
        let game = position.game.unwrap_or(guessed / GUESSED_GAME);
        guessed += u32::from(position.game.is_none());
        take(position, game).map_err(|error| wrong(format!("{error:#}")))?;
    }
}
