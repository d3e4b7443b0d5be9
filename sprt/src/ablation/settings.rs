//! The settings of a comparison of methods.

use std::path::PathBuf;

use matches::game::TimeControl;
use matches::games;
use playable::Game;
use serde::{Deserialize, Serialize};

/// Settings for every method. A folder that was begun goes on with these alone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The game that is played; chess if missing.
    #[serde(with = "games", default = "games::usual", skip_serializing_if = "games::is_usual")]
    pub game: Game,
    /// Pairs of games for each method.
    pub pairs: u64,
    /// Nodes of each move.
    pub nodes: u64,
    /// Clock of the games of methods that matter by time alone; they are not played without one.
    pub tc: Option<TimeControl>,
    /// Seed of the order of the openings.
    pub seed: u64,
    /// Transposition table of each player in megabytes.
    pub hash: usize,
    /// Opening file, or [`system::files::EMBEDDED`].
    pub openings: PathBuf,
    /// Depth to which the bench positions are searched, in plies; 0 for none.
    pub bench_depth: u32,
    /// Most nodes of a bench position.
    pub bench_nodes: u64,
    /// Positions with best moves, and nodes for each.
    pub suite: Option<(PathBuf, u64)>,
}
