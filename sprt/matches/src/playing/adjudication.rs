//! Ending games before the rules end them.

use chess::{Color, Position};
use rand::RngExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DamagedTable, GameNumber, GameSettings, MemorySpan, Tablebase, TablebaseRule};
use crate::game::{GameResult, PlyRecord, Termination};
use random::stream;

/// When a game is ended before the rules end it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// When a game is called a draw; never if `None`.
    pub draw: Option<DrawRule>,
    /// When a game is called lost; never if `None`.
    pub resign: Option<ResignRule>,
    /// When endgame tables are asked; never if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<TablebaseRule>,
}

/// The unit of [`GameSettings::audit`]: ten-thousandths.
pub const AUDIT_ALL: u32 = 10_000;

impl Adjudication {
    /// Every game is played out.
    pub const NEVER: Adjudication = Adjudication { draw: None, resign: None, tablebase: None };
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            draw: Some(DrawRule { after_moves: 34, moves: 8, score: 20 }),
            resign: Some(ResignRule { moves: 3, score: 600, two_sided: true }),
            tablebase: None,
        }
    }
}

/// A game is a draw when both players see equality for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Moves of each side, from the start of the game, before which the rule is not applied.
    pub after_moves: u32,
    /// Successive moves of each side that must show equality.
    pub moves: u32,
    /// Scores within plus or minus this are equality (centipawns).
    pub score: i32,
}

/// A game is lost when both players, or the loser alone, see the same side lost for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Successive moves of each side that must show the loss.
    pub moves: u32,
    /// The loser is at least this far behind (centipawns).
    pub score: i32,
    /// The winner must see it too; true if missing.
    #[serde(default = "two_sided", skip_serializing_if = "is_two_sided")]
    pub two_sided: bool,
}

fn two_sided() -> bool {
    true
}

fn is_two_sided(two_sided: &bool) -> bool {
    *two_sided
}

/// Ends games: the settings, and the tables that they ask.
#[derive(Clone, Debug)]
pub struct Referee {
    /// The settings of games, with the rules of adjudication.
    pub settings: GameSettings,
    /// Endgame tables, for [`Adjudication::tablebase`].
    pub tablebase: Option<Tablebase>,
}

impl From<GameSettings> for Referee {
    /// A referee without tables.
    fn from(settings: GameSettings) -> Referee {
        Referee { settings, tablebase: None }
    }
}

impl Referee {
    /// How a game that the rules of chess have not ended is adjudicated; `None` if it goes on.
    ///
    /// # Errors
    /// An endgame table that would have to be read is damaged.
    pub fn judge(
        &self,
        position: &Position,
        plies: &[PlyRecord],
    ) -> Result<Option<(GameResult, Termination)>, DamagedTable> {
        let adjudication = &self.settings.adjudication;
        if let (Some(tablebase), Some(rule)) = (&self.tablebase, adjudication.tablebase)
            && let Some(result) = tablebase.judge(position, rule)?
        {
            return Ok(Some((result, Termination::Tablebase)));
        }
        let by_scores = adjudication.judge_scores(plies, !position.side_to_move());
        Ok(by_scores.or_else(|| {
            let too_long = plies.len() >= self.settings.max_plies as usize;
            too_long.then_some((GameResult::Draw, Termination::MaxPlies))
        }))
    }

    /// Whether this game is played on if it is adjudicated.
    ///
    /// Where the second game of a pair goes on with what was learned in the first, only second games
    /// are: what is learned after the adjudication must not decide anything.
    pub fn audits(&self, game: GameNumber) -> bool {
        /// Keeps the numbers drawn here apart from those of players, of the same seed and stream.
        const AUDITS: u64 = 0x6175_6469_7400;
        let GameSettings { audit, memory, .. } = self.settings;
        let is_remembered = memory == MemorySpan::Pair && game.number.is_multiple_of(2);
        audit > 0
            && !is_remembered
            && stream(game.seed ^ AUDITS, game.number).random_range(0..AUDIT_ALL) < audit
    }
}

impl Adjudication {
    /// The result of a game by its scores so far, after a move of `mover`, if it is clear. A move
    /// without a score decides nothing.
    fn judge_scores(&self, plies: &[PlyRecord], mover: Color) -> Option<(GameResult, Termination)> {
        // As many moves of each player, hence twice as many plies as moves; of one player alone the
        // other's move before them does not matter.
        let recent = |moves: u32, two_sided: bool| {
            let plies_needed = 2 * moves.max(1) as usize - usize::from(!two_sided);
            let first = plies.len().checked_sub(plies_needed)?;
            Some(&plies[first..])
        };
        if let Some(rule) = self.resign
            && let Some(recent) = recent(rule.moves, rule.two_sided)
        {
            let is_lost = |loser: Color| {
                let sees_it = |ply: &PlyRecord| {
                    ply.score_for(!loser).is_some_and(|score| i32::from(score) >= rule.score)
                };
                match rule.two_sided {
                    true => recent.iter().rev().all(sees_it),
                    // A player resigns on its own turn, by its own scores.
                    false => loser == mover && recent.iter().rev().step_by(2).all(sees_it),
                }
            };
            if let Some(loser) = Color::ALL.into_iter().find(|&color| is_lost(color)) {
                return Some((GameResult::win_of(!loser), Termination::Resignation));
            }
        }
        let is_even = |ply: &PlyRecord, most: i32| {
            ply.score.is_some_and(|score| i32::from(score).abs() <= most)
        };
        if let Some(rule) = self.draw
            && plies.len() >= 2 * rule.after_moves as usize
            && let Some(recent) = recent(rule.moves, true)
            && recent.iter().rev().all(|ply| is_even(ply, rule.score))
        {
            return Some((GameResult::Draw, Termination::DrawAgreed));
        }
        None
    }
}
