//! Elo after a sequential stop.
//!
//! A test that stops when the result looks good overstates it. The median-unbiased estimate asks
//! instead: for which Elo would an outcome worse than the observed one have probability one half?
//!
//! CITE: D. Siegmund, "Estimation following sequential tests"; fishtest's `sprt.py` by M. Van den
//! Bergh uses the same estimate.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::{Sample, approximation, normal_cdf, roots, score_of_elo};

/// Median-unbiased estimate of logistic Elo after a sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SequentialEstimate {
    /// Median-unbiased logistic Elo.
    pub elo: f64,
    /// Lower end of the 95 % confidence interval.
    pub lower: f64,
    /// Upper end of the 95 % confidence interval.
    pub upper: f64,
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
    let path = Path::new(sample, scores, bounds);
    // The better the candidate, the less likely an outcome worse than the observed one.
    let elo_where = |probability: f64| {
        roots::between(|elo| path.probability_of_worse(elo) - probability, -1200.0, 1200.0, 1e-9)
    };
    SequentialEstimate {
        elo: elo_where(0.5),
        lower: elo_where(0.975),
        upper: elo_where(0.025),
        likelihood_of_superiority: path.probability_of_worse(0.0),
    }
}

/// The log-likelihood ratio as a Brownian motion between two absorbing bounds.
struct Path {
    /// Bounds: lower (below 0) and upper.
    lower: f64,
    upper: f64,
    /// Units played, and the ratio then; scaled back to the bound if beyond.
    time: f64,
    ratio: f64,
    /// Scores of the hypotheses and variance of the sample.
    scores: (f64, f64),
    variance: f64,
}

impl Path {
    fn new(sample: &Sample, scores: (f64, f64), (lower, upper): (f64, f64)) -> Path {
        let observed = approximation::logistic_by_variance(sample, scores.0, scores.1);
        let ratio = observed.clamp(lower, upper);
        let time =
            if ratio == observed { sample.total() } else { sample.total() * ratio / observed };
        Path { lower, upper, time, ratio, scores, variance: sample.variance() }
    }

    /// Probability, given the true Elo, to be absorbed below or to be below the observed ratio.
    fn probability_of_worse(&self, elo: f64) -> f64 {
        let (score0, score1) = self.scores;
        let width = score1 - score0;
        let drift = (score_of_elo(elo) - 0.5 * (score0 + score1)) * width / self.variance;
        let variance = width * width / self.variance;
        let span = self.upper - self.lower;
        let gamma = drift / variance;
        // The series converges slowly for short times and overflows for strong drifts; there the
        // far bound hardly matters and reflections of the free motion are exact enough.
        let reflected = variance * self.time / (span * span) < 0.01 || (gamma * span).abs() > 15.0;
        let probability = if reflected {
            self.by_reflection(drift, variance, gamma)
        } else {
            self.by_series(drift, variance, gamma, span)
        };
        probability.clamp(0.0, 1.0)
    }

    fn by_series(&self, drift: f64, variance: f64, gamma: f64, span: f64) -> f64 {
        const TERMS: usize = 1000;
        let start = -self.lower;
        let end = self.ratio - self.lower;
        let absorbed_below = if (gamma * span).abs() < 1e-8 {
            (span - start) / span
        } else {
            (2.0 * gamma * (span - start)).exp_m1() / (2.0 * gamma * span).exp_m1()
        };
        let rate =
            |n: f64| (n * PI / span).powi(2) * variance / 2.0 + drift * drift / (2.0 * variance);
        let scale = (-rate(1.0) * self.time + gamma * (end - start)).exp();
        let mut sum = 0.0;
        for n in 1..=TERMS {
            let n = n as f64;
            let decay = (-(rate(n) - rate(1.0)) * self.time).exp();
            let wave = n * PI * end / span;
            let amplitude = (2.0 * span * gamma * wave.sin() - 2.0 * PI * n * wave.cos())
                / ((span * gamma).powi(2) + (PI * n).powi(2));
            sum += decay * (n * PI * start / span).sin() * amplitude;
            if (scale * decay * amplitude).abs() < 1e-13 {
                break;
            }
        }
        absorbed_below + scale * sum
    }

    fn by_reflection(&self, drift: f64, variance: f64, gamma: f64) -> f64 {
        let deviation = (variance * self.time).sqrt();
        let (lower, upper) = (self.lower, self.upper);
        // e^x · Φ(z) where e^x may overflow while the product is at most 1.
        let weighted = |exponent: f64, z: f64| {
            let tail = normal_cdf(z);
            if tail > 0.0 { (exponent + tail.ln()).exp().min(1.0) } else { 0.0 }
        };
        let moved = drift * self.time;
        normal_cdf((self.ratio - moved) / deviation)
            + weighted(2.0 * gamma * lower, (2.0 * lower - self.ratio + moved) / deviation)
            - weighted(2.0 * gamma * upper, (self.ratio - moved - 2.0 * upper) / deviation)
    }
}
