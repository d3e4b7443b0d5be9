//! Arguments that several commands share: which numbers, which position.

use std::path::PathBuf;

use anyhow::ensure;
use chess::{GAME, games};
use clap::Args;
use clap::error::ErrorKind;
use playable::{Game, Numbers, Position};

/// Which numbers the engine plays with.
#[derive(Args, Debug)]
pub struct ParametersChoice {
    /// Numbers to use instead of the embedded ones: a parameter file, or textbook, default, zero, power or
    /// simplest [default: embedded]
    #[arg(id = "parameters", long = "parameters", value_name = "FILE")]
    pub file: Option<PathBuf>,
}

impl ParametersChoice {
    /// This choice, or where there is none the one made before the command's name.
    pub fn or(self, outer: ParametersChoice) -> ParametersChoice {
        ParametersChoice { file: self.file.or(outer.file) }
    }
}

/// Which game is played.
#[derive(Args, Clone, Copy, Debug)]
pub struct GameChoice {
    /// The game that is played.
    #[arg(long, help = games::help(), value_name = "GAME", default_value = games::of_program(), global = true,
          value_parser = games::named, hide = games::all().count() < 2)]
    game: Game,
}

impl GameChoice {
    pub fn is_chess(self) -> bool {
        self.game == GAME
    }

    pub fn game(self) -> Game {
        self.game
    }

    /// The numbers that are chosen for it.
    pub fn load(self, choice: &ParametersChoice) -> anyhow::Result<Numbers> {
        match &choice.file {
            Some(path) => Ok(self.game.open_numbers(path)?.0),
            None => Ok(self.game.try_embedded()?),
        }
    }
}

/// Which position a command is about.
#[derive(Args, Debug)]
pub struct PositionChoice {
    /// Position in Forsyth–Edwards notation [default: the start of a game]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Write castling as king takes rook, as Chess960 must
    #[arg(long)]
    chess960: bool,
}

impl PositionChoice {
    /// The position of the game, played as Chess960 if that was asked for. Errors: wrong use, a text that is
    /// none.
    pub fn chosen(&self, game: Game) -> anyhow::Result<Position> {
        let mut position = position_of(game, self.fen.as_deref())?;
        if self.chess960 {
            let knows = game.features().chess960;
            ensure!(knows, "--chess960 says nothing to a game of {}", game.name());
            position.set_chess960(true);
        }
        Ok(position)
    }
}

/// The position of a game that `--fen` gives, or its start. Errors: a text that is none.
pub fn position_of(game: Game, fen: Option<&str>) -> anyhow::Result<Position> {
    let Some(text) = fen else { return Ok(game.start()) };
    let position = game.position(text).map_err(|error| {
        let message = format!(
            "invalid value '{text}' for '--fen <FEN>': {error}\n\nFor more information, try \
             '--help'.\n"
        );
        clap::Error::raw(ErrorKind::ValueValidation, message)
    })?;
    Ok(position)
}
