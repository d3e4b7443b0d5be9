//! How the pairs of two players are distributed, and how that shifts with their strength.

use thiserror::Error;

use super::elo::{BayesElo, ELO_PER_LOGIT, elo_of_score, score_of_elo};
use super::{BookBias, Model, PairCounts, roots};

/// Probabilities of the outcomes of a pair from the candidate's view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairDistribution {
    /// LL, LD, WL, DD, WD, WW.
    shares: [f64; 6],
}

/// A distribution that cannot be.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum DistributionError {
    /// All pairs scored the same: there is nothing to shift.
    #[error("all pairs have the same score: a test needs pairs that vary")]
    Constant,
    /// A draw ratio outside 0 to 1, or a bias that leaves no room for it.
    #[error(
        "a draw ratio of {draw_ratio} is out of reach when openings give {bias} Elo to one side: it \
         must be from 0 to below {:.3}",
        PairDistribution::most_drawn(*bias)
    )]
    DrawRatio {
        /// Share of drawn games.
        draw_ratio: f64,
        /// Bias of the openings in Elo.
        bias: f64,
    },
    /// No distribution over these outcomes is that strong.
    #[error("{elo} Elo is out of reach of a distribution over these outcomes")]
    OutOfReach {
        /// The strength asked for (Elo of the model).
        elo: f64,
    },
}

impl Default for PairDistribution {
    /// Equal players with a balanced book at a fast time control: 67.6 % drawn games, 72 Elo bias
    /// of the openings. The base of fishtest's simulations.
    fn default() -> PairDistribution {
        PairDistribution { shares: [0.0159, 0.2190, 0.0731, 0.4571, 0.2190, 0.0159] }
    }
}

impl PairDistribution {
    /// Points of the outcomes, as a share of two.
    const SCORES: [f64; 6] = [0.0, 0.25, 0.5, 0.5, 0.75, 1.0];

    /// The shares that were counted.
    ///
    /// # Errors
    /// [`DistributionError::Constant`] unless there are two different scores.
    pub fn of_counts(counts: &PairCounts) -> Result<PairDistribution, DistributionError> {
        if counts.pentanomial().iter().filter(|&&pairs| pairs > 0).count() < 2 {
            return Err(DistributionError::Constant);
        }
        let &PairCounts { loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win } = counts;
        let pairs = counts.pairs() as f64;
        let shares = [loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win];
        Ok(PairDistribution { shares: shares.map(|count| count as f64 / pairs) })
    }

    /// Equal players of whom this share of games is drawn (0 to 1), with openings that all give the
    /// same number of Elo to one side, half of them to White and half to Black.
    ///
    /// # Errors
    /// [`DistributionError::DrawRatio`] if the openings' favorite would not win often enough.
    pub fn of_draw_ratio(
        draw_ratio: f64,
        bias: f64,
    ) -> Result<PairDistribution, DistributionError> {
        let is_possible = draw_ratio >= 0.0 && draw_ratio < Self::most_drawn(bias);
        if !is_possible {
            return Err(DistributionError::DrawRatio { draw_ratio, bias });
        }
        // The candidate has the favored side once.
        let (decided, tilt) = ((1.0 - draw_ratio) / 2.0, score_of_elo(bias) - 0.5);
        let (often, seldom) = (decided + tilt, decided - tilt);
        let shares = [
            often * seldom,
            draw_ratio * (often + seldom),
            often * often + seldom * seldom,
            draw_ratio * draw_ratio,
            draw_ratio * (often + seldom),
            often * seldom,
        ];
        Ok(PairDistribution { shares })
    }

    /// The usual advantage that openings give to one side: 72 Elo, or where so many draws leave
    /// little room for that, three quarters of the score there can be.
    pub fn usual_bias(draw_ratio: f64) -> f64 {
        const USUAL: f64 = 72.0;
        let decided = (1.0 - draw_ratio).clamp(0.0, 1.0) / 2.0;
        elo_of_score(0.5 + 0.75 * decided).min(USUAL)
    }

