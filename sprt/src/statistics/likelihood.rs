//! Exact generalized log-likelihood ratios.
//!
//! CITE: M. Van den Bergh, "A practical introduction to the GSPRT" and "The generalized maximum
//! likelihood ratio for the expectation value of a distribution"; his normalized Elo notes for the
//! test of a t-value.
//!
//! The likelihood of a hypothesis is that of the distribution which explains the sample best among
//! all that satisfy the hypothesis. Only the constrained optimum has to be found, once for each of
//! the two hypotheses.

use super::elo::{BayesElo, ELO_PER_LOGIT, score_of_elo};
use super::{Hypotheses, Model, Sample};

/// Log-likelihood ratio of two hypotheses in logistic Elo; 0 for an empty sample.
pub fn logistic(sample: &Sample, elo0: f64, elo1: f64) -> f64 {
    between_scores(sample, score_of_elo(elo0), score_of_elo(elo1))
}

/// Log-likelihood ratio of two hypotheses in BayesElo, the draw parameter taken from `games`.
///
/// `sample` may hold pairs or games; `games` must hold games. 0 for an empty sample.
pub fn bayes(sample: &Sample, games: &Sample, elo0: f64, elo1: f64) -> f64 {
    let draw = BayesElo::of_games(games).draw;
    let score = |elo| BayesElo { elo, draw }.score();
    between_scores(sample, score(elo0), score(elo1))
}

/// Log-likelihood ratio of two hypotheses in normalized Elo; 0 for an empty sample.
pub fn normalized(sample: &Sample, elo0: f64, elo1: f64) -> f64 {
    if sample.is_empty() {
        return 0.0;
    }
    let t_value = |elo: f64| elo / ELO_PER_LOGIT * sample.games_per_unit().sqrt();
    sample.total()
        * (best_likelihood(sample, t_value(elo1)) - best_likelihood(sample, t_value(elo0)))
}

/// Both hypotheses as expected scores, 0 to 1, given what has been counted.
pub(super) fn score_bounds(sample: &Sample, games: &Sample, hypotheses: &Hypotheses) -> (f64, f64) {
    let score = |elo: f64| match hypotheses.model {
        Model::Logistic => score_of_elo(elo),
        Model::Normalized => 0.5 + elo / ELO_PER_LOGIT * sample.deviation_per_game(),
        Model::Bayes => BayesElo { elo, draw: BayesElo::of_games(games).draw }.score(),
    };
    (score(hypotheses.elo0), score(hypotheses.elo1))
}

/// Log-likelihood ratio of two expected scores.
fn between_scores(sample: &Sample, score0: f64, score1: f64) -> f64 {
    if sample.is_empty() {
        return 0.0;
    }
    // Per unit, Σ share · ln(1 + θ(a − s)) is the log-likelihood lost by the constraint mean = s.
    let loss = |score: f64| -> f64 {
        // Beyond the possible scores no distribution fits; hypotheses so wild that their scores
        // round to 0 or 1 are judged as the closest that can be computed.
        let score = score.clamp(1e-12, 1.0 - 1e-12);
        let offsets: Vec<f64> = sample.points().map(|(value, _)| value - score).collect();
        let theta = multiplier(sample.shares(), &offsets).unwrap_or(0.0);
        let terms = sample.shares().iter().zip(&offsets);
        terms.map(|(share, offset)| share * (theta * offset).ln_1p()).sum()
    };
    sample.total() * (loss(score0) - loss(score1))
}

/// The root θ of Σ share · x / (1 + θx), or `None` if the offsets x do not lie on both sides of 0.
///
/// The sum falls from +∞ to −∞ between its poles, so that bisection cannot fail.
fn multiplier(shares: &[f64], offsets: &[f64]) -> Option<f64> {
    let most = offsets.iter().copied().fold(f64::MIN, f64::max);
    let least = offsets.iter().copied().fold(f64::MAX, f64::min);
    if !(most > 0.0 && least < 0.0 && most.is_finite() && least.is_finite()) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return Some(middle);
        }
        let slope: f64 = shares
            .iter()
            .zip(offsets)
            .map(|(share, offset)| share * offset / (1.0 + middle * offset))
            .sum();
        if slope > 0.0 { low = middle } else { high = middle }
    }
}

