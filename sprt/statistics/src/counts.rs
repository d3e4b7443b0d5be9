//! Counts of outcomes of games and pairs, and the sample the formulas work on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Outcome of one game from the candidate's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameOutcome {
    /// The candidate lost.
    Loss,
    /// Half a point for each.
    Draw,
    /// The candidate won.
    Win,
}

impl GameOutcome {
    /// The same game from the other player's view.
    pub fn reversed(self) -> GameOutcome {
        match self {
            GameOutcome::Loss => GameOutcome::Win,
            GameOutcome::Draw => GameOutcome::Draw,
            GameOutcome::Win => GameOutcome::Loss,
        }
    }

    /// Points in halves: 0, 1, 2.
    pub(super) fn half_points(self) -> usize {
        match self {
            GameOutcome::Loss => 0,
            GameOutcome::Draw => 1,
            GameOutcome::Win => 2,
        }
    }
}

/// Outcomes of pairs from the candidate's view.
///
/// A win with a loss and two draws score the same and share a class in the test, but say different
/// things about the opening, so that they are counted apart.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairCounts {
    /// Pairs with two losses.
    pub loss_loss: u64,
    /// Pairs with a loss and a draw.
    pub loss_draw: u64,
    /// Pairs with a win and a loss.
    pub win_loss: u64,
    /// Pairs with two draws.
    pub draw_draw: u64,
    /// Pairs with a win and a draw.
    pub win_draw: u64,
    /// Pairs with two wins.
    pub win_win: u64,
}

impl PairCounts {
    /// Counts one more pair by the outcomes of its two games.
    pub fn add(&mut self, first: GameOutcome, second: GameOutcome) {
        self.add_times(first, second, 1);
    }

    /// Counts so many pairs alike.
    pub fn add_times(&mut self, first: GameOutcome, second: GameOutcome, pairs: u64) {
        use GameOutcome::{Draw, Loss, Win};
        let class = match (first, second) {
            (Loss, Loss) => &mut self.loss_loss,
            (Loss, Draw) | (Draw, Loss) => &mut self.loss_draw,
            (Win, Loss) | (Loss, Win) => &mut self.win_loss,
            (Draw, Draw) => &mut self.draw_draw,
            (Win, Draw) | (Draw, Win) => &mut self.win_draw,
            (Win, Win) => &mut self.win_win,
        };
        *class += pairs;
    }

    /// The sum of these pairs and others.
    pub fn plus(&self, other: &PairCounts) -> PairCounts {
        PairCounts {
            loss_loss: self.loss_loss + other.loss_loss,
            loss_draw: self.loss_draw + other.loss_draw,
            win_loss: self.win_loss + other.win_loss,
            draw_draw: self.draw_draw + other.draw_draw,
            win_draw: self.win_draw + other.win_draw,
            win_win: self.win_win + other.win_win,
        }
    }

    /// The same pairs from the view of the other player.
    pub fn reversed(&self) -> PairCounts {
        let &PairCounts { loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win } = self;
        PairCounts {
            loss_loss: win_win,
            loss_draw: win_draw,
            win_loss,
            draw_draw,
            win_draw: loss_draw,
            win_win: loss_loss,
        }
    }

    /// Fewer pairs than this say too little to print an Elo.
    pub const LEAST_FOR_ESTIMATES: u64 = 10;

    /// The text in place of estimates.
    pub const TOO_FEW: &str = "too few pairs to say: fewer than 10";

    /// True if there are too few pairs for estimates: whoever prints figures says so instead.
    pub fn are_too_few(&self) -> bool {
        self.pairs() < PairCounts::LEAST_FOR_ESTIMATES
    }

    /// Number of pairs, of two games each.
    pub fn pairs(&self) -> u64 {
        self.pentanomial().iter().sum()
    }

    /// Pairs by score: 0, ½, 1, 1½, 2 points.
    pub fn pentanomial(&self) -> [u64; 5] {
        [
            self.loss_loss,
            self.loss_draw,
            self.win_loss + self.draw_draw,
            self.win_draw,
            self.win_win,
        ]
    }

