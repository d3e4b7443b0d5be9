//! The page of a test.

mod document;
mod openings;
mod outcomes;
mod path;
mod progress;
mod view;
mod work;

use std::collections::BTreeMap;

use matches::game::{PairRecord, outcome_for};
use matches::sequential_test::{Description, Progress, Rules, SequentialTest, Summary};
use playable::Color;
use statistics::{ColorCounts, Verdict};

use crate::html::document::{Badge, Document};
use crate::html::games_tally::{GamesTally, class_of};
use crate::html::run::first_progress;
use crate::html::viewer::{KeptGame, OpeningShelf, Viewer};
use crate::html::{PageContent, RunContext, RunPage, faults};
use path::RatioPath;
use view::{Ending, OpeningTally, View};

pub use view::TestPageContent;

/// The page of a test.
pub type TestPage = RunPage<TestPageContent>;

/// First pairs whose games are kept, whatever came of them.
const FIRST_PAIRS: usize = 10;

impl PageContent for TestPageContent {
    type Competition = SequentialTest;

    fn new(run: &Description) -> TestPageContent {
        TestPageContent {
            progress: first_progress::<SequentialTest>(run),
            ending: Ending::default(),
            colors: ColorCounts::default(),
            path: RatioPath::new(),
            games: GamesTally::new(&run.identities),
            openings: BTreeMap::new(),
            opening_games: OpeningShelf::default(),
            first_games: Vec::new(),
        }
    }

    fn start(&mut self, progress: &Progress) {
        self.progress = *progress;
    }

    fn count(&mut self, progress: &Progress, pair: &PairRecord, with_times: bool) {
        self.progress = *progress;
        let outcomes = pair.outcomes();
        self.colors.add(outcomes[0], outcomes[1]);
        self.path.push(progress.counts, progress.log_likelihood_ratio);
        self.games.count(pair, outcomes, with_times);
        let opening = self.openings.entry(pair.opening).or_default();
        opening.pairs += 1;
        for (game, outcome) in pair.games.iter().zip(outcomes) {
            opening.half_points += class_of(outcome) as u32;
            opening.white_half_points += class_of(outcome_for(game.result, Color::White)) as u32;
        }
        let lean = |opening| self.openings.get(&opening).map_or(0.0, OpeningTally::lean);
        self.opening_games.add(pair, with_times, lean);
        if self.first_games.len() < 2 * FIRST_PAIRS {
            self.first_games.extend(KeptGame::both(pair, with_times));
        }
    }

    fn end(&mut self, summary: &Summary) -> Option<Badge> {
        let crossing = summary.crossing_text();
        let copies = summary.tally.copies_text();
        let verdict = Some(summary.verdict).filter(|_| !summary.is_unfinished());
        self.ending = Ending { verdict, truncation: summary.truncation, crossing, copies };
        let (name, class) = match summary.verdict {
            _ if summary.is_unfinished() => return None,
            Verdict::Accepted => ("candidate accepted", "accepted"),
            Verdict::Rejected => ("candidate rejected", "rejected"),
            Verdict::Undecided if summary.tally.is_exhausted => ("undecided: only copies", "open"),
            Verdict::Undecided => ("undecided at the limit", "open"),
        };
        Some(Badge { name, class })
    }

    fn document(&self, context: &RunContext<Rules>) -> Document {
        View { context, content: self, figures: self.progress.assessment() }.document()
    }

    fn viewer<'a>(&'a self, context: &'a RunContext<Rules>) -> Viewer<'a> {
        let mut viewer = context.viewer(&context.run.rules.play);
        faults::show(&self.games.shelf, &mut viewer);
        openings::show_games(self, &mut viewer);
        let first = "The first games".to_owned();
        let games = 2 * self.progress.counts.pairs();
        viewer.add("first".to_owned(), first, &self.first_games, games);
        viewer.list_all(games);
        viewer
    }
}

#[cfg(test)]
mod tests {
    use matches::run::PlayRules;
    use statistics::{Design, Hypotheses, Model};

    use super::*;
    use crate::html::run::made_up_page;
    use crate::html::viewer::made_up_pair;

    /// The page of so many pairs of made-up games, each of an opening of its own.
    fn page(pairs: u64) -> String {
        let rules = Rules {
            play: PlayRules::with_seed(1),
            pairs: 40_000,
            early_stop: true,
            hypotheses: Hypotheses { model: Model::Logistic, ..Hypotheses::default() },
            design: Design::default(),
        };
        let pairs = (0..pairs).map(|number| made_up_pair(number, number as usize, [0, 1]));
        made_up_page::<TestPageContent>(2, 50_000, rules, pairs)
    }

    #[test]
    fn the_page_of_a_long_run_stays_small() {
        let page = page(40_000);
        assert!(page.len() < 200_000, "{} bytes", page.len());
        assert!(page.contains("http-equiv=\"refresh\""));
        assert!(page.contains("&lt;one &amp; two&gt; 1") && !page.contains("<one"));
    }

    #[test]
    fn a_page_can_be_made_of_nothing() {
        for pairs in [0, 1] {
            let page = page(pairs);
            assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
        }
    }
}
