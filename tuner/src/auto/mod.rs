//! `tuner auto`: the loop record, fit, test, accept or keep, export, generation by generation.
//!
//! The state of a run is what lies in its folder: every step ends in a file written whole or in a
//! journal that can be appended to, so that a run killed at any moment goes on where it was, and
//! ends with the same bytes. Nothing in these files depends on time or threads but hours.csv, which
//! says how long each step took.

mod bounds;
mod display;
mod generation;
mod hours;
mod ledger;
mod margins;
mod parts;
mod plan;
mod settings;
mod sources;
mod testing;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use engine::Parameters;
use sprt::files;
use sprt::player::EngineIdentity;
use sprt::statistics::Verdict;

use crate::command_line::{self, WrongUse, parameter_file, threads};
use crate::export::{self, ExportArguments, Manifest};
use crate::fit;

pub use ledger::{Fitted, Generation, RegretFall, TestResult};
pub use parts::Part;
pub use settings::{Choices, Sample, Settings};
pub use sprt::budget::{Budget, parse_time};

use generation::Outcome;
use hours::Hours;

/// Run the whole loop: record, fit, test, accept or keep, export.
///
/// Each generation fits a candidate to all positions so far, from the champion's values, and plays
/// it against the champion until a sequential test decides: no gain against half of what the fit
/// lets expect, but at least 10 and at most 100 normalized Elo, with errors of 5 %. An accepted
/// candidate that is not weaker at a longer budget either is the next champion; of one that is not
/// accepted the better half of the changed groups is tried, then half of that. The first generation
/// has the positions of the repository's sample; each further one records new games of the champion
/// first, and all have those of the tests before, unless they were between unequal players (more
/// than 100 Elo). After an accepted evaluation a generation fits the margins of the search to the
/// same positions, with a test of its own. At the end the champion is put into a binary.
///
/// From zero, which knows nothing but that pieces are worth something (each the least that it may
/// be), with the margins and switches of textbook, the first generation records its own games, too,
/// unless --sample names others: the repository's sample was played by engines that knew more. So
/// it does, too, where this program runs away from its sources and no sample lies beside it.
///
/// The folder holds the whole state: the same command goes on where an earlier one was stopped.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct AutoArguments {
    /// Time for all of it, as 90s, 5m, 2h: decides how many generations are begun and when a test
    /// is cut short. A fit that has begun is finished.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub budget: Option<Duration>,
    /// Generations at most, with those already in the folder [default: 3, or as many as the budget
    /// allows; with --resume what the run was begun for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub generations: Option<u32>,
    /// Values to start from: textbook, default, zero, power, simplest, or a parameter file.
    #[arg(long, default_value = START_USUAL, value_name = "FILE", value_parser = parameter_file)]
    pub start: PathBuf,
    /// Positions of the first generation, or "none": it records its own [default: the repository's
    /// sample, where it lies in the sources or beside this program as sample.kgames; from zero none]
    #[arg(long, value_name = "FILE")]
    pub sample: Option<PathBuf>,
    /// Games that each generation from the second on, or without a sample from the first, adds to
    /// the positions [default: 4000; 1000 without a sample and with a budget below 30 minutes].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub record_games: Option<u32>,
    /// Nodes a move at which an accepted candidate must not be weaker, either (at most 300 pairs);
    /// 0 checks nothing [default: four times --nodes; 0 with a budget below 30 minutes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    pub check_nodes: Option<u64>,
    /// Folder of the run.
    #[arg(long, default_value = "runs/auto", value_name = "FOLDER")]
    pub output: PathBuf,
    /// What decides the run's course.
    #[command(flatten)]
    pub choices: Choices,
    /// Go on with the run in the folder by the settings it was begun with.
    #[arg(long)]
    pub resume: bool,
    /// Go on although the engine is not the one that the run was begun with, as after a rebuild: games
    /// of both are learned from and added up.
    #[arg(long)]
    pub allow_changed_engine: bool,
    /// Make no binary at the end.
    #[arg(long)]
    pub no_export: bool,
    /// Threads to use, to 1024; 0 means all cores. The result does not depend on it.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = threads())]
    pub threads: usize,
}

