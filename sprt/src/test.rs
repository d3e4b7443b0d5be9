//! A sequential test of two contestants: run it, resume it, take its summary.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::contestant::{Contestant, ContestantError, Identity, Loaded, Source};
use crate::faults::PlayerFaults;
use crate::files::{FileError, GrowingFile, create_folder, write_atomically};
use crate::game::{GameSettings, Termination};
use crate::journal::{Journal, JournalError, JournalReader};
use crate::limits::MoveLimits;
use crate::openings::{Book, Format, OpeningSettings, OpeningsError};
use crate::pair::{Opponent, PairRecord, play_pair};
use crate::report::{PgnTags, Summary};
use crate::schedule::{PairFailure, Schedule, Slot, Stop, play_in_order};
use crate::statistics::{Assessment, Hypotheses, HypothesesError, PairCounts, Verdict};

pub use crate::contestant::EMBEDDED;

const JOURNAL: &str = "journal";
const GAMES: &str = "games.pgn";
const RESULT: &str = "result.json";
/// Copies of the contestants' parameters, of those that have any.
const PARAMETERS: [&str; 2] = ["candidate.toml", "baseline.toml"];
/// Copy of the openings, with the ending of its form.
const OPENINGS: &str = "openings";

/// What is tested and how.
#[derive(Clone, PartialEq, Debug)]
pub struct TestSettings {
    /// Who is tested.
    pub candidate: Contestant,
    /// Against whom.
    pub baseline: Contestant,
    /// Opening file, or [`EMBEDDED`].
    pub openings: PathBuf,
    /// What decides the course of the run besides the files.
    pub rules: Rules,
}

/// What decides the course of a run besides the contestants and the openings.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// How games are played.
    pub game: GameSettings,
    /// Which openings, in which order.
    #[serde(default)]
    pub openings: OpeningSettings,
    /// Pairs after which the run ends.
    pub pairs: u64,
    /// End as soon as a hypothesis is accepted.
    pub early_stop: bool,
    /// What is tested.
    pub hypotheses: Hypotheses,
    /// Seed of all randomness.
    pub seed: u64,
    /// The run fails when the players made more faults than this, losses on time not counted.
    #[serde(default = "default_most_faults")]
    pub most_faults: u64,
}

/// [`Rules::most_faults`] unless the user says otherwise.
pub const DEFAULT_MOST_FAULTS: u64 = 25;

fn default_most_faults() -> u64 {
    DEFAULT_MOST_FAULTS
}

/// Why a run failed. A failure is never a verdict.
#[derive(Debug, Error)]
pub enum TestError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A contestant cannot take part.
    #[error(transparent)]
    Contestant(#[from] ContestantError),
    /// The players made too many faults.
    #[error("{faults} faults, more than the {most} allowed; the last: {last}")]
    Faults {
        /// Faults made.
        faults: u64,
        /// Faults allowed.
        most: u64,
        /// Who did what last.
        last: String,
    },
    /// The openings are wrong.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The hypotheses cannot be tested.
    #[error(transparent)]
    Hypotheses(#[from] HypothesesError),
    /// The folder holds a run already.
    #[error(
        "{} holds a run already: go on with `sprt resume {}`, or choose another folder",
        folder.display(),
        folder.display()
    )]
    Exists {
        /// The folder.
        folder: PathBuf,
    },
    /// A file without a journal beside it would be overwritten.
    #[error("{} would be overwritten: choose another folder", path.display())]
    Occupied {
        /// The file.
        path: PathBuf,
    },
    /// The folder holds no run.
    #[error("{} holds no run: there is no journal in it", folder.display())]
    Missing {
        /// The folder.
        folder: PathBuf,
    },
    /// A file of the run was changed since it began.
    #[error(
        "{}: not what the run began with (fingerprint {found} instead of {expected})",
        path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// Fingerprint of the file.
        found: String,
        /// Fingerprint in the journal.
        expected: String,
    },
    /// The run was interrupted; it can be resumed.
    #[error("interrupted after {pairs} pairs: go on with `sprt resume {}`", folder.display())]
    Interrupted {
        /// The folder.
        folder: PathBuf,
        /// Pairs in the journal.
        pairs: u64,
    },
    /// The engine has a bug.
    #[error("pair {pair} could not be played: its thread panicked")]
    Panicked {
        /// Number of the pair, from 0.
        pair: u64,
    },
    /// The machine is too busy for games with clocks.
    #[error(
        "pair {pair} was replayed {replays} times because the machine kept players waiting; last: {last}"
    )]
    Stalled {
        /// Number of the pair, from 0.
        pair: u64,
        /// How often.
        replays: usize,
        /// What was measured last.
        last: String,
    },
}

