//! The whole program: its command line, and how it ends.

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use matches::games;
use playable::Game;
use program::{guarded, help};
use system::paint;
use system::tell;

use super::{Command, SUPERVISE, Status, by_name, hint, of_error, tip};

/// Decides by games whether one engine is stronger than another.
#[derive(Parser)]
#[command(version, after_help = Status::TABLE)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

/// The options of each command that `-h` shows; it has all where there are few.
const COMMON: &help::Common = &[
    ("run", "candidate baseline tc nodes elo0 elo1 pairs openings threads report"),
    ("tournament", "player format rounds tc nodes anchor openings threads output report"),
    ("ablate", "parameters only pairs nodes tc output threads suite openings seed"),
    ("regress", "base candidate budget nodes tc build bench-command history option output"),
    ("openings", "output count from plies balance men alike nodes seed threads"),
    ("calculate", "pentanomial trinomial pgn candidate anchor elo0 elo1 model json"),
    (
        "plan",
        "elo0 elo1 model elo pairs decide-at-limit pentanomial draw-ratio games-per-second json",
    ),
    ("simulate", "elo0 elo1 model elo pairs pentanomial draw-ratio batch runs json"),
];

/// The match runner as a program, which plays chess and these games.
pub fn main(games: &'static [Game]) -> ExitCode {
    games::know(games);
    guarded(run)
}

fn run() -> ExitCode {
    system::processes::enable_supervisor(&[SUPERVISE]);
    if let Some(outcome) = by_name(&[SUPERVISE]) {
        return ended(outcome);
    }
    let arguments = match help::try_parse::<Arguments>(COMMON) {
        Ok(arguments) => arguments,
        Err(error) => {
            let words: Vec<String> =
                std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
            let status = Status::of_answer(&error);
            let hint = hint(words.iter().map(String::as_str));
            if let Some(hint) = hint.filter(|_| status == Status::WrongUse) {
                tell(format_args!("\n{hint}"));
            }
            if let Some(tip) = tip(&words).filter(|_| error.use_stderr()) {
                tell(format_args!("\n{tip}"));
            }
            return status.into();
        }
    };
    // Many commands play from these numbers, some only later.
    let embedded = games::usual().try_embedded().map(drop).map_err(anyhow::Error::from);
    ended(embedded.and_then(|()| arguments.command.execute(Arguments::command)))
}

/// Tells an error, and with which status the program ends.
fn ended(outcome: anyhow::Result<Status>) -> ExitCode {
    match outcome {
        Ok(status) => status.into(),
        Err(error) => {
            paint::tell_error(format_args!("{error:#}"));
            of_error(&error).into()
        }
    }
}
