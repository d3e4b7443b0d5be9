//! The log-likelihood ratio as a Brownian motion between two absorbing bounds.
//!
//! In a long test the ratio is a sum of many small independent steps. Its course between the bounds
//! then depends on drift and variance alone and is known in closed form. Real tests move in steps
//! and overshoot their bounds: they take a little longer and err a little less.
//!
//! CITE: D. R. Cox and H. D. Miller, "The Theory of Stochastic Processes", chapter 5, for the
//! series; fishtest's `brownian.py` by M. Van den Bergh uses the same forms.

use std::f64::consts::PI;

use super::{normal_cdf, roots};

/// A Brownian motion that starts at 0 and is absorbed at the bounds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Brownian {
    pub lower: f64,
    pub upper: f64,
    /// Mean change in a unit of time.
    pub drift: f64,
    /// Variance of the change in a unit of time.
    pub variance: f64,
}

impl Brownian {
    /// Probability to be absorbed below until `time`, or to be below `level` then without having
    /// been absorbed.
    pub fn below(&self, time: f64, level: f64) -> f64 {
        let span = self.upper - self.lower;
        let gamma = self.drift / self.variance;
        // The series converges slowly for short times and overflows for strong drifts; there the
        // far bound hardly matters and reflections of the free motion are exact enough.
        let is_short = self.variance * time / (span * span) < 0.01;
        let probability = if is_short || (gamma * span).abs() > 15.0 {
            self.by_reflection(time, level, gamma)
        } else {
            self.by_series(time, level, gamma, span)
        };
        probability.clamp(0.0, 1.0)
    }

    /// Probability to be absorbed below until `time`.
    pub fn absorbed_below(&self, time: f64) -> f64 {
        self.below(time, self.lower)
    }

    /// Probability to be absorbed above until `time`.
    pub fn absorbed_above(&self, time: f64) -> f64 {
        1.0 - self.below(time, self.upper)
    }

    /// Probability not to be absorbed until `time`.
    pub fn alive(&self, time: f64) -> f64 {
        (self.below(time, self.upper) - self.below(time, self.lower)).max(0.0)
    }

    /// Probability to be absorbed below at all.
    pub fn ever_absorbed_below(&self) -> f64 {
        let gamma = self.drift / self.variance;
        let (start, span) = (-self.lower, self.upper - self.lower);
        if (gamma * span).abs() < 1e-8 {
            self.upper / span
        } else if gamma > 0.0 {
            // e^(−2γ·start) times a ratio of which neither part overflows.
            (-2.0 * gamma * start).exp() * (-2.0 * gamma * self.upper).exp_m1()
                / (-2.0 * gamma * span).exp_m1()
        } else {
            (2.0 * gamma * self.upper).exp_m1() / (2.0 * gamma * span).exp_m1()
        }
    }

    /// Mean time until absorption.
    pub fn mean_time(&self) -> f64 {
        let span = self.upper - self.lower;
        if (self.drift / self.variance * span).abs() < 1e-6 {
            return -self.lower * self.upper / self.variance;
        }
        let below = self.ever_absorbed_below();
        (below * self.lower + (1.0 - below) * self.upper) / self.drift
    }

