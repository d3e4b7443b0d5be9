//! `sprt run` and `sprt resume`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use matches::player::Contestant;
use matches::run::{self, Kind, Workers};
use matches::sequential_test::{self, SequentialTest, TestSettings};
use matches::tournament::Tournament;

use super::bounds;
use super::contestant_words::PLAYER_HELP;
use super::likeness::LikeOptions;
use super::match_options::{CapWords, MatchOptions, without_time};
use super::output_folder::OutputFolder;
use super::report::{ReportOptions, StreamOptions};
use super::statuses::WrongUse;
use super::test_options::TestOptions;
use super::thread_options::ThreadOptions;
use super::{Status, tournament};

const USAGE: &str = "\
sprt run [OPTIONS] --candidate <PLAYER>... --baseline <PLAYER>...
       sprt run [OPTIONS] --like <FOLDER>";

const EXAMPLES: &str = "\
Examples:
  Two programs at 8 seconds a game and 0.08 a move:
    sprt run --candidate ./new --baseline ./old --tc 8+0.08
  The same program with another option, at the same number of nodes:
    sprt run --candidate cmd=./engine option.Style=2 name=style --baseline ./engine --nodes 20000
  Two parameter files of Kamerton, both inside this process:
    sprt run --candidate tuned.toml --baseline embedded --nodes 5000
  What a single number is worth:
    sprt run --candidate embedded material.bishop_pair.middlegame=60 --baseline embedded \\
      --nodes 5000
  Odds: the candidate has half of the time:
    sprt run --candidate ./new tc=4+0.04 --baseline ./old tc=8+0.08
  An earlier run again, with other openings and another candidate:
    sprt run --like runs/new-vs-old-1 --seed 2 --candidate ./newer";

/// Arguments of `sprt run`.
#[derive(Args, Debug)]
#[command(override_usage = USAGE, after_help = EXAMPLES, after_long_help = format!("{PLAYER_HELP}\n\n{EXAMPLES}"))]
pub struct RunArguments {
    // First: it must see all options.
    #[command(flatten)]
    like: LikeOptions,
    /// Who is tested: a program, a parameter file, "embedded" or "random", then KEY=VALUE words
    #[arg(long, value_name = "PLAYER", num_args = 1.., required_unless_present = "like")]
    candidate: Vec<String>,
    /// Against whom, in the same words
    #[arg(long, value_name = "PLAYER", num_args = 1.., required_unless_present = "like")]
    baseline: Vec<String>,
    #[command(flatten)]
    options: MatchOptions,
    #[command(flatten)]
    test: TestOptions,
    /// New folder for journal, games.pgn, result.json and copies of all files that matter [default:
    /// runs/CANDIDATE-vs-BASELINE-1, or the next number that is free]
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    #[command(flatten)]
    report: ReportOptions,
    #[command(flatten)]
    stream: StreamOptions,
}

impl RunArguments {
    pub fn execute(self) -> Result<Status> {
        let like = self.like.read::<SequentialTest>()?;
        let candidate = self.options.contestant(&self.candidate, &like, 0)?;
        let baseline = self.options.contestant(&self.baseline, &like, 1)?;
        let name = format!("{}-vs-{}", candidate.name, baseline.name);
        let workers = self.options.workers(&[candidate.clone(), baseline.clone()])?;
        let settings = TestSettings {
            candidate,
            baseline,
            openings: self.options.openings(&like),
            syzygy: self.options.syzygy(&like),
            rules: self.test.rules(&like, self.options.rules(&like, |rules| &rules.play)),
        };
        let contestants = [settings.candidate.clone(), settings.baseline.clone()];
        self.options.check_effects(&like, &contestants, &settings.rules.play)?;
        let folder = OutputFolder::new(self.output, &name)?;
        let players = [&settings.candidate, &settings.baseline];
        let inputs = players.into_iter().filter_map(Contestant::file).chain([&*settings.openings]);
        let _claims = self.report.check(&folder.path, inputs)?;
        let workers = self.report.log_lines(workers)?;
        self.report.watch_test(&folder.path, self.stream, |observer| {
            sequential_test::run(&settings, workers, &folder.path, observer)
        })
    }
}

/// Arguments of `sprt resume`.
#[derive(Args, Debug)]
pub struct ResumeArguments {
    /// Folder of the run
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// From now on the run fails when the players made more faults than N and, if P is given, in more
    /// than P percent of the games: a run that failed so goes on
    #[arg(long, value_name = "N[,P%]")]
    max_faults: Option<CapWords>,
    /// From now on the run fails when the players lost more games on time than this (up to 10^9)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(bounds::TROUBLES))]
    max_time_losses: Option<u64>,
    /// Go on although an engine is not the one that the run was begun with, as after a rebuild: the
    /// games of both are added up
    #[arg(long)]
    allow_changed_engine: bool,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    report: ReportOptions,
    #[command(flatten)]
    stream: StreamOptions,
}

impl ResumeArguments {
    /// Goes on with the test or tournament.
    pub fn execute(self) -> Result<Status> {
        let contestants = run::contestants_of(&self.folder)?;
        let is_timed = contestants.iter().any(|player| player.limits.is_timed());
        if self.max_time_losses.is_some() && !is_timed {
            return Err(without_time("max_time_losses").into());
        }
        let inputs = contestants.iter().filter_map(Contestant::file);
        let _claims = self.report.check(&self.folder, inputs)?;
        let workers = self.threads.workers(&contestants)?;
        let workers = Workers { allows_changes: self.allow_changed_engine, ..workers };
        let workers = self.report.log_lines(workers)?;
        let folder = &self.folder;
        let (faults, time_losses) = (self.max_faults.map(|words| words.0), self.max_time_losses);
        if run::kind_of(folder)? == Kind::Tournament {
            if self.stream.is_wanted() {
                let reason = "--json-stream is for tests; this folder holds a tournament";
                return Err(WrongUse(reason.to_owned()).into());
            }
            run::change_caps::<Tournament>(folder, faults, time_losses)?;
            return tournament::resume(folder, workers, &self.report);
        }
        run::change_caps::<SequentialTest>(folder, faults, time_losses)?;
        self.report.watch_test(folder, self.stream, |observer| {
            sequential_test::resume(folder, workers, observer)
        })
    }
}
