//! A run as a page of HTML: one file, without scripts, rewritten as the run goes on.

mod chart;
mod course;
mod document;
mod faults;
mod openings;
mod outcomes;
mod path;
mod tally;
mod words;
mod work;

use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::pace::Pace;
use super::{Summary, Truncation};
use crate::files::{FileError, write_atomically};
use crate::pair::PairRecord;
use crate::run::{Observer, RunError};
use crate::statistics::{Assessment, Verdict};
use crate::test::{Description, Progress};
use document::View;
use tally::Tally;

/// Tells the command line that repeats a run.
pub type Repeat = Box<dyn Fn(&Description) -> String>;

/// Writes the page of a run: now and then as it goes on, and at the end.
pub struct Page {
    path: PathBuf,
    repeat: Repeat,
    content: RefCell<Option<Content>>,
}

/// Whether a run goes on.
#[derive(Clone, PartialEq, Debug)]
enum State {
    Running,
    Ended(Verdict),
    /// Interrupted, killed, or perhaps running: pairs are left to play.
    Unfinished,
    Failed(String),
}

struct Content {
    run: Description,
    tally: Tally,
    progress: Option<Progress>,
    pace: Option<Pace>,
    state: State,
    /// The errors of a test that was cut off.
    truncation: Option<Truncation>,
    /// When the page was last written, and how long that took.
    written: Option<(Instant, Duration)>,
}

impl Page {
    /// Least time between two versions of a page.
    const INTERVAL: Duration = Duration::from_secs(5);
    /// A page takes at most one part in so many of the time.
    const THRIFT: u32 = 100;

    /// A page to be written at `path`. Nothing is written before the run begins.
    ///
    /// # Errors
    /// There is no folder to write it to.
    pub fn new(path: &Path, repeat: Repeat) -> Result<Page, FileError> {
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        std::fs::read_dir(parent).map_err(FileError::at("write", path))?;
        Ok(Page { path: path.to_path_buf(), repeat, content: RefCell::new(None) })
    }

    /// Writes the page of a run that ended, in whatever way.
    ///
    /// # Errors
    /// The page cannot be written. It is not written either if the run never began.
    pub fn finish(&self, result: &Result<Summary, RunError>) -> Result<(), FileError> {
        let mut content = self.content.borrow_mut();
        let Some(content) = content.as_mut() else { return Ok(()) };
        content.truncation = result.as_ref().ok().and_then(|summary| summary.truncation);
        content.state = match result {
            Ok(summary) if summary.is_unfinished() => State::Unfinished,
            Ok(summary) => State::Ended(summary.verdict),
            Err(RunError::Interrupted { .. }) => State::Unfinished,
            Err(error) => State::Failed(error.to_string()),
        };
        self.write(content)
    }

    fn write(&self, content: &mut Content) -> Result<(), FileError> {
        let started = Instant::now();
        let text = content.document(&(self.repeat)(&content.run));
        let written = write_atomically(&self.path, |writer| writer.write_all(text.as_bytes()));
        content.written = Some((Instant::now(), started.elapsed()));
        written
    }

    /// Writes the page if it is time. A failure must not end the run; if it lasts, the end tells.
    fn refresh(&self, content: &mut Content) {
        let is_due = content
            .written
            .is_none_or(|(when, took)| when.elapsed() >= Self::INTERVAL.max(Self::THRIFT * took));
        if is_due {
            let _ = self.write(content);
        }
    }
}

impl Observer for Page {
    fn on_open(&self, run: &Description) {
        let tally = Tally::new(&run.identities);
        *self.content.borrow_mut() = Some(Content {
            run: run.clone(),
            tally,
            progress: None,
            pace: None,
            state: State::Running,
            truncation: None,
            written: None,
        });
    }

    fn on_resumed_pair(&self, progress: &Progress, pair: &PairRecord) {
        if let Some(content) = self.content.borrow_mut().as_mut() {
            // The journal holds times only if a limit is a time.
            let timed = content.run.contestants.iter().any(|it| it.limits.is_timed());
            content.tally.count(progress, pair, timed);
            content.progress = Some(*progress);
        }
    }

