//! The page of a test.

mod document;
mod openings;
mod outcomes;
mod path;
mod progress;
mod test_tally;
mod view;
mod work;

use matches::game::PairRecord;
use matches::sequential_test::{Description, Progress, Rules, SequentialTest, Summary};
use statistics::{Assessment, PairCounts, Verdict};

use crate::html::document::{Badge, Document};
use crate::html::viewer::Viewer;
use crate::html::{PageContent, RunContext, RunPage, faults};
use test_tally::TestTally;
use view::{Ending, View};

/// The page of a test.
pub type TestPage = RunPage<TestPageContent>;

/// The counts of a test's page.
#[derive(Clone, Debug)]
pub struct TestPageContent {
    tally: TestTally,
    progress: Option<Progress>,
    ending: Ending,
}

impl PageContent for TestPageContent {
    type Competition = SequentialTest;

    fn new(run: &Description) -> TestPageContent {
        let tally = TestTally::new(&run.identities);
        TestPageContent { tally, progress: None, ending: Ending::default() }
    }

    fn start(&mut self, progress: &Progress) {
        self.progress = Some(*progress);
    }

    fn count(&mut self, progress: &Progress, pair: &PairRecord, with_times: bool) {
        self.tally.count(progress, pair, with_times);
        self.progress = Some(*progress);
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
        let hypotheses = context.run.rules.hypotheses;
        let timing = match (&context.pace, &self.progress) {
            (Some(pace), Some(progress)) => Some(pace.timing(progress)),
            _ => None,
        };
        let view = View {
            context,
            tally: &self.tally,
            ratio: self.progress.map_or(0.0, |progress| progress.log_likelihood_ratio),
            progress: self.progress,
            figures: self.progress.as_ref().map_or_else(
                || Assessment::new(PairCounts::default(), &hypotheses),
                Progress::assessment,
            ),
            bounds: self
                .progress
                .map_or((hypotheses.lower_bound(), hypotheses.upper_bound()), |it| it.bounds),
            ending: &self.ending,
            timing,
        };
        view.document()
    }

    fn viewer<'a>(&'a self, context: &'a RunContext<Rules>) -> Viewer<'a> {
        let mut viewer = context.viewer(context.run.rules.play.seed);
        faults::show(&self.tally.games.shelf, &mut viewer);
        openings::show_games(&self.tally, &mut viewer);
        let first = "The first games".to_owned();
        let games = 2 * self.tally.counts.pairs();
        viewer.add("first".to_owned(), first, &self.tally.first_games, games);
        viewer.list_all(games);
        viewer
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use chess::Position;
    use matches::game::MoveLimits;
    use matches::openings::{Book, OpeningSettings};
    use matches::player::{Contestant, Identity};
    use matches::run::PlayRules;
    use statistics::{Design, Hypotheses, Model};

    use super::*;
    use crate::html::run::{RunState, html_of};
    use crate::html::viewer::made_up_pair;
    use crate::pace::Pace;

    /// The page of so many pairs of made-up games, each of an opening of its own.
    fn page(pairs: u64) -> String {
        let words = ["embedded".to_owned(), "name=<one & two>".to_owned()];
        let contestant = Contestant::parse(&words, MoveLimits::nodes(9), None).expect("known");
        let identity = Identity { name: contestant.name.clone(), fingerprint: "0".to_owned() };
        let rules = Rules {
            play: PlayRules::with_seed(1),
            pairs: 40_000,
            early_stop: true,
            hypotheses: Hypotheses { model: Model::Logistic, ..Hypotheses::default() },
            design: Design::default(),
        };
        let line = format!("{}\n", Position::start().to_fen(false));
        let book = Book::parse(line.repeat(50_000).into(), "made up", &OpeningSettings::default());
        let book = book.expect("a legal position");
        let run = Description {
            folder: PathBuf::new(),
            contestants: vec![contestant.clone(), contestant],
            identities: vec![identity.clone(), identity],
            openings: Arc::new(book),
            openings_checksum: "0".to_owned(),
            rules,
        };
        let mut content = TestPageContent::new(&run);
        let mut counts = PairCounts::default();
        for number in 0..pairs {
            let pair = made_up_pair(number, number as usize, [0, 1]);
            let [first, second] = pair.outcomes();
            counts.add(first, second);
            let log_likelihood_ratio = (number as f64 / 999.0).sin();
            let bounds = (-2.9, 2.9);
            let now = Progress {
                counts,
                log_likelihood_ratio,
                bounds,
                rules,
                resumed_pairs: 0,
                copies: 0,
            };
            content.count(&now, &pair, true);
        }
        let (state, pace) = (RunState::Running, Some(Pace::start()));
        let repeat = "sprt run".to_owned();
        let context = RunContext { run, state, pace, repeat, folder: None, analysis: None };
        html_of(&content, &context)
    }

    #[test]
    fn the_page_of_a_long_run_stays_small() {
        let page = page(40_000);
        assert!(page.len() < 200_000, "{} bytes", page.len());
        assert!(page.contains("http-equiv=\"refresh\""));
        assert!(page.contains("&lt;one &amp; two&gt;") && !page.contains("<one"));
    }

    #[test]
    fn a_page_can_be_made_of_nothing() {
        for pairs in [0, 1] {
            let page = page(pairs);
            assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
        }
    }
}
