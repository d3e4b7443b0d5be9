//! `kamerton params`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use parameters::{Declaration, Format, Table};
use system::tell;

use super::choices::{GameChoice, ParametersChoice};
use crate::console::literature;

/// Arguments of `kamerton params`.
#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
Examples:
  kamerton params                            read what every number means
  kamerton params bishop                     those that have to do with bishops
  kamerton params --format toml > mine.toml  a file to edit, and load with --parameters
  kamerton params --format openbench         lines to paste into an SPSA form
  kamerton params --parameters old.toml --format toml > new.toml
                                             give an older file the numbers it lacks"
)]
pub struct ParamsArguments {
    #[command(flatten)]
    parameters: ParametersChoice,
    /// Print only what has this in its name or description
    #[arg(value_name = "WORD", conflicts_with = "manifest")]
    word: Option<String>,
    /// How to print them
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// With `openbench`: the evaluation's weights as well as the search's margins
    #[arg(long)]
    weights: bool,
    /// Print the manifest of the export that made this binary instead
    #[arg(long, conflicts_with_all = ["parameters", "format", "weights"])]
    manifest: bool,
}

impl ParamsArguments {
    /// Prints the parameters or the manifest; of a file, what it lacks on standard error. Errors: a bad parameter file, no manifest.
    pub fn run(self, game: GameChoice, outer: ParametersChoice) -> anyhow::Result<()> {
        let choice = self.parameters.or(outer);
        let mut stdout = std::io::stdout().lock();
        if self.manifest {
            let manifest = game.game().block().manifest().context(
                "this binary carries no manifest: `tuner export` makes binaries that do",
            )?;
            stdout.write_all(manifest.as_bytes())?;
            return Ok(());
        }
        let format = match self.format {
            Format::OpenBench if self.weights => Format::OpenBenchAll,
            other => other,
        };
        let numbers = game.load(&choice)?;
        let is_carried = |file: &&PathBuf| {
            game.game().number_files().into_iter().any(|name| ***file == *Path::new(name))
        };
        if let Some(path) = choice.file.as_ref().filter(|file| !is_carried(file)) {
            for name in game.game().missing_numbers(path)? {
                tell(format_args!("missing in {}: {name}", path.display()));
            }
        }
        let Some(word) = self.word.map(|word| word.to_lowercase()) else {
            stdout.write_all(numbers.format_some(format, &|_| true).as_bytes())?;
            if format == Format::Text && game.is_chess() {
                write!(stdout, "\n{}", literature::section())?;
            }
            return Ok(());
        };
        ensure!(format != Format::Toml, "a parameter file holds all numbers: leave {word:?} out");
        let has_word = |info: &Declaration| {
            info.path().contains(&word) || info.doc.to_lowercase().contains(&word)
        };
        let is_there = [Table::Weights, numbers.search_table()]
            .into_iter()
            .flat_map(|table| numbers.declarations(table))
            .any(has_word);
        ensure!(is_there, "no number has {word:?} in its name or description");
        stdout.write_all(numbers.format_some(format, &has_word).as_bytes())?;
        Ok(())
    }
}
