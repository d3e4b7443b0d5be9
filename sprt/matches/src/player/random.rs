//! A player that draws its moves.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{Choice, GameStart, Player, Turn};
use crate::game::Fault;
use random::stream;

/// Plays random legal moves: the yardstick for what a game costs besides the players' thinking.
#[derive(Debug)]
pub struct RandomMover {
    random: ChaCha8Rng,
}

impl Default for RandomMover {
    fn default() -> RandomMover {
        RandomMover { random: stream(0, 0) }
    }
}

impl Player for RandomMover {
    fn new_game(&mut self, game: &GameStart<'_>) -> Result<(), Fault> {
        self.random = stream(game.seed, game.stream);
        Ok(())
    }

    fn forget(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let mv = turn.position.pick_legal_move(&mut |count| self.random.random_range(0..count));
        let mv = mv.expect("there is a move in a game that is not over");
        Ok(Choice { nodes: 1, ..Choice::of_move(mv) })
    }
}
