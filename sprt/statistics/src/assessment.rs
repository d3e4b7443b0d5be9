//! All that a sample says of the candidate.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    BookBias, EloEstimate, Estimate, Hypotheses, Monitor, PairCounts, Sample, Verdict,
    small_sample_elo, small_sample_normalized_elo,
};

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
