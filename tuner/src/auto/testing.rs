//! The tests of a generation: whether its candidate is stronger than the champion, and whether it is
//! not weaker with more nodes.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;

use matches::game::{MoveLimits, PairRecord};
use matches::openings::OpeningSettings;
use matches::player::{Contestant, Source};
use matches::run::{Observer, PlayRules, RunError, Workers};
use matches::sequential_test::{self, Progress, Rules, SequentialTest, TestSettings};
use positions::games;
use statistics::{Assessment, Design, Hypotheses, PairCounts, Verdict};
use system::budget::Budget;
use system::files::EMBEDDED;

use super::display::ProgressDisplay;
use super::files::{CANDIDATE, CHAMPION, START, TEST_GAMES};
use super::folder::Folder;
use super::generation::{Generation, TestResult};
use super::hours::Lap;
use super::pace::Pace;
use super::settings::Step;
use super::task::Task;

/// Transposition table of each player in a test, in megabytes: new for each game, and a few
/// thousand nodes a move need no more.
const HASH_MEGABYTES: usize = 1;
/// Pairs after which a check is decided by what it saw.
pub(super) const CHECK_PAIRS: u64 = 300;
/// Pairs of games for show.
const SHOW_PAIRS: u64 = 100;

/// The answer of a test.
pub(super) struct Tested {
    pub result: TestResult,
    /// The budget ended it before it was decided.
    pub is_cut: bool,
}

/// A test of two players.
pub(super) struct Question {
    /// The generation, and which of its tests it is.
    pub number: u32,
    pub step: Step,
    /// File of the candidate in the folder of its generation.
    pub candidate: String,
    pub nodes: u64,
    pub pairs: u64,
    pub hypotheses: Hypotheses,
    /// Until when games are played.
    pub until: Budget,
}

impl Question {
    /// A test with the nodes and pairs that such tests have.
    pub fn new(
        task: &Task,
        number: u32,
        step: Step,
        candidate: impl Into<String>,
        hypotheses: Hypotheses,
    ) -> Question {
        let (settings, choices) = (task.settings(), task.choices());
        let (nodes, pairs_max) = match step {
            Step::Check => (settings.check_nodes, CHECK_PAIRS),
            Step::Showcase => (settings.show_nodes, SHOW_PAIRS),
            Step::Record | Step::Test | Step::Part(_) => (choices.nodes, u64::MAX),
        };
        let (candidate, pairs) = (candidate.into(), choices.pairs.min(pairs_max));
        Question { number, step, candidate, nodes, pairs, hypotheses, until: task.test_end() }
    }

    /// The settings of its match: against the champion until the hypotheses are decided between, or for
    /// show against the start.
    fn settings(&self, task: &Task, folder: &Folder) -> TestSettings {
        let player = |file: PathBuf| Contestant {
            name: file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            source: Source::Parameters { file, changes: Vec::new() },
            limits: MoveLimits::nodes(self.nodes),
            hash: Some(HASH_MEGABYTES),
        };
        let seed = task.settings().seed_of(self.number, self.step);
        let is_for_show = self.step == Step::Showcase;
        TestSettings {
            candidate: player(folder.of_generation(self.number).join(&self.candidate)),
            baseline: player(folder.file(if is_for_show { START } else { CHAMPION })),
            openings: PathBuf::from(EMBEDDED),
            syzygy: Vec::new(),
            rules: Rules {
                play: PlayRules {
                    openings: OpeningSettings::of(folder.game()),
                    most_faults: 0,
                    most_fault_share: 0.0,
                    ..PlayRules::with_seed(seed)
                },
                pairs: self.pairs,
                early_stop: !is_for_show,
                hypotheses: self.hypotheses,
                design: Design { decide_at_limit: self.step == Step::Check, ..Design::default() },
            },
        }
    }
}

