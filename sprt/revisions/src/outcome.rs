//! The outcome of a regression test; its JSON form is `result.json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statistics::{Assessment, Hypotheses, Verdict};

use super::bench::Bench;
use super::git::Revision;
use super::speed::SpeedReport;

/// What a regression test decides, or why it does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The candidate is no regression.
    Accepted,
    /// It is one.
    Rejected,
    /// Neither could be shown within the games or the time.
    Undecided,
    /// There is no answer: something does not build or does not run.
    Failed,
}

impl From<Verdict> for Decision {
    fn from(verdict: Verdict) -> Decision {
        match verdict {
            Verdict::Accepted => Decision::Accepted,
            Verdict::Rejected => Decision::Rejected,
            Verdict::Undecided => Decision::Undecided,
        }
    }
}

impl Decision {
    /// In two words, for headings.
    pub fn heading(self) -> &'static str {
        match self {
            Decision::Accepted => "No regression",
            Decision::Rejected => "Regression",
            Decision::Undecided => "Undecided",
            Decision::Failed => "Failed",
        }
    }
}

/// What a change does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Both benches count the same nodes: only speed can differ.
    NonFunctional,
    /// They differ, or there is no bench to tell.
    Functional,
}

/// A revision and what was made of it.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevisionReport {
    /// The commit, by its name and its hash.
    pub revision: Revision,
    /// Its build, as far as it came.
    pub build: Option<BuildReport>,
    /// Its bench, if one was run.
    pub bench: Option<Bench>,
}

impl RevisionReport {
    /// A revision of which nothing is known yet.
    pub fn new(revision: Revision) -> RevisionReport {
        RevisionReport { revision, build: None, bench: None }
    }
}

/// What is told of a build.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildReport {
    /// SHA-256 of the program in hexadecimal.
    pub sha256: String,
    /// Time it took when it was made (seconds).
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// True if it came from the cache.
    pub was_cached: bool,
}

/// A sequential test by games.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesReport {
    /// Which test: `nodes` or `time`; also the folder of its games.
    pub name: String,
    /// How long players may think about a move.
    pub limits: String,
    /// What was tested.
    pub hypotheses: Hypotheses,
    /// Log-likelihood ratios at which the candidate is rejected and accepted.
    pub bounds: [f64; 2],
    /// What it says of the candidate.
    pub verdict: Verdict,
    /// Counts and all figures; the verdict among them is the plain test's.
    pub assessment: Assessment,
    /// Time the games took in this process (seconds).
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// Games that an engine forfeited, the first few, and what else is odd.
    pub notes: Vec<String>,
}

/// What came out of a regression test: `result.json` of `sprt regress`.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Name and version of this form. The version changes when a program that reads it would have
    /// to.
    #[schemars(extend("const" = Outcome::SCHEMA))]
    pub schema: String,
    /// Program and version that wrote it.
    pub program: String,
    /// What was decided.
    pub decision: Decision,
    /// Why, in a sentence.
    pub reason: String,
    /// What the change does, as far as it is known.
    pub change: Option<Change>,
    /// What the candidate is compared with.
    pub base: RevisionReport,
    /// What is tested.
    pub candidate: RevisionReport,
    /// The comparison of speeds, if one was made.
    pub speed: Option<SpeedReport>,
    /// The tests by games, in their order.
    pub games: Vec<GamesReport>,
    /// Without an answer: the steps that were not done, in their order.
    pub not_done: Vec<String>,
    /// Time that was allowed for all (seconds).
    #[schemars(range(min = 0))]
    pub budget_seconds: Option<f64>,
    /// Time that all took (seconds).
    #[schemars(range(min = 0))]
    pub elapsed_seconds: f64,
    /// The command line that repeats it.
    pub repeat: String,
}

impl Outcome {
    /// Name and version of the JSON form, described in `docs/schemas/regress.schema.json`.
    pub const SCHEMA: &str = "kamerton-regress/2";

    /// The outcome as JSON, ending in a line break.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data becomes JSON") + "\n"
    }
}
