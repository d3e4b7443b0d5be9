//! Regression tests: is one revision of an engine worse than another?
//!
//! Both are checked out from git, built, and asked for their bench. Equal benches mean that the
//! change does not alter play, and then speed is compared by benches run in turn; different ones
//! are played against each other, by nodes, by time, or by nodes first and then by time.
//!
//! The cheapest question comes first: equal bytes, equal benches, then games. Benches of fewer than
//! 10,000 nodes are not believed. All reports are made of one `Outcome`.

mod error;
mod games;
mod history;
mod watcher;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use report::html::regression;
use report::{junit, markdown};
use revisions::{
    BenchSettings, BuildReport, Builder, Built, Change, Control, Decision, Halt, Outcome, Recipe,
    Repository, Revision, RevisionReport, SpeedRatio, SpeedSettings, compare, words,
};
use serde::Deserialize;
use statistics::Verdict;
use system::budget::Budget;
use system::files::{
    FileError, OutputError, check_free, claim_outputs, create_folder, read_text, write_atomically,
};
use system::shell;

pub use error::RegressError;
pub use games::{GamesSettings, GamesStage};
pub use history::{Against, History, HistoryRow, HistorySettings, RowStatus, history};
pub use watcher::Watcher;

use games::Match;

/// The revisions to compare, and the ways to compare them.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A folder of the repository.
    pub repository: PathBuf,
    /// The base of the comparison; if `None`, where the candidate left the main branch, its parent,
    /// or for a working tree with changes the commit they are made to.
    pub base: Option<String>,
    /// The candidate; if `None` or `worktree`, the working tree as it is.
    pub candidate: Option<String>,
    /// The recipe that builds both.
    pub recipe: Recipe,
    /// How they are asked for their bench; if `None`, they are not, and games are played.
    pub bench: Option<BenchSettings>,
    /// The bench that is timed when speeds are compared: the same, or a shorter one.
    pub timed: BenchSettings,
    /// The plan of the comparison of speeds.
    pub speed: SpeedSettings,
    /// The settings of the games.
    pub games: GamesSettings,
    /// Time for everything, builds included.
    pub budget: Option<Duration>,
    /// Folder of the builds.
    pub cache: PathBuf,
    /// Folder for the results; `regress/BASE..CANDIDATE` if `None`.
    pub output: Option<PathBuf>,
    /// The words of the command line besides the revisions, for the line that repeats it.
    pub other_options: Vec<String>,
}

/// Turns of the comparison of speeds between two notes about it.
const TURNS_A_NOTE: usize = 5;

/// Names of the outcome's files in the folder of the results.
pub const FILES: [&str; 4] = ["result.json", "junit.xml", "summary.md", "page.html"];