impl From<PairFailure> for TestError {
    fn from(failure: PairFailure) -> TestError {
        match failure {
            PairFailure::Panicked { pair } => TestError::Panicked { pair },
            PairFailure::Stalled { pair, mut reasons } => TestError::Stalled {
                pair,
                replays: reasons.len(),
                last: reasons.pop().unwrap_or_default(),
            },
        }
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What was counted.
    pub counts: PairCounts,
    /// Log-likelihood ratio.
    pub log_likelihood_ratio: f64,
    /// The rules of the run.
    pub rules: Rules,
    /// Pairs that were in the journal when this process began.
    pub resumed_pairs: u64,
}

/// What is played, as told before the first pair.
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    /// The contestants as the journal describes them: in a test the candidate, then the baseline.
    pub contestants: Vec<Contestant>,
    /// Who they are, in the same order.
    pub identities: Vec<Identity>,
    /// Number of openings.
    pub openings: usize,
    /// Checksum of the openings.
    pub openings_checksum: String,
    /// The rules.
    pub rules: Rules,
}

/// Told how a run goes; all methods have empty defaults.
pub trait Observer {
    /// A run is opened; everything else follows.
    fn on_open(&self, _run: &Description) {}
    /// The run begins or goes on, with so many pairs in the journal, which were told before.
    fn on_start(&self, _progress: &Progress) {}
    /// A pair was read from the journal and counted.
    fn on_resumed_pair(&self, _progress: &Progress, _pair: &PairRecord) {}
    /// One more pair was played and counted.
    fn on_pair(&self, _progress: &Progress, _pair: &PairRecord) {}
    /// True when the run shall stop, resumable. Asked a few times a second.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// An observer that neither shows nor asks anything.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Observer for Silent {}

/// Two observers, told one after the other; either may stop the run.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn on_open(&self, run: &Description) {
        self.0.on_open(run);
        self.1.on_open(run);
    }

    fn on_start(&self, progress: &Progress) {
        self.0.on_start(progress);
        self.1.on_start(progress);
    }

    fn on_resumed_pair(&self, progress: &Progress, pair: &PairRecord) {
        self.0.on_resumed_pair(progress, pair);
        self.1.on_resumed_pair(progress, pair);
    }

    fn on_pair(&self, progress: &Progress, pair: &PairRecord) {
        self.0.on_pair(progress, pair);
        self.1.on_pair(progress, pair);
    }

    fn is_interrupted(&self) -> bool {
        self.0.is_interrupted() || self.1.is_interrupted()
    }
}

/// The first line of the journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    players: Vec<Entry>,
    /// Checksum of the opening file's text.
    openings: String,
    rules: Rules,
}

/// A contestant in the journal.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    identity: Identity,
    contestant: Contestant,
}

impl Header {
    const FORMAT: &'static str = "kamerton sprt journal";
    const VERSION: u32 = 2;

    /// Loads the contestants from the run's folder, and checks that they are the same as then.
    fn load_players(&self, folder: &Path) -> Result<Vec<Loaded>, TestError> {
        self.players.iter().map(|entry| entry.load(folder)).collect()
    }
}

/// True if the folder holds a run that [`resume`] can go on with or report.
pub fn exists(folder: &Path) -> bool {
    folder.join(JOURNAL).exists()
}