    /// Games by outcome: losses, draws, wins.
    pub fn trinomial(&self) -> [u64; 3] {
        [
            2 * self.loss_loss + self.loss_draw + self.win_loss,
            self.loss_draw + 2 * self.draw_draw + self.win_draw,
            self.win_loss + self.win_draw + 2 * self.win_win,
        ]
    }

    /// Pairs won over pairs lost; `None` when none was lost.
    pub fn pair_ratio(&self) -> Option<f64> {
        let lost = self.loss_loss + self.loss_draw;
        (lost > 0).then(|| (self.win_draw + self.win_win) as f64 / lost as f64)
    }

    /// Share of drawn games, 0 to 1; 0 when nothing was played.
    pub fn draw_ratio(&self) -> f64 {
        let [losses, draws, wins] = self.trinomial();
        draws as f64 / (losses + draws + wins).max(1) as f64
    }

    /// The sample of pairs, each scored from 0 to 1.
    pub fn sample(&self) -> Sample {
        Sample::of_pairs(self.pentanomial())
    }

    /// The sample of single games, for models that know games only.
    pub fn game_sample(&self) -> Sample {
        Sample::of_games(self.trinomial())
    }
}

/// A regularized sample: shares of the possible scores of a unit (a pair or a game).
///
/// Classes that were never seen get a thousandth of a unit, as fishtest and fastchess do, so that
/// every likelihood is finite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// Shares of the classes; unused ones are 0.
    shares: [f64; 5],
    classes: usize,
    total: f64,
    games_per_unit: f64,
    empty: bool,
}

impl Sample {
    /// The least count of a class.
    const LEAST: f64 = 1e-3;

    /// Sample of pairs by score: 0, ½, 1, 1½, 2 points.
    pub fn of_pairs(counts: [u64; 5]) -> Sample {
        Sample::regularized(&counts.map(|count| count as f64), 2.0)
    }

    /// Sample of single games: losses, draws, wins.
    pub fn of_games(counts: [u64; 3]) -> Sample {
        Sample::of_games_with_prior(counts, 0.0)
    }

    /// As [`Sample::of_games`] with `prior` games added to each class (cutechess adds ½).
    pub fn of_games_with_prior(counts: [u64; 3], prior: f64) -> Sample {
        Sample::regularized(&counts.map(|count| count as f64 + prior), 1.0)
    }

    fn regularized(counts: &[f64], games_per_unit: f64) -> Sample {
        let empty = counts.iter().all(|&count| count == 0.0);
        let least = |count: &f64| count.max(Sample::LEAST);
        let total: f64 = counts.iter().map(least).sum();
        let mut shares = [0.0; 5];
        for (share, count) in shares.iter_mut().zip(counts) {
            *share = least(count) / total;
        }
        Sample { shares, classes: counts.len(), total, games_per_unit, empty }
    }

    /// Share of each class, all above zero, in the order of the scores.
    pub fn shares(&self) -> &[f64] {
        &self.shares[..self.classes]
    }

    /// Score of a class, 0 to 1.
    pub fn score(&self, class: usize) -> f64 {
        class as f64 / (self.classes - 1) as f64
    }

    /// Scores of all classes with their shares.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.shares().iter().enumerate().map(|(class, &share)| (self.score(class), share))
    }

    /// Number of units (pairs or games), regularization included.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// Games in a unit: 2 for pairs, 1 for games.
    pub fn games_per_unit(&self) -> f64 {
        self.games_per_unit
    }

    /// The sample with half a unit lost and half a unit won added: no sample then varies so little
    /// that its mean would be known for certain.
    pub(super) fn widened(&self) -> Sample {
        const ADDED: f64 = 0.5;
        let total = self.total + 2.0 * ADDED;
        let mut shares = self.shares.map(|share| share * self.total / total);
        shares[0] += ADDED / total;
        shares[self.classes - 1] += ADDED / total;
        Sample { shares, total, ..*self }
    }

    /// True when nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// Mean score, 0 to 1.
    pub fn mean(&self) -> f64 {
        self.points().map(|(score, share)| score * share).sum()
    }

    /// Variance of a unit's score.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.points().map(|(score, share)| share * (score - mean).powi(2)).sum()
    }

    /// Standard deviation per game: what the score of one game would have were games independent.
    pub fn deviation_per_game(&self) -> f64 {
        (self.variance() * self.games_per_unit).sqrt()
    }
}