/// Compares two revisions; returns the outcome and the folder with the reports about it.
///
/// A failure after the revisions are known (a build, a bench) is an outcome too: reports are
/// written that say [`Decision::Failed`].
///
/// # Errors
/// See [`RegressError`]; the revisions are not known, the reports cannot be written, or the user
/// interrupts. The same settings then go on where it ended.
pub fn run(settings: &Settings, watcher: &dyn Watcher) -> Result<(Outcome, PathBuf), RegressError> {
    let started = Instant::now();
    let is_interrupted = || watcher.is_interrupted();
    let budget = Budget::starting_now(settings.budget);
    // A budget of a minute must not keep git from finding out what there is to do.
    let patient = Control { budget: Budget::starting_now(None), is_interrupted: &is_interrupted };
    let control = Control { budget, ..patient };
    let repository = Repository::open(&settings.repository, patient)?;
    ignore_in_git(&settings.cache)?;
    let builder = Builder::new(&repository, &settings.recipe, &settings.cache, control)?;
    let candidate = match settings.candidate.as_deref() {
        None | Some(Revision::WORKTREE) => {
            repository.snapshot(builder.scratch(), &reports_in(settings.output.as_deref()))?
        }
        Some(name) => repository.resolve(name)?,
    };
    let base = match &settings.base {
        Some(name) => repository.resolve(name)?,
        None => repository.default_base(&candidate)?,
    };
    let name = format!("{}..{}", base.short(), candidate.short());
    let folder = settings.output.clone().unwrap_or_else(|| Path::new("regress").join(name));
    games::check_results(&folder, &settings.games, [&base.tree, &candidate.tree])?;
    ignore_in_git(&folder)?;
    let _claims = claim_outputs([&*folder.join(FILES[0])])?;
    check_own_reports(&folder)?;
    remove_other_reports(&folder, [&base, &candidate]);
    let repeat = repeating_line(&base, &candidate, &settings.other_options);
    let mut comparison = Comparison {
        settings,
        builder: &builder,
        control,
        watcher,
        folder: &folder,
        outcome: Outcome {
            schema: Outcome::SCHEMA.to_owned(),
            program: format!("sprt {}", env!("CARGO_PKG_VERSION")),
            decision: Decision::Failed,
            reason: String::new(),
            change: None,
            base: RevisionReport::new(base),
            candidate: RevisionReport::new(candidate),
            speed: None,
            games: Vec::new(),
            not_done: Vec::new(),
            budget_seconds: settings.budget.map(|budget| budget.as_secs_f64()),
            elapsed_seconds: 0.0,
            repeat,
        },
    };
    let found = comparison.decide();
    let mut outcome = comparison.outcome;
    let not_done = steps_not_done(&outcome, settings);
    (outcome.decision, outcome.reason) = match found {
        Ok(decision) => decision,
        // The reports there are about something else.
        Err(error @ RegressError::Occupied { .. }) => return Err(error),
        Err(error) => match error.halt() {
            Some(Halt::Interrupted) => return Err(error),
            Some(Halt::BudgetOver) => {
                let list = not_done.join(", ");
                (Decision::Undecided, format!("The budget was used up. Not done: {list}."))
            }
            None => (Decision::Failed, error.to_string()),
        },
    };
    if matches!(outcome.decision, Decision::Undecided | Decision::Failed) {
        outcome.not_done = not_done;
    }
    outcome.elapsed_seconds = started.elapsed().as_secs_f64();
    // The outcome is told, also where it cannot be written.
    write_reports(&outcome, &folder).inspect_err(|_| watcher.note(&outcome.to_text()))?;
    Ok((outcome, folder))
}

/// The steps that a comparison has not come to, or not to their end.
fn steps_not_done(outcome: &Outcome, settings: &Settings) -> Vec<String> {
    let sides = [("base", &outcome.base), ("candidate", &outcome.candidate)];
    let mut steps = Vec::new();
    for (name, _) in sides.iter().filter(|(_, side)| side.build.is_none()) {
        steps.push(format!("build of the {name}"));
    }
    if settings.bench.is_some() {
        for (name, _) in sides.iter().filter(|(_, side)| side.bench.is_none()) {
            steps.push(format!("bench of the {name}"));
        }
    }
    match outcome.change {
        None if settings.bench.is_some() => steps.push("speed or games".to_owned()),
        Some(Change::NonFunctional) if outcome.speed.is_none() => steps.push("speed".to_owned()),
        Some(Change::NonFunctional) => {}
        None | Some(Change::Functional) => {
            let is_missing =
                |stage: &&GamesStage| outcome.games.iter().all(|games| games.name != stage.name);
            let missing = settings.games.stages.iter().filter(is_missing);
            steps.extend(missing.map(|stage| format!("games by {}", stage.name)));
        }
    }
    steps
}

/// A comparison on its way.
struct Comparison<'a> {
    settings: &'a Settings,
    builder: &'a Builder<'a>,
    control: Control<'a>,
    watcher: &'a dyn Watcher,
    folder: &'a Path,
    outcome: Outcome,
}

