//! How a run begins, or goes on from what its folder holds.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use chess::Parameters;
use command_line::{self, WrongUse};
use evaluation_tuning::fit;
use matches::player::EngineIdentity;
use report::html::PageFile;
use report::html::words::count_of;
use system::budget::Budget;
use system::files;

use super::display::Voice;
use super::folder::{BINARY, CHAMPION, HOURS, LEDGER, PAGE, RESULT, START, generation_folder};
use super::hours::Hours;
use super::ledger::{Fitted, Generation};
use super::pace::Pace;
use super::run::{Run, State};
use super::settings::{self, Choices, Sample, Settings};
use super::time;
use super::{AutoArguments, START_USUAL};

/// A budget below which a run begins with little, and candidates are not checked: all of it would be
/// gone by one check.
const SHORT_BUDGET: Duration = Duration::from_secs(30 * 60);
/// Games that a generation records, and in a short run: a fit to so few positions is far from the
/// best, but well above a textbook.
const RECORD_GAMES: [u32; 2] = [4000, 1000];
/// Positions that margins are fitted to, and in a short run.
const MARGIN_POSITIONS: [usize; 2] = [4000, 2000];
/// Rounds of that, and in a short run: most of what is found is there then.
const MARGIN_ROUNDS: [usize; 2] = [16, 8];
/// Positions of each game of the sample that the first generation of a short run fits to: in a tenth of
/// the time it comes to within some 30 Elo of what all of them let find.
const FIRST_PER_GAME: usize = 4;
/// Games of a sample without which these would be too few.
const FIRST_GAMES: u64 = 1000;
/// Nodes of a check for each node of a test.
const CHECK_SHARE: u64 = 4;
/// Share of the budget in which champions play the start for show.
const SHOW_SHARE: f64 = 0.05;
/// Budget from which on these games have as many nodes a move as those of the tests; with less time
/// they have fewer in proportion, but a tenth at least.
const SHOW_BUDGET: Duration = Duration::from_secs(15 * 60);
/// The word for no sample where one is asked for.
const NO_SAMPLE: &str = "none";

/// The usual values of options, by the budget.
struct Usual {
    record_games: u32,
    margin_positions: usize,
    margin_rounds: usize,
    check_nodes: u64,
    first_per_game: usize,
    show_nodes: u64,
}

impl Usual {
    fn of(budget: Option<Duration>, sample: Option<&Sample>, choices: &Choices) -> Usual {
        let is_short = budget.is_some_and(|budget| budget < SHORT_BUDGET);
        let by_time = usize::from(is_short);
        let games = sample.map_or(0, |sample| time::games_in(&sample.path));
        let begins_small = is_short && games >= FIRST_GAMES && choices.per_game == 0;
        let share = budget.map_or(1.0, |budget| budget.div_duration_f64(SHOW_BUDGET));
        let show_nodes = choices.nodes as f64 * share.clamp(0.1, 1.0);
        Usual {
            record_games: RECORD_GAMES[by_time],
            margin_positions: MARGIN_POSITIONS[by_time],
            margin_rounds: MARGIN_ROUNDS[by_time],
            check_nodes: if is_short { 0 } else { CHECK_SHARE * choices.nodes },
            first_per_game: if begins_small { FIRST_PER_GAME } else { 0 },
            show_nodes: (show_nodes as u64).max(1),
        }
    }
}