const EXAMPLES: &str = "\
Examples:
  See it work in five minutes, from the values of a textbook:
    tuner auto --budget 5m
  A night's run, and going on with it the next night:
    tuner auto --budget 8h --output runs/night --record-games 20000
    tuner auto --budget 8h --output runs/night --resume
  A fixed amount of work, repeatable to the byte:
    tuner auto --generations 2 --pairs 500 --record-games 1000 --output runs/fixed

  What is found from nothing:
    tuner auto --start zero --budget 6h --output runs/zero

Files of a run: ledger.csv (a line a generation), hours.csv (how long each step took; all else
depends on the settings alone), champion.toml, kamerton-tuned with its manifest, and generation-N
with candidate, fit report, recorded games, and the journals and games of the tests.";

/// Generations of a run without a budget.
const GENERATIONS: u32 = 3;
/// Time kept for making the binary: a second of work, most of which is its bench.
const EXPORT_RESERVE: Duration = Duration::from_secs(10);
/// Games that a generation records, and in a short run that has no sample: a fit to so few positions
/// is far from the best, but well above a textbook.
const RECORD_GAMES: u32 = 4000;
const RECORD_GAMES_SHORT: u32 = 1000;
/// Nodes of a check for each node of a test.
const CHECK_SHARE: u64 = 4;
/// The word for no sample where one is asked for.
const NO_SAMPLE: &str = "none";
/// What a run begins with unless the user says otherwise.
const START_USUAL: &str = "textbook";
/// A budget below which candidates are not checked: it would be gone by one check.
const SHORT_BUDGET: Duration = Duration::from_secs(30 * 60);
/// Least time for a test that is worth beginning.
const TEST_RESERVE: Duration = Duration::from_secs(40);

/// Runs `tuner auto`.
///
/// # Errors
/// When a step fails; what was finished stays and is found again by the next call.
pub fn run(arguments: &AutoArguments) -> anyhow::Result<()> {
    let budget = Budget::starting_now(arguments.budget);
    let mut run = Run::open(arguments, budget)?;
    let begun_for = if arguments.resume { run.settings.generations } else { None };
    let generations = arguments.generations.or(begun_for).unwrap_or(match arguments.budget {
        Some(_) => u32::MAX,
        None => GENERATIONS,
    });
    run.show_plan(generations);
    let mut cut = None;
    while (run.generations.len() as u32) < generations && run.has_time() {
        match run.next_generation()? {
            Outcome::Finished(generation) => run.generations.push(generation),
            Outcome::Cut(generation) => {
                cut = Some(generation);
                break;
            }
            Outcome::Begun => break,
        }
        run.write_state(None)?;
    }
    run.write_state(cut.as_ref())?;
    let exported = if arguments.no_export { None } else { run.export()? };
    run.summarize(cut.as_ref(), exported.as_ref());
    Ok(())
}

/// A run in its folder.
struct Run {
    folder: PathBuf,
    settings: Settings,
    threads: usize,
    /// The engine may be another than the run was begun with.
    allows_changes: bool,
    budget: Budget,
    generations: Vec<Generation>,
    /// How long steps took in this process, to plan by.
    pace: Pace,
    /// How long they took in all.
    hours: Hours,
    /// Held as long as the run goes on.
    _lock: File,
}

/// How long steps took.
#[derive(Default)]
struct Pace {
    /// The last fit, with reading and tracing.
    fit: Duration,
    /// Time for one node of one thread in the games of the test or of recording, times moves: the
    /// time a game takes for each node a move.
    game_per_node: Duration,
}

