//! `kamerton play`.

use std::io::IsTerminal;

use chess::{Color, Position};
use clap::Args;

use super::choices::ParametersChoice;
use crate::console::play::{Level, Play};
use crate::console::session::strength;

/// Arguments of `kamerton play`.
#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
Give moves as Nf3 or g1f3; `help` lists the commands: take back, level, why, and others.

Examples:
  kamerton play
  kamerton play --black --elo 1500
  kamerton play --nodes 2000 --parameters tuned.toml"
)]
pub struct PlayArguments {
    #[command(flatten)]
    parameters: ParametersChoice,
    /// Position to begin with [default: the start of a game]
    #[arg(long, value_name = "FEN", value_parser = Position::from_fen)]
    fen: Option<Position>,
    /// You have the black pieces
    #[arg(long)]
    black: bool,
    /// Nodes that the engine searches for a move
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=super::search::NODES_MAX))]
    nodes: u64,
    /// Let it play no better than this rating
    #[arg(long, value_name = "RATING", conflicts_with = "nodes", value_parser = clap::value_parser!(i32).range(i64::from(strength::LEAST)..=i64::from(strength::GREATEST)))]
    elo: Option<i32>,
}

impl PlayArguments {
    /// Plays. Errors: a bad parameter file; nobody reads the output.
    pub fn run(self, outer: ParametersChoice) -> anyhow::Result<()> {
        let own = if self.black { Color::Black } else { Color::White };
        let level = self.elo.map_or(Level::Nodes(self.nodes), Level::Rating);
        let parameters = self.parameters.or(outer).load()?;
        let play = Play::new(parameters, self.fen.unwrap_or_default(), own, level)
            .map_err(anyhow::Error::msg)?;
        let (input, output) = (std::io::stdin(), std::io::stdout());
        let prompts = input.is_terminal() && output.is_terminal();
        Ok(play.run(input.lock(), output.lock(), prompts)?)
    }
}
