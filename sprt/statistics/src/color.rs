//! Statistics of colors: White's advantage and how unfair the openings are.
//!
//! Let an opening give White the expected score ½ + w against an equal player, and let the candidate
//! add d to it with either color. White then scores ½ + w + d in the first game of a pair and
//! ½ + w − d in the second, plus chance that the two games do not share. So the mean product of both
//! games' distances from ½ estimates the mean of w² − d², and d is half the difference of their
//! means. The root of the mean of w² is the bias of the book: what an opening is unfair by, to
//! whichever side. It is 0 only if every opening is even; it is what makes pairs vary less than
//! single games would, because the opening's share cancels within a pair.
//!
//! CITE: fishtest shows the same "RMS bias" as the root of the difference of the variances of games
//! and of pairs per game, which is equal term for term.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::elo::{Estimate, elo_of_score};
use super::small_sample::{confidence, elo_of_spread};
use super::{GameOutcome, PairCounts};

/// Pairs by White's outcomes of both games. The candidate is White in the first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ColorCounts {
    /// `pairs[i][j]`: White lost, drew or won (0, 1, 2) the first game as i and the second as j.
    pairs: [[u64; 3]; 3],
}

impl ColorCounts {
    /// Counts one more pair by its outcomes from the candidate's view: first the game in which it
    /// is White, then that in which it is Black.
    pub fn add(&mut self, first: GameOutcome, second: GameOutcome) {
        self.pairs[first.half_points()][2 - second.half_points()] += 1;
    }

    /// `[i][j]`: pairs in which White lost, drew or won (0, 1, 2) the first game as i, in which the
    /// candidate is White, and the second as j.
    pub fn pairs(&self) -> [[u64; 3]; 3] {
        self.pairs
    }

    /// The same pairs from the candidate's view, without the colors.
    pub fn pair_counts(&self) -> PairCounts {
        use GameOutcome::{Draw, Loss, Win};
        const OUTCOMES: [GameOutcome; 3] = [Loss, Draw, Win];
        let mut counts = PairCounts::default();
        for (first, row) in self.pairs.iter().enumerate() {
            for (second, &pairs) in row.iter().enumerate() {
                counts.add_times(OUTCOMES[first], OUTCOMES[2 - second], pairs);
            }
        }
        counts
    }

    /// Pairs by White's points in both games together, in halves: 0 to 4.
    pub fn by_white_points(&self) -> [u64; 5] {
        let mut counts = [0; 5];
        for (first, row) in self.pairs.iter().enumerate() {
            for (second, &pairs) in row.iter().enumerate() {
                counts[first + second] += pairs;
            }
        }
        counts
    }

    /// White's games by outcome: losses, draws, wins.
    pub fn white_games(&self) -> [u64; 3] {
        let mut games = [0; 3];
        for (first, row) in self.pairs.iter().enumerate() {
            for (second, &pairs) in row.iter().enumerate() {
                games[first] += pairs;
                games[second] += pairs;
            }
        }
        games
    }

    /// White's advantage in logistic Elo with its error; `None` without pairs.
    ///
    /// The unit is the pair: an opening that is good for White is so in both games.
    pub fn white_advantage(&self) -> Option<Estimate> {
        let scores = self.by_white_points().into_iter().enumerate();
        let scores = scores.map(|(points, pairs)| (points as f64 / 4.0, pairs as f64));
        let (mean, spread) = mean_and_spread(scores, 0.0, 1.0)?;
        Some(elo_of_spread(mean, spread))
    }
}

/// Root mean square of what the openings give to a side, in logistic Elo.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct BookBias {
    /// The estimate; 0 when chance hides it.
    #[schemars(range(min = 0))]
    pub rms: f64,
    /// Lower end of the 95 % confidence interval.
    pub lower: f64,
    /// Upper end of the 95 % confidence interval.
    pub upper: f64,
}

impl BookBias {
    /// The bias of the openings of these pairs; `None` without pairs.
    ///
    /// Needs wins with losses apart from two draws: pairs counted as five classes give too little.
    /// The interval is wide where pairs are few: see
    /// [`small_sample_elo`](super::small_sample_elo). Beyond some 200 Elo between the players it is
    /// too narrow.
    pub fn of_pairs(counts: &PairCounts) -> Option<BookBias> {
        let advantage = {
            let [losses, draws, wins] = counts.trinomial().map(|games| games as f64);
            0.5 * (wins - losses) / (wins + draws + losses)
        };
        let &PairCounts { loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win } = counts;
        // For each class the product of White's distances from ½, and what the pair adds to the
        // square of the advantage (its first-order influence, of mean 2d², of which d² is due).
        let classes = [
            (loss_loss, -0.25 - advantage),
            (loss_draw, -0.5 * advantage),
            (win_loss, 0.25),
            (draw_draw, 0.0),
            (win_draw, 0.5 * advantage),
            (win_win, -0.25 + advantage),
        ];
        let classes = classes.into_iter().map(|(pairs, influence)| (influence, pairs as f64));
        let (mean, spread) = mean_and_spread(classes, -0.25, 0.25)?;
        let square = mean - advantage * advantage;
        let elo = |square: f64| elo_of_score(0.5 + square.max(0.0).sqrt());
        Some(BookBias {
            rms: elo(square),
            lower: elo(square - spread),
            upper: elo(square + spread),
        })
    }
}

