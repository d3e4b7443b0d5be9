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
use super::multiplier::{multiplier, relative_likelihood, scores};
use super::{Sample, deviation};

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
