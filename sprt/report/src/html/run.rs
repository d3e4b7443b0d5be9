//! The page of a run: counted pair by pair, written now and then as it goes on, and at the end.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use matches::game::PairRecord;
use matches::openings::OpeningOrder;
use matches::pgn::PgnTags;
use matches::player::Contestant;
use matches::playing::AUDIT_ALL;
use matches::run::{
    Competition, Description, Observer, PlayRules, RunError, RunTally, repeating_line,
};
use system::files::FileError;

use super::document::{Badge, Document};
use super::file::PageFile;
use super::viewer::{AnalysisLink, Viewer};
use super::words::{adjudication_text, count_of, grouped, memory_text, percent, rounded_percent};
use crate::pace::Pace;

/// The content of a page for a kind of run.
pub trait PageContent {
    /// The kind of run that it shows.
    type Competition: Competition;

    /// The content of a page without pairs.
    fn new(run: &Description<<Self::Competition as Competition>::Rules>) -> Self;

    /// The run begins or goes on.
    fn start(&mut self, progress: &<Self::Competition as Competition>::Progress);

    /// Takes in one more pair. `with_times` says whether the times of its moves are known.
    fn count(
        &mut self,
        progress: &<Self::Competition as Competition>::Progress,
        pair: &PairRecord,
        with_times: bool,
    );

    /// How the run ended; `None` if pairs are left to play.
    fn end(&mut self, summary: &<Self::Competition as Competition>::Summary) -> Option<Badge>;

    /// Makes the page of what was counted, but for what the context says of any run.
    fn document(&self, context: &RunContext<<Self::Competition as Competition>::Rules>)
    -> Document;

    /// The games that can be looked at.
    fn viewer<'a>(
        &'a self,
        context: &'a RunContext<<Self::Competition as Competition>::Rules>,
    ) -> Viewer<'a>;
}

/// How far a run is before its first pair.
pub fn first_progress<C: Competition>(run: &Description<C::Rules>) -> C::Progress {
    competition::<C>(run).progress(&RunTally::new(&run.identities), 0)
}

fn competition<C: Competition>(run: &Description<C::Rules>) -> C {
    C::new(&run.rules, &run.identities).expect("the rules were checked before")
}

/// A page of what was counted, with its games.
pub fn html_of<S: PageContent>(
    content: &S,
    context: &RunContext<<S::Competition as Competition>::Rules>,
) -> String {
    let document = Document {
        badge: context.state.badge(),
        is_running: context.state == RunState::Running,
        failure: context.state.failure(),
        repeat: context.repeat.clone(),
        ..content.document(context)
    };
    document.into_html_with(Some(content.viewer(context)))
}

/// A page's data of a run besides the counts of its content.
pub struct RunContext<R> {
    /// The run's contestants, openings and rules.
    pub run: Description<R>,
    /// Running, ended, unfinished or failed.
    pub state: RunState,
    /// How fast it goes; unknown afterwards.
    pub pace: Option<Pace>,
    /// The command line that repeats it.
    pub repeat: String,
    /// The run's folder as a link from the page, ending with a slash; `None` if there is no such way.
    pub folder: Option<String>,
    /// Where positions can be analyzed; nowhere if `None`.
    pub analysis: Option<AnalysisLink>,
}

impl<R> RunContext<R> {
    /// A viewer of the run without games.
    pub fn viewer(&self, rules: &PlayRules) -> Viewer<'_> {
        let players = self.run.identities.iter().map(|it| it.name.as_str()).collect();
        let (event, notation) = (PgnTags::event(rules.seed), rules.notation());
        Viewer::new(event, notation, players, &self.run.openings, self.analysis.as_ref())
    }
}

/// Whether a run goes on.
#[derive(Clone, PartialEq, Debug)]
pub enum RunState {
    /// This process plays games.
    Running,
    /// The run is over, with the badge of its result.
    Ended(Badge),
    /// Interrupted, killed, or perhaps running: pairs are left to play.
    Unfinished,
    /// It broke off, and why.
    Failed(String),
}

impl RunState {
    /// The state as a badge.
    pub fn badge(&self) -> Badge {
        match self {
            RunState::Running => Badge { name: "running", class: "open" },
            RunState::Ended(badge) => *badge,
            RunState::Unfinished => Badge { name: "unfinished", class: "open" },
            RunState::Failed(_) => Badge { name: "failed", class: "rejected" },
        }
    }

    /// The reason, if the run failed.
    pub fn failure(&self) -> Option<String> {
        match self {
            RunState::Failed(reason) => Some(reason.clone()),
            _ => None,
        }
    }
}

/// Where `sprt report` writes the page of a run unless it is told: beside its folder, by the same
/// name.
pub fn default_page(folder: &Path) -> PathBuf {
    let whole = match folder.file_name() {
        Some(_) => folder.to_path_buf(),
        // As of `.`.
        None => folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf()),
    };
    let mut name = whole.file_name().unwrap_or_default().to_owned();
    name.push(".html");
    whole.with_file_name(name)
}

/// Writes the page of a run: now and then as it goes on, and at the end.
pub struct RunPage<S: PageContent> {
    file: PageFile,
    repeat: Option<String>,
    analysis: Option<AnalysisLink>,
    open: RefCell<Option<OpenPage<S>>>,
}

struct OpenPage<S: PageContent> {
    content: S,
    context: RunContext<<S::Competition as Competition>::Rules>,
}

