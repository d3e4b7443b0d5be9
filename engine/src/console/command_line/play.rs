//! `kamerton play`.

use std::io::IsTerminal;

use anyhow::anyhow;
use clap::Args;
use playable::Color;

use super::choices::{GameChoice, ParametersChoice, position_of};
use crate::console::play::{Level, Play};
use system::paint;

/// Arguments of `kamerton play`.
#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
Give moves as Nf3 or g1f3, of xiangqi as C2=5, h2e2 or in characters; `help` lists the commands: take back, level, why, and others.

Examples:
  kamerton play
  kamerton play --black --elo 1500
  kamerton play --game xiangqi
  kamerton play --nodes 2000 --parameters tuned.toml"
)]
pub struct PlayArguments {
    #[command(flatten)]
    parameters: ParametersChoice,
    /// Position to begin with [default: the start of a game]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// You have the black pieces
    #[arg(long)]
    black: bool,
    /// Nodes that the engine searches for a move
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=super::search::NODES_MAX))]
    nodes: u64,
    /// Let it play no better than this rating
    #[arg(long, value_name = "RATING", conflicts_with = "nodes")]
    elo: Option<i32>,
}

impl PlayArguments {
    /// Plays. Errors: a rating that the game has not, a bad parameter file; nobody reads the output.
    pub fn run(self, choice: GameChoice, outer: ParametersChoice) -> anyhow::Result<()> {
        let game = choice.game();
        let own = if self.black { Color::Black } else { Color::White };
        let level = match self.elo {
            Some(rating) => {
                Level::of_rating(game, rating).map_err(|error| anyhow!("--elo: {error}"))?
            }
            None => Level::Nodes(self.nodes),
        };
        let numbers = choice.load(&self.parameters.or(outer))?;
        let start = position_of(game, self.fen.as_deref())?;
        let play = Play::new(&numbers, start, own, level, paint::is_colored())
            .map_err(anyhow::Error::msg)?;
        let (input, output) = (std::io::stdin(), std::io::stdout());
        let prompts = input.is_terminal() && output.is_terminal();
        Ok(play.run(input.lock(), output.lock(), prompts)?)
    }
}