/// Runs a test in a new folder: journal, games.pgn and, at the end, result.json, beside copies of
/// everything a resumption needs. The same settings give the same bytes with any number of threads.
///
/// # Errors
/// See [`TestError`]; the folder must not hold a run already.
pub fn run(
    settings: &TestSettings,
    threads: usize,
    folder: &Path,
    observer: &dyn Observer,
) -> Result<Summary, TestError> {
    settings.rules.hypotheses.validate()?;
    if exists(folder) {
        return Err(TestError::Exists { folder: folder.to_path_buf() });
    }
    // Games or a result without a journal are somebody else's.
    let occupied = [GAMES, RESULT].map(|name| folder.join(name)).into_iter().find(|at| at.exists());
    if let Some(path) = occupied {
        return Err(TestError::Occupied { path });
    }
    let contestants = [&settings.candidate, &settings.baseline];
    let mut loaded = Vec::new();
    for contestant in contestants {
        if contestant.limits.is_unlimited() {
            let reason = format!("{}: a limit of time, nodes or depth is needed", contestant.name);
            return Err(ContestantError::Words(reason).into());
        }
        loaded.push(contestant.load()?);
    }
    if loaded[0].identity.name == loaded[1].identity.name {
        loaded[0].identity.name += " (candidate)";
    }
    let openings = Book::load(&settings.openings, &settings.rules.openings)?;
    let header = Header {
        format: Header::FORMAT.to_owned(),
        version: Header::VERSION,
        players: (0..)
            .zip(contestants.into_iter().zip(&loaded))
            .map(|(index, (contestant, loaded))| Entry::new(index, contestant, loaded))
            .collect(),
        openings: checksum(openings.bytes()),
        rules: settings.rules,
    };
    create_folder(folder)?;
    for (name, loaded) in PARAMETERS.into_iter().zip(&loaded) {
        if let Some(text) = loaded.parameter_text() {
            write_atomically(&folder.join(name), |writer| writer.write_all(text.as_bytes()))?;
        }
    }
    let copy = openings_copy(folder, openings.format());
    write_atomically(&copy, |writer| writer.write_all(openings.bytes()))?;
    // The journal comes last: where there is one, there is all that it needs.
    let journal = Journal::create(&folder.join(JOURNAL), &header)?;
    let run = Run::new(header, loaded, openings);
    observer.on_open(&run.description());
    let games = GrowingFile::begin(&folder.join(GAMES))?;
    run.play(journal, games, threads, folder, observer)
}

/// Goes on with a run, or reports one that is finished.
///
/// # Errors
/// See [`TestError`].
pub fn resume(
    folder: &Path,
    threads: usize,
    observer: &dyn Observer,
) -> Result<Summary, TestError> {
    if !exists(folder) {
        return Err(TestError::Missing { folder: folder.to_path_buf() });
    }
    let (header, mut reader, journal) = Journal::open::<Header>(&folder.join(JOURNAL))?;
    let players = header.load_players(folder)?;
    let mut run = Run::load(header, players, folder)?;
    observer.on_open(&run.description());
    // The PGN file is made again from the journal, which alone says what was counted.
    let mut games = GrowingFile::begin(&folder.join(GAMES))?;
    let tags = run.tags();
    while let Some(pair) = reader.next_pair(&run.openings)? {
        run.count(&pair);
        games.append(&tags.pair(&pair))?;
        observer.on_resumed_pair(&run.progress(0), &pair);
    }
    run.play(journal.continue_after(reader)?, games, threads, folder, observer)
}

/// Reads the journal of a run that is finished, interrupted or even going on, and changes nothing.
/// The verdict is undecided, too, where pairs are left to play.
///
/// # Errors
/// See [`TestError`].
pub fn review(folder: &Path, observer: &dyn Observer) -> Result<Summary, TestError> {
    if !exists(folder) {
        return Err(TestError::Missing { folder: folder.to_path_buf() });
    }
    let (header, mut reader) = JournalReader::open::<Header>(&folder.join(JOURNAL))?;
    let mut run = Run::load(header, Vec::new(), folder)?;
    observer.on_open(&run.description());
    while let Some(pair) = reader.next_pair(&run.openings)? {
        run.count(&pair);
        observer.on_resumed_pair(&run.progress(0), &pair);
    }
    Ok(run.summary())
}

impl Entry {
    fn new(index: usize, contestant: &Contestant, loaded: &Loaded) -> Entry {
        let mut contestant = contestant.clone();
        contestant.name.clone_from(&loaded.identity.name);
        match &mut contestant.source {
            // Changes are in the copy, and the run must not depend on the file it was made from.
            Source::Parameters { file, changes } => {
                *file = PARAMETERS[index].into();
                changes.clear();
            }
            Source::Uci(engine) => {
                if let Some(command) = loaded.command() {
                    engine.command = command.to_path_buf();
                }
            }
            Source::Random => {}
        }
        Entry { identity: loaded.identity.clone(), contestant }
    }