/// Plays the candidate of a generation against the champion until the test decides or the budget ends it.
pub(super) fn test(
    task: &Task,
    folder: &Folder,
    number: u32,
    hypotheses: Hypotheses,
) -> anyhow::Result<Tested> {
    let question = Question::new(task, number, Step::Test, CANDIDATE, hypotheses);
    let candidate = folder.numbers(&folder.of_generation(number).join(CANDIDATE))?;
    if candidate == folder.champion()? {
        // Nothing to test, and a match of equals would go on to its last pair.
        task.voice().step("the fit changed no value: there is nothing to test");
        let mut found = Assessment::new(PairCounts::default(), &hypotheses);
        found.figures.verdict = Verdict::Rejected;
        return Ok(Tested { result: TestResult::of(question.nodes, &found), is_cut: false });
    }
    ask(task, folder, &format!("test: 0 against {} Elo", hypotheses.elo1), &question)
}

/// Plays until a question, `what` in a few words, is answered or the budget ends it.
pub(super) fn ask(
    task: &Task,
    folder: &Folder,
    what: &str,
    question: &Question,
) -> anyhow::Result<Tested> {
    let name = question.step.name();
    let output = folder.of_generation(question.number).join(&name);
    let watcher = Watcher {
        until: question.until,
        counts: Cell::new(PairCounts::default()),
        resumed: Cell::new(0),
        display: RefCell::new(task.voice().begin(what, Some(question.pairs), "pairs")),
    };
    let lap = Lap::start();
    let workers =
        Workers { allows_changes: task.allows_changes(), ..Workers::from(task.threads()) };
    let outcome = if matches::run::exists(&output) {
        sequential_test::resume(&output, workers, &watcher)
    } else {
        sequential_test::run(&question.settings(task, folder), workers, &output, &watcher)
    };
    let games = 2 * watcher.counts.get().pairs().saturating_sub(watcher.resumed.get());
    if question.nodes == task.choices().nodes {
        folder.hours().learn(Pace::of_games(lap.elapsed(), games, question.nodes));
    }
    if games > 0 {
        folder.hours().add(question.number, &name, &lap)?;
    }
    let (found, is_cut) = match outcome {
        Ok(summary) => (summary.assessment, false),
        Err(RunError::Interrupted { .. }) => {
            (Assessment::new(watcher.counts.get(), &question.hypotheses), true)
        }
        Err(error) => return Err(error.into()),
    };
    Ok(Tested { result: TestResult::of(question.nodes, &found), is_cut })
}

/// Keeps the games of a generation's tests as positions for the fits to come.
pub(super) fn keep_games(folder: &Folder, generation: &Generation) -> anyhow::Result<()> {
    let place = folder.of_generation(generation.generation);
    let parts = (1..=generation.parts.len() as u32).map(Step::Part);
    let tests = [Step::Test, Step::Check].into_iter().chain(parts);
    let folders = tests.map(|test| place.join(test.name()));
    let played: Vec<PathBuf> = folders.filter(|test| matches::run::exists(test)).collect();
    games::gather(folder.game(), &played, &place.join(TEST_GAMES))
}

/// Follows a test: shows progress and ends it when the budget does.
struct Watcher {
    until: Budget,
    counts: Cell<PairCounts>,
    resumed: Cell<u64>,
    display: RefCell<ProgressDisplay>,
}

impl Watcher {
    fn show(&self, progress: &Progress) {
        self.counts.set(progress.counts);
        self.resumed.set(progress.resumed_pairs);
        self.display.borrow_mut().show(progress.counts.pairs(), || {
            let [losses, draws, wins] = progress.counts.trinomial();
            let hypotheses = &progress.rules.hypotheses;
            format!(
                "+{wins} ={draws} -{losses}, log-likelihood ratio {:.2} of {:.2}",
                progress.log_likelihood_ratio,
                hypotheses.upper_bound()
            )
        });
    }
}

impl Observer<SequentialTest> for Watcher {
    fn on_start(&self, progress: &Progress) {
        self.show(progress);
    }

    fn on_pair(&self, progress: &Progress, _pair: &PairRecord) {
        self.show(progress);
    }

    fn is_interrupted(&self) -> bool {
        self.until.is_over()
    }
}
