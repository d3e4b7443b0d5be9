//! Elo scales and error bars.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Sample, normal_cdf};

/// 800 / ln 10: normalized Elo of a score one standard deviation of a game above one half.
///
/// So chosen that both scales agree for small differences when no game is drawn.
pub const ELO_PER_LOGIT: f64 = 347.435_585_522_601_46;

/// Half the width of a 95 % confidence interval, in standard deviations of a normal distribution.
pub const CONFIDENCE: f64 = 1.959_963_984_540_054;

/// Scores beyond this distance from 0 and 1 are clamped: an infinite Elo says nothing.
const SCORE_MARGIN: f64 = 1e-3;

/// A value with the half-width of its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimated value, in the unit of what is estimated.
    pub value: f64,
    /// Half-width of the 95 % confidence interval.
    #[schemars(range(min = 0))]
    pub error: f64,
}

impl Estimate {
    /// The value with both ends of its interval.
    pub fn interval(self) -> EloEstimate {
        let Estimate { value, error } = self;
        EloEstimate { value, lower: value - error, upper: value + error }
    }
}

/// Logistic Elo with its 95 % interval.
///
/// An interval has no end on a side where the score reaches 0 or 1 within it, as where one player won
/// all games. The number there, from ±1199.8 on, stands for infinity.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EloEstimate {
    /// Logistic Elo.
    pub value: f64,
    /// Lower end of the interval; -1199.8 or less if it has none.
    pub lower: f64,
    /// Upper end of the interval; 1199.8 or more if it has none.
    pub upper: f64,
}

impl EloEstimate {
    /// Ends from here on are none: about the Elo of a score of 0.999.
    const ENDLESS: f64 = 1199.8;

    /// True if the interval has an end on both sides.
    pub fn is_bounded(&self) -> bool {
        self.lower > -Self::ENDLESS && self.upper < Self::ENDLESS
    }
}

impl fmt::Display for EloEstimate {
    /// `+12.3 [+4.5, +20.1]`; where the interval has one end only, that: `above +400`. Its precision
    /// is the number of decimals, one if none is given.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &EloEstimate { value, lower, upper } = self;
        match (lower > -Self::ENDLESS, upper < Self::ENDLESS) {
            (true, true) => {
                let [value, lower, upper] =
                    [value, lower, upper].map(|elo| signed_elo(elo, f.precision().unwrap_or(1)));
                write!(f, "{value} [{lower}, {upper}]")
            }
            (true, false) => write!(f, "above {}", signed_elo(lower, 0)),
            (false, true) => write!(f, "below {}", signed_elo(upper, 0)),
            (false, false) => f.write_str("unknown"),
        }
    }
}

/// A number with its sign, unless it is rounded to zero.
fn signed_elo(elo: f64, decimals: usize) -> String {
    let text = format!("{elo:+.decimals$}");
    let is_zero = !text.contains(|letter| matches!(letter, '1'..='9'));
    if is_zero { text[1..].to_owned() } else { text }
}

/// Expected score of a player `elo` logistic Elo stronger, 0 to 1.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Logistic Elo of an expected score; the score is clamped to 0.001 to 0.999.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(SCORE_MARGIN, 1.0 - SCORE_MARGIN);
    400.0 * (score / (1.0 - score)).log10()
}

/// Logistic Elo of a sample with its error.
pub fn logistic_elo(sample: &Sample) -> Estimate {
    let mean = sample.mean();
    let spread = CONFIDENCE * (sample.variance() / sample.total()).sqrt();
    Estimate {
        value: elo_of_score(mean),
        error: (elo_of_score(mean + spread) - elo_of_score(mean - spread)) / 2.0,
    }
}

/// Normalized Elo of a sample with its error.
pub fn normalized_elo(sample: &Sample) -> Estimate {
    let games = sample.total() * sample.games_per_unit();
    Estimate {
        value: ELO_PER_LOGIT * (sample.mean() - 0.5) / sample.deviation_per_game(),
        error: ELO_PER_LOGIT * CONFIDENCE / games.sqrt(),
    }
}

/// Likelihood of superiority: the probability, 0 to 1, that the candidate is the stronger.
pub fn likelihood_of_superiority(sample: &Sample) -> f64 {
    normal_cdf((sample.mean() - 0.5) / (sample.variance() / sample.total()).sqrt())
}

/// The BayesElo model: a strength and how readily games are drawn, both in BayesElo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BayesElo {
    /// Strength of the candidate over the baseline.
    pub elo: f64,
    /// Draw parameter (`drawelo`): the greater, the more games are drawn.
    pub draw: f64,
}

impl BayesElo {
    /// The model that fits a sample of single games.
    ///
    /// # Panics
    /// If `games` is a sample of pairs: the model knows losses, draws and wins only.
    pub fn of_games(games: &Sample) -> BayesElo {
        let &[loss, draw, win] = games.shares() else { panic!("BayesElo needs single games") };
        // The sums keep what a difference from 1 would round away.
        let (not_lost, not_won) = (draw + win, loss + draw);
        BayesElo {
            elo: 200.0 * (win * not_lost / (loss * not_won)).log10(),
            draw: 200.0 * (not_lost * not_won / (loss * win)).log10(),
        }
    }

    /// Probabilities of loss, draw and win.
    pub fn probabilities(self) -> [f64; 3] {
        let win = score_of_elo(self.elo - self.draw);
        let loss = score_of_elo(-self.elo - self.draw);
        [loss, 1.0 - win - loss, win]
    }

    /// Expected score, 0 to 1.
    pub fn score(self) -> f64 {
        let [_, draw, win] = self.probabilities();
        win + draw / 2.0
    }
}

#[cfg(test)]
mod tests {
    use statrs::distribution::{ContinuousCDF, Normal};

    use super::*;

    #[test]
    fn an_interval_without_an_end_is_told_by_the_other() {
        let elo = |value, lower, upper| EloEstimate { value, lower, upper };
        assert_eq!(elo(12.34, -0.04, 25.0).to_string(), "+12.3 [0.0, +25.0]");
        assert_eq!(format!("{:.2}", elo(-12.345, -20.0, -0.5)), "-12.35 [-20.00, -0.50]");
        // All games won, all lost, and one of each.
        let all_won = EloEstimate { value: elo_of_score(1.0), lower: 402.6, upper: 1200.0 };
        assert_eq!(all_won.to_string(), "above +403");
        let end = elo_of_score(0.0);
        assert_eq!(elo(end, end, -401.0).to_string(), "below -401");
        assert_eq!(elo(0.0, end, -end).to_string(), "unknown");
        assert!(!all_won.is_bounded() && elo(700.0, 350.0, 1100.0).is_bounded());
    }

    #[test]
    fn the_interval_is_one_of_95_percent() {
        assert!((Normal::standard().inverse_cdf(0.975) - CONFIDENCE).abs() < 1e-12);
    }
}
