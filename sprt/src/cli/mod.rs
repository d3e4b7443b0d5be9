//! The subcommands: arguments, what is printed, exit status.

mod ablate;
mod adjudication_options;
mod bounds;
mod calculate;
mod check;
mod common_options;
mod contestant_words;
mod cores;
mod design_options;
mod entry;
#[cfg(all(test, unix))]
mod extreme_values;
mod fake_engine;
mod fastchess;
mod index;
mod likeness;
mod match_options;
mod opening_options;
mod openings;
mod output_folder;
mod overhead;
mod plan;
mod printing;
mod regress;
mod report;
mod run;
#[cfg(test)]
mod schemas;
mod simulate;
mod statuses;
mod test_options;
mod thread_options;
mod tips;
mod tournament;

use anyhow::Result;
use clap::Subcommand;
pub use program::Status;
use program::manual::ManualArguments;

use printing::answer;

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Test a candidate against a baseline in a new folder.
    #[command(allow_negative_numbers = true)]
    Run(Box<run::RunArguments>),
    /// Go on with a run that was interrupted or killed, or report one that is finished.
    #[command(allow_negative_numbers = true)]
    Resume(run::ResumeArguments),
    /// Play a round robin or a gauntlet among several players.
    #[command(allow_negative_numbers = true)]
    Tournament(Box<tournament::TournamentArguments>),
    /// Say what each method of the search and each group of the evaluation is worth: the engine against
    /// itself with one of them switched.
    #[command(allow_negative_numbers = true)]
    Ablate(Box<ablate::AblateArguments>),
    /// Test one revision of an engine against another: build both, compare benches, speed or games.
    #[command(allow_negative_numbers = true)]
    Regress(Box<regress::RegressArguments>),
    /// Play a match by the command line of fastchess, cutechess-cli or c-chess-cli, for programs that
    /// call these.
    #[command(disable_help_flag = true, visible_aliases = ["cutechess-cli", "c-chess-cli"])]
    Fastchess(fastchess::FastchessArguments),
    /// Show a run as a page of HTML, made from its journal.
    #[command(allow_negative_numbers = true)]
    Report(report::ReportArguments),
    /// Show all runs in folders, one row each: Elo, likelihood ratio, verdict, pairs, speed.
    #[command(allow_negative_numbers = true, visible_alias = "compare")]
    Index(index::IndexArguments),
    /// Measure what the runner itself costs, by players that do not think.
    #[command(allow_negative_numbers = true)]
    Overhead(overhead::OverheadArguments),
    /// Say whether an engine is fit for a runner: ask it what runners ask, and judge the answers.
    #[command(allow_negative_numbers = true)]
    Check(check::CheckArguments),
    /// Make an opening file: unique positions with the lead that is wanted, from a search's own moves,
    /// from games, or by chance.
    #[command(allow_negative_numbers = true)]
    Openings(openings::OpeningsArguments),
    /// Compute the figures of a match from its counts.
    #[command(allow_negative_numbers = true)]
    Calculate(calculate::CalculateArguments),
    /// Say how many games a test takes, and how often it errs if it is cut off.
    #[command(allow_negative_numbers = true)]
    Plan(plan::PlanArguments),
    /// Simulate tests: how often a design errs, and what overshoot correction saves.
    #[command(allow_negative_numbers = true)]
    Simulate(simulate::SimulateArguments),
    /// Play random moves as a UCI engine.
    #[command(allow_negative_numbers = true)]
    FakeEngine(fake_engine::FakeEngineArguments),
    /// Write pages for `man`, and completions for shells, into a folder.
    Manual(ManualArguments),
    /// End what engines leave running when their runner is gone; runners start this themselves.
    #[command(name = SUPERVISE, hide = true)]
    Supervise {
        /// What the runner's engines are marked with.
        mark: String,
    },
}

pub use entry::main;
pub use fastchess::{by_name, hint};
pub use statuses::of_error;
pub use tips::tip;

/// The command that runners start themselves.
pub const SUPERVISE: &str = "supervise";

impl Command {
    /// Runs the subcommand and says with which status the program ends; `whole` is the command line of
    /// which it is one.
    pub fn execute(self, whole: fn() -> clap::Command) -> Result<Status> {
        match self {
            Command::Run(arguments) => arguments.execute(),
            Command::Resume(arguments) => arguments.execute(),
            Command::Tournament(arguments) => arguments.execute(),
            Command::Ablate(arguments) => arguments.execute(),
            Command::Regress(arguments) => arguments.execute(),
            Command::Fastchess(arguments) => arguments.execute(),
            Command::Report(arguments) => arguments.execute(),
            Command::Index(arguments) => arguments.execute(),
            Command::Overhead(arguments) => arguments.execute(),
            Command::Check(arguments) => arguments.execute(),
            Command::Openings(arguments) => arguments.execute(),
            Command::Calculate(arguments) => arguments.execute(),
            Command::Plan(arguments) => arguments.execute(),
            Command::Simulate(arguments) => arguments.execute(),
            Command::FakeEngine(arguments) => arguments.execute(),
            Command::Manual(arguments) => {
                for file in arguments.write(whole())? {
                    answer(file.display())?;
                }
                Ok(Status::Success)
            }
            Command::Supervise { mark } => {
                system::processes::supervise(&mark);
                Ok(Status::Success)
            }
        }
    }
}
