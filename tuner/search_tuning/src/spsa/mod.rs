//! `tuner spsa`: numbers tuned by games, with all of them perturbed at once.
//!
//! Fishtest and OpenBench do it with many machines, this with one: in process for our own engine,
//! over pipes for any that speaks UCI. The folder holds the whole state, see `tuning.rs`.
//!
//! A path is a function of its settings and pairs, whatever the threads (`path.rs`).

mod course;
mod page;
mod pairs;
mod path;
mod settings;
mod show;
mod tuning;
mod verdict;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use command_line::{self, threads};
use command_line::{say_line, say_text};
use matches::run::Workers;
use report::html::PageFile;
use system::files;

pub use course::{Drift, Point, SpsaPath};
pub use path::{Gains, Path, Trial};
pub use settings::Choices;

use system::tell;

use show::Display;
use tuning::Tuning;
use verdict::Outcome;

/// Tune numbers by games: SPSA as fishtest and OpenBench define it.
///
/// In each iteration every number is moved a little up or down by a coin, the numbers moved so play
/// a pair of games against those moved the other way, and all step towards the winner. Tuned are
/// Kamerton's margins or terms in this process, or the options of any UCI engine over pipes. What
/// comes out then plays against the start until a sequential test decides (normalized Elo 0 against
/// 10, errors of 5 %).
///
/// The folder holds the whole state: a run that was killed goes on with --resume, and by nodes ends
/// with the same bytes, whatever the number of threads. With --resume and more --pairs a run is
/// extended: its schedule stays that of the beginning, and beyond its end the gains go on by the
/// same formulas.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct SpsaArguments {
    /// What decides the run's path.
    #[command(flatten)]
    pub choices: Choices,
    /// Folder of the run.
    #[arg(long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// Go on with the run in the folder; of the other options only --output is needed, and those of
    /// the test.
    #[arg(long)]
    pub resume: bool,
    /// With --resume: go on although the engine is not the one that the run was begun with, as after a
    /// rebuild; the games of both lead the way.
    #[arg(long, requires = "resume")]
    pub allow_changed_engine: bool,
    /// Do not test what came out.
    #[arg(long, conflicts_with = "test_pairs")]
    pub no_test: bool,
    /// Pairs after which a test without a verdict ends; one that was begun keeps its own [default: as
    /// many as were tuned with].
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub test_pairs: Option<u64>,
    /// Threads to use, to 1024; 0 means all cores. The result does not depend on it.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = threads())]
    pub threads: usize,
}

const EXAMPLES: &str = "\
Examples:
  All margins of Kamerton, and going on after a kill:
    tuner spsa --start default --nodes 1000 --pairs 20000 --output runs/margins
    tuner spsa --resume --output runs/margins
  Two groups of them, without one number:
    tuner spsa --start default --only futility,null_move --freeze null_move.depth_min \\
        --nodes 1000 --pairs 5000 --output runs/two
  Options of any engine, in OpenBench's lines or weather-factory's JSON:
    tuner spsa --engine ./engine option.Hash=16 --parameters options.txt --tc 8+0.08 \\
        --pairs 20000 --output runs/engine

Files of a run: path.csv (where each number was), report.html, tuned.toml (of Kamerton) or tuned.txt
and, of whole numbers, tuned.json (OpenBench's lines and weather-factory's JSON), settings.json,
goal.json (of an extended run, its pairs), the journal with all games, and test-N with those of the
test, N being the pairs. A step, c_end, should be worth two or three Elo; r_end says how far a
number moves for a game won at the end of the run, in steps.";

/// Time between two versions of path.csv and the page while games go on.
const INTERVAL: Duration = Duration::from_secs(5);