/// Log-likelihood per unit of the best distribution with (mean − ½) / deviation = `t`.
fn best_likelihood(sample: &Sample, t: f64) -> f64 {
    let likelihood = |fitted: &[f64]| -> f64 {
        sample.shares().iter().zip(fitted).map(|(share, fit)| share * fit.ln()).sum()
    };
    match fit_by_iteration(sample, t) {
        Some(fitted) => likelihood(&fitted),
        None => search_deviation(sample, t),
    }
}

/// The best distribution by repeated linearization of the constraint, or `None` if that diverges,
/// as it does for lopsided samples far from the hypothesis.
fn fit_by_iteration(sample: &Sample, t: f64) -> Option<Vec<f64>> {
    const ITERATIONS: usize = 60;
    const TOLERANCE: f64 = 1e-10;
    let classes = sample.shares().len();
    let mut fitted = vec![1.0 / classes as f64; classes];
    for _ in 0..ITERATIONS {
        let (mean, deviation) = mean_and_deviation(sample, &fitted);
        let offsets: Vec<f64> = (0..classes)
            .map(|class| {
                let value = sample.score(class);
                let distance = (value - mean) / deviation;
                value - 0.5 - 0.5 * t * deviation * (1.0 + distance * distance)
            })
            .collect();
        let theta = multiplier(sample.shares(), &offsets)?;
        let mut change = 0f64;
        for ((fit, share), offset) in fitted.iter_mut().zip(sample.shares()).zip(&offsets) {
            let next = share / (1.0 + theta * offset);
            change = change.max((next - *fit).abs());
            *fit = next;
        }
        if !change.is_finite() || fitted.iter().any(|&fit| fit <= 0.0) {
            return None;
        }
        if change < TOLERANCE {
            // A fixed point satisfies the constraint; rounding near a pole may have spoilt it.
            let (mean, deviation) = mean_and_deviation(sample, &fitted);
            return ((mean - 0.5 - t * deviation).abs() < 1e-7).then_some(fitted);
        }
    }
    None
}

fn mean_and_deviation(sample: &Sample, shares: &[f64]) -> (f64, f64) {
    let values = || shares.iter().enumerate().map(|(class, share)| (sample.score(class), share));
    let mean: f64 = values().map(|(value, share)| value * share).sum();
    let variance: f64 = values().map(|(value, share)| share * (value - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// As [`best_likelihood`] where the iteration fails: the best over all deviations σ of the best
/// distribution with mean ½ + tσ and variance σ². The inner problem is convex, the outer one has
/// one dimension.
fn search_deviation(sample: &Sample, t: f64) -> f64 {
    const STEPS: usize = 800;
    const REFINEMENTS: usize = 80;
    let value = |logarithm: f64| likelihood_at(sample, t, logarithm.exp());
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
fn likelihood_at(sample: &Sample, t: f64, deviation: f64) -> f64 {
    const STEPS: usize = 200;
    let mean = 0.5 + t * deviation;
    let variance = deviation * deviation;
    if !is_possible(sample, mean, variance) {
        return f64::NEG_INFINITY;
    }
    // Both offsets in units of the deviation, for the conditioning of the Newton system.
    let offsets: Vec<[f64; 2]> = (0..sample.shares().len())
        .map(|class| {
            let distance = (sample.score(class) - mean) / deviation;
            [distance, distance * distance - 1.0]
        })
        .collect();
    let dual = |multipliers: [f64; 2]| -> f64 {
        let terms = sample.shares().iter().zip(&offsets).map(|(share, offset)| {
            let factor = 1.0 + multipliers[0] * offset[0] + multipliers[1] * offset[1];
            if factor > 0.0 { -share * factor.ln() } else { f64::INFINITY }
        });
        terms.sum()
    };
    let mut multipliers = [0.0, 0.0];
    let mut value = 0.0;
    for _ in 0..STEPS {
        let (mut gradient, mut hessian) = ([0.0; 2], [0.0; 3]);
        for (share, offset) in sample.shares().iter().zip(&offsets) {
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
    let entropy: f64 = sample.shares().iter().map(|share| share * share.ln()).sum();
    entropy + value
}

/// Can a distribution over the sample's scores have this mean and variance?
///
/// The variance is least when the mass sits on the two scores around the mean, and greatest when it
/// sits on 0 and 1.
fn is_possible(sample: &Sample, mean: f64, variance: f64) -> bool {
    if !(mean > 0.0 && mean < 1.0) {
        return false;
    }
    let intervals = (sample.shares().len() - 1) as f64;
    let below = (mean * intervals).floor() / intervals;
    let least = (mean - below) * (below + 1.0 / intervals - mean);
    variance > least && variance < mean * (1.0 - mean)
}