    /// Loads the contestant from a run's folder, and checks that it is the same as then.
    fn load(&self, folder: &Path) -> Result<Loaded, TestError> {
        let mut contestant = self.contestant.clone();
        let path = match &mut contestant.source {
            Source::Parameters { file, .. } => {
                *file = folder.join(&file);
                file.clone()
            }
            Source::Uci(engine) => engine.command.clone(),
            Source::Random => PathBuf::new(),
        };
        let loaded = contestant.load()?;
        unchanged(&path, loaded.identity.fingerprint.clone(), &self.identity.fingerprint)?;
        Ok(loaded)
    }
}

/// A run in memory: what is played, and what was counted so far.
struct Run {
    header: Header,
    /// Who plays; nobody if the run is only looked at.
    players: Vec<Loaded>,
    openings: Arc<Book>,
    counts: PairCounts,
    terminations: BTreeMap<Termination, u64>,
    plies: u64,
    nodes: u64,
    faults: Vec<PlayerFaults>,
    replays: u64,
}

impl Run {
    fn new(header: Header, players: Vec<Loaded>, openings: Book) -> Run {
        let names = header.players.iter().map(|entry| entry.identity.name.clone());
        Run {
            faults: names.map(PlayerFaults::new).collect(),
            header,
            players,
            openings: Arc::new(openings),
            counts: PairCounts::default(),
            terminations: BTreeMap::new(),
            plies: 0,
            nodes: 0,
            replays: 0,
        }
    }

    /// Loads the openings from the run's folder, and checks that they are the same as then.
    fn load(header: Header, players: Vec<Loaded>, folder: &Path) -> Result<Run, TestError> {
        let path = find_openings(folder);
        let openings = Book::load(&path, &header.rules.openings)?;
        unchanged(&path, checksum(openings.bytes()), &header.openings)?;
        Ok(Run::new(header, players, openings))
    }

    fn description(&self) -> Description {
        let Header { players, rules, openings: checksum, .. } = &self.header;
        Description {
            contestants: players.iter().map(|entry| entry.contestant.clone()).collect(),
            identities: players.iter().map(|entry| entry.identity.clone()).collect(),
            openings: self.openings.len(),
            openings_checksum: checksum.clone(),
            rules: *rules,
        }
    }

    /// True if time decides anything, so that times of moves are worth writing down.
    fn is_timed(&self) -> bool {
        self.header.players.iter().any(|entry| entry.contestant.limits.is_timed())
    }

    fn log_likelihood_ratio(&self) -> f64 {
        let hypotheses = &self.header.rules.hypotheses;
        hypotheses.log_likelihood_ratio(&self.counts.sample(), &self.counts.game_sample())
    }

    fn progress(&self, resumed_pairs: u64) -> Progress {
        Progress {
            counts: self.counts,
            log_likelihood_ratio: self.log_likelihood_ratio(),
            rules: self.header.rules,
            resumed_pairs,
        }
    }

    fn tags(&self) -> PgnTags {
        PgnTags {
            event: format!("Kamerton sprt, seed {}", self.header.rules.seed),
            players: self.header.players.iter().map(|it| it.identity.name.clone()).collect(),
            with_times: self.is_timed(),
        }
    }

    fn count(&mut self, pair: &PairRecord) {
        let [first, second] = pair.outcomes();
        self.counts.add(first, second);
        for game in &pair.games {
            *self.terminations.entry(game.termination).or_default() += 1;
            self.plies += game.plies.len() as u64;
            self.nodes += game.plies.iter().map(|ply| ply.nodes).sum::<u64>();
        }
        self.replays += pair.replays.len() as u64;
        for (index, faults) in self.faults.iter_mut().enumerate() {
            faults.count(index, pair);
        }
    }

    /// Fails when there were more faults than allowed.
    fn check_faults(&self) -> Result<(), TestError> {
        let most = self.header.rules.most_faults;
        let faults = self.faults.iter().map(PlayerFaults::defects).sum();
        if faults <= most {
            return Ok(());
        }
        let last = self.faults.iter().filter_map(PlayerFaults::last).max_by_key(|last| last.0);
        let last = last.map_or_else(String::new, |(_, text)| text);
        Err(TestError::Faults { faults, most, last })
    }

