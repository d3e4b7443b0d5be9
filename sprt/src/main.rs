//! The command line of the match runner.

mod cli;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use cli::{Command, Status};
use engine::Parameters;

/// Decides by games whether one engine is stronger than another.
#[derive(Parser)]
#[command(version, after_help = EXIT_STATUS)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_STATUS: &str = "\
Exit status of run, resume and regress:
  0    the candidate is accepted
  1    the candidate is rejected
  2    undecided when the greatest number of pairs was played
  3    the run failed
  64   wrong use of the command line
  130  interrupted: `sprt resume`, or the same `sprt regress`, goes on
check exits with 0 if it finds no fault, 1 if it finds faults, and 2 when used wrongly.
The other commands exit with 0 when they succeed, 3 when they fail and 64 when used wrongly;
tournament with 130, too.";

fn main() -> ExitCode {
    sprt::system::enable_supervisor(&[cli::SUPERVISE]);
    if let Some(outcome) = cli::by_name(&[cli::SUPERVISE]) {
        return ended(outcome);
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let words: Vec<String> =
                std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
            // Help and version come this way too, and are no errors.
            let status = match error.use_stderr() {
                true => Status::of_wrong_use(&words),
                false => Status::Success,
            };
            // Nothing is left to tell when even the terminal is gone.
            let _ = error.print();
            if let Some(hint) =
                cli::hint(words.iter().map(String::as_str)).filter(|_| error.use_stderr())
            {
                eprintln!("\n{hint}");
            }
            return status.into();
        }
    };
    // Many commands play from these numbers, some only later.
    let embedded = Parameters::try_embedded().map(drop).map_err(anyhow::Error::from);
    ended(embedded.and_then(|()| arguments.command.execute(Arguments::command)))
}

/// Tells an error, and with which status the program ends.
fn ended(outcome: anyhow::Result<Status>) -> ExitCode {
    match outcome {
        Ok(status) => status.into(),
        Err(error) => {
            eprintln!("error: {error:#}");
            Status::of_error(&error).into()
        }
    }
}
