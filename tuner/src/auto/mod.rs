//! `tuner auto`: the loop record, fit, test, accept or keep, export, generation by generation.
//!
//! The state of a run is what lies in its folder: every step ends in a file written whole or in a
//! journal that can be appended to, so that a run killed at any moment goes on where it was, and
//! ends with the same bytes. Nothing in these files depends on time or threads.

mod generation;
mod ledger;
mod margins;
mod settings;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use engine::Parameters;
use sprt::files;
use sprt::statistics::Verdict;

use crate::command_line::{self, WrongUse, parameter_file, threads};
use crate::export::{self, ExportArguments, Manifest};

pub use ledger::{Fitted, Generation, Merit};
pub use settings::{Choices, Settings};
pub use sprt::budget::{Budget, parse_time};

use generation::Outcome;

/// Run the whole loop: record, fit, test, accept or keep, export.
///
/// Each generation fits a candidate to all positions so far, from the champion's values, and plays
/// it against the champion until a sequential test decides (normalized Elo 0 against 10, errors of
/// 5 %). An accepted candidate is the next champion. The first generation has the positions of
/// the repository's sample; each further one records new games of the champion first. After an
/// accepted evaluation a generation fits the margins of the search to the same positions, with a
/// test of its own. At the end the champion is built into a binary.
///
/// The folder holds the whole state: the same command goes on where an earlier one was stopped.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct AutoArguments {
    /// Time for all of it, as 90s, 5m, 2h: decides how many generations are begun and when a test
    /// is cut short.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub budget: Option<Duration>,
    /// Generations at most, with those already in the folder [default: 3, or as many as the budget
    /// allows; with --resume what the run was begun for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub generations: Option<u32>,
    /// Values to start from: textbook, default, or a parameter file.
    #[arg(long, default_value = "textbook", value_name = "FILE", value_parser = parameter_file)]
    pub start: PathBuf,
    /// Positions of the first generation [default: the repository's sample].
    #[arg(long, value_name = "FILE")]
    pub sample: Option<PathBuf>,
    /// Folder of the run.
    #[arg(long, default_value = "runs/auto", value_name = "FOLDER")]
    pub output: PathBuf,
    /// What decides the run's course.
    #[command(flatten)]
    pub choices: Choices,
    /// Go on with the run in the folder by the settings it was begun with.
    #[arg(long)]
    pub resume: bool,
    /// Build no binary at the end.
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

Files of a run: ledger.csv (a line a generation), champion.toml, kamerton-tuned with its manifest,
and generation-N with candidate, fit report, recorded games, and the test's journal and games.";

