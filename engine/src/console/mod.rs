//! People and programs meet the engine here: the command line, a UCI session, and their output.
//!
//! In a session one thread reads, another searches, a third answers, so that `stop` and `isready`
//! are heard at any time. Every `go` is answered. Unreadable words are named and left out; if no
//! limit is left, clocks count as run out. Lines and parameter files of more than a megabyte are
//! refused. Long work is done before a clock can run, or when the program is compiled. A seeded
//! fuzzer holds all this (`engine/tests/all/fuzz.rs`).

pub mod command_line;
pub mod literature;
mod play;
pub mod session;
mod show;
mod translation;

use std::process::ExitCode;

use chess::games;
use playable::Game;
use program::{Status, help, is_broken_pipe};
use system::tell;

/// The whole program: what the command line of this process asks for. It plays chess and these games.
pub fn main(games: &'static [Game]) -> ExitCode {
    games::know(games);
    let arguments = match help::try_parse::<command_line::Arguments>(&[]) {
        Ok(arguments) => arguments,
        Err(answer) => return Status::of_answer(&answer).into(),
    };
    match arguments.run() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has left (`| head`): nothing is wrong, and nobody is there to be told.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => match error.downcast::<clap::Error>() {
            Ok(answer) => Status::of_answer(&answer).into(),
            Err(error) => {
                tell(format_args!("error: {error:#}"));
                Status::Failure.into()
            }
        },
    }
}