impl Run {
    /// Begins a run in the folder, or goes on with the one that is there.
    fn open(arguments: &AutoArguments, budget: Budget) -> anyhow::Result<Run> {
        let folder = arguments.output.clone();
        arguments.choices.fit.check()?;
        let earlier = Settings::load(&folder)?;
        let mut held = None;
        let settings = match (earlier, arguments.resume) {
            (Some(earlier), true) => {
                refuse_others(arguments, &earlier)?;
                let place = folder.join("settings.json");
                eprintln!("the run goes on as it was begun, see {}", place.display());
                earlier
            }
            (None, true) => {
                let message = format!("--resume: {} holds no run", folder.display());
                return Err(WrongUse(message).into());
            }
            (earlier, false) => {
                let (settings, start) = new_settings(arguments, earlier.as_ref())?;
                match earlier {
                    Some(earlier) => settings.check_same(&earlier, &folder)?,
                    None => held = Some(begin(&folder, &settings, &start)?),
                }
                settings
            }
        };
        let lock = held.map_or_else(|| lock(&folder), Ok)?;
        let mut generations = Vec::new();
        while let Some(generation) = Generation::load(
            &generation_folder(&folder, generations.len() as u32 + 1).join(RESULT),
        )? {
            generations.push(generation);
        }
        if settings.sample.is_none() {
            eprintln!("no sample of positions: the first generation records games of its own");
        }
        let run = Run {
            hours: Hours::of(&folder),
            folder,
            settings,
            threads: command_line::useful_threads(arguments.threads),
            allows_changes: arguments.allow_changed_engine,
            budget,
            generations,
            pace: Pace::default(),
            _lock: lock,
        };
        run.check_files()?;
        run.check_engine()?;
        eprintln!(
            "repeat with: {} (seed {}, start {})",
            command_line::invocation(),
            run.settings.choices.seed,
            run.settings.start,
        );
        run.write_state(None)?;
        Ok(run)
    }

    /// Checks that the files which later steps begin from are those the run wrote.
    ///
    /// # Errors
    /// Naming the first file that was changed: what was found from it is not true of it any more.
    fn check_files(&self) -> anyhow::Result<()> {
        let start = (self.folder.join(START), &self.settings.start_sha256);
        let candidates = self.generations.iter().map(|generation| {
            let folder = self.generation_folder(generation.generation);
            (folder.join(generation.file()), &generation.sha256)
        });
        for (path, expected) in std::iter::once(start).chain(candidates) {
            ensure!(
                settings::sha256_of(&path)? == *expected,
                "{} was changed after the run had begun with it: put the file back, or begin \
                 another run with --start and --output",
                path.display()
            );
        }
        if let Some(sample) = &self.settings.sample {
            ensure!(
                settings::sha256_of(&sample.path)? == sample.sha256,
                "{} was changed after the run had begun with it: put the file back, or begin \
                 another run with --sample and --output",
                sample.path.display()
            );
        }
        Ok(())
    }

    /// Checks that the engine is the one that the run was begun with, if it may not be another.
    fn check_engine(&self) -> anyhow::Result<()> {
        let start = Parameters::load(&self.folder.join(START))?;
        let now = EngineIdentity::of_numbers(&Arc::new(start));
        let then = Settings::load(&self.folder)?.and_then(|begun| begun.engine);
        let what = self.folder.display();
        command_line::check_engine(&what, Some(&now), then.as_ref(), self.allows_changes)
    }

    /// The folder of a generation.
    fn generation_folder(&self, generation: u32) -> PathBuf {
        generation_folder(&self.folder, generation)
    }

    /// The last accepted generation.
    fn accepted(&self) -> Option<&Generation> {
        self.generations.iter().rev().find(|generation| generation.verdict == Verdict::Accepted)
    }

    /// The file of the champion: the last accepted candidate, or the start.
    fn champion_file(&self) -> PathBuf {
        match self.accepted() {
            Some(generation) => {
                self.generation_folder(generation.generation).join(generation.file())
            }
            None => self.folder.join(START),
        }
    }

