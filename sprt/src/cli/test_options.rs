//! Options of a sequential test.

use std::num::NonZeroU64;

use clap::Args;
use matches::run::PlayRules;
use matches::sequential_test::Rules;
use statistics::Design;

use super::bounds;
use super::likeness::Likeness;
use super::match_options::HypothesesOptions;

/// What a test decides, and when it ends.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Test")]
pub struct TestOptions {
    #[command(flatten)]
    hypotheses: HypothesesOptions,
    /// Greatest number of pairs, 1 to 10^9
    #[arg(long, alias = "rounds", value_name = "N", default_value_t = 40_000,
          value_parser = clap::value_parser!(u64).range(bounds::PAIRS))]
    pairs: u64,
    /// Play all pairs, whatever the test says on the way: all of them decide
    #[arg(long)]
    no_early_stop: bool,
    /// Pairs between two looks at the log-likelihood ratio, 1 to 1000000
    #[arg(long, value_name = "PAIRS", default_value_t = NonZeroU64::MIN,
          value_parser = bounds::batch)]
    batch: NonZeroU64,
    /// Move the bounds inwards by the mean overshoot seen so far: the same error rates with fewer
    /// games, the fewer the larger the batch
    #[arg(long)]
    overshoot_correction: bool,
    /// At the greatest number of pairs, decide by the sign of the log-likelihood ratio
    #[arg(long)]
    decide_at_limit: bool,
}

impl TestOptions {
    /// The rules of the test, its games played by `play`.
    pub fn rules(&self, like: &Likeness<Rules>, play: PlayRules) -> Rules {
        let no_early_stop = self.no_early_stop;
        Rules {
            play,
            pairs: like.choose("pairs", self.pairs, |plan| plan.rules.pairs),
            early_stop: like.choose("no_early_stop", !no_early_stop, |plan| plan.rules.early_stop),
            hypotheses: self.hypotheses.like(like),
            design: Design {
                batch_pairs: like.choose("batch", self.batch, |plan| plan.rules.design.batch_pairs),
                overshoot_correction: like.choose(
                    "overshoot_correction",
                    self.overshoot_correction,
                    |plan| plan.rules.design.overshoot_correction,
                ),
                decide_at_limit: like.choose("decide_at_limit", self.decide_at_limit, |plan| {
                    plan.rules.design.decide_at_limit
                }),
            },
        }
    }
}
