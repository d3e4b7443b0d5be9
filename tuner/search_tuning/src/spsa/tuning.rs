//! A run in its folder: its journal, its path, and the threads that play.
//!
//! Every pair is appended to the journal before it counts, and all else follows from the journal
//! and the settings. A run that was killed reads them and is where it was.

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path as FilePath, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, ensure};
use command_line::WrongUse;
use matches::game::PairRecord;
use matches::openings::{Book, OpeningSettings};
use matches::player::{Identity, Player};
use matches::playing::{Entrant, PlayedPair, ScheduledPair, play_pair};
use matches::run::journal::{Journal, JournalReader, line_of_pair};
use matches::run::schedule::{Schedule, play_in_order};
use matches::run::{PlayRules, RunError, RunTally};
use serde::{Deserialize, Serialize};
use statistics::GameOutcome;
use system::files;
use tunables::TunedEngine;

use super::course::SpsaPath;
use super::path::{Path, Trial};
use super::settings::{Choices, Loaded, Purpose, Settings};

/// Every finished pair in its order, with its moves.
const JOURNAL: &str = "journal";
/// Version of the journal's format.
const VERSION: u32 = 1;

/// The first line of the journal.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    kind: Kind,
    version: u32,
    /// SHA-256 of the settings.
    settings: String,
}

/// The kind of the journal: those of tests and tournaments have other kinds.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Tuning,
}

/// A run in its folder.
pub struct Tuning {
    /// The folder of the run.
    pub folder: PathBuf,
    /// The settings that decide the path.
    pub settings: Settings,
    /// The engine or file that is tuned.
    pub subject: TunedEngine,
    /// The points of the path so far.
    pub course: SpsaPath,
    /// Counts of the games.
    pub tally: RunTally,
    /// The file of the openings.
    pub openings: PathBuf,
    book: Arc<Book>,
    rules: PlayRules,
    path: Path,
    /// Games won more than lost in the pairs of the iteration that is not complete.
    score: i64,
    journal: Journal,
    /// Held as long as the run goes on.
    _lock: File,
}

/// True if the folder holds a run.
pub fn exists(folder: &FilePath) -> bool {
    folder.join(JOURNAL).exists()
}

impl Tuning {
    /// Begins a run in the folder, or goes on with the one that is there.
    ///
    /// # Errors
    /// [`WrongUse`] where there is a run and none is to be resumed, the other way round, or where
    /// the choices are not its own; what is damaged.
    pub fn open(
        folder: &FilePath,
        choices: &Choices,
        resume: bool,
        allows_changes: bool,
    ) -> anyhow::Result<Tuning> {
        let shown = folder.display();
        if resume && !exists(folder) {
            return Err(WrongUse(format!("--resume: {shown} holds no run")).into());
        }
        if !resume && exists(folder) {
            let message = format!(
                "{shown} holds a run already: go on with it by --resume, or name another folder"
            );
            return Err(WrongUse(message).into());
        }
        if resume {
            let lock = lock(folder)?;
            let loaded = Settings::load(folder)?;
            loaded.settings.check_same(choices, &loaded, allows_changes)?;
            let path = folder.join(JOURNAL);
            let (header, reader, journal) = Journal::open::<Header>(&path)?;
            ensure!(
                header == Header::new(&loaded),
                "{}: the run was begun with other settings than are in its folder now, or by \
                 another version of this program",
                path.display()
            );
            return Tuning::new(folder, loaded, journal, lock)?.read(reader);
        }
        let (settings, book) = Settings::of_choices(choices)?;
        files::create_folder(folder)?;
        let lock = lock(folder)?;
        ensure!(!exists(folder), "another run was just begun in {shown}");
        settings.store(folder, choices, &book)?;
        let loaded = Settings::load(folder)?;
        // The journal comes last: where there is one, there is all that it needs.
        let journal = Journal::create(&folder.join(JOURNAL), &Header::new(&loaded))?;
        Tuning::new(folder, loaded, journal, lock)
    }

    fn new(
        folder: &FilePath,
        loaded: Loaded,
        journal: Journal,
        lock: File,
    ) -> anyhow::Result<Tuning> {
        let Loaded { settings, subject, book, openings, .. } = loaded;
        let tunables = subject.tunables().to_vec();
        let seed = settings.seed_of(Purpose::Perturbations);
        let identity = |name: &str| Identity { name: name.to_string(), fingerprint: String::new() };
        Ok(Tuning {
            folder: folder.to_path_buf(),
            path: Path::new(tunables.clone(), settings.gains, seed, settings.window),
            course: SpsaPath::new(tunables, settings.gains, settings.batch),
            tally: RunTally::new(&["plus", "minus"].map(identity)),
            rules: PlayRules::with_seed(settings.seed_of(Purpose::Games)),
            score: 0,
            settings,
            subject,
            openings,
            book: Arc::new(book),
            journal,
            _lock: lock,
        })
    }

    /// Counts what is in the journal.
    fn read(mut self, mut reader: JournalReader) -> anyhow::Result<Tuning> {
        let path = self.folder.join(JOURNAL);
        let openings = OpeningSettings::default();
        let mut expected = Schedule::new(self.rules.seed, openings, self.book.len(), 0, u64::MAX);
        while let Some(pair) = reader.next_pair(&self.book)? {
            let slot = expected.next().context("more pairs than can be counted")?;
            if pair.number != slot.number {
                return Err(reader.damaged(format!("pair {} is out of order", pair.number)).into());
            }
            ensure!(
                pair.opening == slot.opening,
                "{}: pair {} was played from another opening than its own",
                path.display(),
                pair.number + 1
            );
            self.count(&pair);
        }
        self.journal = self.journal.continue_after(reader)?;
        Ok(self)
    }

