//! The best distribution with a given t-value: the distance of the mean from one half in standard
//! deviations, which is what normalized Elo states.

use super::likelihood::{multiplier, relative_likelihood, scores};

/// Relative log-likelihood per unit of the best distribution with (mean − ½) / deviation = `t`.
pub(super) fn best_likelihood<const N: usize>(shares: &[f64; N], t: f64) -> f64 {
    by_iteration(shares, t).unwrap_or_else(|| by_search(shares, t))
}

/// The best likelihood by repeated linearization of the constraint, or `None` if that diverges, as
/// it does for lopsided samples far from the hypothesis.
fn by_iteration<const N: usize>(shares: &[f64; N], t: f64) -> Option<f64> {
    const ITERATIONS: usize = 60;
    const TOLERANCE: f64 = 1e-10;
    let values = scores::<N>();
    let mut fitted = *shares;
    let (mut mean, mut deviation) = mean_and_deviation(&fitted);
    for _ in 0..ITERATIONS {
        let offsets = values.map(|value| {
            let distance = (value - mean) / deviation;
            value - 0.5 - 0.5 * t * deviation * (1.0 + distance * distance)
        });
        let theta = multiplier(shares, &offsets)?;
        let mut change = 0f64;
        for ((fit, share), offset) in fitted.iter_mut().zip(shares).zip(&offsets) {
            let next = share / (1.0 + theta * offset);
            change = change.max((next - *fit).abs());
            *fit = next;
        }
        if !change.is_finite() || fitted.iter().any(|&fit| fit <= 0.0) {
            return None;
        }
        (mean, deviation) = mean_and_deviation(&fitted);
        if change < TOLERANCE {
            // A fixed point satisfies the constraint; rounding near a pole may have spoilt it.
            let is_kept = (mean - 0.5 - t * deviation).abs() < 1e-7;
            return is_kept.then(|| relative_likelihood(shares, &offsets, theta));
        }
    }
    None
}

fn mean_and_deviation<const N: usize>(shares: &[f64; N]) -> (f64, f64) {
    let values = scores::<N>();
    let terms = || shares.iter().zip(&values);
    let mean: f64 = terms().map(|(share, value)| share * value).sum();
    let variance: f64 = terms().map(|(share, value)| share * (value - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// As [`best_likelihood`] where the iteration fails: the best over all deviations σ of the best
/// distribution with mean ½ + tσ and variance σ². The inner problem is convex, the outer one has
/// one dimension.
fn by_search<const N: usize>(shares: &[f64; N], t: f64) -> f64 {
    const STEPS: usize = 800;
    const REFINEMENTS: usize = 80;
    let value = |logarithm: f64| likelihood_at(shares, t, logarithm.exp());
    // Beyond this deviation no distribution on 0 to 1 has the mean the t-value asks for.
    let high = (0.5 / (1.0 + t * t).sqrt()).ln();
    let low = high - 14.0;
    let step = (high - low) / STEPS as f64;
    let best = (0..=STEPS)
        .map(|index| low + step * index as f64)
        .max_by(|&a, &b| value(a).total_cmp(&value(b)))
        .unwrap_or(high);
    // Golden-section search between the neighbors of the best point of the grid.
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (best - step, best + step);
    for _ in 0..REFINEMENTS {
        let inner_left = right - golden * (right - left);
        let inner_right = left + golden * (right - left);
        if value(inner_left) < value(inner_right) { left = inner_left } else { right = inner_right }
    }
    value(0.5 * (left + right)).max(value(best))
}

/// Log-likelihood per unit of the best distribution with mean ½ + tσ and variance σ²; −∞ if there
/// is none. Minimizes the convex dual −Σ share · ln(1 + λ·x) by damped Newton steps.
fn likelihood_at<const N: usize>(shares: &[f64; N], t: f64, deviation: f64) -> f64 {
    const STEPS: usize = 200;
    let mean = 0.5 + t * deviation;
    let variance = deviation * deviation;
    if !is_possible::<N>(mean, variance) {
        return f64::NEG_INFINITY;
    }
    // Both offsets in units of the deviation, for the conditioning of the Newton system.
    let offsets = scores::<N>().map(|value| {
        let distance = (value - mean) / deviation;
        [distance, distance * distance - 1.0]
    });
    let dual = |multipliers: [f64; 2]| -> f64 {
        let terms = shares.iter().zip(&offsets).map(|(share, offset)| {
            let factor = 1.0 + multipliers[0] * offset[0] + multipliers[1] * offset[1];
            if factor > 0.0 { -share * factor.ln() } else { f64::INFINITY }
        });
        terms.sum()
    };
    let mut multipliers = [0.0, 0.0];
    let mut value = 0.0;
    for _ in 0..STEPS {
        let (mut gradient, mut hessian) = ([0.0; 2], [0.0; 3]);
        for (share, offset) in shares.iter().zip(&offsets) {
            let factor = 1.0 + multipliers[0] * offset[0] + multipliers[1] * offset[1];
            let scaled = [offset[0] / factor, offset[1] / factor];
            gradient[0] -= share * scaled[0];
            gradient[1] -= share * scaled[1];
            hessian[0] += share * scaled[0] * scaled[0];
            hessian[1] += share * scaled[0] * scaled[1];
            hessian[2] += share * scaled[1] * scaled[1];
        }
        let determinant = hessian[0] * hessian[2] - hessian[1] * hessian[1];
        let step = [
            (hessian[1] * gradient[1] - hessian[2] * gradient[0]) / determinant,
            (hessian[1] * gradient[0] - hessian[0] * gradient[1]) / determinant,
        ];
        let decrement = -(step[0] * gradient[0] + step[1] * gradient[1]);
        if !decrement.is_finite() || decrement < 1e-18 {
            break;
        }
        let mut length = 1.0;
        let next = loop {
            let trial = [multipliers[0] + length * step[0], multipliers[1] + length * step[1]];
            let trial_value = dual(trial);
            if trial_value <= value - 0.25 * length * decrement {
                break Some((trial, trial_value));
            }
            length *= 0.5;
            if length < 1e-12 {
                break None;
            }
        };
        let Some((trial, trial_value)) = next else { break };
        (multipliers, value) = (trial, trial_value);
    }
    value
}

/// Can a distribution over the sample's scores have this mean and variance?
///
/// The variance is least when the mass sits on the two scores around the mean, and greatest when it
/// sits on 0 and 1.
fn is_possible<const N: usize>(mean: f64, variance: f64) -> bool {
    if !(mean > 0.0 && mean < 1.0) {
        return false;
    }
    let intervals = (N - 1) as f64;
    let below = (mean * intervals).floor() / intervals;
    let least = (mean - below) * (below + 1.0 / intervals - mean);
    variance > least && variance < mean * (1.0 - mean)
}