    /// Mean time until absorption or until `limit`, whichever comes first.
    pub fn mean_time_until(&self, limit: f64) -> f64 {
        // The mean of a time is the integral of the probability to be still going on, here by
        // Simpson's rule up to where next to nothing is left.
        const STEPS: usize = 1000;
        let end = limit.min(self.quantile(1.0 - 1e-7));
        let step = end / STEPS as f64;
        let weight = |index: usize| match index {
            0 | STEPS => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let sum: f64 = (0..=STEPS)
            .map(|index| {
                weight(index) * if index == 0 { 1.0 } else { self.alive(step * index as f64) }
            })
            .sum();
        sum * step / 3.0
    }

    /// Time until which it is absorbed with this probability, below 1.
    pub fn quantile(&self, probability: f64) -> f64 {
        let mut high = self.mean_time();
        while self.alive(high) > 1.0 - probability {
            high *= 2.0;
        }
        roots::between(|time| 1.0 - self.alive(time) - probability, 0.0, high, 1e-9 * high)
    }

    fn by_series(&self, time: f64, level: f64, gamma: f64, span: f64) -> f64 {
        const TERMS: usize = 1000;
        let start = -self.lower;
        let end = level - self.lower;
        let (drift, variance) = (self.drift, self.variance);
        let rate =
            |n: f64| (n * PI / span).powi(2) * variance / 2.0 + drift * drift / (2.0 * variance);
        let scale = (-rate(1.0) * time + gamma * (end - start)).exp();
        let mut sum = 0.0;
        for n in 1..=TERMS {
            let n = n as f64;
            let decay = (-(rate(n) - rate(1.0)) * time).exp();
            let wave = n * PI * end / span;
            let amplitude = (2.0 * span * gamma * wave.sin() - 2.0 * PI * n * wave.cos())
                / ((span * gamma).powi(2) + (PI * n).powi(2));
            sum += decay * (n * PI * start / span).sin() * amplitude;
            // Amplitudes are below 1 and may vanish for one wave only: what decays is the rest.
            if scale * decay < 1e-13 {
                break;
            }
        }
        self.ever_absorbed_below() + scale * sum
    }

    fn by_reflection(&self, time: f64, level: f64, gamma: f64) -> f64 {
        let deviation = (self.variance * time).sqrt();
        let (lower, upper) = (self.lower, self.upper);
        // e^x · Φ(z) where e^x may overflow while the product is at most 1.
        let weighted = |exponent: f64, z: f64| {
            let tail = normal_cdf(z);
            if tail > 0.0 { (exponent + tail.ln()).exp().min(1.0) } else { 0.0 }
        };
        let moved = self.drift * time;
        normal_cdf((level - moved) / deviation)
            + weighted(2.0 * gamma * lower, (2.0 * lower - level + moved) / deviation)
            - weighted(2.0 * gamma * upper, (level - moved - 2.0 * upper) / deviation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUND: f64 = 2.944_438_979_166_44;

    fn motion(drift: f64) -> Brownian {
        Brownian { lower: -BOUND, upper: BOUND, drift, variance: 1.0 }
    }

    #[test]
    fn long_times_give_the_errors_of_the_test() {
        // At the hypotheses the drift is half the variance, and α = β = 0.05.
        for (drift, below) in [(-0.5, 0.95), (0.0, 0.5), (0.5, 0.05)] {
            let motion = motion(drift);
            assert!((motion.ever_absorbed_below() - below).abs() < 1e-9);
            assert!((motion.absorbed_below(1000.0) - below).abs() < 1e-9);
            assert!((motion.absorbed_above(1000.0) - 1.0 + below).abs() < 1e-9);
        }
        // Twice 2.650 and 4.335, the pairs of a test in units of (Elo per t-value / width)².
        assert!((motion(0.5).mean_time() - 5.299_990).abs() < 1e-6);
        assert!((motion(0.0).mean_time() - BOUND * BOUND).abs() < 1e-9);
        assert!((motion(1e-9).mean_time() - BOUND * BOUND).abs() < 1e-5);
    }

    #[test]
    fn times_agree_with_each_other() {
        for drift in [-3.0, -0.5, 0.0, 0.2, 4.0] {
            let motion = motion(drift);
            let mean = motion.mean_time();
            assert!((motion.mean_time_until(1e6) / mean - 1.0).abs() < 1e-4, "{drift}");
            let quantile = motion.quantile(0.9);
            assert!((motion.alive(quantile) - 0.1).abs() < 1e-6, "{drift}");
            assert!(motion.mean_time_until(mean / 2.0) < mean / 2.0);
        }
    }

    #[test]
    fn both_forms_agree_where_both_hold() {
        let motion = motion(0.3);
        let span = 2.0 * BOUND;
        for level in [-BOUND, -1.0, 0.5, BOUND] {
            let series = motion.by_series(0.4, level, 0.3, span);
            let reflection = motion.by_reflection(0.4, level, 0.3);
            assert!((series - reflection).abs() < 1e-9, "{level}: {series} {reflection}");
        }
    }

    #[test]
    fn the_unit_of_time_does_not_matter() {
        for unit in [1e-6, 1e-3, 1e6] {
            for drift in [0.0, 0.3, -2.0] {
                let scaled = Brownian { variance: unit, ..motion(drift * unit) };
                let motion = motion(drift);
                for probability in [0.1, 0.5, 0.99] {
                    let ratio = scaled.quantile(probability) * unit / motion.quantile(probability);
                    assert!((ratio - 1.0).abs() < 1e-7, "{unit} {drift} {probability}: {ratio}");
                }
                let below = scaled.below(5.0 / unit, 1.0);
                assert!((below - motion.below(5.0, 1.0)).abs() < 1e-12, "{unit} {drift}");
            }
        }
    }

    #[test]
    fn fewer_are_alive_as_time_goes_by() {
        let span = 2.0 * BOUND;
        for drift in [-0.4, 0.0, 0.1] {
            let motion = motion(drift);
            let mut before = 1.0;
            for index in 1..=200 {
                let alive = motion.alive(span * span * f64::from(index) / 50.0);
                assert!(alive < before, "{drift} {index}: {alive} {before}");
                assert!(index < 50 || alive < 0.02, "{drift} {index}: {alive}");
                before = alive;
            }
        }
    }

    #[test]
    fn a_vanishing_term_does_not_end_the_series() {
        // Midway between the bounds every other wave is 0, the first among them.
        let motion = Brownian { lower: -1.0, upper: 3.0, drift: 0.0, variance: 1.0 };
        let [before, at, after] = [0.999, 1.0, 1.001].map(|level| motion.below(0.8, level));
        assert!((at - 0.5 * (before + after)).abs() < 1e-5, "{before} {at} {after}");
        let reflection = motion.by_reflection(0.8, 1.0, 0.0);
        assert!((at - reflection).abs() < 1e-4, "{at} {reflection}");
    }
}
