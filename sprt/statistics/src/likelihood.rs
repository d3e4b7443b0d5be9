//! Exact generalized log-likelihood ratios.
//!
//! CITE: M. Van den Bergh, "A practical introduction to the GSPRT" and "The generalized maximum
//! likelihood ratio for the expectation value of a distribution"; his normalized Elo notes for the
//! test of a t-value.
//!
//! The likelihood of a hypothesis is that of the distribution which explains the sample best among
//! all that satisfy the hypothesis. Only the constrained optimum has to be found, once for each of
//! the two hypotheses. Likelihoods are given per unit and relative to the best distribution without
//! any constraint, which is the sample itself.

use super::elo::{BayesElo, ELO_PER_LOGIT, score_of_elo};
use super::{Hypotheses, Model, Sample, deviation};

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
    let relative = |t: f64| match by_classes(sample) {
        Classes::Games(shares) => deviation::best_likelihood(shares, t),
        Classes::Pairs(shares) => deviation::best_likelihood(shares, t),
    };
    sample.total() * (relative(t_value(elo1)) - relative(t_value(elo0)))
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

/// The shares with their number known to the compiler: this is the inner loop of simulations.
enum Classes<'sample> {
    Games(&'sample [f64; 3]),
    Pairs(&'sample [f64; 5]),
}

fn by_classes(sample: &Sample) -> Classes<'_> {
    match sample.shares().try_into() {
        Ok(pairs) => Classes::Pairs(pairs),
        Err(_) => {
            Classes::Games(sample.shares().try_into().expect("a sample of games or of pairs"))
        }
    }
}

/// Log-likelihood ratio of two expected scores.
fn between_scores(sample: &Sample, score0: f64, score1: f64) -> f64 {
    if sample.is_empty() {
        return 0.0;
    }
    let relative = |score: f64| match by_classes(sample) {
        Classes::Games(shares) => with_mean(shares, score),
        Classes::Pairs(shares) => with_mean(shares, score),
    };
    sample.total() * (relative(score1) - relative(score0))
}

/// Relative log-likelihood per unit of the best distribution with this mean.
fn with_mean<const N: usize>(shares: &[f64; N], score: f64) -> f64 {
    // Beyond the possible scores no distribution fits; hypotheses so wild that their scores
    // round to 0 or 1 are judged as the closest that can be computed.
    let score = score.clamp(1e-12, 1.0 - 1e-12);
    let offsets = scores::<N>().map(|value| value - score);
    relative_likelihood(shares, &offsets, multiplier(shares, &offsets).unwrap_or(0.0))
}

/// The scores of the classes, from 0 to 1.
pub(super) fn scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|class| class as f64 / (N - 1) as f64)
}

/// Relative log-likelihood per unit of the distribution share / (1 + θ · offset).
pub(super) fn relative_likelihood<const N: usize>(
    shares: &[f64; N],
    offsets: &[f64; N],
    theta: f64,
) -> f64 {
    let terms = shares.iter().zip(offsets);
    -terms.map(|(share, offset)| share * (theta * offset).max(LEAST_PRODUCT).ln_1p()).sum::<f64>()
}

/// Least value of θ · offset: among 10¹⁵ pairs the multiplier of a class that never occurred is
/// closer to its pole than a number can tell.
pub(super) const LEAST_PRODUCT: f64 = -1.0 + f64::EPSILON / 2.0;

/// The root θ of Σ share · x / (1 + θx), or `None` if the offsets x do not lie on both sides of 0.
///
/// The sum falls from +∞ to −∞ between its poles: Newton's steps are taken where they lead less than
/// half way through what is known of the root, and halvings otherwise, so that nothing can fail.
pub(super) fn multiplier<const N: usize>(shares: &[f64; N], offsets: &[f64; N]) -> Option<f64> {
    let most = offsets.iter().copied().fold(f64::MIN, f64::max);
    let least = offsets.iter().copied().fold(f64::MAX, f64::min);
    if !(most > 0.0 && least < 0.0 && most.is_finite() && least.is_finite()) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    // The sample itself, θ = 0, is close to the root in a long test.
    let mut theta = 0.0;
    loop {
        let (mut value, mut slope) = (0.0, 0.0);
        for (share, offset) in shares.iter().zip(offsets) {
            let scaled = offset / (1.0 + theta * offset);
            value += share * scaled;
            slope += share * scaled * scaled;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        // The derivative is −slope.
        let step = value / slope;
        let is_newton = step.abs() < 0.5 * (high - low);
        let next = if is_newton { theta + step } else { 0.5 * (low + high) };
        // The convergence is quadratic: after a step this small, what is left is rounding.
        let is_close = is_newton && step.abs() <= 1e-9 * theta.abs().max(1e-6);
        if is_close || next <= low || next >= high {
            return Some(next);
        }
        theta = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multipliers_of_two_scores_have_a_closed_form() {
        // With two offsets the equation is linear in θ. Some of these start far from the root, where
        // a step of Newton's leads beyond a pole, some so close that it is a millionth.
        for score in [0.001, 0.1, 0.4, 0.499_999, 0.5, 0.7, 0.9, 0.999] {
            for won in [1e-9, 0.01, 0.3, 0.4, 0.400_001, 0.5, 0.9, 0.99, 1.0 - 1e-9] {
                let expected = (won - score) / (score * (1.0 - score));
                let found = multiplier(&[1.0 - won, won], &[-score, 1.0 - score]);
                let found = found.expect("offsets on both sides");
                let tolerance = 1e-9 * expected.abs() + 1e-15;
                assert!((found - expected).abs() <= tolerance, "{score} {won}: {found} {expected}");
            }
        }
        assert_eq!(multiplier(&[0.5, 0.5], &[0.0, 1.0]), None);
        assert_eq!(multiplier(&[0.5, 0.5], &[-1.0, f64::NEG_INFINITY]), None);
    }
}
