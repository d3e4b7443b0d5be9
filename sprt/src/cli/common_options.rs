//! Options that several commands have, each with its help and its bounds.

use std::path::PathBuf;

use clap::Args;
use matches::game::{TimeControl, milliseconds};
use matches::run::Workers;
use system::files::EMBEDDED;

use super::bounds;

/// Limits of time.
#[derive(Args, Clone, Copy, Debug)]
pub struct TimeOptions {
    /// Clock: [MOVES/]TIME[+INCREMENT] in seconds, as in 8+0.08 or 40/60; up to 100 days
    #[arg(long, value_name = "TC")]
    pub tc: Option<TimeControl>,
    /// Time for each move in seconds, 0.001 to 10000000
    #[arg(long, value_name = "SECONDS", value_parser = milliseconds)]
    pub movetime: Option<u64>,
}

/// The openings.
#[derive(Args, Clone, Debug)]
pub struct OpeningFile {
    /// Opening file, or "embedded": EPD or FEN lines, or PGN games, told apart by their contents
    #[arg(long = "openings", id = "openings", alias = "book", value_name = "FILE",
          default_value = EMBEDDED)]
    pub path: PathBuf,
}

/// The seed and the players' memory.
#[derive(Args, Clone, Copy, Debug)]
pub struct GameOptions {
    /// Seed of the order of the openings, any of 64 bits
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Transposition table of each player in megabytes, 1 to 65536; those of all games at once must
    /// fit into memory [default: 4 for parameters, other engines their own]
    #[arg(long, value_name = "MB",
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(bounds::HASH))]
    pub hash: Option<usize>,
}

/// Trials of engines before the first game.
#[derive(Args, Clone, Copy, Debug)]
pub struct StartOptions {
    /// Do not try before the first game whether engines keep a limit of nodes or depth
    #[arg(long, long_help = PROBE_HELP)]
    no_probe: bool,
    /// Play though an engine does not have an option that is set, and without it
    #[arg(long)]
    allow_unknown_options: bool,
}

impl StartOptions {
    /// Workers that ask so much.
    pub fn of(self, workers: Workers) -> Workers {
        Workers {
            tries_limits: !self.no_probe,
            allows_unknown_options: self.allow_unknown_options,
            ..workers
        }
    }
}

/// The rule by which engines are tried, in full.
const PROBE_HELP: &str = "\
Do not try before the first game whether engines keep a limit of nodes or depth.

Unless this is given, each engine with such a limit searches a position once, in a process that plays \
no game, with its limit or with 30000 nodes or 5 plies where that is less; after 10 seconds it is told \
to stop. The run does not begin if its info lines tell more than ten times the nodes and more than 1.2 \
times plus 9000, which spares small limits, or more than four plies too many, or if it did not end by itself, unless \
it tells that it had not come to the limit by then. Less than that, but more than 1.2 times the nodes \
plus 9000, or any ply too many, is remarked on; so is an engine that tells nothing and cannot be judged";
