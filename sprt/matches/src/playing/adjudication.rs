//! Ending games before the rules end them.

use playable::{Color, OracleError, Position};
use rand::RngExt;

use super::{AUDIT_ALL, Adjudication, GameNumber, GameSettings, MemorySpan, Tablebase};
use crate::game::{GameResult, PlyRecord, Termination};
use random::stream;

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
    /// How a game that its rules have not ended is adjudicated; `None` if it goes on.
    ///
    /// # Errors
    /// An endgame table that would have to be read is damaged.
    pub fn judge(
        &self,
        position: &Position,
        plies: &[PlyRecord],
    ) -> Result<Option<(GameResult, Termination)>, OracleError> {
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