impl Comparison<'_> {
    /// Builds, measures and plays; what is found on the way goes into the outcome.
    fn decide(&mut self) -> Result<(Decision, String), RegressError> {
        let mut base = self.build(&self.outcome.base.revision)?;
        self.outcome.base.build = Some(build_report(&base));
        let mut candidate = self.build(&self.outcome.candidate.revision)?;
        self.outcome.candidate.build = Some(build_report(&candidate));
        let mut change = Change::Functional;
        if let Some(bench) = &self.settings.bench {
            let nodes = base.signature(bench, &self.control)?;
            self.outcome.base.bench = Some(nodes);
            let other = candidate.signature(bench, &self.control)?;
            self.outcome.candidate.bench = Some(other);
            // The same bytes play alike, whatever a bench reaches of them.
            let are_shown_alike = nodes.shows_how_it_plays() || base.sha256 == candidate.sha256;
            let words = match nodes.nodes == other.nodes {
                true if are_shown_alike => {
                    change = Change::NonFunctional;
                    "the same: a non-functional change"
                }
                true => words::SHORT_BENCH,
                false => "a functional change",
            };
            self.watcher.note(&format!("bench {} and {}: {words}", nodes.nodes, other.nodes));
        }
        self.outcome.change = Some(change);
        match change {
            Change::NonFunctional => self.compare_speed([&base, &candidate]),
            Change::Functional => self.play([&base, &candidate]),
        }
    }

    fn build(&self, revision: &Revision) -> Result<Built, RegressError> {
        let built = self.builder.build(revision, &|text| self.watcher.note(text))?;
        if built.was_cached {
            self.watcher.note(&format!("{} is built already", revision.name));
        }
        Ok(built)
    }

    fn compare_speed(&mut self, builds: [&Built; 2]) -> Result<(Decision, String), RegressError> {
        let note = |turns: usize, ratio: Option<SpeedRatio>| {
            if let Some(SpeedRatio { value, lower, upper }) = ratio
                && turns.is_multiple_of(TURNS_A_NOTE)
            {
                self.watcher.note(&format!(
                    "speed after {turns} benches of each: ×{value:.4} [{lower:.4}, {upper:.4}]"
                ));
            }
        };
        let Settings { timed, speed, .. } = self.settings;
        let speed = compare(builds, timed, *speed, &self.control, &note)?;
        let tolerated = 100.0 * speed.settings.tolerance;
        let found = match speed.verdict {
            Verdict::Accepted if speed.same_program => "the programs are the same bytes".to_owned(),
            Verdict::Accepted => format!("not surely slower by more than {tolerated} %"),
            Verdict::Rejected => format!("slower by more than {tolerated} %"),
            Verdict::Undecided => "the interval is too wide to say".to_owned(),
        };
        let reason = format!(
            "Equal benches: the change is non-functional. Speed {}: {found}.",
            words::speed_result(&speed).split_once(": ").map_or("unknown", |(_, ratio)| ratio)
        );
        let decision = speed.verdict.into();
        self.outcome.speed = Some(speed);
        Ok((decision, reason))
    }

    fn play(&mut self, builds: [&Built; 2]) -> Result<(Decision, String), RegressError> {
        let mut answer = (Decision::Undecided, "No games were asked for.".to_owned());
        for stage in &self.settings.games.stages {
            self.watcher.note(&format!("games by {}: {}", stage.name, stage.limits));
            let folder = self.folder.join(stage.name);
            let game = Match {
                settings: &self.settings.games,
                stage,
                builds,
                folder: &folder,
                repeat: &self.outcome.repeat,
            };
            let watched = games::play(&game, &self.control, self.watcher);
            let Some(games::PlayedGames { report, .. }) = watched? else {
                return Ok((
                    Decision::Undecided,
                    format!("The budget was used up before the games by {}.", stage.name),
                ));
            };
            answer = (report.verdict.into(), games::reason(&report, &self.control));
            let verdict = report.verdict;
            self.outcome.games.push(report);
            if verdict != Verdict::Accepted {
                break;
            }
        }
        Ok(answer)
    }
}