    fn on_start(&self, progress: &Progress) {
        if let Some(content) = self.content.borrow_mut().as_mut() {
            content.pace = Some(Pace::start());
            content.progress = Some(*progress);
            self.refresh(content);
        }
    }

    fn on_pair(&self, progress: &Progress, pair: &PairRecord) {
        if let Some(content) = self.content.borrow_mut().as_mut() {
            content.tally.count(progress, pair, true);
            content.progress = Some(*progress);
            self.refresh(content);
        }
    }
}

impl Content {
    fn document(&self, repeat: &str) -> String {
        let hypotheses = self.run.rules.hypotheses;
        let figures = Assessment::new(self.tally.counts, &hypotheses);
        let timing = match (&self.pace, &self.progress) {
            (Some(pace), Some(progress)) => Some(pace.timing(progress)),
            _ => None,
        };
        let view = View {
            run: &self.run,
            tally: &self.tally,
            ratio: self.progress.map_or(0.0, |progress| progress.log_likelihood_ratio),
            figures,
            bounds: self
                .progress
                .map_or((hypotheses.lower_bound(), hypotheses.upper_bound()), |it| it.bounds),
            state: &self.state,
            truncation: self.truncation,
            timing,
            repeat: repeat.to_owned(),
        };
        view.document()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contestant::{Contestant, Identity};
    use crate::game::{GameRecord, GameResult, PlyRecord, Termination};
    use crate::limits::MoveLimits;
    use crate::openings::{Book, OpeningSettings};
    use crate::run::PlayRules;
    use crate::statistics::{Design, Hypotheses, Model, PairCounts};
    use crate::test::Rules;
    use engine::chess::Position;
    use std::sync::Arc;

    /// A run of so many pairs of made-up games, each of its opening its own.
    fn content(pairs: u64) -> Content {
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
        let start = Position::start();
        let mv = start.legal_moves()[0];
        let mut tally = Tally::new(&run.identities);
        let mut counts = PairCounts::default();
        let mut progress = None;
        for number in 0..pairs {
            let games = [number * 7 % 11, number * 5 % 13].map(|chance| {
                let ply = |_| PlyRecord { mv, score: Some(0), depth: 9, nodes: 99, time: 1000 };
                GameRecord {
                    start: start.clone(),
                    plies: (0..20 * chance).map(ply).collect(),
                    result: [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins]
                        [chance as usize % 3],
                    termination: Termination::Checkmate,
                    fault: None,
                    audit: None,
                    warnings: Vec::new(),
                }
            });
            let opening = number as usize;
            let replays = Vec::new();
            let pair = PairRecord { number, opening, players: [0, 1], games, replays };
            let [first, second] = pair.outcomes();
            counts.add(first, second);
            let log_likelihood_ratio = (number as f64 / 999.0).sin();
            let bounds = (-2.9, 2.9);
            let now = Progress { counts, log_likelihood_ratio, bounds, rules, resumed_pairs: 0 };
            tally.count(&now, &pair, true);
            progress = Some(now);
        }
        let (state, pace) = (State::Running, Some(Pace::start()));
        Content { run, tally, progress, pace, state, truncation: None, written: None }
    }

    #[test]
    fn the_page_of_a_long_run_stays_small() {
        let page = content(40_000).document("sprt run");
        assert!(page.len() < 200_000, "{} bytes", page.len());
        assert!(page.contains("http-equiv=\"refresh\""));
        assert!(page.contains("&lt;one &amp; two&gt;") && !page.contains("<one"));
    }

    #[test]
    fn a_page_can_be_made_of_nothing() {
        for pairs in [0, 1] {
            let page = content(pairs).document("sprt run");
            assert!(!page.contains("NaN") && !page.contains("inf"), "{page}");
        }
    }
}
