//! Kamerton's binary: UCI at once when started without arguments, otherwise subcommands.

use std::process::ExitCode;

fn main() -> ExitCode {
    engine::console::guarded(engine::console::main)
}