impl Run {
    /// Begins a run in the folder, or goes on with the one that is there.
    pub(super) fn open(
        arguments: &AutoArguments,
        voice: Voice,
        budget: Budget,
    ) -> anyhow::Result<Run> {
        let folder = arguments.output.clone();
        check_options(arguments)?;
        let earlier = Settings::load(&folder)?;
        let mut held = None;
        let settings = match (earlier, arguments.resume) {
            (Some(earlier), true) => {
                refuse_others(arguments, &earlier)?;
                let place = folder.join("settings.json");
                voice.step(format!("the run goes on as it was begun, see {}", place.display()));
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
            voice.step("no sample of positions: the first generation records games of its own");
        }
        let run = Run {
            hours: Hours::of(&folder),
            page: PageFile::new(&folder.join(PAGE))?,
            folder,
            settings,
            threads: command_line::useful_threads(arguments.threads),
            allows_changes: arguments.allow_changed_engine,
            budget,
            show_time: arguments.budget.map(|budget| budget.mul_f64(SHOW_SHARE)),
            generations,
            next_step: Fitted::Terms,
            pace: Pace::default(),
            voice,
            _lock: lock,
        };
        run.check_files()?;
        run.check_engine()?;
        let place = run.folder.join(PAGE);
        let (start, threads) = (run.start_name(), count_of(run.threads as u64, "thread"));
        let page = place.display();
        run.voice.step(format!("from {start} on {threads}; the page is {page}"));
        run.voice.detail(format!(
            "repeat with: {} (seed {}, start {})",
            command_line::invocation(),
            run.settings.choices.seed,
            run.settings.start,
        ));
        run.write_state(None)?;
        run.write_page(State::Running)?;
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
}

/// Checks what the single options do not.
///
/// # Errors
/// [`WrongUse`] for options that cannot be met together, or of which one would do nothing.
fn check_options(arguments: &AutoArguments) -> anyhow::Result<()> {
    if arguments.margin_positions == Some(0) && arguments.margin_rounds.is_some() {
        let message = "--margin-rounds does nothing with --margin-positions 0, which leaves margins as \
                       they are: leave out one of them";
        return Err(WrongUse(message.to_string()).into());
    }
    arguments.choices.fit.check()
}

/// The settings that the arguments ask for, and the text of the starting file. Settings that are
/// not asked for and depend on the budget are as in the run that was begun `earlier`.
fn new_settings(
    arguments: &AutoArguments,
    earlier: Option<&Settings>,
) -> anyhow::Result<(Settings, String)> {
    let (parameters, text) = Parameters::open_whole(&arguments.start)?;
    let sample = match &arguments.sample {
        None if fit::says_nothing(&parameters) => None,
        None => settings::own_sample().map(|path| Sample::load(&path)).transpose()?,
        Some(path) if path == Path::new(NO_SAMPLE) => None,
        Some(path) => Some(Sample::load(path)?),
    };
    let usual = Usual::of(arguments.budget, sample.as_ref(), &arguments.choices);
    let begun = |of: fn(&Choices) -> usize| earlier.map(|earlier| of(&earlier.choices));
    let choices = Choices {
        record_games: arguments
            .record_games
            .or(earlier.map(|earlier| earlier.choices.record_games))
            .unwrap_or(usual.record_games),
        margin_positions: arguments
            .margin_positions
            .or(begun(|it| it.margin_positions))
            .unwrap_or(usual.margin_positions),
        margin_rounds: arguments
            .margin_rounds
            .or(begun(|it| it.margin_rounds))
            .unwrap_or(usual.margin_rounds),
        ..arguments.choices.clone()
    };
    let settings = Settings {
        version: settings::VERSION,
        start: Parameters::fingerprint(&parameters),
        start_sha256: settings::sha256(text.as_bytes()),
        engine: Some(EngineIdentity::of_numbers(&Arc::new(parameters))),
        generations: arguments.generations,
        sample,
        check_nodes: arguments
            .check_nodes
            .or(earlier.map(|earlier| earlier.check_nodes))
            .unwrap_or(usual.check_nodes),
        first_per_game: earlier.map_or(usual.first_per_game, |earlier| earlier.first_per_game),
        show_nodes: earlier.map_or(usual.show_nodes, |earlier| earlier.show_nodes),
        choices,
    };
    Ok((settings, text))
}

/// Checks that --resume comes with no option that asks for another course than the run's. One that
/// names its usual value cannot be told from one that was left out.
fn refuse_others(arguments: &AutoArguments, earlier: &Settings) -> anyhow::Result<()> {
    let mut choices = arguments.choices.or_as_begun(&earlier.choices)?;
    let begun = &earlier.choices;
    choices.record_games = arguments.record_games.unwrap_or(begun.record_games);
    choices.margin_positions = arguments.margin_positions.unwrap_or(begun.margin_positions);
    choices.margin_rounds = arguments.margin_rounds.unwrap_or(begun.margin_rounds);
    let mut asked = Settings {
        choices,
        check_nodes: arguments.check_nodes.unwrap_or(earlier.check_nodes),
        ..earlier.clone()
    };
    if arguments.start != Path::new(START_USUAL) {
        let (parameters, text) = Parameters::open_whole(&arguments.start)?;
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
    let manifest = format!("{BINARY}.json");
    let written = [CHAMPION, LEDGER, HOURS, PAGE, BINARY, &manifest, "generation-1"];
    files::check_free(folder, written)?;
    files::write_beside_others(&folder.join(START), start.as_bytes())?;
    settings.store(folder)?;
    Ok(lock)
}

/// Keeps a second process out of the folder.
fn lock(folder: &Path) -> anyhow::Result<File> {
    let lock = files::lock_folder(folder)?;
    lock.with_context(|| format!("another `tuner auto` is at work in {}", folder.display()))
}
