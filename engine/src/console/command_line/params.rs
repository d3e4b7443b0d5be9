//! `kamerton params`.

use std::io::Write;

use anyhow::{Context, ensure};
use chess::Parameters;
use chess::block;
use clap::Args;
use parameters::{Declaration, Format};
use system::tell;

use super::choices::ParametersChoice;
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
    pub fn run(self, outer: ParametersChoice) -> anyhow::Result<()> {
        let choice = self.parameters.or(outer);
        let mut stdout = std::io::stdout().lock();
        if self.manifest {
            let manifest = block::own_manifest().context(
                "this binary carries no manifest: `tuner export` makes binaries that do",
            )?;
            stdout.write_all(manifest.as_bytes())?;
            return Ok(());
        }
        let format = match self.format {
            Format::OpenBench if self.weights => Format::OpenBenchAll,
            other => other,
        };
        let parameters = match &choice.file {
            Some(path) if !Parameters::is_name(path) => {
                let (parameters, missing) = Parameters::load_with_missing(path)?;
                for name in missing {
                    tell(format_args!("missing in {}: {name}", path.display()));
                }
                parameters.into()
            }
            _ => choice.load()?,
        };
        let Some(word) = self.word.map(|word| word.to_lowercase()) else {
            stdout.write_all(parameters.format(format).as_bytes())?;
            if format == Format::Text {
                write!(stdout, "\n{}", literature::section())?;
            }
            return Ok(());
        };
        ensure!(format != Format::Toml, "a parameter file holds all numbers: leave {word:?} out");
        let has_word = |info: &Declaration| {
            info.path().contains(&word) || info.doc.to_lowercase().contains(&word)
        };
        let tables = parameters.tables();
        let mut all = tables.into_iter().flat_map(Parameters::declarations);
        ensure!(all.any(has_word), "no number has {word:?} in its name or description");
        stdout.write_all(parameters.format_some(format, &has_word).as_bytes())?;
        Ok(())
    }
}