/// The command line that repeats a comparison.
fn repeating_line(base: &Revision, candidate: &Revision, options: &[String]) -> String {
    let exact = |revision: &Revision| match revision.is_worktree() {
        true => Revision::WORKTREE.to_owned(),
        false => revision.commit.clone(),
    };
    let (base, candidate) = (exact(base), exact(candidate));
    let words = ["sprt", "regress", "--base", &base, "--candidate", &candidate];
    shell::join(words.into_iter().chain(options.iter().map(String::as_str)))
}

fn build_report(built: &Built) -> BuildReport {
    BuildReport {
        sha256: built.sha256.clone(),
        seconds: built.seconds,
        was_cached: built.was_cached,
    }
}

/// Writes all forms of the outcome, each whole or not at all.
fn write_reports(outcome: &Outcome, folder: &Path) -> Result<(), RegressError> {
    let junit = junit::report(outcome).map_err(|error| RegressError::Report(error.to_string()))?;
    let pages: Vec<(String, String)> = outcome
        .games
        .iter()
        .map(|games| (games.name.clone(), format!("{}/{}", games.name, games::PAGE)))
        .filter(|(_, page)| folder.join(page).is_file())
        .collect();
    let page = regression::page(outcome, &pages);
    let texts = [outcome.to_json(), junit, markdown::summary(outcome), page];
    for (name, text) in FILES.into_iter().zip(texts) {
        write_atomically(&folder.join(name), |file| file.write_all(text.as_bytes()))?;
    }
    Ok(())
}

/// Checks that what is to be written over are the reports of an earlier comparison.
fn check_own_reports(folder: &Path) -> Result<(), OutputError> {
    #[derive(Deserialize)]
    struct Own {
        schema: String,
    }
    let text = read_text(&folder.join(FILES[0])).unwrap_or_default();
    let kind = |schema: &str| schema.split('/').next().map(str::to_owned);
    let is_own = serde_json::from_str::<Own>(&text)
        .is_ok_and(|theirs| kind(&theirs.schema) == kind(Outcome::SCHEMA));
    if is_own { Ok(()) } else { check_free(folder, FILES) }
}

/// Removes the reports about other revisions: should this run be ended, they would pass for its own.
fn remove_other_reports(folder: &Path, revisions: [&Revision; 2]) {
    let text = read_text(&folder.join(FILES[0])).unwrap_or_default();
    let are_others = serde_json::from_str::<Outcome>(&text).is_ok_and(|theirs| {
        let theirs = [&theirs.base, &theirs.candidate].map(|side| &side.revision.tree);
        theirs != revisions.map(|revision| &revision.tree)
    });
    if are_others {
        // The one by which the others are known to be ours goes last.
        for name in FILES.into_iter().rev() {
            // A file that stays is written over in the end.
            let _ = fs::remove_file(folder.join(name));
        }
    }
}

/// Files and folders that a run writes into its folder: within the working tree they would be part of
/// the next candidate, unless the folder was new.
fn reports_in(folder: Option<&Path>) -> Vec<PathBuf> {
    let names = FILES.into_iter().chain(GamesStage::NAMES);
    let within = |folder: &Path| names.map(|name| folder.join(name)).collect();
    folder.map(within).unwrap_or_default()
}

/// Makes a folder of ours that git ignores: within the working tree it would be part of the next
/// candidate.
fn ignore_in_git(folder: &Path) -> Result<(), FileError> {
    let is_new = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    create_folder(folder)?;
    if is_new {
        let ignored = folder.join(".gitignore");
        let written = write_atomically(&ignored, |file| file.write_all(b"*\n"));
        // Another run may write the same at the same time, and its hidden file takes the place first.
        if !ignored.exists() {
            written?;
        }
    }
    Ok(())
}
