//! The sequential test: hypotheses, bounds, verdict.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::elo::{BayesElo, ELO_PER_LOGIT, score_of_elo};
use super::{
    Sample, SequentialEstimate, likelihood, small_sample_elo, small_sample_estimate_after_stop,
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
                small_sample_estimate_after_stop(sample, self.scores(sample, games), bounds)
            }
            None => SequentialEstimate {
                elo: small_sample_elo(sample).interval(),
                likelihood_of_superiority: small_sample_superiority(sample),
            },
        }
    }

    /// Both hypotheses as expected scores, 0 to 1, given what has been counted.
    fn scores(&self, sample: &Sample, games: &Sample) -> (f64, f64) {
        let score = |elo: f64| match self.model {
            Model::Logistic => score_of_elo(elo),
            Model::Normalized => 0.5 + elo / ELO_PER_LOGIT * sample.deviation_per_game(),
            Model::Bayes => BayesElo { elo, draw: BayesElo::of_games(games).draw }.score(),
        };
        (score(self.elo0), score(self.elo1))
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
