//! An engine of ours inside this process.

use std::sync::Arc;

use engine::engine::{Control, Engine, Limits};
use engine::parameters::Parameters;

use super::{Choice, Player, PlayerFailure, Turn};

/// An engine of ours inside this process, with its own transposition table.
pub struct InProcess {
    engine: Engine,
    control: Control,
}

impl InProcess {
    /// A player with these numbers and a transposition table of so many megabytes (2²⁰ bytes).
    pub fn new(parameters: Arc<Parameters>, hash_megabytes: usize) -> InProcess {
        InProcess { engine: Engine::new(parameters, hash_megabytes), control: Control::default() }
    }
}

impl Player for InProcess {
    fn new_game(&mut self) -> Result<(), PlayerFailure> {
        self.engine.new_game();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, PlayerFailure> {
        let limits =
            Limits { nodes: turn.limits.nodes, depth: turn.limits.depth, ..Limits::default() };
        let outcome = self.engine.search(turn.position, &limits, &self.control, &mut |_| {});
        Ok(Choice {
            mv: outcome.best,
            score: outcome.score,
            depth: outcome.depth,
            nodes: outcome.nodes,
        })
    }
}
