//! `tuner fit`: from recorded positions and a starting file to a tuned file and a report.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Fit the evaluation terms to recorded positions (Texel's method).
///
/// The error is the mean over positions of (result − p)², result 0, ½ or 1 from White's view and p the expected
/// result, 1 / (1 + 10^(−K·evaluation/400)) with the evaluation in centipawns: at K = 1 an advantage of 400 wins ten
/// times as often as it loses. K is fitted first, with the starting values, and then kept, so that values keep their
/// scale. Whole games are held out; their error decides when to stop.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct FitArguments {
    /// Recorded games, or EPD and CSV files with results.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub positions: Vec<PathBuf>,
    /// Parameter file to start from, and towards which the fit is pulled.
    #[arg(long, value_name = "FILE")]
    pub start: PathBuf,
    /// Tuned parameter file to write.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Folder for the report: report.md, report.json, loss.svg.
    #[arg(long, value_name = "FOLDER")]
    pub report: Option<PathBuf>,
    /// What decides the result.
    #[command(flatten)]
    pub settings: FitSettings,
    /// Threads to use; 0 means all cores. The result does not depend on it.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub threads: usize,
}

/// What decides the result of a fit, besides positions and starting values.
#[derive(Args, Clone, Debug)]
pub struct FitSettings {
    /// How to minimise the error.
    #[arg(long, value_enum, default_value_t = Optimizer::LevenbergMarquardt)]
    pub optimizer: Optimizer,
    /// Iterations at most [default: 30 for levenberg-marquardt, 100 passes for adamw].
    #[arg(long, value_name = "N")]
    pub epochs: Option<u32>,
    /// Seed of the split by games and of the order of mini-batches.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Share of games held out.
    #[arg(long, default_value_t = 0.1, value_name = "SHARE")]
    pub held_out: f64,
    /// Share of the search score in the target, 0 (results only) to 1 (scores only).
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    pub lambda: f64,
    /// Pull towards the starting values: the summed error grows by this much for a term one pawn away from its start.
    #[arg(long, default_value_t = 1.0, value_name = "STRENGTH")]
    pub regularization: f64,
}

/// How the error is minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Optimizer {
    /// Second order, few iterations: damped Gauss–Newton steps over all positions.
    #[value(alias = "lm")]
    LevenbergMarquardt,
    /// First order, many passes: adaptive steps over mini-batches.
    Adamw,
}

const EXAMPLES: &str = "\
Examples:
  tuner fit --positions games.kgames --start data/parameters/textbook.toml --output tuned.toml
  tuner fit --positions a.epd b.csv --start champion.toml --output tuned.toml --optimizer adamw \\
      --epochs 200 --report report";

/// Runs `tuner fit`.
///
/// # Errors
/// On unusable arguments, files or data; nothing is written then.
pub fn run(_arguments: &FitArguments) -> anyhow::Result<()> {
    anyhow::bail!("fitting waits for the evaluation's trace")
}
