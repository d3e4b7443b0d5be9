//! Elo after a sequential stop.
//!
//! A test that stops when the result looks good overstates it. The median-unbiased estimate asks
//! instead: for which Elo would an outcome worse than the observed one have probability one half?
//!
//! CITE: D. Siegmund, "Estimation following sequential tests"; fishtest's `sprt.py` by M. Van den
//! Bergh uses the same estimate.

use super::brownian::Brownian;
use super::{EloEstimate, Sample, normal_cdf, roots, score_of_elo, small_sample};

/// Estimates are clamped to ± this (logistic Elo).
const MOST_ELO: f64 = 1200.0;

/// Median-unbiased estimate of logistic Elo after a sequential test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SequentialEstimate {
    /// Median-unbiased logistic Elo with its interval.
    pub elo: EloEstimate,
    /// Likelihood of superiority, 0 to 1.
    pub likelihood_of_superiority: f64,
}

/// Estimates logistic Elo from a sample at which a test between the expected `scores` stopped, or
/// stands now, with the given `bounds` of the log-likelihood ratio. Estimates are clamped to ±1200.
pub fn estimate_after_stop(
    sample: &Sample,
    scores: (f64, f64),
    bounds: (f64, f64),
) -> SequentialEstimate {
    let path = ObservedRatio::new(sample, sample.variance(), scores, bounds);
    SequentialEstimate {
        elo: EloEstimate {
            value: path.elo_where(0.5),
            lower: path.elo_where(0.975),
            upper: path.elo_where(0.025),
        },
        likelihood_of_superiority: path.probability_of_worse(0.0),
    }
}

/// As [`estimate_after_stop`] with an interval that holds for few pairs, as in
/// `small_sample.rs`.
pub fn small_sample_estimate_after_stop(
    sample: &Sample,
    scores: (f64, f64),
    bounds: (f64, f64),
) -> SequentialEstimate {
    let value = ObservedRatio::new(sample, sample.variance(), scores, bounds).elo_where(0.5);
    let path = ObservedRatio::new(sample, sample.widened().variance(), scores, bounds);
    let confidence = small_sample::confidence(sample.total());
    SequentialEstimate {
        elo: EloEstimate {
            value,
            lower: path.elo_where(normal_cdf(confidence)).min(value),
            upper: path.elo_where(normal_cdf(-confidence)).max(value),
        },
        likelihood_of_superiority: path.probability_of_worse(0.0),
    }
}

/// Scores of hypotheses closer than this are the same but for rounding.
const LEAST_WIDTH: f64 = 1e-12;

/// A log-likelihood ratio as observed on its way between the bounds.
struct ObservedRatio {
    /// Bounds: lower (below 0) and upper.
    bounds: (f64, f64),
    /// Units played, and the ratio then; scaled back to the bound if beyond.
    time: f64,
    ratio: f64,
    /// Expected scores of the hypotheses.
    scores: (f64, f64),
    /// Mean and variance of the sample.
    mean: f64,
    variance: f64,
}

impl ObservedRatio {
    fn new(
        sample: &Sample,
        variance: f64,
        scores: (f64, f64),
        bounds: (f64, f64),
    ) -> ObservedRatio {
        let mean = sample.mean();
        let (width, middle) = (scores.1 - scores.0, 0.5 * (scores.0 + scores.1));
        let observed = sample.total() * width * (mean - middle) / variance;
        let ratio = observed.clamp(bounds.0, bounds.1);
        let is_between = ratio == observed || scores.1 - scores.0 < LEAST_WIDTH;
        let time = if is_between { sample.total() } else { sample.total() * ratio / observed };
        ObservedRatio { bounds, time, ratio, scores, mean, variance }
    }

    /// The Elo for which an outcome worse than the observed one has this probability.
    fn elo_where(&self, probability: f64) -> f64 {
        // The better the candidate, the less likely an outcome worse than the observed one.
        let excess = |elo| self.probability_of_worse(elo) - probability;
        // Counts so lopsided that every strength in reach explains them equally badly.
        match (excess(-MOST_ELO), excess(MOST_ELO)) {
            (low, _) if low < 0.0 => -MOST_ELO,
            (_, high) if high > 0.0 => MOST_ELO,
            _ => roots::between(excess, -MOST_ELO, MOST_ELO, 1e-9),
        }
    }

    /// Probability, given the true Elo, to be absorbed below or to be below the observed ratio.
    fn probability_of_worse(&self, elo: f64) -> f64 {
        let (score0, score1) = self.scores;
        let width = score1 - score0;
        // Under BayesElo nearly all draws make all hypotheses the same score. The test then never
        // stops, and the sample is one of a fixed size.
        if width < LEAST_WIDTH {
            let deviation = (self.variance / self.time).sqrt();
            return normal_cdf((self.mean - score_of_elo(elo)) / deviation);
        }
        let motion = Brownian {
            lower: self.bounds.0,
            upper: self.bounds.1,
            drift: (score_of_elo(elo) - 0.5 * (score0 + score1)) * width / self.variance,
            variance: width * width / self.variance,
        };
        motion.below(self.time, self.ratio)
    }
}
