//! `kamerton params`.

use std::io::Write;

use anyhow::Context;
use clap::{Args, ValueEnum};
use engine::Parameters;
use engine::chess::parameters::embedded_manifest;
use engine::parameters::Format;

use super::Source;

/// Arguments of `kamerton params`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kamerton params                            read what every number means
  kamerton params --format toml > mine.toml  a file to edit, and load with --parameters
  kamerton params --format openbench         lines to paste into an SPSA form
  kamerton params --parameters old.toml --complete --format toml > new.toml
                                             give an older file the numbers it lacks")]
pub struct ParamsArguments {
    #[command(flatten)]
    source: Source,
    /// How to print them
    #[arg(long, value_enum, default_value_t = FormatName::Text)]
    format: FormatName,
    /// With `openbench`: the evaluation's weights as well as the search's margins
    #[arg(long)]
    weights: bool,
    /// Print the manifest of the export that made this binary instead
    #[arg(long, conflicts_with_all = ["parameters", "format", "weights"])]
    manifest: bool,
    /// Accept a file that lacks numbers: they become zero, or the nearest value in range, and are
    /// named on stderr
    #[arg(long, requires = "parameters")]
    complete: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum FormatName {
    /// A table: value, range, step, doc
    Text,
    /// A parameter file
    Toml,
    /// One object with a list of all numbers
    Json,
    /// One line a number
    Csv,
    /// SPSA lines of OpenBench: name, int, value, lowest, highest, c_end, r_end
    Openbench,
}

impl ParamsArguments {
    /// Prints the parameters or the manifest. Errors: a bad parameter file, no manifest.
    pub fn run(self, outer: Source) -> anyhow::Result<()> {
        let source = self.source.or(outer);
        let mut stdout = std::io::stdout().lock();
        if self.manifest {
            let manifest = embedded_manifest().context(
                "this binary carries no manifest: `tuner export` makes binaries that do",
            )?;
            stdout.write_all(manifest.as_bytes())?;
            return Ok(());
        }
        let format = match self.format {
            FormatName::Text => Format::Text,
            FormatName::Toml => Format::Toml,
            FormatName::Json => Format::Json,
            FormatName::Csv => Format::Csv,
            FormatName::Openbench if self.weights => Format::OpenBenchAll,
            FormatName::Openbench => Format::OpenBench,
        };
        let parameters = match &source.parameters {
            Some(path) if self.complete => {
                let (parameters, missing) = Parameters::load_partial(path, &Parameters::zero())?;
                for name in missing {
                    eprintln!("missing in {}: {name}", path.display());
                }
                parameters.into()
            }
            _ => source.load()?,
        };
        stdout.write_all(parameters.format(format).as_bytes())?;
        Ok(())
    }
}
