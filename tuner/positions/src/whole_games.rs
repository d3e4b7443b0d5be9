//! Whole games of any form that has them, and writing them as viriformat.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use command_line::WrongUse;
use indicatif::ProgressBar;

use super::compression::{self, write_packed};
use super::counts::{BadLines, EXTENSIONS};
use super::records::viriformat;
use super::rows::check_share;
use super::source::{Form, Source};
use super::store::{Game, Reader};

/// Calls `visit` with every game of a source, tried by playing it through, or with what is wrong with
/// it if those after it can be read all the same.
///
/// # Errors
/// If the source knows no games, cannot be read or is damaged, and what `visit` says.
pub(super) fn for_each_game(
    source: &Source,
    mut visit: impl FnMut(Result<Game, String>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let path = &source.path;
    let mut file = compression::open(path, &ProgressBar::hidden())?;
    let start = file.fill_buf().with_context(|| format!("cannot read {}", path.display()))?;
    match source.form_of(start) {
        Form::Viriformat => {
            let mut reader = viriformat::Reader::new(file, path);
            while let Some(game) = reader.next_game()? {
                visit(game.decode().map_err(|problem| game.describe(path, &problem)))?;
            }
            reader.extensions().warn(EXTENSIONS);
        }
        Form::Store => {
            let mut reader = Reader::new(file, path)?;
            while let Some(block) = reader.next_block()? {
                for game in block.decode()? {
                    game.replay(|_, _, _| {}).map_err(|problem| block.damaged(problem))?;
                    visit(Ok(game))?;
                }
            }
            if let Some(error) = reader.unfinished().filter(|_| !source.filter.unfinished) {
                return Err(error.into());
            }
        }
        Form::Csv | Form::Text | Form::Bulletformat => bail!(WrongUse(format!(
            "{} is neither a store nor viriformat: it holds no whole games",
            path.display()
        ))),
    }
    Ok(())
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct WrittenGames {
    games: u64,
    written: u64,
    positions: u64,
    /// Games that could not be read.
    broken: BadLines,
}

impl WrittenGames {
    /// Shows the first broken games on standard error.
    pub fn warn(&self) {
        self.broken.warn("broken games");
    }
}

impl fmt::Display for WrittenGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, number: u64| writeln!(f, "{name:<42}{number:>10}");
        row("games found", self.games)?;
        row("  written", self.written)?;
        row("  left out: plies without a score", self.games - self.written - self.broken.count)?;
        if self.broken.count > 0 {
            row("  left out: broken", self.broken.count)?;
        }
        row("positions written", self.positions)
    }
}

/// Writes the whole games of stores and viriformat to a file of viriformat, whole or not at all.
///
/// # Errors
/// If a source knows no games, is weighted or limited, cannot be read, or is damaged, and if the file
/// cannot be written; it is then as before.
pub(super) fn write_games(path: &Path, sources: &[Source]) -> anyhow::Result<WrittenGames> {
    let mut outcome = Ok(WrittenGames::default());
    let written = write_packed(path, |file| {
        outcome = write_games_to(file, sources);
        // The reason is in the outcome.
        outcome.as_ref().map(drop).map_err(|_| io::ErrorKind::Other.into())
    });
    let games = outcome.with_context(|| format!("{} is not written", path.display()))?;
    written?;
    Ok(games)
}

/// As [`write_games`], to anything.
///
/// # Errors
/// As [`write_games`].
pub(super) fn write_games_to(
    output: &mut dyn Write,
    sources: &[Source],
) -> anyhow::Result<WrittenGames> {
    let mut all = WrittenGames::default();
    for source in sources {
        ensure!(
            source.weight == 1.0 && source.positions.is_none(),
            WrongUse(format!(
                "{}: weights and limits are for positions, not for the whole games of viriformat",
                source.path.display()
            ))
        );
        let (mut found, mut broken) = (0, BadLines::default());
        for_each_game(source, |game| {
            found += 1;
            match game {
                Ok(game) => {
                    if viriformat::write(&mut *output, &game)? {
                        all.written += 1;
                        all.positions += game.plies.len() as u64;
                    }
                }
                Err(problem) => broken.add(|| problem),
            }
            Ok(())
        })?;
        check_share(&source.path, "games", &broken, found, source.filter.bad_lines_max)?;
        all.games += found;
        all.broken.merge(broken);
    }
    Ok(all)
}
