//! Kamerton's binary: UCI at once when started without arguments, otherwise subcommands.

use std::process::ExitCode;

use clap::Parser;
use engine::console::command_line::Arguments;

fn main() -> ExitCode {
    match Arguments::parse().run() {
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
