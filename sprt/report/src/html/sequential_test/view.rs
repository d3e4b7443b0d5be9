//! All that the page of a test shows.

use matches::sequential_test::{Progress, Rules, Truncation};
use maud::{Markup, html};
use statistics::{Assessment, Verdict};

use super::test_tally::TestTally;
use crate::html::RunContext;
use crate::pace::Timing;

/// All that a page shows.
pub struct View<'a> {
    /// The match, and whether it goes on.
    pub context: &'a RunContext<Rules>,
    /// Pairs and games counted so far.
    pub tally: &'a TestTally,
    /// How far the test is; `None` before its first pair.
    pub progress: Option<Progress>,
    /// Figures of the pairs.
    pub figures: Assessment,
    /// Log-likelihood ratio, as the test sees it.
    pub ratio: f64,
    /// Its bounds, lower and upper.
    pub bounds: (f64, f64),
    /// How the test ended.
    pub ending: &'a Ending,
    /// How fast it goes; unknown afterwards.
    pub timing: Option<Timing>,
}

/// How a test ended.
#[derive(Clone, Default, Debug)]
pub struct Ending {
    /// The verdict; none while pairs are left to play.
    pub verdict: Option<Verdict>,
    /// The errors of a test that was cut off.
    pub truncation: Option<Truncation>,
    /// The decision that a test with early stop would have made.
    pub crossing: Option<String>,
    /// The remark on pairs that were not counted.
    pub copies: Option<String>,
}

impl View<'_> {
    /// The names of the candidate and of the baseline.
    pub fn names(&self) -> [&str; 2] {
        [0, 1].map(|player| self.context.run.identities[player].name.as_str())
    }

    /// Which color is whose.
    pub fn legend(&self) -> Markup {
        html! {
            p.legend {
                @for (class, name) in ["cand", "base"].into_iter().zip(self.names()) {
                    span { i class=(class) {} (name) }
                }
            }
        }
    }
}
