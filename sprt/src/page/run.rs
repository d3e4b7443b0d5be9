//! The page of a run: counted pair by pair, written now and then as it goes on, and at the end.

use std::cell::RefCell;
use std::path::Path;

use super::file::PageFile;
use super::shell::{Badge, Document};
use super::words::{adjudication_text, count_of, grouped, memory_text, percent};
use crate::adjudication::AUDIT_ALL;
use crate::contestant::Contestant;
use crate::files::FileError;
use crate::openings::OpeningOrder;
use crate::pair::PairRecord;
use crate::report::pace::Pace;
use crate::run::{Course, Description, Observer, PlayRules, RunError, repeating_line};

/// What a page counts and shows of a kind of run.
pub trait Sheet {
    /// The kind of run.
    type Course: Course;

    /// A sheet without pairs.
    fn new(run: &Description<<Self::Course as Course>::Rules>) -> Self;

    /// The run begins or goes on.
    fn start(&mut self, progress: &<Self::Course as Course>::Progress);

    /// Takes in one more pair. `with_times` says whether the times of its moves are known.
    fn count(
        &mut self,
        progress: &<Self::Course as Course>::Progress,
        pair: &PairRecord,
        with_times: bool,
    );

    /// How the run ended; `None` if pairs are left to play.
    fn end(&mut self, summary: &<Self::Course as Course>::Summary) -> Option<Badge>;

    /// The page.
    fn document(&self, known: &Known<<Self::Course as Course>::Rules>) -> Document;
}

/// What a page knows of a run besides what its sheet counts.
pub struct Known<R> {
    /// What is played.
    pub run: Description<R>,
    /// Whether it goes on.
    pub state: State,
    /// How fast it goes; unknown afterwards.
    pub pace: Option<Pace>,
    /// The command line that repeats it.
    pub repeat: String,
}

/// Whether a run goes on.
#[derive(Clone, PartialEq, Debug)]
pub enum State {
    /// It does.
    Running,
    /// It is over.
    Ended(Badge),
    /// Interrupted, killed, or perhaps running: pairs are left to play.
    Unfinished,
    /// It broke off, and why.
    Failed(String),
}

impl State {
    /// The state in words.
    pub fn badge(&self) -> Badge {
        match self {
            State::Running => Badge { name: "running", class: "open" },
            State::Ended(badge) => *badge,
            State::Unfinished => Badge { name: "unfinished", class: "open" },
            State::Failed(_) => Badge { name: "failed", class: "rejected" },
        }
    }

    /// Why it failed.
    pub fn failure(&self) -> Option<String> {
        match self {
            State::Failed(reason) => Some(reason.clone()),
            _ => None,
        }
    }
}

/// Writes the page of a run: now and then as it goes on, and at the end.
pub struct RunPage<S: Sheet> {
    file: PageFile,
    repeat: Option<String>,
    content: RefCell<Option<Content<S>>>,
}

struct Content<S: Sheet> {
    sheet: S,
    known: Known<<S::Course as Course>::Rules>,
}

impl<S: Sheet> RunPage<S> {
    /// A page to be written at `path`. Nothing is written before the run begins. `repeat` is the
    /// command line that repeats the run, where it is not that of its folder.
    ///
    /// # Errors
    /// There is no folder to write it to.
    pub fn new(path: &Path, repeat: Option<String>) -> Result<RunPage<S>, FileError> {
        Ok(RunPage { file: PageFile::new(path)?, repeat, content: RefCell::new(None) })
    }

    /// Writes the page of a run that ended, in whatever way.
    ///
    /// # Errors
    /// The page cannot be written. It is not written either if the run never began.
    pub fn finish(
        &self,
        result: &Result<<S::Course as Course>::Summary, RunError>,
    ) -> Result<(), FileError> {
        let mut content = self.content.borrow_mut();
        let Some(Content { sheet, known }) = content.as_mut() else { return Ok(()) };
        known.state = match result {
            Ok(summary) => sheet.end(summary).map_or(State::Unfinished, State::Ended),
            Err(RunError::Interrupted { .. }) => State::Unfinished,
            Err(error) => State::Failed(error.to_string()),
        };
        self.file.write(|| sheet.document(known).into_html())
    }

    /// Lets the sheet take in what is new and writes the page if it is time.
    fn update(&self, take: impl FnOnce(&mut Content<S>)) {
        if let Some(content) = self.content.borrow_mut().as_mut() {
            take(content);
            self.file.refresh(|| content.sheet.document(&content.known).into_html());
        }
    }
}

impl<S: Sheet> Observer<S::Course> for RunPage<S> {
    fn on_open(&self, run: &Description<<S::Course as Course>::Rules>) {
        let of_folder = || repeating_line(S::Course::KIND, &run.folder);
        let repeat = self.repeat.clone().unwrap_or_else(of_folder);
        let known = Known { run: run.clone(), state: State::Running, pace: None, repeat };
        *self.content.borrow_mut() = Some(Content { sheet: S::new(run), known });
    }

    fn on_resumed_pair(&self, progress: &<S::Course as Course>::Progress, pair: &PairRecord) {
        if let Some(Content { sheet, known }) = self.content.borrow_mut().as_mut() {
            // The journal holds times only if a limit is a time.
            sheet.count(progress, pair, is_timed(&known.run.contestants));
        }
    }

    fn on_start(&self, progress: &<S::Course as Course>::Progress) {
        self.update(|content| {
            content.known.pace = Some(Pace::start());
            content.sheet.start(progress);
        });
    }

    fn on_pair(&self, progress: &<S::Course as Course>::Progress, pair: &PairRecord) {
        self.update(|content| content.sheet.count(progress, pair, true));
    }
}

fn is_timed(contestants: &[Contestant]) -> bool {
    contestants.iter().any(|it| it.limits.is_timed())
}

/// What every run is told, whatever it is to decide: name and value.
pub fn facts_of_play<R>(run: &Description<R>, play: &PlayRules) -> Vec<(String, String)> {
    let mut openings =
        format!("{}, checksum {}", grouped(run.openings.len() as u64), run.openings_checksum);
    openings += match play.openings.order {
        OpeningOrder::Random => ", in random order",
        OpeningOrder::Sequential => ", in the order of the file",
    };
    if play.openings.start > 1 {
        openings += &format!(" from no. {} on", grouped(play.openings.start));
    }
    let audited = match play.game.audit {
        0 => "none".to_owned(),
        audit => format!("{} of the adjudicated", percent(f64::from(audit) / f64::from(AUDIT_ALL))),
    };
    let mut faults = format!("more than {}", count_of(play.most_faults, "fault"));
    if play.most_fault_share > 0.0 {
        faults += &format!(" and {} % of the games", 100.0 * play.most_fault_share);
    }
    if let Some(most) = play.most_time_losses {
        faults += &format!("; more than {} lost on time", count_of(most, "game"));
    }
    let latest = format!("{} plies", grouped(u64::from(play.game.max_plies)));
    let facts = [
        ("Openings", openings),
        ("Seed", play.seed.to_string()),
        ("Adjudication", adjudication_text(&play.game.adjudication)),
        ("Games played on", audited),
        ("Draw at the latest", latest),
        ("Players remember", memory_text(play.game.memory).to_owned()),
        ("Fails on", faults),
    ];
    facts.map(|(name, value)| (name.to_owned(), value)).into()
}

/// A player as a fact: who it is, and how long it may think.
pub fn fact_of_player<R>(run: &Description<R>, player: usize) -> String {
    format!("{}, {}", run.identities[player], run.contestants[player].limits)
}
