//! How games end.

use playable::{Ending, GameResult};

use super::{Cause, Position};

/// The side to move has no legal move and is not in check: it loses.
const NO_MOVE: Ending = Ending::new("no_move");
/// A side repeated the position by checks: it loses.
const PERPETUAL_CHECK: Ending = Ending::new("perpetual_check");
/// A side repeated the position by chasing a man: it loses.
const PERPETUAL_CHASE: Ending = Ending::new("perpetual_chase");
/// Too many plies without capture: a draw.
const NATURAL_LIMIT_REACHED: Ending = Ending::new("natural_limit");
/// Nobody can win any more: a draw.
const DEAD_POSITION: Ending = Ending::new("dead_position");

/// How games end, in a fixed order: see [`Position::outcome`].
pub const ENDINGS: [Ending; 7] = [
    Ending::CHECKMATE,
    NO_MOVE,
    PERPETUAL_CHECK,
    PERPETUAL_CHASE,
    Ending::REPETITION,
    NATURAL_LIMIT_REACHED,
    DEAD_POSITION,
];

impl Position {
    /// How the game has ended, and by which of [`ENDINGS`]; `None` while it goes on. Where several
    /// rules apply, that which stands first there decides.
    pub fn outcome(&self) -> Option<(GameResult, Ending)> {
        let us = self.board().side_to_move();
        if !self.board().has_legal_move() {
            let ending = if self.board().in_check() { Ending::CHECKMATE } else { NO_MOVE };
            return Some((GameResult::win_of(!us), ending));
        }
        if let Some(judgement) = self.repetition_in_game() {
            let result = judgement.loser.map_or(GameResult::Draw, |it| GameResult::win_of(!it));
            let ending = match judgement.cause {
                Cause::None => Ending::REPETITION,
                Cause::Check => PERPETUAL_CHECK,
                Cause::Chase => PERPETUAL_CHASE,
            };
            return Some((result, ending));
        }
        if self.is_at_limit() {
            return Some((GameResult::Draw, NATURAL_LIMIT_REACHED));
        }
        self.board().is_dead().then_some((GameResult::Draw, DEAD_POSITION))
    }
}
