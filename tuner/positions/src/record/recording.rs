//! The settings of a recording.

use std::path::PathBuf;

use playable::Numbers;

/// [`Recording::decided`] unless the user says otherwise.
pub(super) const DECIDED: i32 = 300;

/// The amount to record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Number of games.
    Games(u32),
    /// Games until they hold this many positions together; the last game is recorded whole.
    Positions(u64),
}

impl Goal {
    /// Whether so many games with so many positions are enough.
    pub(super) fn is_reached(self, games: u32, positions: u64) -> bool {
        match self {
            Goal::Games(wanted) => games >= wanted,
            Goal::Positions(wanted) => positions >= wanted,
        }
    }
}

/// The settings of a recording, and its file.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Number of games or positions.
    pub goal: Goal,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// Seed of all randomness.
    pub seed: u64,
    /// Games played at a time; 0 means one a core.
    pub threads: usize,
    /// The store to write or to go on with.
    pub output: PathBuf,
    /// Go on with the store if it exists.
    pub resume: bool,
    /// Go on although the engine is not the one that recorded what is there.
    pub allows_changes: bool,
    /// The values of both players, whose game is recorded.
    pub numbers: Numbers,
    /// Opening file, in EPD; none for the usual start position.
    pub openings: Option<PathBuf>,
    /// Least and greatest number of random plies played from the opening.
    pub random_plies: (u32, u32),
    /// An opening whose first score is beyond this is replaced (centipawns).
    pub decided: i32,
    /// A block of the store is closed at the first game that brings it to so many plies.
    pub block_plies: u32,
}

impl Recording {
    /// A recording from random openings with the usual settings.
    pub fn new(goal: Goal, nodes: u64, numbers: Numbers, output: PathBuf) -> Recording {
        Recording {
            goal,
            nodes,
            seed: 1,
            threads: 0,
            output,
            resume: false,
            allows_changes: false,
            numbers,
            openings: None,
            random_plies: (8, 9),
            decided: DECIDED,
            block_plies: 4096,
        }
    }
}
