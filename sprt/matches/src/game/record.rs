//! The record of play: plies, games, pairs.

use playable::MATE;
use playable::{Color, Move, Position};
use serde::{Deserialize, Serialize};
use statistics::GameOutcome;

use super::outcome::outcome_for;
use super::{Fault, GameResult, Termination, Warning};

/// Greatest score that is no mate (centipawns).
pub const HIGHEST_SCORE: i32 = 30_000;

/// Plies up to the move that mates, if a score means a mate: 31,000 less these for the side that
/// mates, and as much below zero for the other. Our own search sees mates of up to 64 moves; other
/// engines tell longer ones.
pub fn plies_to_mate(score: i16) -> Option<u32> {
    let score = i32::from(score).abs();
    (score > HIGHEST_SCORE).then(|| (MATE - score).max(0) as u32)
}

/// One ply of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyRecord {
    /// The move that was played.
    pub mv: Move,
    /// Score in centipawns from White's view, mates as [`plies_to_mate`] reads them; `None` if the
    /// mover gave none.
    pub score: Option<i16>,
    /// Depth of the search in plies, at most 255.
    pub depth: u8,
    /// Longest line that the search followed, in plies, at most 255; 0 if the mover did not tell.
    pub selective_depth: u8,
    /// Nodes of the search, as the mover counts them.
    pub nodes: u64,
    /// Time from question to answer in microseconds, at most 2³² − 1.
    pub time: u32,
}

/// A finished game: its moves, its result, and what the players did wrong.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The position before the first ply.
    pub start: Position,
    /// Its plies in order.
    pub plies: Vec<PlyRecord>,
    /// The result; see `faults` for a game that nobody won and that is no draw.
    pub result: GameResult,
    /// The rule or the fault that ended it.
    pub termination: Termination,
    /// Who forfeited it, and what it did wrong: empty unless it ended so. Both players have a fault
    /// where neither got as far as the first move; then nobody won.
    pub faults: Vec<(Color, Fault)>,
    /// How it went on after it was adjudicated, if it was chosen for that. Nothing else of the record
    /// knows of it.
    pub audit: Option<AuditRecord>,
    /// Oddities of the players, in the order in which they were noticed.
    pub warnings: Vec<(Color, Warning)>,
}

/// How a game that was adjudicated really ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditRecord {
    /// Plies of the whole game.
    pub plies: u32,
    /// The result when it was played on.
    pub result: GameResult,
    /// The rule that ended it then.
    pub termination: Termination,
}

/// Both games of a pair.
#[derive(Clone, Debug)]
pub struct PairRecord {
    /// Number of the pair in the schedule, from 0.
    pub number: u64,
    /// Index of the opening in its file, from 0.
    pub opening: usize,
    /// Who played: indices of the contestants; in a test the candidate (0) and the baseline (1).
    pub players: [usize; 2],
    /// The games: the first player is White in the first and Black in the second.
    pub games: [GameRecord; 2],
    /// Why the pair had to be replayed before, each time.
    pub replays: Vec<String>,
}

impl PairRecord {
    /// Color of the first player (in a test: of the candidate) in each game.
    pub const FIRST: [Color; 2] = [Color::White, Color::Black];

    /// Outcomes of both games for the first player.
    pub fn outcomes(&self) -> [GameOutcome; 2] {
        let [first, second] = Self::FIRST;
        let [game, reversed] = &self.games;
        [outcome_for(game.result, first), outcome_for(reversed.result, second)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_of_any_length_keep_their_number() {
        for (score, plies) in [
            (30_999, Some(1)),
            (-31_000, Some(0)),
            (-30_998, Some(2)),
            (30_861, Some(139)),
            (-30_200, Some(800)),
            (30_000, None),
            (-30_000, None),
            (0, None),
        ] {
            assert_eq!(plies_to_mate(score), plies, "{score}");
        }
    }
}
