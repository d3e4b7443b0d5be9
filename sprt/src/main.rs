//! The match runner's binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    sprt::main(engine::GAMES)
}