    /// Writes what follows from the generations: ledger and champion.
    fn write_state(&self, cut: Option<&Generation>) -> anyhow::Result<()> {
        let mut generations = self.generations.clone();
        generations.extend(cut.cloned());
        ledger::write_ledger(&self.folder.join("ledger.csv"), &generations)?;
        let champion = files::read_text(&self.champion_file())?;
        let path = self.folder.join(CHAMPION);
        files::write_atomically(&path, |file| {
            std::io::Write::write_all(file, champion.as_bytes())
        })?;
        Ok(())
    }

    /// Is there time for another generation, going by those before?
    fn has_time(&self) -> bool {
        let next = self.generations.len() as u32 + 1;
        if next == 1 {
            return true;
        }
        let folder = self.generation_folder(next);
        let choices = &self.settings.choices;
        if self.next_step() == Fitted::Margins {
            let fitting =
                if folder.join(CANDIDATE).exists() { Duration::ZERO } else { self.margins_time() };
            return self.budget.allows(fitting + TEST_RESERVE + EXPORT_RESERVE);
        }
        let recording = if folder.join(GAMES).exists() {
            Duration::ZERO
        } else {
            self.pace.game_per_node * choices.record_games * choices.record_nodes as u32
        };
        let fitting = if folder.join(CANDIDATE).exists() {
            Duration::ZERO
        } else {
            self.pace.fit.mul_f64(1.3)
        };
        self.budget.allows(recording + fitting + TEST_RESERVE + EXPORT_RESERVE)
    }

    /// Puts the champion into a binary, unless it is there already; none while the start stays
    /// champion.
    fn export(&self) -> anyhow::Result<Option<(PathBuf, Manifest)>> {
        let Some(accepted) = self.accepted() else { return Ok(None) };
        let output = self.folder.join("kamerton-tuned");
        // The binary itself says what it plays: the file beside it may be another's.
        if let Ok(manifest) = Manifest::carried_by(&output)
            && manifest.parameters_sha256 == accepted.sha256
        {
            manifest.write_beside(&output)?;
            return Ok(Some((output, manifest)));
        }
        eprintln!("\nExport: a binary with {CHAMPION} embedded");
        let started = Instant::now();
        let manifest = export::export(&ExportArguments {
            parameters: self.folder.join(CHAMPION),
            output: output.clone(),
            verdict: Some(format!("generation {}: {}", accepted.generation, accepted.sentence())),
            ..ExportArguments::default()
        })?;
        eprintln!("  made and checked in {:.1} s", started.elapsed().as_secs_f64());
        Ok(Some((output, manifest)))
    }

    /// Says on standard output what the run came to.
    fn summarize(&self, cut: Option<&Generation>, exported: Option<&(PathBuf, Manifest)>) {
        say_line!("\nGenerations of {}:", self.folder.display());
        for generation in self.generations.iter().chain(cut) {
            say_line!(
                "  {}: {}; {}",
                generation.generation,
                generation.fit_in_words(),
                generation.sentence(),
            );
        }
        match self.accepted() {
            Some(accepted) => say_line!(
                "Champion: {} ({}), generation {}",
                self.folder.join(CHAMPION).display(),
                accepted.fingerprint,
                accepted.generation
            ),
            None => say_line!("No candidate was accepted: the start stays champion."),
        }
        if let Some((path, manifest)) = exported {
            say_line!(
                "Binary: {} (bench {}, equal to that of the engine here with {CHAMPION} loaded; `tuner \
                 export --compile` makes one that is some 7 % faster)",
                path.display(),
                manifest.bench
            );
        }
        say_line!("Ledger: {}", self.folder.join("ledger.csv").display());
    }
}

/// Names within a run's folder and within that of a generation.
const START: &str = "start.toml";
const CHAMPION: &str = "champion.toml";
const RESULT: &str = "result.json";
const CANDIDATE: &str = "candidate.toml";
const GAMES: &str = "positions.kgames";
const TEST_GAMES: &str = "tests.kgames";

