//! An engine in a process of its own that speaks UCI.

use super::{Choice, Fault, FaultKind, GameStart, Player, Turn};
use crate::contestant::UciEngine;

/// An engine in a process of its own that speaks UCI.
#[derive(Debug)]
pub struct UciPlayer {
    engine: UciEngine,
}

impl UciPlayer {
    /// A player; its process is started with the first game. `hash` is the size of its
    /// transposition table in megabytes, if it is to be set.
    pub fn new(engine: UciEngine, _hash: Option<usize>) -> UciPlayer {
        UciPlayer { engine }
    }

    fn missing(&self) -> Fault {
        Fault::new(FaultKind::Start, self.engine.command.display().to_string())
    }
}

impl Player for UciPlayer {
    fn new_game(&mut self, _game: &GameStart<'_>) -> Result<(), Fault> {
        Err(self.missing())
    }

    fn forget(&mut self) -> Result<(), Fault> {
        Err(self.missing())
    }

    fn choose(&mut self, _turn: &Turn<'_>) -> Result<Choice, Fault> {
        Err(self.missing())
    }
}