/// Generations of a run without a budget.
const GENERATIONS: u32 = 3;
/// Time kept for building the binary, until it was measured: with dependencies, on two cores.
const EXPORT_RESERVE: Duration = Duration::from_secs(100);
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
    budget: Budget,
    generations: Vec<Generation>,
    /// How long steps took in this process, to plan by.
    pace: Pace,
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
        let settings = match (earlier, arguments.resume) {
            (Some(earlier), true) => earlier,
            (None, true) => {
                let message = format!("--resume: {} holds no run", folder.display());
                return Err(WrongUse(message).into());
            }
            (earlier, false) => {
                let (settings, start) = new_settings(arguments)?;
                match earlier {
                    Some(earlier) => settings.check_same(&earlier, &folder)?,
                    None => begin(&folder, &settings, &start)?,
                }
                settings
            }
        };
        let lock = lock(&folder)?;
        let mut generations = Vec::new();
        while let Some(generation) = Generation::load(
            &generation_folder(&folder, generations.len() as u32 + 1).join(RESULT),
        )? {
            generations.push(generation);
        }
        let run = Run {
            folder,
            settings,
            threads: command_line::useful_threads(arguments.threads),
            budget,
            generations,
            pace: Pace::default(),
            _lock: lock,
        };
        run.check_files()?;
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
            (self.generation_folder(generation.generation).join(CANDIDATE), &generation.sha256)
        });
        for (path, expected) in std::iter::once(start).chain(candidates) {
            ensure!(
                settings::sha256_of(&path)? == *expected,
                "{} was changed after the run had begun with it: put the file back, or begin \
                 another run with --start and --output",
                path.display()
            );
        }
        Ok(())
    }

    /// What the next generation fits: margins after an accepted evaluation, which has moved what
    /// they should be.
    fn next_step(&self) -> Fitted {
        let moved = self
            .generations
            .last()
            .is_some_and(|last| last.step == Fitted::Terms && last.verdict == Verdict::Accepted);
        let wanted = self.settings.choices.margin_positions > 0;
        if moved && wanted { Fitted::Margins } else { Fitted::Terms }
    }

    /// The generations up to this one that record games: all that fit terms but the first, which
    /// has the sample.
    fn recorded(&self, number: u32) -> impl Iterator<Item = u32> {
        let earlier = self.generations.iter().filter(|it| it.step == Fitted::Terms);
        let is_next =
            (number as usize > self.generations.len()).then_some((number, self.next_step()));
        let next = is_next.filter(|(_, step)| *step == Fitted::Terms).map(|(number, _)| number);
        earlier
            .map(|it| it.generation)
            .filter(move |&it| it <= number)
            .chain(next)
            .filter(|&it| it > 1)
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
            Some(generation) => self.generation_folder(generation.generation).join(CANDIDATE),
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
        let Some(next) = self.generations.last().map(|last| last.generation + 1) else {
            return true;
        };
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

    /// Builds the champion into a binary, unless it is there already; none while the start stays
    /// champion.
    fn export(&self) -> anyhow::Result<Option<(PathBuf, Manifest)>> {
        let Some(accepted) = self.accepted() else { return Ok(None) };
        let output = self.folder.join("kamerton-tuned");
        let beside = self.folder.join("kamerton-tuned.json");
        if output.exists() && beside.exists() {
            let manifest: Manifest = serde_json::from_str(&files::read_text(&beside)?)
                .with_context(|| format!("{} is not a manifest", beside.display()))?;
            if manifest.parameters_sha256 == accepted.sha256 {
                return Ok(Some((output, manifest)));
            }
        }
        eprintln!("\nExport: building the engine with {CHAMPION} embedded");
        let started = Instant::now();
        let manifest = export::export(&ExportArguments {
            parameters: self.folder.join(CHAMPION),
            output: output.clone(),
            target_cpu: None,
            workspace: None,
            verdict: Some(format!("generation {}: {}", accepted.generation, accepted.sentence())),
        })?;
        eprintln!("  built and checked in {} s", started.elapsed().as_secs());
        Ok(Some((output, manifest)))
    }

    /// Says on standard output what the run came to.
    fn summarize(&self, cut: Option<&Generation>, exported: Option<&(PathBuf, Manifest)>) {
        println!("\nGenerations of {}:", self.folder.display());
        for generation in self.generations.iter().chain(cut) {
            println!(
                "  {}: {}; {}",
                generation.generation,
                generation.fit_in_words(),
                generation.sentence(),
            );
        }
        match self.accepted() {
            Some(accepted) => println!(
                "Champion: {} ({}), generation {}",
                self.folder.join(CHAMPION).display(),
                accepted.fingerprint,
                accepted.generation
            ),
            None => println!("No candidate was accepted: the start stays champion."),
        }
        if let Some((path, manifest)) = exported {
            println!(
                "Binary: {} (bench {}, equal to that of the engine here with {CHAMPION} loaded)",
                path.display(),
                manifest.bench
            );
        }
        println!("Ledger: {}", self.folder.join("ledger.csv").display());
    }
}

/// Names within a run's folder and within that of a generation.
const START: &str = "start.toml";
const CHAMPION: &str = "champion.toml";
const RESULT: &str = "result.json";
const CANDIDATE: &str = "candidate.toml";
const GAMES: &str = "positions.kgames";

fn generation_folder(folder: &Path, generation: u32) -> PathBuf {
    folder.join(format!("generation-{generation}"))
}

/// The settings that the arguments ask for, and the text of the starting file.
fn new_settings(arguments: &AutoArguments) -> anyhow::Result<(Settings, String)> {
    let (parameters, text) = settings::start(&arguments.start)?;
    let sample = arguments.sample.clone().unwrap_or_else(settings::own_sample);
    let sample =
        sample.canonicalize().with_context(|| format!("cannot read {}", sample.display()))?;
    let settings = Settings {
        start: Parameters::fingerprint(&parameters),
        start_sha256: settings::sha256(text.as_bytes()),
        generations: arguments.generations,
        sample_sha256: settings::sha256_of(&sample)?,
        sample,
        choices: arguments.choices.clone(),
    };
    Ok((settings, text))
}

/// Makes the folder of a new run; the settings come last: where they are, there is all of it.
fn begin(folder: &Path, settings: &Settings, start: &str) -> anyhow::Result<()> {
    files::create_folder(folder)?;
    let path = folder.join(START);
    files::write_atomically(&path, |file| std::io::Write::write_all(file, start.as_bytes()))?;
    settings.store(folder)
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