    /// The share of drawn games from which on openings cannot give so many Elo to one side.
    fn most_drawn(bias: f64) -> f64 {
        1.0 - 2.0 * (score_of_elo(bias) - 0.5).abs()
    }

    /// Probabilities of LL, LD, WL, DD, WD, WW.
    pub fn shares(&self) -> [f64; 6] {
        self.shares
    }

    /// Mean score, 0 to 1.
    pub fn mean(&self) -> f64 {
        self.shares.iter().zip(Self::SCORES).map(|(share, score)| share * score).sum()
    }

    /// Variance of a pair's score as a share of two points.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        let terms = self.shares.iter().zip(Self::SCORES);
        terms.map(|(share, score)| share * (score - mean).powi(2)).sum()
    }

    /// Distance of the mean from ½ in standard deviations of a pair.
    pub fn t_value(&self) -> f64 {
        (self.mean() - 0.5) / self.variance().sqrt()
    }

    /// Share of drawn games, 0 to 1.
    pub fn draw_ratio(&self) -> f64 {
        let [_, loss_draw, _, draw_draw, win_draw, _] = self.shares;
        draw_draw + 0.5 * (loss_draw + win_draw)
    }

    /// Bias of the openings in logistic Elo.
    pub fn book_bias(&self) -> f64 {
        // As counts so large that rounding does not show.
        let [loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win] =
            self.shares.map(|share| (share * 1e12).round() as u64);
        let counts = PairCounts { loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win };
        BookBias::of_pairs(&counts).map_or(0.0, |bias| bias.rms)
    }

    /// Expected score, 0 to 1, of a candidate so many Elo of the model stronger; the draw parameter
    /// of BayesElo is that of this distribution's games. Not a number if one side wins none of them.
    pub(super) fn bayes_score(&self, elo: f64) -> f64 {
        let [loss_loss, loss_draw, win_loss, _, win_draw, win_win] = self.shares;
        // Summed by themselves, since a difference from 1 would be rounded where nothing is left.
        let win = win_win + 0.5 * (win_loss + win_draw);
        let loss = loss_loss + 0.5 * (loss_draw + win_loss);
        if win <= 0.0 || loss <= 0.0 {
            return f64::NAN;
        }
        let draw = 200.0 * ((1.0 - loss) * (1.0 - win) / (loss * win)).log10();
        BayesElo { elo, draw }.score()
    }

    /// The same players with the candidate `elo` stronger in all, in Elo of the model.
    ///
    /// Shares are multiplied by e^(λ · score) and made to sum to 1 again, with the one λ that gives
    /// the strength (exponential tilting): of all distributions of that strength it is the one
    /// closest to this, by Kullback–Leibler divergence. Outcomes of equal score keep their ratio.
    ///
    /// # Errors
    /// [`DistributionError::OutOfReach`] if no such distribution exists.
    pub fn shifted(&self, model: Model, elo: f64) -> Result<PairDistribution, DistributionError> {
        const MOST_TILT: f64 = 300.0;
        const TOLERANCE: f64 = 1e-9;
        let target = match model {
            Model::Normalized => elo / ELO_PER_LOGIT * 2f64.sqrt(),
            Model::Logistic => score_of_elo(elo),
            Model::Bayes => self.bayes_score(elo),
        };
        let miss = |tilt: f64| {
            let tilted = self.tilted(tilt);
            target - if model == Model::Normalized { tilted.t_value() } else { tilted.mean() }
        };
        let tilt = roots::between(miss, -MOST_TILT, MOST_TILT, 1e-14);
        let missed = miss(tilt);
        if missed.abs() < TOLERANCE {
            Ok(self.tilted(tilt))
        } else {
            Err(DistributionError::OutOfReach { elo })
        }
    }

    fn tilted(&self, tilt: f64) -> PairDistribution {
        let mut shares = self.shares;
        for (share, score) in shares.iter_mut().zip(Self::SCORES) {
            *share *= (tilt * (score - 0.5)).exp();
        }
        let total: f64 = shares.iter().sum();
        PairDistribution { shares: shares.map(|share| share / total) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sample;
    use super::*;

    #[test]
    fn tilting_reaches_the_strength_on_each_scale() {
        let base = PairDistribution::default();
        assert!((base.mean() - 0.5).abs() < 1e-12);
        let normalized = base.shifted(Model::Normalized, 20.0).expect("in reach");
        let expected = 20.0 / ELO_PER_LOGIT * 2f64.sqrt();
        assert!((normalized.t_value() - expected).abs() < 1e-9);
        let logistic = base.shifted(Model::Logistic, -35.0).expect("in reach");
        assert!((logistic.mean() - score_of_elo(-35.0)).abs() < 1e-9);
        // Outcomes of equal score keep their ratio.
        let [.., win_loss, draw_draw, _, _] = logistic.shares();
        assert!((win_loss / draw_draw - 0.0731 / 0.4571).abs() < 1e-12);
        let counts = PairCounts { draw_draw: 90, win_draw: 10, ..PairCounts::default() };
        let never_loses = PairDistribution::of_counts(&counts).expect("two scores");
        let weaker = never_loses.shifted(Model::Logistic, -50.0);
        assert_eq!(weaker, Err(DistributionError::OutOfReach { elo: -50.0 }));
        assert!(PairDistribution::of_counts(&PairCounts::default()).is_err());
    }

    #[test]
    fn the_default_is_that_of_its_draws_and_bias() {
        let base = PairDistribution::default();
        assert!((base.draw_ratio() - 0.6761).abs() < 1e-4);
        assert!((base.book_bias() - 71.6).abs() < 0.1, "{}", base.book_bias());
        let made = PairDistribution::of_draw_ratio(base.draw_ratio(), base.book_bias());
        let made = made.expect("possible");
        for (share, expected) in made.shares().iter().zip(base.shares()) {
            assert!((share - expected).abs() < 2e-4, "{made:?}");
        }
        assert!(PairDistribution::of_draw_ratio(0.9, 72.0).is_err());
        // Half of the share of decided games is what openings can give at most.
        assert_eq!(PairDistribution::usual_bias(0.5), 72.0);
        // As where games were counted.
        assert_eq!(PairDistribution::usual_bias(0.676), 72.0);
        assert!((PairDistribution::usual_bias(0.9) - elo_of_score(0.5375)).abs() < 1e-9);
        assert!(PairDistribution::usual_bias(1.0).abs() < 1e-9);
        assert!(PairDistribution::of_draw_ratio(f64::NAN, 0.0).is_err());
    }

    #[test]
    fn bayes_elo_keeps_the_draws_of_the_base() {
        let base = PairDistribution::default();
        let shifted = base.shifted(Model::Bayes, 10.0).expect("in reach");
        assert!((shifted.mean() - base.bayes_score(10.0)).abs() < 1e-9);
        assert!((base.bayes_score(0.0) - 0.5).abs() < 1e-12);
        // The draw parameter is that of the games, here [losses, draws, wins].
        let lopsided =
            PairCounts { loss_draw: 30, win_draw: 50, win_win: 20, ..Default::default() };
        let lopsided = PairDistribution::of_counts(&lopsided).expect("different scores");
        for (base, games) in [(base, [16_195, 67_610, 16_195]), (lopsided, [30, 80, 90])] {
            let draw = BayesElo::of_games(&Sample::of_games(games)).draw;
            for elo in [-50.0, 0.0, 10.0, 300.0] {
                let expected = BayesElo { elo, draw }.score();
                assert!((base.bayes_score(elo) - expected).abs() < 1e-9, "{games:?} {elo}");
            }
        }
        // One that never loses has no such parameter.
        for [draw_draw, win_draw, win_win] in [[90, 10, 0], [7, 2, 1], [1, 1, 1]] {
            let counts = PairCounts { draw_draw, win_draw, win_win, ..Default::default() };
            let base = PairDistribution::of_counts(&counts).expect("different scores");
            let shifted = base.shifted(Model::Bayes, 5.0);
            assert_eq!(shifted, Err(DistributionError::OutOfReach { elo: 5.0 }), "{counts:?}");
        }
    }
}
