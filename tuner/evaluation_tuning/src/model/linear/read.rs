//! Reading a file of traces, whichever form it has.

use std::io::{BufRead, Read};
use std::path::Path;

use anyhow::{Context, anyhow};
use indicatif::ProgressBar;
use positions::compression;
use system::text::Text;

use super::LinearPosition;
use super::packed::{MAGIC, read_records};
use super::text::parse_line;

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
    let cannot_read = || format!("cannot read {}", path.display());
    let mut input = compression::open(path, &ProgressBar::hidden())?;
    let mut start = Vec::new();
    input.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start).with_context(cannot_read)?;
    if start == MAGIC {
        let result = read_records(&mut input, cells, |position| {
            let game = position.game.unwrap_or_default();
            take(position, game).map_err(|error| format!("{error:#}"))
        });
        result.map_err(|(at, reason)| anyhow!("{}: at byte {at}: {reason}", path.display()))?;
        return Ok(0);
    }
    let mut input = Text::new(start.chain(input)).with_context(cannot_read)?;
    let (mut line, mut number, mut guessed) = (Vec::new(), 0u64, 0u32);
    loop {
        line.clear();
        let mut limited = input.by_ref().take(LINE_MAX);
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
