//! A move's tally: the results and scores of its games.

use super::Assessment;
use crate::rules::GameResult;

/// The games in which a move was played, and the players' scores right after it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Games that White won.
    pub white_wins: u32,
    /// Games that were drawn.
    pub draws: u32,
    /// Games that Black won.
    pub black_wins: u32,
    /// Games in which the mover stated a score of the move.
    pub scores: u32,
    /// Sum of these scores in centipawns, White's view, each cut to ±[`Tally::SCORE_MAX`].
    pub score_sum: i64,
}

impl Tally {
    /// Farthest from 0 that a single score counts (centipawns): beyond it nobody doubts who wins.
    pub const SCORE_MAX: i64 = 300;
    /// The score that a won game adds for its moves (centipawns).
    const WIN: i64 = 200;
    /// Scores of 0 added to what is known: few games say little.
    const DOUBT: i64 = 2;
    /// From where on it is an advantage, and a decisive one (centipawns).
    const ADVANTAGE: i64 = 60;
    const DECISIVE: i64 = 160;

    /// Games in which the move was played.
    pub fn games(&self) -> u64 {
        u64::from(self.white_wins) + u64::from(self.draws) + u64::from(self.black_wins)
    }

    /// Takes in a game with the mover's score of the move, in centipawns from White's view.
    pub fn add(&mut self, result: GameResult, score: Option<i16>) {
        let count = match result {
            GameResult::WhiteWins => &mut self.white_wins,
            GameResult::Draw => &mut self.draws,
            GameResult::BlackWins => &mut self.black_wins,
        };
        *count = count.saturating_add(1);
        if let Some(score) = score {
            self.scores = self.scores.saturating_add(1);
            let score = i64::from(score).clamp(-Self::SCORE_MAX, Self::SCORE_MAX);
            self.score_sum = self.score_sum.saturating_add(score);
        }
    }

    /// The move's value by its games, in centipawns from White's view: the mean of all scores and
    /// results, and of two scores of 0 besides, with a won game as a score of two pawns.
    pub fn value(&self) -> i64 {
        let results = Self::WIN * (i64::from(self.white_wins) - i64::from(self.black_wins));
        let count = self.games() as i64 + i64::from(self.scores) + Self::DOUBT;
        self.score_sum.saturating_add(results) / count
    }

    /// The value in five grades: an advantage from 60 centipawns on, a decisive one from 160.
    pub fn assessment(&self) -> Assessment {
        let value = self.value();
        let grade = match value.abs() {
            ..Self::ADVANTAGE => 0,
            Self::ADVANTAGE..Self::DECISIVE => 1,
            _ => 2,
        };
        if value < 0 { -grade } else { grade }
    }

    /// Whether these replies, added up, can all have come from games of this move.
    pub(super) fn covers(&self, replies: &Tally) -> bool {
        self.white_wins >= replies.white_wins
            && self.draws >= replies.draws
            && self.black_wins >= replies.black_wins
    }

    /// Whether its numbers can be those of games.
    pub(super) fn is_possible(&self) -> bool {
        let most = i64::from(self.scores) * Self::SCORE_MAX;
        u64::from(self.scores) <= self.games() && (-most..=most).contains(&self.score_sum)
    }

    /// Adds the results of another move.
    pub(super) fn add_results(&mut self, other: &Tally) {
        self.white_wins = self.white_wins.saturating_add(other.white_wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.black_wins = self.black_wins.saturating_add(other.black_wins);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_games_say_little_and_both_sides_count_alike() {
        let tally = |white_wins, draws, black_wins| Tally {
            white_wins,
            draws,
            black_wins,
            ..Tally::default()
        };
        for (white, draws, black, value, assessment) in [
            (0, 0, 0, 0, 0),
            (1, 0, 0, 66, 1),
            (1, 1, 0, 50, 0),
            (7, 0, 0, 155, 1),
            (8, 0, 0, 160, 2),
            (60, 20, 20, 78, 1),
        ] {
            assert_eq!(tally(white, draws, black).value(), value);
            assert_eq!(tally(white, draws, black).assessment(), assessment);
            assert_eq!(tally(black, draws, white).value(), -value);
            assert_eq!(tally(black, draws, white).assessment(), -assessment);
        }
    }

    #[test]
    fn scores_count_as_much_as_results() {
        let mut tally = Tally::default();
        tally.add(GameResult::WhiteWins, Some(40));
        assert_eq!((tally.value(), tally.assessment()), (60, 1));
        // A mate that was seen counts no more than three pawns.
        tally.add(GameResult::BlackWins, Some(-30_900));
        assert_eq!((tally.score_sum, tally.value()), (-260, -43));
        tally.add(GameResult::Draw, None);
        assert_eq!((tally.games(), tally.scores, tally.value()), (3, 2, -37));
        assert!(tally.is_possible());
    }
}