    /// Whether the run is over, which depends on nothing but the pairs counted so far.
    fn is_over(&self, log_likelihood_ratio: f64) -> bool {
        let rules = &self.header.rules;
        let decided = rules.hypotheses.verdict(log_likelihood_ratio) != Verdict::Undecided;
        (rules.early_stop && decided) || self.counts.pairs() >= rules.pairs
    }

    /// Plays the pairs that are left and writes the result.
    fn play(
        mut self,
        mut journal: Journal,
        mut games: GrowingFile,
        threads: usize,
        folder: &Path,
        observer: &dyn Observer,
    ) -> Result<Summary, TestError> {
        games.publish()?;
        let rules = self.header.rules;
        let tags = self.tags();
        let resumed_pairs = self.counts.pairs();
        let start = self.progress(resumed_pairs);
        observer.on_start(&start);
        self.check_faults()?;
        if self.is_over(start.log_likelihood_ratio) {
            return self.finish(&journal, folder);
        }
        let schedule = Schedule::new(
            rules.seed,
            rules.openings,
            self.openings.len(),
            resumed_pairs,
            rules.pairs,
        );
        let players = self.players.clone();
        let limits: Vec<MoveLimits> =
            self.header.players.iter().map(|entry| entry.contestant.limits).collect();
        let openings = self.openings.clone();
        let worker = || {
            let mut candidate = players[0].player();
            let mut baseline = players[1].player();
            let (openings, limits) = (&openings, &limits);
            move |slot: Slot, cancel: &AtomicBool| {
                let opponents = [
                    Opponent { player: candidate.as_mut(), limits: &limits[0] },
                    Opponent { player: baseline.as_mut(), limits: &limits[1] },
                ];
                let opening = openings.opening(slot.opening).expect("a scheduled opening exists");
                play_pair(slot, &opening.position, opponents, &rules.game, rules.seed, cancel)
            }
        };
        let with_times = self.is_timed();
        let take = |pair: PairRecord| {
            journal.append(&pair, with_times)?;
            self.count(&pair);
            games.append(&tags.pair(&pair))?;
            games.publish()?;
            let progress = self.progress(resumed_pairs);
            observer.on_pair(&progress, &pair);
            self.check_faults()?;
            let over = self.is_over(progress.log_likelihood_ratio);
            Ok::<_, TestError>(if over {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        };
        let stop = play_in_order(schedule, threads, worker, take, || observer.is_interrupted())?;
        if stop == Stop::Interrupted {
            journal.synchronize()?;
            let pairs = self.counts.pairs();
            return Err(TestError::Interrupted { folder: folder.to_path_buf(), pairs });
        }
        self.finish(&journal, folder)
    }

    fn finish(self, journal: &Journal, folder: &Path) -> Result<Summary, TestError> {
        journal.synchronize()?;
        let summary = self.summary();
        let mut json = serde_json::to_string_pretty(&summary).expect("plain data becomes JSON");
        json.push('\n');
        write_atomically(&folder.join(RESULT), |writer| writer.write_all(json.as_bytes()))?;
        Ok(summary)
    }

    fn summary(self) -> Summary {
        let rules = self.header.rules;
        let assessment = Assessment::new(self.counts, &rules.hypotheses);
        let [candidate, baseline] = [0, 1].map(|index| self.header.players[index].identity.clone());
        Summary {
            candidate,
            baseline,
            contestants: self.header.players.into_iter().map(|it| it.contestant).collect(),
            verdict: assessment.verdict,
            assessment,
            openings_repeated: self.counts.pairs() > self.openings.len() as u64,
            rules,
            terminations: self.terminations,
            plies: self.plies,
            nodes: self.nodes,
            faults: self.faults,
            replays: self.replays,
        }
    }
}

/// The copy of an opening file in a run's folder.
fn openings_copy(folder: &Path, format: Format) -> PathBuf {
    folder.join(OPENINGS).with_extension(format.extension())
}

/// The copy that is there.
pub fn find_openings(folder: &Path) -> PathBuf {
    let copies = Format::ALL.map(|format| openings_copy(folder, format));
    copies.iter().find(|path| path.exists()).unwrap_or(&copies[0]).clone()
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

fn unchanged(path: &Path, found: String, expected: &str) -> Result<(), TestError> {
    if found == expected {
        return Ok(());
    }
    let expected = expected.to_owned();
    Err(TestError::Changed { path: path.to_path_buf(), found, expected })
}
