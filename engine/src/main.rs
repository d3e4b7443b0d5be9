//! Kamerton's binary: UCI at once when started without arguments, otherwise subcommands.

use std::process::ExitCode;

fn main() -> ExitCode {
    program::guarded(|| engine::console::main(engine::GAMES))
}
