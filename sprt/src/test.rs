//! A sequential test of two parameter sets: run it, resume it, take its summary.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use engine::chess::Position;
use engine::parameters::{Parameters, ParametersError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::files::{FileError, GrowingFile, create_folder, read_text, write_atomically};
use crate::game::{GameSettings, Termination};
use crate::journal::{Journal, JournalError};
use crate::openings::{self, OpeningsError};
use crate::pair::{PairRecord, play_pair};
use crate::player::InProcess;
use crate::report::{Contestant, PgnTags, Summary};
use crate::schedule::{Schedule, Slot, Stop, WorkerPanicked, play_in_order};
use crate::statistics::{Assessment, Hypotheses, HypothesesError, PairCounts, Verdict};

/// The word that stands for the parameters or openings inside the binary instead of a file.
pub const EMBEDDED: &str = "embedded";

const JOURNAL: &str = "journal";
const GAMES: &str = "games.pgn";
const RESULT: &str = "result.json";
const CANDIDATE: &str = "candidate.toml";
const BASELINE: &str = "baseline.toml";
const OPENINGS: &str = "openings.epd";

/// What is tested and how.
#[derive(Clone, PartialEq, Debug)]
pub struct TestSettings {
    /// Parameter file of the candidate, or [`EMBEDDED`].
    pub candidate: PathBuf,
    /// Parameter file of the baseline, or [`EMBEDDED`].
    pub baseline: PathBuf,
    /// Opening file, or [`EMBEDDED`].
    pub openings: PathBuf,
    /// What decides the course of the run besides the files.
    pub rules: Rules,
}

/// What decides the course of a run besides the parameters and the openings.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// How games are played.
    pub game: GameSettings,
    /// Transposition table of each player in megabytes (2²⁰ bytes).
    pub hash_megabytes: usize,
    /// Pairs after which the run ends.
    pub pairs: u64,
    /// End as soon as a hypothesis is accepted.
    pub early_stop: bool,
    /// What is tested.
    pub hypotheses: Hypotheses,
    /// Seed of all randomness.
    pub seed: u64,
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
    /// The parameters are wrong.
    #[error(transparent)]
    Parameters(#[from] ParametersError),
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
}

impl From<WorkerPanicked> for TestError {
    fn from(panicked: WorkerPanicked) -> TestError {
        TestError::Panicked { pair: panicked.pair }
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

/// Told how a run goes; all methods have empty defaults.
pub trait Observer {
    /// The run begins or goes on, with so many pairs in the journal.
    fn on_start(&self, _progress: &Progress) {}
    /// One more pair was counted.
    fn on_pair(&self, _progress: &Progress) {}
    /// True when the run shall stop, resumable. Asked a few times a second.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// An observer that neither shows nor asks anything.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Observer for Silent {}

/// The first line of the journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    candidate: Contestant,
    baseline: Contestant,
    /// Checksum of the opening file's text.
    openings: String,
    rules: Rules,
}

impl Header {
    const FORMAT: &'static str = "kamerton sprt journal";
    const VERSION: u32 = 1;
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
    let (candidate, candidate_text) = load_parameters(&settings.candidate)?;
    let (baseline, baseline_text) = load_parameters(&settings.baseline)?;
    let openings_text = match settings.openings.to_str() {
        Some(EMBEDDED) => openings::EMBEDDED.to_owned(),
        _ => read_text(&settings.openings)?,
    };
    let openings = positions(&openings_text, &settings.openings)?;
    let contestant = |path: &Path, parameters: &Parameters| Contestant {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        fingerprint: parameters.fingerprint(),
    };
    let header = Header {
        format: Header::FORMAT.to_owned(),
        version: Header::VERSION,
        candidate: contestant(&settings.candidate, &candidate),
        baseline: contestant(&settings.baseline, &baseline),
        openings: checksum(&openings_text),
        rules: settings.rules,
    };
    create_folder(folder)?;
    for (name, text) in
        [(CANDIDATE, &candidate_text), (BASELINE, &baseline_text), (OPENINGS, &openings_text)]
    {
        write_atomically(&folder.join(name), |writer| writer.write_all(text.as_bytes()))?;
    }
    // The journal comes last: where there is one, there is all that it needs.
    let journal = Journal::create(&folder.join(JOURNAL), &header)?;
    let run = Run::new(header, candidate, baseline, openings);
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
    let (header, mut reader) = Journal::open::<Header>(&folder.join(JOURNAL))?;
    let mut run = Run::load(header, folder)?;
    // The PGN file is made again from the journal, which alone says what was counted.
    let mut games = GrowingFile::begin(&folder.join(GAMES))?;
    let tags = run.tags();
    while let Some(pair) = reader.next_pair(&run.openings)? {
        run.count(&pair);
        games.append(&tags.pair(&pair))?;
    }
    run.play(reader.into_journal()?, games, threads, folder, observer)
}

/// A run in memory: what is played, and what was counted so far.
struct Run {
    header: Header,
    candidate: Arc<Parameters>,
    baseline: Arc<Parameters>,
    openings: Vec<Position>,
    counts: PairCounts,
    terminations: BTreeMap<Termination, u64>,
    plies: u64,
    nodes: u64,
    failures: Vec<String>,
    forfeits: u64,
}

impl Run {
    /// Forfeited games named in the summary.
    const FAILURES_NAMED: usize = 20;

    fn new(
        header: Header,
        candidate: Parameters,
        baseline: Parameters,
        openings: Vec<Position>,
    ) -> Run {
        Run {
            header,
            candidate: Arc::new(candidate),
            baseline: Arc::new(baseline),
            openings,
            counts: PairCounts::default(),
            terminations: BTreeMap::new(),
            plies: 0,
            nodes: 0,
            failures: Vec::new(),
            forfeits: 0,
        }
    }

    /// Loads what the journal's header names from the run's folder, and checks that it is the same.
    fn load(header: Header, folder: &Path) -> Result<Run, TestError> {
        let parameters = |name, expected: &str| {
            let path = folder.join(name);
            let (parameters, _) = load_parameters(&path)?;
            unchanged(&path, parameters.fingerprint(), expected)?;
            Ok::<_, TestError>(parameters)
        };
        let candidate = parameters(CANDIDATE, &header.candidate.fingerprint)?;
        let baseline = parameters(BASELINE, &header.baseline.fingerprint)?;
        let path = folder.join(OPENINGS);
        let text = read_text(&path)?;
        unchanged(&path, checksum(&text), &header.openings)?;
        let openings = positions(&text, &path)?;
        Ok(Run::new(header, candidate, baseline, openings))
    }

    fn tags(&self) -> PgnTags {
        PgnTags {
            event: format!("Kamerton sprt, seed {}", self.header.rules.seed),
            candidate: self.header.candidate.to_string(),
            baseline: self.header.baseline.to_string(),
        }
    }

    fn count(&mut self, pair: &PairRecord) {
        let [first, second] = pair.outcomes();
        self.counts.add(first, second);
        for game in &pair.games {
            *self.terminations.entry(game.termination).or_default() += 1;
            self.plies += game.plies.len() as u64;
            self.nodes += game.plies.iter().map(|ply| ply.nodes).sum::<u64>();
            if let Some(failure) = &game.failure {
                self.forfeits += 1;
                if self.failures.len() < Self::FAILURES_NAMED {
                    self.failures.push(format!("pair {}: {failure}", pair.number + 1));
                }
            }
        }
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
        let ratio = |counts: &PairCounts| {
            rules.hypotheses.log_likelihood_ratio(&counts.sample(), &counts.game_sample())
        };
        let progress = |counts, log_likelihood_ratio| Progress {
            counts,
            log_likelihood_ratio,
            rules,
            resumed_pairs,
        };
        let so_far = ratio(&self.counts);
        observer.on_start(&progress(self.counts, so_far));
        if self.is_over(so_far) {
            return self.finish(&journal, folder);
        }
        let schedule = Schedule::new(rules.seed, self.openings.len(), resumed_pairs, rules.pairs);
        let (candidate, baseline) = (self.candidate.clone(), self.baseline.clone());
        let openings = self.openings.clone();
        let worker = || {
            let mut candidate = InProcess::new(candidate.clone(), rules.hash_megabytes);
            let mut baseline = InProcess::new(baseline.clone(), rules.hash_megabytes);
            let openings = &openings;
            move |slot: Slot, cancel: &AtomicBool| {
                let opening = (slot.opening, &openings[slot.opening]);
                let game = &rules.game;
                play_pair(slot.number, opening, &mut candidate, &mut baseline, game, cancel)
            }
        };
        let take = |pair: PairRecord| {
            journal.append(&pair)?;
            self.count(&pair);
            games.append(&tags.pair(&pair))?;
            games.publish()?;
            let ratio = ratio(&self.counts);
            observer.on_pair(&progress(self.counts, ratio));
            let over = self.is_over(ratio);
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
        Summary {
            candidate: self.header.candidate,
            baseline: self.header.baseline,
            verdict: assessment.verdict,
            assessment,
            openings_repeated: self.counts.pairs() > self.openings.len() as u64,
            rules,
            terminations: self.terminations,
            plies: self.plies,
            nodes: self.nodes,
            forfeits: self.forfeits,
            failures: self.failures,
        }
    }
}

/// Parameters with the text that gives them again.
fn load_parameters(source: &Path) -> Result<(Parameters, String), TestError> {
    if source == Path::new(EMBEDDED) {
        let parameters = Parameters::embedded();
        return Ok((parameters.as_ref().clone(), parameters.to_toml()));
    }
    let text = read_text(source)?;
    let parameters = Parameters::from_toml(&text, &source.display().to_string())?;
    Ok((parameters, text))
}

fn positions(text: &str, source: &Path) -> Result<Vec<Position>, TestError> {
    let openings = openings::parse(text, &source.display().to_string())?;
    Ok(openings.into_iter().map(|opening| opening.position).collect())
}

fn checksum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

fn unchanged(path: &Path, found: String, expected: &str) -> Result<(), TestError> {
    if found == expected {
        return Ok(());
    }
    let expected = expected.to_owned();
    Err(TestError::Changed { path: path.to_path_buf(), found, expected })
}