    /// Pairs that are counted so far.
    pub fn pairs(&self) -> u64 {
        self.tally.pairs
    }

    /// The values that came out, rounded where they are whole.
    pub fn values(&self) -> Vec<f64> {
        let numbers = self.subject.tunables().iter().zip(self.path.values());
        numbers.map(|(tunable, &value)| tunable.clamp(value)).collect()
    }

    /// Counts the next pair; when it completes an iteration, the path makes a step, and another
    /// iteration may be played.
    fn count(&mut self, pair: &PairRecord) -> Option<Arc<Trial>> {
        self.tally.count(pair);
        self.score += pair.outcomes().map(score_of).iter().sum::<i64>();
        if !self.tally.pairs.is_multiple_of(self.settings.batch) {
            return None;
        }
        let score = std::mem::take(&mut self.score);
        let [counted, next] = self.path.count(score);
        self.course.take(&counted, score, &self.path);
        Some(next)
    }

    /// Plays until there are so many pairs, rounded up to whole iterations. `show` is told after
    /// each pair.
    ///
    /// # Errors
    /// See [`RunError`]; what was finished is in the journal.
    pub fn play(
        &mut self,
        pairs: u64,
        threads: usize,
        mut show: impl FnMut(&Tuning),
    ) -> anyhow::Result<()> {
        let (begin, seed) = (self.pairs(), self.rules.seed);
        let end = pairs.next_multiple_of(self.settings.batch).max(begin);
        let openings = OpeningSettings::default();
        let schedule = Schedule::new(seed, openings, self.book.len(), begin, end);
        let stage = Stage {
            subject: self.subject.clone(),
            book: self.book.clone(),
            rules: self.rules,
            batch: self.settings.batch,
            trials: Trials::new(self.path.trials()),
        };
        let take = |(pair, line): (Box<PairRecord>, String)| {
            self.journal.append(&line)?;
            if let Some(next) = self.count(&pair) {
                stage.trials.open(next);
            }
            show(self);
            self.tally.check(&self.rules, |_| false)?;
            Ok::<_, RunError>(ControlFlow::Continue(()))
        };
        play_in_order(schedule, threads, |_| stage.worker(), take, || false)?;
        self.tally.check_verdict(&self.rules)?;
        Ok(self.journal.synchronize()?)
    }
}

impl Header {
    fn new(loaded: &Loaded) -> Header {
        Header { kind: Kind::Tuning, version: VERSION, settings: loaded.digest.clone() }
    }
}

/// Data that threads need to play.
struct Stage {
    subject: TunedEngine,
    book: Arc<Book>,
    rules: PlayRules,
    batch: u64,
    trials: Trials,
}

impl Stage {
    /// A thread at work. Players live as long as the iteration that they belong to.
    fn worker(
        &self,
    ) -> impl FnMut(ScheduledPair, &AtomicBool) -> PlayedPair<(Box<PairRecord>, String)> + use<'_>
    {
        let referee = self.rules.game.into();
        let limits = self.subject.base().limits;
        let mut players: Option<(u64, [Box<dyn Player>; 2])> = None;
        move |slot, cancel| {
            let iteration = slot.number / self.batch + 1;
            if players.as_ref().is_none_or(|(of, _)| *of != iteration) {
                let Some(trial) = self.trials.wait_for(iteration, cancel) else {
                    return PlayedPair::Cancelled;
                };
                let made = [&trial.plus, &trial.minus].map(|values| self.subject.player(values));
                players = Some((iteration, made));
            }
            let Some((_, [plus, minus])) = &mut players else { return PlayedPair::Cancelled };
            let opponents =
                [plus, minus].map(|it| Entrant { player: it.as_mut(), limits: &limits });
            let opening = self.book.opening(slot.opening).expect("a scheduled opening exists");
            let seed = self.rules.seed;
            let played = play_pair(slot, &opening.position, opponents, &referee, seed, cancel);
            played.map(|pair| {
                let line = line_of_pair(&pair, limits.is_timed());
                (pair, line)
            })
        }
    }
}

/// The iterations that may be played now. Threads wait for theirs; since pairs are handed out in
/// order, those it waits for are being played or counted already.
struct Trials {
    open: Mutex<BTreeMap<u64, Arc<Trial>>>,
    opened: Condvar,
}

impl Trials {
    fn new<'a>(trials: impl Iterator<Item = &'a Arc<Trial>>) -> Trials {
        let open = trials.map(|trial| (trial.iteration, trial.clone())).collect();
        Trials { open: Mutex::new(open), opened: Condvar::new() }
    }

    /// One more may be played, in place of the first.
    fn open(&self, trial: Arc<Trial>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.pop_first();
        open.insert(trial.iteration, trial);
        self.opened.notify_all();
    }

    /// The iteration of this number, once it may be played; none if `cancel` was set before.
    fn wait_for(&self, iteration: u64, cancel: &AtomicBool) -> Option<Arc<Trial>> {
        const POLL: Duration = Duration::from_millis(50);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(trial) = open.get(&iteration) {
                return Some(trial.clone());
            }
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
            let waited = self.opened.wait_timeout(open, POLL);
            open = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Games won more than lost.
fn score_of(outcome: GameOutcome) -> i64 {
    match outcome {
        GameOutcome::Win => 1,
        GameOutcome::Draw => 0,
        GameOutcome::Loss => -1,
    }
}

/// Keeps a second process out of the folder.
fn lock(folder: &FilePath) -> anyhow::Result<File> {
    let lock = files::lock_folder(folder)?;
    lock.with_context(|| format!("another `tuner spsa` is at work in {}", folder.display()))
}
