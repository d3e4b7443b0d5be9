//! The engine with one more game.

use std::process::ExitCode;

use playable::Game;

fn main() -> ExitCode {
    const GAMES: &[Game] = &[breakthrough::GAME];
    engine::console::main(GAMES)
}