/// Mean of weighted values with half the width of its 95 % confidence interval; `None` if all weights
/// are 0.
///
/// As for [`small_sample_elo`](super::small_sample_elo): the variance is that of the values with half
/// a value at each end of their range added, the quantile is Student's.
fn mean_and_spread(
    values: impl Iterator<Item = (f64, f64)> + Clone,
    least: f64,
    most: f64,
) -> Option<(f64, f64)> {
    let total: f64 = values.clone().map(|(_, weight)| weight).sum();
    if total == 0.0 {
        return None;
    }
    let mean = values.clone().map(|(value, weight)| value * weight).sum::<f64>() / total;
    let widened = || values.clone().chain([(least, 0.5), (most, 0.5)]);
    let center = widened().map(|(value, weight)| value * weight).sum::<f64>() / (total + 1.0);
    let square = |(value, weight): (f64, f64)| weight * (value - center).powi(2);
    let variance = widened().map(square).sum::<f64>() / (total + 1.0);
    Some((mean, confidence(total) * (variance / total).sqrt()))
}

#[cfg(test)]
mod tests {
    use GameOutcome::{Draw, Loss, Win};

    use super::*;

    #[test]
    fn colors_are_told_apart() {
        let mut counts = ColorCounts::default();
        let mut pairs = PairCounts::default();
        // White wins both; the candidate as White wins, as Black draws; White loses both.
        for (first, second) in [(Win, Loss), (Win, Draw), (Loss, Win), (Loss, Loss)] {
            counts.add(first, second);
            pairs.add(first, second);
        }
        assert_eq!(counts.pairs(), [[1, 0, 1], [0, 0, 0], [0, 1, 1]]);
        assert_eq!(counts.pair_counts(), pairs);
        assert_eq!(counts.white_games(), [3, 1, 4]);
    }

    #[test]
    fn a_book_of_known_bias() {
        // Half of the openings give White ½ + 0.1, the others ½ − 0.3, games are never drawn and
        // the candidate is 0.05 better: expected counts of 10,000 pairs.
        let mut counts = ColorCounts::default();
        for (white, pairs) in [(0.6f64, 5e3), (0.2, 5e3)] {
            let (first, second) = (white + 0.05, white - 0.05);
            for (outcome, p) in [(Win, first), (Loss, 1.0 - first)] {
                for (reversed, q) in [(Loss, second), (Win, 1.0 - second)] {
                    let times = (pairs * p * q).round() as u64;
                    (0..times).for_each(|_| counts.add(outcome, reversed));
                }
            }
        }
        let bias = BookBias::of_pairs(&counts.pair_counts()).expect("pairs");
        let rms = ((0.1f64.powi(2) + 0.3f64.powi(2)) / 2.0).sqrt();
        assert!((bias.rms - elo_of_score(0.5 + rms)).abs() < 0.1, "{bias:?}");
        assert!(bias.lower < bias.rms && bias.rms < bias.upper);
        let advantage = counts.white_advantage().expect("pairs");
        assert!((advantage.value - elo_of_score(0.4)).abs() < 0.1, "{advantage:?}");
    }

    #[test]
    fn the_error_of_four_pairs_by_hand() {
        let mut counts = ColorCounts::default();
        // White scores 1, ½, ½ and ¼.
        for (first, second) in [(Win, Loss), (Win, Win), (Draw, Draw), (Draw, Win)] {
            counts.add(first, second);
        }
        // With half a pair at either end: the mean is (2.25 + ½) / 5.
        let squares = [(1.0, 1.0), (0.5, 2.0), (0.25, 1.0), (0.0, 0.5), (1.0, 0.5)]
            .map(|(score, pairs): (f64, f64)| pairs * (score - 0.55).powi(2));
        let variance = squares.iter().sum::<f64>() / 5.0;
        // Student's quantile of three degrees of freedom.
        let expected = elo_of_spread(0.5625, 3.182_446_305 * (variance / 4.0).sqrt());
        let found = counts.white_advantage().expect("pairs");
        assert!((found.value - expected.value).abs() < 1e-9, "{found:?}");
        assert!((found.error - expected.error).abs() < 1e-6, "{found:?} {expected:?}");
    }

    #[test]
    fn bias_is_the_difference_of_variances() {
        let counts = PairCounts {
            loss_loss: 12,
            loss_draw: 100,
            win_loss: 90,
            draw_draw: 210,
            win_draw: 140,
            win_win: 25,
        };
        let difference =
            counts.game_sample().variance() - counts.sample().deviation_per_game().powi(2);
        let bias = BookBias::of_pairs(&counts).expect("pairs");
        assert!((bias.rms - elo_of_score(0.5 + difference.sqrt())).abs() < 1e-9);
        assert_eq!(BookBias::of_pairs(&PairCounts::default()), None);
    }
}
