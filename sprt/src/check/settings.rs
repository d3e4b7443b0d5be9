//! The settings of a check.

use std::time::Duration;

use matches::player::{LineLog, UciEngine};
use playable::Game;

/// The engine to check, and the checks.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The engine; its options are set in every process.
    pub engine: UciEngine,
    /// The game in which it is asked.
    pub game: Game,
    /// How it is called in reports.
    pub name: String,
    /// How long it may take for an answer that should come at once, 10 seconds unless said otherwise.
    pub patience: Duration,
    /// Seed of the games and positions that are drawn.
    pub seed: u64,
    /// Names of the checks to do, with those that they need; all if empty.
    pub only: Vec<String>,
    /// Where all lines go, if anywhere.
    pub log: Option<LineLog>,
}
