//! Options of a sequential test, and the line that repeats it.

use std::num::NonZeroU64;
use std::path::Path;

use clap::Args;

use sprt::player::Contestant;
use sprt::run::PlayRules;
use sprt::sequential_test::Rules;
use sprt::statistics::{Design, Hypotheses, Model};

use super::bounds;
use super::contestant_words::contestant_words;
use super::match_options::{HypothesesOptions, play_words};

/// What a test decides, and when it ends.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Test")]
pub struct TestOptions {
    #[command(flatten)]
    hypotheses: HypothesesOptions,
    /// Greatest number of pairs, 1 to 10^9
    #[arg(long, value_name = "N", default_value_t = 40_000,
          value_parser = clap::value_parser!(u64).range(bounds::PAIRS))]
    pairs: u64,
    /// Play all pairs, whatever the test says on the way
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
    /// The rules of the test.
    pub fn rules(&self, play: PlayRules) -> Rules {
        Rules {
            play,
            pairs: self.pairs,
            early_stop: !self.no_early_stop,
            hypotheses: self.hypotheses.hypotheses(),
            design: Design {
                batch_pairs: self.batch,
                overshoot_correction: self.overshoot_correction,
                decide_at_limit: self.decide_at_limit,
            },
        }
    }
}

/// The command line that repeats a test from the copies in its folder.
pub fn repeating_line(folder: &Path, contestants: &[Contestant], rules: &Rules) -> String {
    let mut words: Vec<String> = vec!["sprt run".into()];
    for (role, contestant) in ["candidate", "baseline"].into_iter().zip(contestants) {
        words.push(format!("--{role} {}", contestant_words(folder, contestant)));
    }
    words.extend(play_words(folder, &rules.play));
    let mut option = |name: &str, value: String| words.push(format!("--{name} {value}"));
    option("pairs", rules.pairs.to_string());
    let Hypotheses { model, elo0, elo1, alpha, beta } = rules.hypotheses;
    let model = match model {
        Model::Normalized => "normalized",
        Model::Logistic => "logistic",
        Model::Bayes => "bayes",
    };
    option("model", model.into());
    for (name, value) in [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)] {
        option(name, value.to_string());
    }
    let Design { batch_pairs, overshoot_correction, decide_at_limit } = rules.design;
    option("batch", batch_pairs.to_string());
    let flags = [
        ("--overshoot-correction", overshoot_correction),
        ("--decide-at-limit", decide_at_limit),
        ("--no-early-stop", !rules.early_stop),
    ];
    words.extend(flags.into_iter().filter(|flag| flag.1).map(|flag| flag.0.to_owned()));
    words.push("--output FOLDER".into());
    words.join(" ")
}
