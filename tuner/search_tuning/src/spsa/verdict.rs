//! The sequential test of what came out, against what the run began with.

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use matches::openings::OpeningSettings;
use matches::run::{PlayRules, Workers};
use matches::sequential_test::{self, Rules, TestSettings, style_of};
use report::TestTerminal;
use statistics::{Assessment, Design, Hypotheses, Model, PairCounts, Verdict};
use system::files;
use system::paint;

use super::settings::Purpose;
use super::tuning::Tuning;

/// All that is known of the values that came out.
pub enum Outcome<'a> {
    /// The games of the test are being played.
    Testing,
    /// Nobody asked for a test.
    NotTested,
    /// No number changed: there is nothing to test.
    Unchanged,
    /// The assessment of the test, which is over.
    Tested(&'a Assessment),
}

impl Outcome<'_> {
    /// The same in two words.
    pub fn words(&self) -> &'static str {
        match self {
            Outcome::Testing => "testing",
            Outcome::NotTested => "not tested",
            Outcome::Unchanged => "no change",
            Outcome::Tested(assessment) if assessment.figures.verdict == Verdict::Accepted => {
                "gain shown"
            }
            Outcome::Tested(_) => "no gain shown",
        }
    }
}

/// The hypotheses of the test, with the same numbers as in the loop.
const HYPOTHESES: Hypotheses =
    Hypotheses { model: Model::Normalized, elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };

/// Plays the values that came out against the start until the test decides, or so many pairs are
/// over. The games are in a folder named after the pairs of the run, because a run that is extended
/// is tested anew. None if no value changed: there is nothing to test.
///
/// # Errors
/// See [`matches::run::RunError`]; what was finished is in the journal of the test.
pub fn test(tuning: &Tuning, pairs: u64, workers: Workers) -> anyhow::Result<Option<Assessment>> {
    let (subject, values) = (&tuning.subject, tuning.values());
    let start: Vec<f64> =
        subject.tunables().iter().map(|tunable| tunable.clamp(tunable.value)).collect();
    if values == start {
        return Ok(None);
    }
    let output = folder(tuning);
    let terminal = TestTerminal::new(Arc::new(AtomicBool::new(false)));
    if matches::run::exists(&output) {
        return Ok(Some(sequential_test::resume(&output, workers, &terminal)?.assessment));
    }
    files::create_folder(&output)?;
    let settings = TestSettings {
        candidate: subject.contestant("tuned", &values),
        baseline: subject.contestant("start", &start),
        openings: tuning.openings.clone(),
        syzygy: Vec::new(),
        rules: Rules {
            play: PlayRules {
                openings: OpeningSettings::of(tuning.settings.game),
                ..PlayRules::with_seed(tuning.settings.seed_of(Purpose::Test))
            },
            pairs,
            early_stop: true,
            hypotheses: HYPOTHESES,
            design: Design::default(),
        },
    };
    Ok(Some(sequential_test::run(&settings, workers, &output, &terminal)?.assessment))
}

/// The folder of the test.
pub fn folder(tuning: &Tuning) -> PathBuf {
    tuning.folder.join(format!("test-{}", tuning.pairs()))
}

/// How a test ended, in a line; the alternate form (`{:#}`) has colors.
pub struct Ended<'a>(pub &'a Assessment);

impl Display for Ended<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Ended(assessment) = *self;
        let verdict = assessment.figures.verdict;
        let words = Outcome::Tested(assessment).words();
        let words = paint::painted_in(f, style_of(verdict), words);
        let verdict = match verdict {
            Verdict::Accepted => "accepted",
            Verdict::Rejected => "rejected",
            Verdict::Undecided => "undecided",
        };
        let elo = match assessment.counts.are_too_few() {
            true => PairCounts::TOO_FEW.to_string(),
            false => format!("Elo {}", assessment.elo),
        };
        write!(
            f,
            "{words}: {verdict} after {} games: {elo}, log-likelihood ratio {:.2}",
            2 * assessment.counts.pairs(),
            assessment.log_likelihood_ratio
        )
    }
}

#[cfg(test)]
mod tests {
    use system::paint::{OPEN, painted};

    use super::*;

    #[test]
    fn the_end_of_a_test_has_colors_on_terminals_alone() {
        let assessment = Assessment::new(PairCounts::default(), &HYPOTHESES);
        let ended = Ended(&assessment);
        assert!(ended.to_string().starts_with("no gain shown: undecided after 0 games: "));
        assert!(format!("{ended:#}").starts_with(&painted(OPEN, "no gain shown")));
    }
}
