//! All that the page of a test shows.

use std::collections::BTreeMap;

use matches::sequential_test::{Progress, Rules, Truncation};
use maud::{Markup, html};
use statistics::{Assessment, ColorCounts, Verdict};

use super::path::RatioPath;
use crate::html::RunContext;
use crate::html::games_tally::GamesTally;
use crate::html::viewer::{KeptGame, OpeningShelf};

/// The counts of a test's page.
#[derive(Clone, Debug)]
pub struct TestPageContent {
    /// How far the test is.
    pub(super) progress: Progress,
    /// How it ended.
    pub(super) ending: Ending,
    /// Pairs by White's outcomes.
    pub(super) colors: ColorCounts,
    /// The course of the test.
    pub(super) path: RatioPath,
    /// Games, from the candidate's view.
    pub(super) games: GamesTally,
    /// Pairs by opening.
    pub(super) openings: BTreeMap<usize, OpeningTally>,
    /// Games of those that are farthest from even.
    pub(super) opening_games: OpeningShelf,
    /// Games of the first pairs.
    pub(super) first_games: Vec<KeptGame>,
}

/// The results of an opening. They are small, because a book may have millions of openings.
#[derive(Clone, Copy, Default, Debug)]
pub struct OpeningTally {
    /// Pairs that began with the opening.
    pub pairs: u32,
    /// The candidate's score in half points.
    pub half_points: u32,
    /// White's score in half points.
    pub white_half_points: u32,
}

impl OpeningTally {
    /// How far the candidate's points are from even, in whose favor by the sign: points above even
    /// over the root of the number of pairs, because what has been seen more often is surer.
    pub fn lean(&self) -> f64 {
        let pairs = f64::from(self.pairs);
        (f64::from(self.half_points) / 2.0 - pairs) / pairs.sqrt()
    }
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

/// All that a page shows.
pub struct View<'a> {
    /// The match, and whether it goes on.
    pub context: &'a RunContext<Rules>,
    /// Pairs and games counted so far.
    pub content: &'a TestPageContent,
    /// Figures of the pairs.
    pub figures: Assessment,
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