fn generation_folder(folder: &Path, generation: u32) -> PathBuf {
    folder.join(format!("generation-{generation}"))
}

/// The settings that the arguments ask for, and the text of the starting file. What is not asked for
/// and depends on the budget is as in the run that was begun `earlier`.
fn new_settings(
    arguments: &AutoArguments,
    earlier: Option<&Settings>,
) -> anyhow::Result<(Settings, String)> {
    let (parameters, text) = settings::start(&arguments.start)?;
    let sample = match &arguments.sample {
        None if fit::says_nothing(&parameters) => None,
        None => settings::own_sample().map(|path| Sample::load(&path)).transpose()?,
        Some(path) if path == Path::new(NO_SAMPLE) => None,
        Some(path) => Some(Sample::load(path)?),
    };
    let is_short = arguments.budget.is_some_and(|budget| budget < SHORT_BUDGET);
    let few = sample.is_none() && is_short;
    let choices = Choices {
        record_games: arguments
            .record_games
            .or(earlier.map(|earlier| earlier.choices.record_games))
            .unwrap_or(if few { RECORD_GAMES_SHORT } else { RECORD_GAMES }),
        ..arguments.choices.clone()
    };
    let usual = if is_short { 0 } else { CHECK_SHARE * arguments.choices.nodes };
    let settings = Settings {
        start: Parameters::fingerprint(&parameters),
        start_sha256: settings::sha256(text.as_bytes()),
        engine: Some(EngineIdentity::of_numbers(&Arc::new(parameters))),
        generations: arguments.generations,
        sample,
        check_nodes: arguments
            .check_nodes
            .or(earlier.map(|earlier| earlier.check_nodes))
            .unwrap_or(usual),
        choices,
    };
    Ok((settings, text))
}

/// Checks that --resume comes with no option that asks for another course than the run's. One that
/// names its usual value cannot be told from one that was left out.
fn refuse_others(arguments: &AutoArguments, earlier: &Settings) -> anyhow::Result<()> {
    let mut choices = arguments.choices.or_as_begun(&earlier.choices)?;
    choices.record_games = arguments.record_games.unwrap_or(earlier.choices.record_games);
    let mut asked = Settings {
        choices,
        check_nodes: arguments.check_nodes.unwrap_or(earlier.check_nodes),
        ..earlier.clone()
    };
    if arguments.start != Path::new(START_USUAL) {
        let (parameters, text) = settings::start(&arguments.start)?;
        asked.start = Parameters::fingerprint(&parameters);
        asked.start_sha256 = settings::sha256(text.as_bytes());
    }
    match &arguments.sample {
        None => {}
        Some(path) if path == Path::new(NO_SAMPLE) => asked.sample = None,
        Some(path) => asked.sample = Some(Sample::load(path)?),
    }
    match asked.difference(earlier)? {
        Some(difference) => {
            let reason = "--resume goes on as the run was begun: leave out what is other";
            Err(WrongUse(format!("{reason} ({difference})")).into())
        }
        None => Ok(()),
    }
}

/// Makes the folder of a new run; the settings come last: where they are, there is all of it.
fn begin(folder: &Path, settings: &Settings, start: &str) -> anyhow::Result<File> {
    files::create_folder(folder)?;
    let lock = lock(folder)?;
    let shown = folder.display();
    ensure!(Settings::load(folder)?.is_none(), "another run was just begun in {shown}");
    let path = folder.join(START);
    files::write_atomically(&path, |file| std::io::Write::write_all(file, start.as_bytes()))?;
    settings.store(folder)?;
    Ok(lock)
}

/// Keeps a second process out of the folder.
fn lock(folder: &Path) -> anyhow::Result<File> {
    let path = folder.join("lock");
    let lock = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    if !files::lock(&lock).with_context(|| format!("cannot lock {}", path.display()))? {
        bail!("another `tuner auto` is at work in {}", folder.display());
    }
    Ok(lock)
}
