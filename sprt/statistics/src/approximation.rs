//! Closed forms of the log-likelihood ratio, as older runners print them, for programs that compare
//! with their pages. The test itself uses the exact forms, and no command prints these.

use super::Sample;
use super::elo::{BayesElo, ELO_PER_LOGIT};

/// Ratio of the mean squares around both scores: fishtest's `alt`.
pub fn logistic_by_mean(sample: &Sample, score0: f64, score1: f64) -> f64 {
    let around = |center: f64| -> f64 {
        sample.points().map(|(score, share)| share * (score - center).powi(2)).sum()
    };
    0.5 * sample.total() * (around(score0) / around(score1)).ln()
}

/// Brownian form with the sample's variance: fishtest's `alt2`.
pub fn logistic_by_variance(sample: &Sample, score0: f64, score1: f64) -> f64 {
    sample.total() * (score1 - score0) * (2.0 * sample.mean() - score0 - score1)
        / (2.0 * sample.variance())
}

/// Closed form for normalized Elo.
pub fn normalized_closed_form(sample: &Sample, elo0: f64, elo1: f64) -> f64 {
    let games = sample.total() * sample.games_per_unit();
    let normalized = (sample.mean() - 0.5) / sample.deviation_per_game();
    let around = |elo: f64| 1.0 + (normalized - elo / ELO_PER_LOGIT).powi(2);
    0.5 * games * (around(elo0) / around(elo1)).ln()
}

/// Likelihood ratio of two fully specified BayesElo models: OpenBench's and cutechess's form.
///
/// # Panics
/// If `games` is a sample of pairs.
pub fn bayes_direct(games: &Sample, elo0: f64, elo1: f64) -> f64 {
    let draw = BayesElo::of_games(games).draw;
    let before = BayesElo { elo: elo0, draw }.probabilities();
    let after = BayesElo { elo: elo1, draw }.probabilities();
    let terms = games.shares().iter().zip(before.iter().zip(&after));
    games.total() * terms.map(|(share, (before, after))| share * (after / before).ln()).sum::<f64>()
}
