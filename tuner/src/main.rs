//! The tuner's binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    tuner::main(engine::GAMES)
}
