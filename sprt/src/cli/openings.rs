//! `sprt openings`.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use engine::Parameters;
use indicatif::{ProgressBar, ProgressStyle};

use sprt::files::EMBEDDED;
use sprt::openings::{self, GenerateSettings};
use sprt::shell;

use super::{Status, bounds, interruption, say, threads_or_cores};

/// Arguments of `sprt openings`.
#[derive(Args, Debug)]
pub struct OpeningsArguments {
    /// File to write (EPD with the score in centipawns as `ce`)
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Number of openings, 1 to 10000000
    #[arg(long, value_name = "N", default_value_t = 5000,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=10_000_000))]
    count: usize,
    /// Random plies from the start position: fewest and most, up to 100
    #[arg(long, value_name = "FEWEST-MOST", default_value = "6-10", value_parser = parse_plies)]
    plies: RangeInclusive<u32>,
    /// Greatest distance of the score from zero in centipawns, up to 30000
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 60,
          value_parser = clap::value_parser!(i32).range(0..=30_000))]
    balance: i32,
    /// Nodes of the search that finds the score, 1 to 10^12
    #[arg(long, value_name = "N", default_value_t = 5000,
          value_parser = clap::value_parser!(u64).range(bounds::NODES))]
    nodes: u64,
    /// Parameter file of the search, or "embedded"
    #[arg(long, value_name = "FILE", default_value = EMBEDDED)]
    parameters: PathBuf,
    /// Seed of the random plies, any of 64 bits
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads, 1 to 1024; the result does not depend on it [default: cores]
    #[arg(long, value_name = "N", value_parser = bounds::threads)]
    threads: Option<NonZeroUsize>,
}

impl OpeningsArguments {
    /// Makes the file.
    pub fn execute(self) -> Result<Status> {
        let parameters = if self.parameters == Path::new(EMBEDDED) {
            Parameters::embedded().clone()
        } else {
            Arc::new(Parameters::load(&self.parameters)?)
        };
        let settings = GenerateSettings {
            count: self.count,
            plies: self.plies.clone(),
            balance: self.balance,
            nodes: self.nodes,
            seed: self.seed,
        };
        let bar = ProgressBar::new(self.count as u64);
        let template = "{bar:24} {pos}/{len} openings, {per_sec}, {eta} left";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is fixed"));
        let threads = threads_or_cores(self.threads);
        let interrupted = interruption()?;
        let on_progress = |found| bar.set_position(found as u64);
        let made = openings::generate(&settings, &parameters, threads, on_progress, &interrupted)?;
        openings::write(&self.output, &made)?;
        bar.finish_and_clear();
        say(format_args!("{} openings in {}", made.len(), self.output.display()));
        say(format_args!("Repeat: {}", shell::invocation("sprt")));
        Ok(Status::Success)
    }
}

fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let numbers = text.split_once('-').and_then(|(fewest, most)| {
        Some((fewest.trim().parse::<u32>().ok()?, most.trim().parse::<u32>().ok()?))
    });
    match numbers {
        Some((fewest, most)) if fewest <= most && most <= 100 => Ok(fewest..=most),
        _ => Err("two whole numbers up to 100, the fewer plies first, as in 6-10".to_owned()),
    }
}
