//! `sprt run` and `sprt resume`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use sprt::report::{Summary, Terminal};
use sprt::test::{self, EMBEDDED, TestSettings};

use super::match_options::{MatchOptions, repeating_line};
use super::{Status, interruption, threads_or_cores};

/// Arguments of `sprt run`.
#[derive(Args, Debug)]
pub struct RunArguments {
    /// Who is tested: a program, a parameter file, "embedded" or "random", then KEY=VALUE words
    #[arg(long, value_name = "PLAYER", num_args = 1.., required = true)]
    candidate: Vec<String>,
    /// Against whom, in the same words
    #[arg(long, value_name = "PLAYER", num_args = 1.., required = true)]
    baseline: Vec<String>,
    /// Opening file, or "embedded": EPD or FEN lines, or PGN games, told apart by their contents
    #[arg(long, value_name = "FILE", default_value = EMBEDDED)]
    openings: PathBuf,
    #[command(flatten)]
    options: MatchOptions,
    /// Threads, each with engines of its own; the result does not depend on it [default: cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// New folder for journal, games.pgn, result.json and copies of all files that matter
    #[arg(long, value_name = "FOLDER")]
    output: PathBuf,
}

impl RunArguments {
    /// Runs the test.
    pub fn execute(self) -> Result<Status> {
        let settings = TestSettings {
            candidate: self.options.contestant(&self.candidate)?,
            baseline: self.options.contestant(&self.baseline)?,
            openings: self.openings,
            syzygy: self.options.syzygy(),
            rules: self.options.rules(),
        };
        let threads = threads_or_cores(self.threads);
        let terminal = Terminal::new(interruption()?);
        let summary = test::run(&settings, threads, &self.output, &terminal)?;
        drop(terminal);
        Ok(report(&summary, &self.output))
    }
}

/// Arguments of `sprt resume`.
#[derive(Args, Debug)]
pub struct ResumeArguments {
    /// Folder of the run
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Threads, each with engines of its own; the result does not depend on it [default: cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl ResumeArguments {
    /// Goes on with the test.
    pub fn execute(self) -> Result<Status> {
        let terminal = Terminal::new(interruption()?);
        let summary = test::resume(&self.folder, threads_or_cores(self.threads), &terminal)?;
        drop(terminal);
        Ok(report(&summary, &self.folder))
    }
}

fn report(summary: &Summary, folder: &std::path::Path) -> Status {
    println!("{summary}");
    println!("Repeat      {}", repeating_line(folder, summary));
    Status::of_verdict(summary.verdict)
}
