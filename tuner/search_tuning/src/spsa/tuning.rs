//! A run in its folder: its journal, its path, and the threads that play.
//!
//! Every pair is appended to the journal before it counts, and all else follows from the journal
//! and the settings. A run that was killed reads them and is where it was.

use std::fs::File;
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use anyhow::{Context, ensure};
use command_line::WrongUse;
use matches::game::PairRecord;
use matches::openings::{Book, OpeningSettings};
use matches::player::Identity;
use matches::run::journal::PairReader;
use matches::run::schedule::Schedule;
use matches::run::{PlayRules, RunError, RunTally};
use serde::{Deserialize, Serialize};
use statistics::GameOutcome;
use system::files;
use tunables::TunedEngine;
use work::journal::Journal;
use work::{Coordinator, Threads, Unit, in_order};

use super::course::SpsaPath;
use super::pairs::{TrialPair, TrialPairs, Written};
use super::path::Path;
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
            let (header, reader, journal) = PairReader::open_to_continue::<Header>(&path)?;
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
            rules: PlayRules {
                openings: OpeningSettings::of(settings.game),
                ..PlayRules::with_seed(settings.seed_of(Purpose::Games))
            },
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
    fn read(mut self, mut reader: PairReader) -> anyhow::Result<Tuning> {
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
        self.journal = self.journal.continue_after(reader.lines())?;
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
    fn count(&mut self, pair: &PairRecord) {
        self.tally.count(pair);
        self.score += pair.outcomes().map(score_of).iter().sum::<i64>();
        if self.tally.pairs.is_multiple_of(self.settings.batch) {
            let score = std::mem::take(&mut self.score);
            let counted = self.path.count(score);
            self.course.take(&counted, score, &self.path);
        }
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
        show: impl FnMut(&Tuning),
    ) -> anyhow::Result<()> {
        let kind = self.pairs_to_play();
        let mut counting = Counting::new(self, pairs, show);
        Threads::scope(&kind, threads, |threads| in_order(threads, &mut counting))??;
        self.tally.check_verdict(&self.rules)?;
        Ok(self.journal.synchronize()?)
    }

    /// The pairs of the run as units of work.
    fn pairs_to_play(&self) -> TrialPairs {
        TrialPairs {
            card: self.settings.card(),
            subject: self.subject.clone(),
            book: self.book.clone(),
            rules: self.rules,
        }
    }
}

/// A run whose pairs are being played.
struct Counting<'t, F> {
    tuning: &'t mut Tuning,
    schedule: Peekable<Schedule>,
    show: F,
}

impl<'t, F: FnMut(&Tuning)> Counting<'t, F> {
    /// The pairs that are left of so many, rounded up to whole iterations.
    fn new(tuning: &'t mut Tuning, pairs: u64, show: F) -> Counting<'t, F> {
        let begin = tuning.pairs();
        let end = pairs.next_multiple_of(tuning.settings.batch).max(begin);
        let (seed, openings) = (tuning.rules.seed, OpeningSettings::default());
        let schedule = Schedule::new(seed, openings, tuning.book.len(), begin, end).peekable();
        Counting { tuning, schedule, show }
    }
}

impl<F: FnMut(&Tuning)> Coordinator for Counting<'_, F> {
    type Order = TrialPair;
    type Answer = Written;
    type Error = RunError;

    /// The next pair, if its iteration may be played.
    fn next(&mut self) -> Option<Unit<TrialPair>> {
        let iteration = self.schedule.peek()?.number / self.tuning.settings.batch + 1;
        let trial = self.tuning.path.trial(iteration)?.clone();
        let pair = self.schedule.next()?;
        Some(Unit { number: pair.number, order: TrialPair { pair, trial } })
    }

    fn take(
        &mut self,
        _: Unit<TrialPair>,
        Written { pair, line }: Written,
    ) -> Result<ControlFlow<()>, RunError> {
        let tuning = &mut *self.tuning;
        tuning.journal.append(&line)?;
        tuning.count(&pair);
        (self.show)(tuning);
        tuning.tally.check(&tuning.rules, |_| false)?;
        Ok(ControlFlow::Continue(()))
    }
}

impl Header {
    fn new(loaded: &Loaded) -> Header {
        Header { kind: Kind::Tuning, version: VERSION, settings: loaded.digest.clone() }
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use clap::Parser;
    use work::{Faulty, Remote, Stop, UnitKind, answer_bytes};

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        choices: Choices,
    }

    #[test]
    fn a_faulty_transport_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = command_line::parameter_file("default").expect("a name");
        let words = "--nodes 20 --pairs 12 --batch 2 --window 3 --only null_move --start";
        let words = ["spsa"].into_iter().chain(words.split(' ')).map(Into::into);
        let line = Line::parse_from(words.chain([file.into_os_string()]));
        let open = |name: &str| {
            Tuning::open(&folder.path().join(name), &line.choices, false, false).expect("new")
        };
        let mut by_threads = open("threads");
        by_threads.play(12, 2, |_| ()).expect("played");

        let mut faulty = open("faulty");
        let kind = faulty.pairs_to_play();
        let mut work = kind.worker(0);
        let transport = Faulty::new(random::draws(2, 0), |unit, order| {
            answer_bytes(&kind, &mut work, unit, order, &AtomicBool::new(false))
        });
        let mut remote = Remote::new(&kind, transport, Duration::from_millis(1));
        let mut counting = Counting::new(&mut faulty, 12, |_: &Tuning| ());
        assert_eq!(in_order(&mut remote, &mut counting).expect("played"), Stop::Finished);
        assert_eq!(faulty.values(), by_threads.values());
        let pairs = |name: &str| {
            let text = files::read_text(&folder.path().join(name).join(JOURNAL)).expect("there");
            text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(pairs("faulty").len(), 12);
        assert_eq!(pairs("faulty"), pairs("threads"));
    }
}