impl<S: PageContent> RunPage<S> {
    /// A page to be written at `path`. Nothing is written before the run begins. `repeat` is the
    /// command line that repeats the run, where it is not that of its folder.
    ///
    /// # Errors
    /// There is no folder to write it to.
    pub fn new(path: &Path, repeat: Option<String>) -> Result<RunPage<S>, FileError> {
        let file = PageFile::new(path)?;
        Ok(RunPage { file, repeat, analysis: None, open: RefCell::new(None) })
    }

    /// The same page, from which each position leads to a site that analyzes it.
    pub fn with_analysis(self, analysis: Option<AnalysisLink>) -> RunPage<S> {
        RunPage { analysis, ..self }
    }

    /// Writes the page of a run that ended, in whatever way.
    ///
    /// # Errors
    /// The page cannot be written. It is not written either if the run never began.
    pub fn finish(
        &self,
        result: &Result<<S::Competition as Competition>::Summary, RunError>,
    ) -> Result<(), FileError> {
        let mut open = self.open.borrow_mut();
        let Some(OpenPage { content, context }) = open.as_mut() else { return Ok(()) };
        context.state = match result {
            Ok(summary) => content.end(summary).map_or(RunState::Unfinished, RunState::Ended),
            Err(RunError::Interrupted { .. }) => RunState::Unfinished,
            Err(error) => RunState::Failed(error.to_string()),
        };
        self.file.write(|| html_of(content, context))
    }

    /// Lets the sheet take in what is new and writes the page if it is time.
    fn update(&self, take: impl FnOnce(&mut OpenPage<S>)) {
        if let Some(page) = self.open.borrow_mut().as_mut() {
            take(page);
            self.file.refresh(|| html_of(&page.content, &page.context));
        }
    }
}

impl<S: PageContent> Observer<S::Competition> for RunPage<S> {
    fn on_open(&self, run: &Description<<S::Competition as Competition>::Rules>) {
        let of_folder = || repeating_line(S::Competition::KIND, &run.folder);
        let repeat = self.repeat.clone().unwrap_or_else(of_folder);
        let folder = self.file.link_to(&run.folder);
        let (played, state, analysis) = (run.clone(), RunState::Running, self.analysis.clone());
        let context = RunContext { run: played, state, pace: None, repeat, folder, analysis };
        *self.open.borrow_mut() = Some(OpenPage { content: S::new(run), context });
    }

    fn on_resumed_pair(
        &self,
        progress: &<S::Competition as Competition>::Progress,
        pair: &PairRecord,
    ) {
        if let Some(OpenPage { content, context }) = self.open.borrow_mut().as_mut() {
            // The journal holds times only if a limit is a time.
            content.count(progress, pair, is_timed(&context.run.contestants));
        }
    }

    fn on_start(&self, progress: &<S::Competition as Competition>::Progress) {
        self.update(|page| {
            page.context.pace = Some(Pace::start());
            page.content.start(progress);
        });
    }

    fn on_pair(&self, progress: &<S::Competition as Competition>::Progress, pair: &PairRecord) {
        self.update(|page| page.content.count(progress, pair, true));
    }
}

fn is_timed(contestants: &[Contestant]) -> bool {
    contestants.iter().any(|it| it.limits.is_timed())
}

/// Conditions of every run, whatever it is to decide: name and value.
pub fn facts_of_play<R>(run: &Description<R>, play: &PlayRules) -> Vec<(String, String)> {
    let mut openings = grouped(run.openings.len() as u64);
    if run.openings.distinct() < run.openings.len() {
        openings += &format!(" ({} different)", grouped(run.openings.distinct() as u64));
    }
    openings += &format!(", checksum {}", run.openings_checksum);
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
        faults += &format!(" and {} % of the games", rounded_percent(play.most_fault_share));
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

/// The page of a running run that is made up, after these pairs.
#[cfg(test)]
pub fn made_up_page<S: PageContent>(
    players: usize,
    openings: usize,
    rules: <S::Competition as Competition>::Rules,
    pairs: impl Iterator<Item = PairRecord>,
) -> String {
    use matches::game::MoveLimits;
    use matches::openings::{Book, OpeningSettings};
    use matches::player::Identity;
    let words = ["embedded".to_owned(), "name=<one & two>".to_owned()];
    let contestant = Contestant::parse(&words, MoveLimits::nodes(9), None).expect("known");
    let identity = |index| Identity {
        name: format!("{} {index}", contestant.name),
        fingerprint: "0".to_owned(),
    };
    let lines = format!("{}\n", chess::GAME.start().to_fen()).repeat(openings);
    let book = Book::parse(lines.into(), "made up", &OpeningSettings::default());
    let run = Description {
        folder: PathBuf::new(),
        contestants: vec![contestant.clone(); players],
        identities: (0..players).map(identity).collect(),
        openings: std::sync::Arc::new(book.expect("a legal position")),
        openings_checksum: "0".to_owned(),
        rules,
    };
    let mut competition = competition::<S::Competition>(&run);
    let (mut tally, mut content) = (RunTally::new(&run.identities), S::new(&run));
    for pair in pairs {
        competition.count(&pair);
        tally.count(&pair);
        content.count(&competition.progress(&tally, 0), &pair, true);
    }
    let (state, pace) = (RunState::Running, Some(Pace::start()));
    let repeat = "sprt run".to_owned();
    html_of(&content, &RunContext { run, state, pace, repeat, folder: None, analysis: None })
}
