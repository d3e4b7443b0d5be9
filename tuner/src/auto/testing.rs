//! The tests of a generation: whether its candidate is stronger than the champion, and whether it is
//! not weaker with more nodes.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;

use chess::Parameters;
use matches::game::{MoveLimits, PairRecord};
use matches::player::{Contestant, Source};
use matches::run::{Observer, PlayRules, RunError, Workers};
use matches::sequential_test::{self, Progress, Rules, SequentialTest, TestSettings};
use positions::games;
use statistics::{Assessment, Design, Hypotheses, PairCounts, Verdict};
use system::budget::Budget;
use system::files::EMBEDDED;

use super::display::ProgressDisplay;
use super::folder::{CANDIDATE, CHAMPION, TEST_GAMES, folder_of_part};
use super::hours::Lap;
use super::ledger::Generation;
use super::run::Run;
use super::settings::Step;
use super::time::EXPORT_RESERVE;

/// Transposition table of each player in a test, in megabytes: new for each game, and a few
/// thousand nodes a move need no more.
const HASH_MEGABYTES: usize = 1;
/// Pairs after which a check is decided by what it saw.
pub(super) const CHECK_PAIRS: u64 = 300;
/// Folders of the tests in that of their generation.
const TEST: &str = "test";
const CHECK: &str = "check";

pub(super) enum Tested {
    Finished(Assessment),
    Cut(Assessment),
}

/// A test of two players.
pub(super) struct Question {
    /// The same in a few words.
    pub what: String,
    /// File of the candidate in the folder of its generation.
    pub candidate: PathBuf,
    /// File of who it plays.
    pub baseline: PathBuf,
    /// Folder of the answer there.
    pub folder: String,
    pub step: Step,
    pub nodes: u64,
    pub pairs: u64,
    pub hypotheses: Hypotheses,
    pub design: Design,
    /// Whether the games end when the hypotheses are decided between.
    pub early_stop: bool,
    /// Until when they are played.
    pub until: Budget,
}

impl Run {
    /// Until when the tests of a generation go on.
    pub(super) fn test_end(&self) -> Budget {
        Budget::starting_now(
            self.budget.remaining().map(|left| left.saturating_sub(EXPORT_RESERVE)),
        )
    }

    /// Plays the candidate against the champion until the test decides or the budget ends it.
    pub(super) fn test(&mut self, number: u32, hypotheses: Hypotheses) -> anyhow::Result<Tested> {
        let files = [CANDIDATE, CHAMPION].map(|name| match name {
            CHAMPION => self.folder.join(CHAMPION),
            name => self.generation_folder(number).join(name),
        });
        if Parameters::load(&files[0])? == Parameters::load(&files[1])? {
            // Nothing to test, and a match of equals would go on to its last pair.
            self.voice.step("the fit changed no value: there is nothing to test");
            let mut assessment = Assessment::new(PairCounts::default(), &hypotheses);
            assessment.figures.verdict = Verdict::Rejected;
            return Ok(Tested::Finished(assessment));
        }
        let what = format!("test: 0 against {} Elo", hypotheses.elo1);
        let question = self.question(what, CANDIDATE, TEST, Step::Test, hypotheses);
        self.ask(number, &question)
    }

    /// A test against the champion as all are, unless a field is set otherwise.
    pub(super) fn question(
        &self,
        what: String,
        candidate: impl Into<PathBuf>,
        folder: impl Into<String>,
        step: Step,
        hypotheses: Hypotheses,
    ) -> Question {
        Question {
            what,
            candidate: candidate.into(),
            baseline: self.folder.join(CHAMPION),
            folder: folder.into(),
            step,
            nodes: self.settings.choices.nodes,
            pairs: self.settings.choices.pairs,
            hypotheses,
            design: Design::default(),
            early_stop: true,
            until: self.test_end(),
        }
    }

    /// Plays an accepted candidate against the champion with more nodes: what helps where few are
    /// searched alone is not kept.
    pub(super) fn check(
        &mut self,
        number: u32,
        candidate: PathBuf,
        hypotheses: Hypotheses,
    ) -> anyhow::Result<Tested> {
        let nodes = self.settings.check_nodes;
        let design = Design { decide_at_limit: true, ..Design::default() };
        let what = format!("check at {nodes} nodes a move");
        let question = self.question(what, candidate, CHECK, Step::Check, hypotheses);
        let pairs = CHECK_PAIRS.min(question.pairs);
        self.ask(number, &Question { nodes, pairs, design, ..question })
    }

    /// Plays until the question is answered or the budget ends it.
    pub(super) fn ask(&mut self, number: u32, question: &Question) -> anyhow::Result<Tested> {
        let folder = self.generation_folder(number);
        let output = folder.join(&question.folder);
        let player = |file: PathBuf| Contestant {
            name: file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            source: Source::Parameters { file, changes: Vec::new() },
            limits: MoveLimits::nodes(question.nodes),
            hash: Some(HASH_MEGABYTES),
        };
        let settings = TestSettings {
            candidate: player(folder.join(&question.candidate)),
            baseline: player(question.baseline.clone()),
            openings: PathBuf::from(EMBEDDED),
            syzygy: Vec::new(),
            rules: Rules {
                play: PlayRules {
                    most_faults: 0,
                    most_fault_share: 0.0,
                    ..PlayRules::with_seed(self.settings.seed_of(number, question.step))
                },
                pairs: question.pairs,
                early_stop: question.early_stop,
                hypotheses: question.hypotheses,
                design: question.design,
            },
        };
        let watcher = Watcher {
            until: question.until,
            counts: Cell::new(PairCounts::default()),
            resumed: Cell::new(0),
            display: RefCell::new(self.voice.begin(&question.what, Some(question.pairs), "pairs")),
        };
        let lap = Lap::start();
        let allows_changes = self.allows_changes;
        let workers = Workers { allows_changes, ..Workers::from(self.threads) };
        let outcome = if matches::run::exists(&output) {
            sequential_test::resume(&output, workers, &watcher)
        } else {
            sequential_test::run(&settings, workers, &output, &watcher)
        };
        let games = 2 * watcher.counts.get().pairs().saturating_sub(watcher.resumed.get());
        if question.nodes == self.settings.choices.nodes {
            self.measure(&lap, games as u32, question.nodes);
        }
        if games > 0 {
            self.hours.add(number, &question.folder, &lap)?;
        }
        match outcome {
            Ok(summary) => Ok(Tested::Finished(summary.assessment)),
            Err(RunError::Interrupted { .. }) => {
                Ok(Tested::Cut(Assessment::new(watcher.counts.get(), &question.hypotheses)))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Keeps the games of a generation's tests as positions for the fits to come.
    pub(super) fn keep_games(&self, generation: &Generation) -> anyhow::Result<()> {
        let folder = self.generation_folder(generation.generation);
        let output = folder.join(TEST_GAMES);
        let parts = (1..=generation.parts.len() as u32).map(folder_of_part);
        let tests = [TEST, CHECK].map(str::to_string).into_iter().chain(parts);
        let played = tests.map(|name| folder.join(name)).filter(|test| matches::run::exists(test));
        games::gather(&played.collect::<Vec<_>>(), &output)
    }
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
