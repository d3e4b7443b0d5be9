//! The games of a regression test: a sequential test of two builds.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use matches::game::{MoveLimits, PairRecord};
use matches::player::{Contestant, Source, UciEngine};
use matches::run::{self, NoObserver, Observer, PlayerFaults, RunError, Workers};
use matches::sequential_test::{self, Description, Progress, Rules, SequentialTest, TestSettings};
use report::TestPage;
use revisions::{Built, Control, GamesReport, Halt, words};
use serde::{Deserialize, Serialize};
use statistics::Verdict;
use system::files::{create_folder, read_text, write_atomically};

use super::error::RegressError;
use super::watcher::Watcher;

/// Settings of the tests by games.
#[derive(Clone, Debug)]
pub struct GamesSettings {
    /// The tests, each only if the one before accepts.
    pub stages: Vec<GamesStage>,
    /// The rules of all stages.
    pub rules: Rules,
    /// Opening file, or [`system::files::EMBEDDED`].
    pub openings: PathBuf,
    /// Transposition table in megabytes (2²⁰ bytes); the engines' own default if `None`.
    pub hash: Option<usize>,
    /// Options that both engines are given.
    pub options: BTreeMap<String, String>,
    /// Games at a time, and whether engines show before that they keep limits.
    pub workers: Workers,
}

/// A test by games: one stage of the comparison.
#[derive(Clone, Copy, Debug)]
pub struct GamesStage {
    /// `nodes` or `time`; also the name of its folder.
    pub name: &'static str,
    /// How long players may think.
    pub limits: MoveLimits,
}

impl GamesStage {
    /// All names of stages.
    pub const NAMES: [&str; 2] = ["nodes", "time"];
}

/// The settings that a folder's games belong to.
#[derive(Debug, Serialize, Deserialize)]
struct PlayedSettings {
    /// The git trees that the programs were first built from.
    trees: [String; 2],
    base: String,
    candidate: String,
    limits: MoveLimits,
    rules: Rules,
    openings: PathBuf,
    hash: Option<usize>,
    options: BTreeMap<String, String>,
}

const SETTINGS: &str = "settings.json";
/// The page of the games, in their folder.
pub const PAGE: &str = "page.html";

/// A test by games of two builds.
pub struct Match<'a> {
    /// The settings of all stages.
    pub settings: &'a GamesSettings,
    /// The stage to play: its name and the limits of players.
    pub stage: &'a GamesStage,
    /// The base and the candidate.
    pub builds: [&'a Built; 2],
    /// Where journal, games and page are.
    pub folder: &'a Path,
    /// The command line that repeats it.
    pub repeat: &'a str,
}

/// The games of a regression test.
pub struct PlayedGames {
    /// The result of the games.
    pub report: GamesReport,
    /// False if the budget ended them.
    pub are_over: bool,
}

/// Plays until the test, the games or the budget end, or goes on with what the folder holds; `None`
/// if the budget left no time for a pair.
///
/// # Errors
/// The games cannot be played, the folder holds others, or the user interrupts.
pub fn play(
    game: &Match,
    control: &Control,
    watcher: &dyn Watcher,
) -> Result<Option<PlayedGames>, RegressError> {
    let &Match { settings, stage, builds, folder, repeat } = game;
    let [baseline, candidate] = builds.map(|built| contestant(settings, stage, built));
    claim(game)?;
    let started = Instant::now();
    let shown = watcher.games();
    let page = TestPage::new(&folder.join(PAGE), Some(repeat.to_owned()))?;
    let observer = (Limited { shown: shown.as_ref(), control }, page);
    let ended = if run::exists(folder) {
        sequential_test::resume(folder, settings.workers.clone(), &observer)
    } else {
        let openings = settings.openings.clone();
        let rules = settings.rules;
        let test = TestSettings { candidate, baseline, openings, syzygy: Vec::new(), rules };
        sequential_test::run(&test, settings.workers.clone(), folder, &observer)
    };
    observer.1.finish(&ended)?;
    let mut notes = Vec::new();
    let summary = match ended {
        Err(RunError::Interrupted { pairs, .. }) if control.check() == Err(Halt::BudgetOver) => {
            if pairs == 0 {
                return Ok(None);
            }
            notes.push("The budget ended the games; the same command goes on.".to_owned());
            sequential_test::review(folder, &NoObserver)?
        }
        ended => ended?,
    };
    notes.extend(summary.tally.faults.iter().flat_map(misbehavior));
    notes.extend(summary.tally.copies_text());
    let hypotheses = summary.rules.hypotheses;
    let are_over = !summary.is_unfinished();
    let report = GamesReport {
        name: stage.name.to_owned(),
        limits: stage.limits.to_string(),
        hypotheses,
        bounds: [hypotheses.lower_bound(), hypotheses.upper_bound()],
        verdict: summary.verdict,
        assessment: summary.assessment,
        seconds: started.elapsed().as_secs_f64(),
        notes,
    };
    Ok(Some(PlayedGames { report, are_over }))
}

/// Why a test by games answers what it does, in a sentence.
pub fn reason(report: &GamesReport, control: &Control) -> String {
    let games = 2 * report.assessment.counts.pairs();
    let found = match report.verdict {
        Verdict::Accepted => "the candidate is no regression",
        Verdict::Rejected => "the candidate is a regression",
        Verdict::Undecided if control.budget.is_over() => "the budget ended before a decision",
        Verdict::Undecided => "games ended before a decision",
    };
    format!("After {games} games by {}, {found}: Elo {}.", report.name, words::elo(report))
}

