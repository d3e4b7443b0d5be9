//! The command line of the tuner: one subcommand a step of the loop, and `auto` for the whole of
//! it.

use std::process::ExitCode;

use chess::games;
use clap::{CommandFactory, Parser, Subcommand};
use command_line::WrongUse;
use evaluation_tuning::fit::Singular;
use evaluation_tuning::{fit, traces};
use playable::Game;
use positions::record;
use program::manual::ManualArguments;
use program::{Status, guarded, help, is_broken_pipe};
use search_tuning::{audit, margins, spsa};
use system::paint;

use crate::{allocator, auto, export};

/// Tunes Kamerton: records positions, fits the evaluation to them, tests the result, exports the
/// binary.
#[derive(Parser)]
#[command(version, after_help = format!("{EXAMPLES}\n\n{}", Status::TABLE))]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// One step of the loop, or all of it.
#[derive(Subcommand)]
enum Command {
    Record(record::RecordArguments),
    Import(positions::games::ImportArguments),
    Positions(positions::PositionsArguments),
    Fit(fit::FitArguments),
    Traces(traces::TracesArguments),
    Margins(Box<margins::MarginsArguments>),
    Regret(Box<margins::RegretArguments>),
    Audit(audit::AuditArguments),
    Export(export::ExportArguments),
    Auto(auto::AutoArguments),
    Spsa(Box<spsa::SpsaArguments>),
    /// Write pages for `man`, and completions for shells, into a folder.
    Manual(ManualArguments),
    /// End what engines leave running when their runner is gone; runners start this themselves.
    #[command(name = SUPERVISE, hide = true)]
    Supervise {
        /// What the runner's engines are marked with.
        mark: String,
    },
}

/// The command that runners of engines start themselves.
const SUPERVISE: &str = "supervise";

const EXAMPLES: &str = "\
Examples:
  The whole loop from textbook values, in five minutes:
    tuner auto --budget 5m
  One fit, with its report:
    tuner fit --positions games.kgames --start textbook --output tuned.toml --report report
  Margins by games, or the options of any engine:
    tuner spsa --start default --nodes 1000 --pairs 5000 --output runs/margins
  A binary that carries the result:
    tuner export --parameters tuned.toml --output kamerton-tuned";

/// The options of each command that `-h` shows; it has all where there are few.
const COMMON: &help::Common = &[
    ("record", "games positions nodes output resume parameters openings random-plies seed threads"),
    (
        "positions",
        "output form count job per-game keep-duplicates min-ply lookahead syzygy threads",
    ),
    ("fit", "positions start output report only shrink traces parameters held-out threads"),
    (
        "traces",
        "engine parameters positions output per-game min-ply max-score keep-noisy lookahead threads",
    ),
    ("margins", "positions start engine parameters only output nodes rounds report resume"),
    ("regret", "positions start change count nodes judge-nodes judgements seed threads csv"),
    ("auto", "budget start output resume generations nodes only seed no-export threads"),
    ("spsa", "start engine parameters only nodes tc pairs test-pairs output resume"),
];

/// The tuner as a program, which knows chess and these games.
pub fn main(games: &'static [Game]) -> ExitCode {
    games::know(games);
    guarded(run)
}

fn run() -> ExitCode {
    // An export has made an engine of this copy, by giving it a manifest.
    if games::exported().is_some() {
        // Its games are known already.
        return engine::console::main(&[]);
    }
    allocator::trim();
    let command = match help::try_parse::<CommandLine>(COMMON) {
        Ok(line) => line.command,
        Err(answer) => return Status::of_answer(&answer).into(),
    };
    system::processes::enable_supervisor(&[SUPERVISE]);
    if let Some(error) = games::all().find_map(|game| game.try_embedded().err()) {
        // Many commands need these numbers, some only after an hour.
        paint::tell_error(error);
        return Status::Failure.into();
    }
    let outcome = match command {
        Command::Record(arguments) => record::run(&arguments),
        Command::Import(arguments) => positions::games::run(&arguments),
        Command::Positions(arguments) => positions::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
        Command::Traces(arguments) => traces::run(&arguments),
        Command::Margins(arguments) => margins::run(&arguments),
        Command::Regret(arguments) => margins::run_regret(&arguments),
        Command::Audit(arguments) => audit::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Auto(arguments) => auto::run(&arguments),
        Command::Spsa(arguments) => spsa::run(&arguments),
        Command::Manual(arguments) => write_manual(&arguments),
        Command::Supervise { mark } => {
            system::processes::supervise(&mark);
            Ok(())
        }
    };
    match outcome {
        Ok(()) => Status::Success.into(),
        // The reader has left (`| head`): nothing is wrong, and nobody is there to be told.
        Err(error) if is_broken_pipe(&error) => Status::Success.into(),
        Err(error) => {
            paint::tell_error(format_args!("{error:#}"));
            status_of(&error).into()
        }
    }
}

/// Writes the pages and completions, and says where they are.
fn write_manual(arguments: &ManualArguments) -> anyhow::Result<()> {
    for file in arguments.write(CommandLine::command())? {
        command_line::say(format_args!("{}\n", file.display()));
    }
    Ok(())
}

/// How the program ends after an error. Positions that do not determine what is fitted are an answer.
fn status_of(error: &anyhow::Error) -> Status {
    if error.is::<WrongUse>() {
        Status::WrongUse
    } else if error.is::<Singular>() {
        Status::Rejected
    } else {
        Status::Failure
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_each_kind_have_a_status_of_their_own() {
        assert_eq!(status_of(&WrongUse("so".to_string()).into()), Status::WrongUse);
        assert_eq!(status_of(&Singular::Equations { iteration: 1 }.into()), Status::Rejected);
        assert_eq!(status_of(&anyhow::anyhow!("no room")), Status::Failure);
    }
}
