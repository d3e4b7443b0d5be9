//! Who plays: anything that chooses a move when asked.

mod in_process;

use engine::chess::{Move, Position};
use thiserror::Error;

use crate::game::{MoveLimits, PlyRecord};

pub use in_process::InProcess;

/// A player of games.
pub trait Player {
    /// Prepares for a game that owes nothing to the games before.
    ///
    /// # Errors
    /// The player does not answer: it forfeits the game.
    fn new_game(&mut self) -> Result<(), PlayerFailure>;

    /// Chooses a move in a game that is not over. The caller checks that it is legal.
    ///
    /// # Errors
    /// The player crashed, hung or answered nonsense: it forfeits the game.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerFailure>;
}

/// What a player is asked.
pub struct Turn<'a> {
    /// The position with the whole game as its past.
    pub position: &'a Position,
    /// Where the game started.
    pub start: &'a Position,
    /// The plies since.
    pub plies: &'a [PlyRecord],
    /// How long to think.
    pub limits: &'a MoveLimits,
}

/// What a player answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// Its score in centipawns from the mover's view.
    pub score: i32,
    /// Depth of the search in plies.
    pub depth: u32,
    /// Nodes of the search.
    pub nodes: u64,
}

/// Why a player forfeits a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PlayerFailure(pub String);
