//! Ending games before the rules end them.

use engine::chess::Color;
use serde::{Deserialize, Serialize};

use crate::game::{GameResult, PlyRecord, Termination};

/// When a game is ended before the rules end it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// When a game is called a draw; never if `None`.
    pub draw: Option<DrawRule>,
    /// When a game is called lost; never if `None`.
    pub resign: Option<ResignRule>,
}

impl Adjudication {
    /// Every game is played out.
    pub const NEVER: Adjudication = Adjudication { draw: None, resign: None };
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            draw: Some(DrawRule { after_moves: 34, moves: 8, score: 20 }),
            resign: Some(ResignRule { moves: 3, score: 600 }),
        }
    }
}

/// A game is a draw when both players see equality for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Moves of each side, from the start of the game, before which the rule is not applied.
    pub after_moves: u32,
    /// Successive moves of each side that must show equality.
    pub moves: u32,
    /// Scores within plus or minus this are equality (centipawns).
    pub score: i32,
}

/// A game is lost when both players see the same side lost for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Successive moves of each side that must show the loss.
    pub moves: u32,
    /// The loser is at least this far behind (centipawns).
    pub score: i32,
}

impl Adjudication {
    /// What the scores of a game so far say: its result, if it is clear.
    pub fn judge(&self, plies: &[PlyRecord]) -> Option<(GameResult, Termination)> {
        // Both players must agree, hence twice as many plies as moves.
        let recent = |moves: u32| {
            let first = plies.len().checked_sub(2 * moves.max(1) as usize)?;
            Some(&plies[first..])
        };
        if let Some(rule) = self.resign
            && let Some(recent) = recent(rule.moves)
        {
            let all = |winner: Color| {
                let sign = if winner == Color::White { 1 } else { -1 };
                recent.iter().rev().all(|ply| sign * i32::from(ply.score) >= rule.score)
            };
            if let Some(winner) = Color::ALL.into_iter().find(|&color| all(color)) {
                return Some((GameResult::win_of(winner), Termination::Resignation));
            }
        }
        if let Some(rule) = self.draw
            && plies.len() >= 2 * rule.after_moves as usize
            && let Some(recent) = recent(rule.moves)
            && recent.iter().rev().all(|ply| i32::from(ply.score).abs() <= rule.score)
        {
            return Some((GameResult::Draw, Termination::DrawAgreed));
        }
        None
    }
}