/// An engine's faults: games it forfeited with the first examples, and its number of oddities.
fn misbehavior(faults: &PlayerFaults) -> Vec<String> {
    let mut notes = Vec::new();
    let forfeits = faults.faults.iter().map(|(kind, count)| (kind.as_str(), count));
    let warnings = faults.warnings.iter().map(|(kind, count)| (kind.as_str(), count));
    let list: Vec<String> =
        forfeits.chain(warnings).map(|(kind, count)| format!("{kind} {count}")).collect();
    if !list.is_empty() {
        notes.push(format!("{}: {}", faults.player, list.join(", ")));
    }
    // Behind the place stands the kind, of faults and of warnings.
    let is_forfeit = |example: &&String| {
        let what = example.split_once(": ").map_or("", |(_, what)| what);
        faults.faults.keys().any(|kind| what.starts_with(kind.as_str()))
    };
    notes.extend(faults.examples.iter().filter(is_forfeit).cloned());
    notes
}

fn contestant(settings: &GamesSettings, stage: &GamesStage, built: &Built) -> Contestant {
    let mut engine = UciEngine::new(&built.binary);
    engine.folder = Some(built.folder().to_path_buf());
    engine.options.clone_from(&settings.options);
    Contestant {
        name: built.revision.clone(),
        source: Source::Uci(engine),
        limits: stage.limits,
        hash: settings.hash,
    }
}

/// Notes in the folder which test its games belong to.
///
/// # Errors
/// It holds the games of another one.
fn claim(game: &Match) -> Result<(), RegressError> {
    let &Match { settings, stage, builds: [base, candidate], folder, .. } = game;
    let ours = PlayedSettings {
        trees: [base, candidate].map(|built| built.tree().to_owned()),
        base: base.sha256.clone(),
        candidate: candidate.sha256.clone(),
        limits: stage.limits,
        rules: settings.rules,
        openings: settings.openings.clone(),
        hash: settings.hash,
        options: settings.options.clone(),
    };
    if run::exists(folder) {
        let difference = match PlayedSettings::of(folder) {
            None => Some(UNKNOWN),
            // Other revisions may give the same programs.
            Some(theirs) if (&theirs.base, &theirs.candidate) != (&ours.base, &ours.candidate) => {
                Some("of other programs")
            }
            Some(theirs) => theirs.difference(settings, stage),
        };
        return occupied(folder, difference);
    }
    create_folder(folder)?;
    let text = serde_json::to_string_pretty(&ours).expect("plain data becomes JSON") + "\n";
    write_atomically(&folder.join(SETTINGS), |file| file.write_all(text.as_bytes()))?;
    Ok(())
}

/// Checks that a folder for results holds no games but those with which a comparison of two trees
/// goes on: the new reports would lie beside games that they are not about.
///
/// # Errors
/// The folder holds such games.
pub fn check_results(
    folder: &Path,
    settings: &GamesSettings,
    trees: [&str; 2],
) -> Result<(), RegressError> {
    for name in GamesStage::NAMES {
        let folder = folder.join(name);
        if !run::exists(&folder) {
            continue;
        }
        let stage = settings.stages.iter().find(|stage| stage.name == name);
        let difference = match (PlayedSettings::of(&folder), stage) {
            (None, _) => Some(UNKNOWN),
            (Some(theirs), _) if theirs.trees != trees => Some("of other revisions"),
            (Some(_), None) => Some("which are not asked for now"),
            (Some(theirs), Some(stage)) => theirs.difference(settings, stage),
        };
        occupied(&folder, difference)?;
    }
    Ok(())
}

const UNKNOWN: &str = "it does not say which";

fn occupied(folder: &Path, difference: Option<&str>) -> Result<(), RegressError> {
    difference.map_or(Ok(()), |difference| {
        let (folder, difference) = (folder.to_path_buf(), difference.to_owned());
        Err(RegressError::Occupied { folder, difference })
    })
}

impl PlayedSettings {
    /// The settings that the games of a folder belong to, if it has them.
    fn of(folder: &Path) -> Option<PlayedSettings> {
        serde_json::from_str(&read_text(&folder.join(SETTINGS)).ok()?).ok()
    }

    /// The first difference from these settings, if there is one.
    fn difference(&self, settings: &GamesSettings, stage: &GamesStage) -> Option<&'static str> {
        let options = (&self.openings, self.hash, &self.options);
        if self.limits != stage.limits {
            Some("with another limit of nodes or time")
        } else if self.rules != settings.rules {
            Some("with other hypotheses or rules")
        } else if options != (&settings.openings, settings.hash, &settings.options) {
            Some("with other openings or engine options")
        } else {
            None
        }
    }
}

/// Shows the games, and ends them with the budget.
struct Limited<'a> {
    shown: &'a dyn Observer<SequentialTest>,
    control: &'a Control<'a>,
}

impl Observer<SequentialTest> for Limited<'_> {
    fn on_open(&self, run: &Description) {
        self.shown.on_open(run);
    }

    fn on_remark(&self, remark: &str) {
        self.shown.on_remark(remark);
    }

    fn on_start(&self, progress: &Progress) {
        self.shown.on_start(progress);
    }

    fn on_resumed_pair(&self, progress: &Progress, pair: &PairRecord) {
        self.shown.on_resumed_pair(progress, pair);
    }

    fn on_pair(&self, progress: &Progress, pair: &PairRecord) {
        self.shown.on_pair(progress, pair);
    }

    fn on_copy(&self, progress: &Progress, pair: &PairRecord) {
        self.shown.on_copy(progress, pair);
    }

    fn is_interrupted(&self) -> bool {
        self.shown.is_interrupted() || self.control.check().is_err()
    }
}
