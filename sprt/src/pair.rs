//! One opening played twice with colors reversed: the unit of the statistics.

use std::sync::atomic::AtomicBool;

use engine::chess::{Color, Position};

use crate::game::{GameRecord, GameSettings, play_game_until};
use crate::player::Player;
use crate::statistics::GameOutcome;

/// Both games of a pair.
#[derive(Clone, Debug)]
pub struct PairRecord {
    /// Number of the pair in the schedule, from 0.
    pub number: u64,
    /// Index of the opening in its file, from 0.
    pub opening: usize,
    /// The games: the candidate is White in the first and Black in the second.
    pub games: [GameRecord; 2],
}

impl PairRecord {
    /// Color of the candidate in each game.
    pub const CANDIDATE: [Color; 2] = [Color::White, Color::Black];

    /// Outcomes of both games for the candidate.
    pub fn outcomes(&self) -> [GameOutcome; 2] {
        let [first, second] = Self::CANDIDATE;
        let [game, reversed] = &self.games;
        [game.result.outcome_for(first), reversed.result.outcome_for(second)]
    }
}

/// Plays an opening with both colors, or returns `None` soon after `cancel` is set.
pub fn play_pair(
    number: u64,
    opening: (usize, &Position),
    candidate: &mut dyn Player,
    baseline: &mut dyn Player,
    settings: &GameSettings,
    cancel: &AtomicBool,
) -> Option<PairRecord> {
    let (opening, start) = opening;
    let first = play_game_until(start, candidate, baseline, settings, cancel)?;
    let second = play_game_until(start, baseline, candidate, settings, cancel)?;
    Some(PairRecord { number, opening, games: [first, second] })
}
