//! The sequential test: hypotheses, bounds, verdict.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    BookBias, EloEstimate, Estimate, Monitor, PairCounts, Sample, SequentialEstimate, likelihood,
    small_sample_elo, small_sample_estimate_after_stop, small_sample_normalized_elo,
    small_sample_superiority,
};

/// The scale of the hypotheses' Elo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Elo in units of the game's standard deviation: what can be resolved by a number of games.
    Normalized,
    /// The usual Elo of expected scores.
    Logistic,
    /// BayesElo; the draw parameter is estimated from the games.
    Bayes,
}

impl fmt::Display for Model {
    /// The name of its unit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Model::Normalized => "normalized Elo",
            Model::Logistic => "logistic Elo",
            Model::Bayes => "BayesElo",
        })
    }
}

/// What the sequential test decides between, and how sure it shall be.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hypotheses {
    /// Scale of `elo0` and `elo1`.
    pub model: Model,
    /// The candidate is rejected if its advantage seems to be this (Elo of the model).
    pub elo0: f64,
    /// The candidate is accepted if its advantage seems to be this (Elo of the model).
    pub elo1: f64,
    /// Probability of accepting a candidate whose advantage is `elo0`.
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub alpha: f64,
    /// Probability of rejecting a candidate whose advantage is `elo1`.
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub beta: f64,
}

impl Default for Hypotheses {
    fn default() -> Hypotheses {
        Hypotheses { model: Model::Normalized, elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 }
    }
}

/// Hypotheses that cannot be tested.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum HypothesesError {
    /// The bounds are equal or nearly so or reversed, or beyond what the scales can express.
    #[error(
        "elo0 must be below elo1 by {} or more and both within ±{} Elo; they are {elo0} and {elo1}",
        Hypotheses::LEAST_WIDTH,
        Hypotheses::MOST_ELO
    )]
    Bounds {
        /// The lower hypothesis, in Elo of the model.
        elo0: f64,
        /// The upper hypothesis, in Elo of the model.
        elo1: f64,
    },
    /// An error probability that is too small, or both together too near to 1.
    #[error(
        "alpha and beta must be {} or more and together {} or less; they are {alpha} and {beta}",
        Hypotheses::LEAST_ERROR,
        Hypotheses::MOST_ERRORS
    )]
    Errors {
        /// Error of the first kind.
        alpha: f64,
        /// Error of the second kind.
        beta: f64,
    },
}

impl Hypotheses {
    /// Hypotheses beyond this (Elo) are refused.
    pub const MOST_ELO: f64 = 2000.0;
    /// Hypotheses closer to each other than this (Elo) are refused: to tell them apart takes more
    /// than 10¹¹ pairs.
    pub const LEAST_WIDTH: f64 = 0.001;
    /// Error probabilities below this are refused.
    pub const LEAST_ERROR: f64 = 1e-9;
    /// Error probabilities of a larger sum are refused: at 1 the bounds meet, and nothing is tested.
    pub const MOST_ERRORS: f64 = 0.99;

    /// Checks that the test is possible.
    pub fn validate(&self) -> Result<(), HypothesesError> {
        let &Hypotheses { elo0, elo1, alpha, beta, .. } = self;
        // Comparisons are written so that a NaN fails them.
        // Hypotheses at the least distance are not refused for the rounding of their difference.
        let is_wide = elo1 - elo0 >= Self::LEAST_WIDTH * (1.0 - 1e-9);
        if !(is_wide && elo0 >= -Self::MOST_ELO && elo1 <= Self::MOST_ELO) {
            return Err(HypothesesError::Bounds { elo0, elo1 });
        }
        let are_possible = alpha >= Self::LEAST_ERROR && beta >= Self::LEAST_ERROR;
        if !(are_possible && alpha + beta <= Self::MOST_ERRORS) {
            return Err(HypothesesError::Errors { alpha, beta });
        }
        Ok(())
    }

    /// Log-likelihood ratio at or below which the candidate is rejected.
    pub fn lower_bound(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// Log-likelihood ratio at or above which the candidate is accepted.
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// Log-likelihood ratio of the upper hypothesis against the lower one; 0 for empty samples.
    ///
    /// `sample` holds pairs or games, `games` the same as games (for the draws of BayesElo).
    pub fn log_likelihood_ratio(&self, sample: &Sample, games: &Sample) -> f64 {
        match self.model {
            Model::Normalized => likelihood::normalized(sample, self.elo0, self.elo1),
            Model::Logistic => likelihood::logistic(sample, self.elo0, self.elo1),
            Model::Bayes => likelihood::bayes(sample, games, self.elo0, self.elo1),
        }
    }

    /// The estimate of a sample at which this test stopped, or stands now, between these bounds of the
    /// ratio, or of a sample whose size was fixed, if there are none. Its interval holds for few pairs.
    /// `sample` holds pairs or games, `games` the same as games.
    pub fn estimate(
        &self,
        sample: &Sample,
        games: &Sample,
        bounds: Option<(f64, f64)>,
    ) -> SequentialEstimate {
        match bounds {
            Some(bounds) => {
                let scores = likelihood::score_bounds(sample, games, self);
                small_sample_estimate_after_stop(sample, scores, bounds)
            }
            None => SequentialEstimate {
                elo: small_sample_elo(sample).interval(),
                likelihood_of_superiority: small_sample_superiority(sample),
            },
        }
    }

    /// The verdict of a log-likelihood ratio.
    pub fn verdict(&self, log_likelihood_ratio: f64) -> Verdict {
        if log_likelihood_ratio >= self.upper_bound() {
            Verdict::Accepted
        } else if log_likelihood_ratio <= self.lower_bound() {
            Verdict::Rejected
        } else {
            Verdict::Undecided
        }
    }
}

/// What the test says of the candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The upper hypothesis is accepted.
    Accepted,
    /// The lower hypothesis is accepted.
    Rejected,
    /// Neither, yet.
    Undecided,
}

