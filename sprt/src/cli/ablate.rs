//! `sprt ablate`.

use std::path::PathBuf;
use std::sync::Arc;

use crate::ablation::{Ablation, AblationError, Settings};
use anyhow::Result;
use clap::Args;
use matches::GameOption;
use matches::game::TimeControl;
use matches::run::RunError;
use report::TestTerminal;
use system::tell;

use super::common_options::{GameOptions, OpeningFile};
use super::printing::say;
use super::statuses::{WrongUse, interruption};
use super::thread_options::ThreadOptions;
use super::{Status, bounds};

const EXAMPLES: &str = "\
Examples:
  What each method of the default is worth, 400 games each:
    sprt ablate --parameters default --pairs 200 --nodes 3000 --output ablation
  Two of them, with positions to solve:
    sprt ablate --parameters default --pairs 200 --nodes 3000 --only null_move inherited_line \\
      --suite tactics.epd --suite-nodes 100000 --output ablation
  What the bishop pair is worth, and its endgame half alone:
    sprt ablate --parameters default --pairs 200 --nodes 3000 --output pair \
      --only material.bishop_pair material.bishop_pair.endgame
The same command again goes on where it was stopped.";

/// Arguments of `sprt ablate`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct AblateArguments {
    /// Parameter file, or the name of one of the repository: default, textbook, zero, ...
    #[arg(long, value_name = "FILE")]
    parameters: PathBuf,
    #[command(flatten)]
    game: GameOption,
    /// Pairs of games for each method, 1 to 10^9
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(bounds::PAIRS))]
    pairs: u64,
    /// Nodes a move, 1 to 10^12
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(bounds::NODES))]
    nodes: u64,
    /// Clock of the games of methods that matter by time alone, [MOVES/]TIME[+INCREMENT] in seconds;
    /// they are not played without one
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,
    #[command(flatten)]
    games: GameOptions,
    #[command(flatten)]
    openings: OpeningFile,
    /// Depth in plies to which the bench positions are searched for their nodes, 0 for none
    #[arg(long, value_name = "PLIES", default_value_t = 12,
          value_parser = clap::value_parser!(u32).range(0..=100))]
    bench_depth: u32,
    /// Nodes at which a bench position is given up, 1 to 10^12
    #[arg(long, value_name = "N", default_value_t = 5_000_000,
          value_parser = clap::value_parser!(u64).range(bounds::NODES))]
    bench_nodes: u64,
    /// Positions in EPD with best moves (bm) or moves to avoid (am), to be solved
    #[arg(long, value_name = "FILE.epd", requires = "suite_nodes")]
    suite: Option<PathBuf>,
    /// Nodes for each of them, 1 to 10^12
    #[arg(long, value_name = "N", requires = "suite",
          value_parser = clap::value_parser!(u64).range(bounds::NODES))]
    suite_nodes: Option<u64>,
    /// Play these only: methods, groups and terms of the evaluation (material.bishop_pair), halves of
    /// them (material.bishop_pair.middlegame); the others stay in the table
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// Folder of the games, one below it for each method, and of table.csv and table.md
    #[arg(long, value_name = "FOLDER")]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
}

impl AblateArguments {
    /// Plays the games that are missing.
    pub fn execute(self) -> Result<Status> {
        let settings = Settings {
            game: self.game.game,
            pairs: self.pairs,
            nodes: self.nodes,
            tc: self.tc,
            seed: self.games.seed,
            hash: self.games.hash.unwrap_or(4),
            openings: self.openings.path,
            bench_depth: self.bench_depth,
            bench_nodes: self.bench_nodes,
            suite: self.suite.zip(self.suite_nodes),
        };
        let ablation =
            Ablation::open(&self.parameters, settings, &self.output, &self.only).map_err(told)?;
        let contestants = ablation.contestants(&ablation.methods()[0]);
        let workers = self.threads.workers(&contestants)?;
        let interrupted = interruption()?;
        let played = ablation.play(
            &workers,
            &mut || Box::new(TestTerminal::new(Arc::clone(&interrupted))),
            &mut |method, number, count| {
                tell(format_args!("{} ({number} of {count})", method.name))
            },
        );
        played.map_err(told)?;
        say(ablation.shown().map_err(told)?);
        say(self.output.join("table.md").display());
        Ok(Status::Success)
    }
}

/// The error as the program's status tells it: what a run says as a run says it.
fn told(error: AblationError) -> anyhow::Error {
    match error {
        AblationError::Unknown { .. } | AblationError::Nothing(_) | AblationError::Other { .. } => {
            WrongUse(error.to_string()).into()
        }
        AblationError::Run(error @ RunError::Interrupted { .. }) => {
            anyhow::Error::from(error).context("stopped; the same command goes on where it was")
        }
        AblationError::Run(error) => error.into(),
        other => other.into(),
    }
}
