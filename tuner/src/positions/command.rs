//! `tuner positions`: counts, filters and converts recorded positions.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use engine::Parameters;

use super::filter::Filter;
use super::text::{write_csv, write_rows};
use super::{Samples, expand};
use crate::command_line;

/// Count, filter and convert recorded positions.
///
/// Reads stores of `tuner record` and `tuner import`, CSV with the columns fen, score, result, ply,
/// game (all but fen and result may be missing), and EPD with results in all usual forms. A
/// position that occurs again counts once, with the mean of its results. Writes CSV; the table of
/// what was found goes to standard error, or with --count or --output to standard output.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct PositionsArguments {
    /// Stores, CSV and EPD files; games are numbered through all of them.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// CSV file to write, whole or not at all [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Only count, and write nothing
    #[arg(long, conflicts_with = "output")]
    pub count: bool,
    /// Values of the engine that judges what is quiet: textbook, default, or a parameter file
    /// [default: the embedded ones].
    #[arg(long, value_name = "FILE", value_parser = command_line::parameter_file)]
    pub parameters: Option<PathBuf>,
    /// Which positions are kept.
    #[command(flatten)]
    pub filter: Filter,
    /// Threads to use, to 1024; 0 means all cores. The result does not depend on it.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = command_line::threads())]
    pub threads: usize,
}

const EXAMPLES: &str = "\
Examples:
  What a store holds:
    tuner positions games.kgames --count
  All quiet positions of two sources in one file:
    tuner positions games.kgames players.epd --per-game 0 --output quiet.csv";

/// Runs `tuner positions`.
///
/// # Errors
/// On unusable files; nothing is written then.
pub fn run(arguments: &PositionsArguments) -> anyhow::Result<()> {
    let parameters = match &arguments.parameters {
        Some(path) => Arc::new(Parameters::load(path)?),
        None => Parameters::embedded().clone(),
    };
    let filter = &arguments.filter;
    let Samples { samples, counts } =
        expand(&arguments.files, filter, &parameters, arguments.threads)?;
    counts.warn();
    match &arguments.output {
        Some(path) => {
            write_csv(path, &samples)?;
            write!(io::stdout(), "{counts}")
        }
        None if arguments.count => write!(io::stdout(), "{counts}"),
        None => {
            eprint!("{counts}");
            write_rows(io::stdout().lock(), &samples)
        }
    }
    .context("cannot write standard output")
}
