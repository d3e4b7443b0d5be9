//! What people and programs meet: the command line, a UCI session, and what both show.

pub mod command_line;
pub mod literature;
pub mod manual;
pub mod session;
mod show;
mod translation;

use std::process::ExitCode;

use clap::Parser;

/// The whole program: what the command line of this process asks for.
pub fn main() -> ExitCode {
    match command_line::Arguments::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has left (`| head`): nothing is wrong, and nobody is there to be told.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
