//! `tuner record`: the command line of a recording.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use command_line::{self, WrongUse};
use command_line::{say_line, say_text};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use matches::{GameOption, games};
use system::paint;
use system::tell;

use super::recording::{DECIDED, Goal, Recording};
use super::{Balance, Progress, record};
use crate::store::BLOCK_PLIES_MAX;

/// Time between lines of progress where standard error is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Record games of self-play.
///
/// The store that results depends on seed, nodes, parameters, openings, and the amount to record;
/// not on the number of threads, and not on how often the recording was stopped and resumed. At the
/// end stands how evenly it falls: results, by score too, lengths, and what occurs again.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct RecordArguments {
    /// The game that is played.
    #[command(flatten)]
    pub game: GameOption,
    /// Games to record, with those of the store that is resumed.
    #[arg(long, value_name = "N", required_unless_present = "positions")]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    pub games: Option<u32>,
    /// Positions to record instead; the last game is recorded whole.
    #[arg(long, value_name = "N", conflicts_with = "games")]
    #[arg(value_parser = value_parser!(u64).range(1..=1_000_000_000_000))]
    pub positions: Option<u64>,
    /// Nodes searched for each move.
    #[arg(long, value_name = "N", default_value_t = 5000)]
    #[arg(value_parser = value_parser!(u64).range(1..=1_000_000_000_000))]
    pub nodes: u64,
    /// Seed of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games played at a time, to 1024; 0 means one a core. The store does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = command_line::threads())]
    pub threads: usize,
    /// Store to write.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Go on with the store if it exists; settings must be the same.
    #[arg(long)]
    pub resume: bool,
    /// With --resume: go on although the engine is not the one that recorded what is there, as after a
    /// rebuild.
    #[arg(long, requires = "resume")]
    pub allow_changed_engine: bool,
    /// Values of the players.
    #[arg(long, value_name = "FILE", value_parser = command_line::parameter_file)]
    #[arg(help = command_line::values_help("Values of the players") + " [default: the embedded ones]")]
    pub parameters: Option<PathBuf>,
    /// Opening file in EPD [default: the usual start position].
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Random plies before a game is recorded, least to greatest [default: 8..9, with --openings
    /// 0..0].
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    pub random_plies: Option<(u32, u32)>,
    /// Replace random openings whose first score is beyond this (centipawns) [default: 300].
    #[arg(long, value_name = "CENTIPAWNS", value_parser = value_parser!(i32).range(0..=32_000))]
    pub decided: Option<i32>,
    /// Plies in a block of the store: what a kill can lose, and what is compressed together.
    #[arg(long, value_name = "PLIES", default_value_t = 4096)]
    #[arg(value_parser = value_parser!(u32).range(1..i64::from(BLOCK_PLIES_MAX)))]
    pub block_plies: u32,
}

const EXAMPLES: &str = "\
Examples:
  Half a million positions:
    tuner record --positions 500000 --nodes 5000 --output games.kgames
  The same after it was stopped:
    tuner record --positions 500000 --nodes 5000 --output games.kgames --resume";

/// Runs `tuner record`.
///
/// # Errors
/// As [`record`], and if the parameter file is unusable.
pub fn run(arguments: &RecordArguments) -> anyhow::Result<()> {
    let goal = match (arguments.games, arguments.positions) {
        (Some(games), _) => Goal::Games(games),
        (None, positions) => Goal::Positions(positions.unwrap_or(0)),
    };
    let game = arguments.game.game;
    let numbers = match &arguments.parameters {
        Some(path) => game.open_numbers(path)?.0,
        None => game.embedded(),
    };
    let usual_plies = if arguments.openings.is_some() { (0, 0) } else { (8, 9) };
    let random_plies = arguments.random_plies.unwrap_or(usual_plies);
    if arguments.decided.is_some() && random_plies.1 == 0 {
        let message = "--decided replaces openings that random plies make, and there are none: leave \
                       it out, or give --random-plies";
        return Err(WrongUse(message.to_owned()).into());
    }
    let recording = Recording {
        goal,
        nodes: arguments.nodes,
        seed: arguments.seed,
        threads: arguments.threads,
        output: arguments.output.clone(),
        resume: arguments.resume,
        allows_changes: arguments.allow_changed_engine,
        numbers,
        openings: arguments.openings.clone(),
        random_plies,
        decided: arguments.decided.unwrap_or(DECIDED),
        block_plies: arguments.block_plies,
    };
    tell(format_args!("repeat with: {}", command_line(arguments, &recording)));
    let mut display = Display::new(goal);
    let progress = record(&recording, |progress| display.show(progress))?;
    display.finish(progress);
    if let Goal::Games(games) = goal
        && progress.games > games
    {
        paint::tell_warning(format_args!(
            "{} holds {} games already, more than --games {games}: none was recorded",
            arguments.output.display(),
            progress.games
        ));
    }
    say_line!(
        "{}: {} games, {} positions, {:.2} bytes a ply",
        arguments.output.display(),
        progress.games,
        progress.positions,
        progress.bytes as f64 / progress.positions.max(1) as f64
    );
    say_text!(Balance::of_store(&arguments.output)?);
    Ok(())
}