/// What a sample says of the candidate, with errors that hold for few pairs too: see
/// [`small_sample_elo`].
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Figures {
    /// Log-likelihood ratio of the test.
    pub log_likelihood_ratio: f64,
    /// What it decides.
    pub verdict: Verdict,
    /// Logistic Elo with its 95 % interval: median-unbiased, taking the stopping rule into account,
    /// if there is one.
    pub elo: EloEstimate,
    /// Likelihood of superiority, 0 to 1, taking the stopping rule into account.
    #[schemars(range(min = 0, max = 1))]
    pub likelihood_of_superiority: f64,
    /// Logistic Elo as if the number of pairs had been fixed: too far out after an early stop.
    pub elo_if_fixed: Estimate,
    /// Normalized Elo, as if the number of pairs had been fixed.
    pub normalized_elo: Estimate,
}

impl Figures {
    /// Computes all figures. `sample` holds pairs or games, `games` the same as games.
    pub fn new(sample: &Sample, games: &Sample, hypotheses: &Hypotheses) -> Figures {
        let bounds = (hypotheses.lower_bound(), hypotheses.upper_bound());
        Figures::with_bounds(sample, games, hypotheses, Some(bounds))
    }

    /// As [`Figures::new`] for a test with these bounds, or of a fixed size, if there are none.
    pub fn with_bounds(
        sample: &Sample,
        games: &Sample,
        hypotheses: &Hypotheses,
        bounds: Option<(f64, f64)>,
    ) -> Figures {
        let log_likelihood_ratio = hypotheses.log_likelihood_ratio(sample, games);
        let stopped = hypotheses.estimate(sample, games, bounds);
        Figures {
            log_likelihood_ratio,
            verdict: hypotheses.verdict(log_likelihood_ratio),
            elo: stopped.elo,
            likelihood_of_superiority: stopped.likelihood_of_superiority,
            elo_if_fixed: small_sample_elo(sample),
            normalized_elo: small_sample_normalized_elo(sample),
        }
    }
}

/// All figures of a match.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Assessment {
    /// What was counted.
    pub counts: PairCounts,
    /// What it says of the candidate.
    #[serde(flatten)]
    pub figures: Figures,
    /// Pairs won over pairs lost; `None` when none was lost.
    #[schemars(range(min = 0))]
    pub pair_ratio: Option<f64>,
    /// Share of drawn games, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub draw_ratio: f64,
    /// Bias of the openings; `None` before the first pair.
    #[serde(default)]
    pub book_bias: Option<BookBias>,
}

impl Assessment {
    /// Computes all figures of a test that looks at every pair and corrects nothing.
    pub fn new(counts: PairCounts, hypotheses: &Hypotheses) -> Assessment {
        let bounds = (hypotheses.lower_bound(), hypotheses.upper_bound());
        Assessment::with_bounds(counts, hypotheses, Some(bounds))
    }

    /// Computes all figures of a test with these bounds, or of a fixed number of pairs, if there are
    /// none.
    pub fn with_bounds(
        counts: PairCounts,
        hypotheses: &Hypotheses,
        bounds: Option<(f64, f64)>,
    ) -> Assessment {
        let (sample, games) = (counts.sample(), counts.game_sample());
        Assessment {
            counts,
            figures: Figures::with_bounds(&sample, &games, hypotheses, bounds),
            pair_ratio: counts.pair_ratio(),
            draw_ratio: counts.draw_ratio(),
            book_bias: BookBias::of_pairs(&counts),
        }
    }

    /// Computes all figures of a test as its monitor saw it: with its verdict and its ratio, which
    /// is that of the last full batch, and for the estimates with its bounds. Where all pairs were to
    /// be played, there is no stopping rule to take into account.
    pub fn of_monitor(monitor: &Monitor) -> Assessment {
        let bounds = monitor.stops().then(|| monitor.bounds());
        let mut assessment =
            Assessment::with_bounds(monitor.counts(), monitor.hypotheses(), bounds);
        assessment.figures.log_likelihood_ratio = monitor.log_likelihood_ratio();
        assessment.figures.verdict = monitor.verdict();
        assessment
    }
}

impl std::ops::Deref for Assessment {
    type Target = Figures;

    fn deref(&self) -> &Figures {
        &self.figures
    }
}
