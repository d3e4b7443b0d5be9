//! The option of command lines that says which game is played.

use chess::games;
use clap::Args;
use playable::Game;

/// The game that is played; a program that plays chess alone does not show the option.
#[derive(Args, Clone, Copy, Debug)]
pub struct GameOption {
    /// The game that is played.
    #[arg(long, help = games::help(), value_name = "GAME", default_value = games::of_program(), value_parser = games::named,
          hide = games::all().count() < 2)]
    pub game: Game,
}

impl Default for GameOption {
    fn default() -> GameOption {
        GameOption { game: games::usual() }
    }
}