/// The line that repeats the run, with everything that decides its result.
fn command_line(arguments: &RecordArguments, recording: &Recording) -> String {
    let goal = match recording.goal {
        Goal::Games(games) => format!("--games {games}"),
        Goal::Positions(positions) => format!("--positions {positions}"),
    };
    let (least, greatest) = recording.random_plies;
    let mut line = format!(
        "tuner record {goal} --nodes {} --seed {} --random-plies {least}..{greatest} --block-plies {}",
        recording.nodes, recording.seed, recording.block_plies
    );
    if greatest > 0 {
        line += &format!(" --decided {}", recording.decided);
    }
    if !games::is_usual(&arguments.game.game) {
        line += &format!(" --game {}", arguments.game.game.name());
    }
    let files = [
        ("--parameters", arguments.parameters.as_deref()),
        ("--openings", arguments.openings.as_deref()),
        ("--output", Some(arguments.output.as_path())),
    ];
    for (name, path) in files {
        if let Some(path) = path {
            line += &format!(" {name} {}", command_line::quoted(&path.display().to_string()));
        }
    }
    line
}

/// Reads `A..B`, with both ends included.
fn parse_range(text: &str) -> Result<(u32, u32), String> {
    let plies = |text: &str| text.parse().ok().filter(|&plies: &u32| plies <= 200);
    text.split_once("..")
        .and_then(|(least, greatest)| plies(least).zip(plies(greatest)))
        .filter(|(least, greatest)| least <= greatest)
        .ok_or_else(|| "two numbers up to 200 as in 8..9, the greater last".to_owned())
}

/// Progress on standard error: a bar on a terminal, a line now and then elsewhere.
struct Display {
    goal: Goal,
    bar: ProgressBar,
    started: Instant,
    last_line: Instant,
}

impl Display {
    fn new(goal: Goal) -> Display {
        let length = match goal {
            Goal::Games(games) => u64::from(games),
            Goal::Positions(positions) => positions,
        };
        let bar = if io::stderr().is_terminal() {
            ProgressBar::new(length)
        } else {
            ProgressBar::hidden()
        };
        let unit = if matches!(goal, Goal::Games(_)) { "games" } else { "positions" };
        let template = format!("{{wide_bar}} {{human_pos}}/{{human_len}} {unit}, {{msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        Display { goal, bar, started: Instant::now(), last_line: Instant::now() }
    }

    fn show(&mut self, progress: Progress) {
        let (done, wanted) = match self.goal {
            Goal::Games(games) => (u64::from(progress.games), u64::from(games)),
            Goal::Positions(positions) => (progress.positions, positions),
        };
        let seconds = self.started.elapsed().as_secs_f64();
        let speed = progress.new_positions as f64 / seconds.max(1e-3);
        // Games are about as long as those before, so that positions tell the time for both goals.
        let per_unit = progress.positions as f64 / done.max(1) as f64;
        let left = wanted.saturating_sub(done) as f64 * per_unit / speed;
        let message = match Duration::try_from_secs_f64(left) {
            Ok(left) if progress.new_positions > 0 => {
                format!("{speed:.0} positions/s, {} left", HumanDuration(left))
            }
            _ => "starting".to_owned(),
        };
        if self.last_line.elapsed() >= LINE_INTERVAL && self.bar.is_hidden() {
            tell(format_args!(
                "{} games, {} positions, {message}",
                progress.games, progress.positions
            ));
            self.last_line = Instant::now();
        }
        self.bar.set_position(done.min(wanted));
        self.bar.set_message(message);
    }

    /// Says how long it took, on standard error, because the next time it takes another while.
    fn finish(self, progress: Progress) {
        self.bar.finish_and_clear();
        let seconds = self.started.elapsed().as_secs_f64();
        if progress.new_positions > 0 {
            tell(format_args!(
                "recorded {} positions in {seconds:.0} s, {:.0} a second",
                progress.new_positions,
                progress.new_positions as f64 / seconds.max(1e-3)
            ));
        }
    }
}