/// Runs `tuner spsa`.
///
/// # Errors
/// When the run cannot be begun or gone on with, or fails; what was finished stays and is found
/// again by --resume.
pub fn run(arguments: &SpsaArguments) -> anyhow::Result<()> {
    let SpsaArguments { choices, output, resume, no_test, test_pairs, threads, .. } = arguments;
    let threads = command_line::useful_threads(*threads);
    let mut tuning = Tuning::open(output, choices, *resume, arguments.allow_changed_engine)?;
    let settings = &tuning.settings;
    tell(format_args!("repeat with: {} (seed {})", command_line::invocation(), settings.seed));
    let in_play = settings.window * settings.batch;
    if threads as u64 > in_play {
        tell(format_args!(
            "note: {in_play} pairs are played at once (--window times --batch), no more"
        ));
    }
    if let Some(note) = show::one_way_only(&tuning.course) {
        tell(format_args!("note: {note}"));
    }
    if tuning.pairs() > 0 {
        tell(format_args!("{} pairs in the journal", tuning.pairs()));
    }
    let pairs = settings.goal(output, tuning.pairs(), choices.pairs)?;
    let page = PageFile::new(&output.join(settings::PAGE))?;
    let mut display = Display::new(&tuning, pairs);
    let mut written = Instant::now();
    let played = tuning.play(pairs, threads, |tuning| {
        display.show(tuning);
        if written.elapsed() > INTERVAL {
            // A failure must not end the run; if it lasts, the end tells.
            let _ = write_path(tuning);
            page.refresh(|| page::page(tuning, page::State::Running));
            written = Instant::now();
        }
    });
    display.end();
    if let Err(error) = played {
        // On a full disk these fail too, which is no news.
        let _ = write_path(&tuning);
        let _ = page.write(|| page::page(&tuning, page::State::Failed(error.to_string())));
        tell(format_args!(
            "{} pairs are in the journal: --resume goes on after them",
            tuning.pairs()
        ));
        return Err(error);
    }
    // The values first, wherever all else may fail.
    let tuned = write_tuned(&tuning)?;
    say_text!(show::table(&tuning.course, usize::MAX));
    say_line!("\nWorth by the results on the way: {}", show::worth(&tuning.course));
    for path in &tuned {
        say_line!("Tuned: {}", path.display());
    }
    write_path(&tuning)?;
    let before_test = if *no_test { Outcome::NotTested } else { Outcome::Testing };
    page.write(|| page::page(&tuning, page::State::Ended(before_test)))?;
    say_line!("Page: {}", output.join(settings::PAGE).display());
    if !no_test {
        let workers =
            Workers { allows_changes: arguments.allow_changed_engine, ..Workers::from(threads) };
        let pairs = test_pairs.unwrap_or(tuning.pairs());
        let assessment = verdict::test(&tuning, pairs, workers)?;
        match &assessment {
            Some(assessment) => say_line!("Test: {:#}", verdict::Ended(assessment)),
            None => say_line!("Test: none, as no number changed"),
        }
        let outcome = || assessment.as_ref().map_or(Outcome::Unchanged, Outcome::Tested);
        page.write(|| page::page(&tuning, page::State::Ended(outcome())))?;
    }
    Ok(())
}

/// Writes where each number was: path.csv.
fn write_path(tuning: &Tuning) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = tuning.subject.tunables().iter().map(|tunable| tunable.name.as_str());
    writer.write_record(["iteration", "pairs", "score"].into_iter().chain(names))?;
    for point in tuning.course.points() {
        let pairs = point.iteration * tuning.settings.batch;
        let counts = [point.iteration.to_string(), pairs.to_string(), point.score.to_string()];
        let values = point.values.iter().zip(tuning.subject.tunables());
        let values = values.map(|(value, it)| format!("{value:.*}", it.decimals().max(4)));
        writer.write_record(counts.into_iter().chain(values))?;
    }
    let text = writer.into_inner()?;
    let path = tuning.folder.join(settings::PATH);
    files::write_atomically(&path, |file| std::io::Write::write_all(file, &text))?;
    Ok(())
}

/// Writes what came out, in the forms that others read.
fn write_tuned(tuning: &Tuning) -> anyhow::Result<Vec<PathBuf>> {
    let notes = format!(
        "Tuned by `tuner spsa` over {} pairs of games ({}, seed {}) from {}. Worth by the results \
         on the way: {}.",
        tuning.pairs(),
        tuning.subject.base().limits,
        tuning.settings.seed,
        tuning.settings.fingerprint(),
        show::worth(&tuning.course)
    );
    tuning.subject.write(&tuning.folder, settings::TUNED, &tuning.values(), &notes)
}
