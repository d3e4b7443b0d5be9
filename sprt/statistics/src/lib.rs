//! Statistics of engine matches: pure functions without clock, file or random number.
//!
//! Sources: the exact generalized likelihood-ratio test and the normalized Elo of M. Van den Bergh,
//! as used by fishtest and fastchess; BayesElo of R. Coulom, as used by OpenBench and cutechess.
//! A *pair* is one opening played twice with colors reversed and is the unit of the test: the two
//! games of a pair are not independent, pairs are.
//!
//! `likelihood.rs` and `deviation.rs` hold the exact ratios, for a mean and for a t-value
//! (normalized Elo). `monitor.rs` is the test as it runs. Estimates after a stop and plans take the
//! ratio for a Brownian motion (`brownian.rs`). Printed figures hold for few pairs, too
//! (`small_sample.rs`), and a test of fewer than ten pairs prints no Elo.

mod approximation;
mod assessment;
mod brownian;
mod color;
mod counts;
mod deviation;
mod distribution;
mod elo;
mod estimate;
mod likelihood;
mod monitor;
mod multiplier;
mod planning;
mod rating;
mod roots;
mod sentence;
mod sequential;
pub mod simulation;
mod small_sample;

use statrs::distribution::{ContinuousCDF, Normal};

pub use approximation::{
    bayes_direct, logistic_by_mean, logistic_by_variance, normalized_closed_form,
};
pub use assessment::{Assessment, Figures};
pub use color::{BookBias, ColorCounts};
pub use counts::{GameOutcome, PairCounts, Sample};
pub use distribution::{DistributionError, PairDistribution};
pub use elo::{
    BayesElo, CONFIDENCE, ELO_PER_LOGIT, EloEstimate, Estimate, elo_of_score,
    likelihood_of_superiority, logistic_elo, normalized_elo, score_of_elo,
};
pub use estimate::{SequentialEstimate, estimate_after_stop, small_sample_estimate_after_stop};
pub use likelihood::{bayes, logistic, normalized};
pub use monitor::{Bounds, Crossing, Design, Monitor, verdict_by_sign};
pub use planning::{Limit, Outlook, Shortfall, TestPlan};
pub use rating::{Crosstable, Rating, RatingError, RatingSettings, RatingTable, Ratings};
pub use sentence::{extent, sentence, sentence_of, sentence_of_leader};
pub use sequential::{Hypotheses, HypothesesError, Model, Verdict};
pub use small_sample::{small_sample_elo, small_sample_normalized_elo, small_sample_superiority};

/// Standard normal distribution function.
fn normal_cdf(z: f64) -> f64 {
    Normal::standard().cdf(z)
}
