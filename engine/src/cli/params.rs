//! `kamerton params`.

use std::io::Write;

use anyhow::Context;
use clap::Args;
use engine::parameters::{Format, Parameters, embedded_manifest};

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
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
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
            Format::OpenBench if self.weights => Format::OpenBenchAll,
            format => format,
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
