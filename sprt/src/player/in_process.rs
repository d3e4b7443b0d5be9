//! An engine of ours inside this process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::Parameters;
use engine::engine::{Control, Engine, Limits};

use super::{Choice, GameStart, Player, Turn};
use crate::game::Fault;

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
    fn new_game(&mut self, game: &GameStart<'_>) -> Result<(), Fault> {
        if game.forget {
            self.engine.new_game();
        }
        Ok(())
    }

    fn forget(&mut self) -> Result<(), Fault> {
        self.engine.new_game();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let limits = Limits {
            nodes: turn.limits.nodes,
            depth: turn.limits.depth,
            move_time: turn.limits.move_time.map(Duration::from_millis),
            clock: turn.clocks,
            moves_to_go: turn.moves_to_go,
            ..Limits::default()
        };
        let begin = Instant::now();
        let outcome = self.engine.search(turn.position, &limits, &self.control, &mut |_| {});
        Ok(Choice {
            score: Some(outcome.score),
            depth: outcome.depth,
            nodes: outcome.nodes,
            elapsed: begin.elapsed(),
            ..Choice::of_move(outcome.best)
        })
    }
}
