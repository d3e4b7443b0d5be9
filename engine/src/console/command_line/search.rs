//! `kamerton search`.

use std::io::Write;
use std::time::Duration;

use anyhow::bail;
use chess::engine::THREADS_MAX;
use clap::Args;
use playable::{Control, Limits};

use super::choices::{GameChoice, ParametersChoice, PositionChoice};
use crate::console::session::check_memory;
use crate::console::translation::{Root, best_move, info_line};

/// Arguments of `kamerton search`.
#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
The search ends at the first limit reached.

Examples:
  kamerton search --depth 12
  kamerton search --time 2s --lines 3
  kamerton search --time 10s --threads 4 --hash 256
  kamerton search --nodes 100000 --fen \"8/5k2/8/8/8/3K4/3P4/8 w - - 0 1\""
)]
pub struct SearchArguments {
    #[command(flatten)]
    parameters: ParametersChoice,
    #[command(flatten)]
    position: PositionChoice,
    #[command(flatten)]
    limits: LimitArguments,
    /// How many of the best moves to search out
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    lines: u16,
    /// Megabytes of the transposition table
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Threads that search, 1 to 512; with more than one no two searches are the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=THREADS_MAX as i64))]
    threads: u16,
}

/// When the search ends.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
struct LimitArguments {
    /// Greatest depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: Option<u32>,
    /// Number of nodes to search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=NODES_MAX))]
    nodes: Option<u64>,
    /// Time, with its unit: 500ms, 2s, 1m
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    time: Option<Duration>,
}

impl SearchArguments {
    /// Searches and prints. Errors: a bad parameter file; nobody reads the output.
    pub fn run(self, game: GameChoice, outer: ParametersChoice) -> anyhow::Result<()> {
        let root = Root { position: self.position.chosen(game.game())?, dialect: 0 };
        let position = &root.position;
        let limits = Limits {
            depth: self.limits.depth,
            nodes: self.limits.nodes,
            move_time: self.limits.time,
            multi_pv: self.lines.into(),
            ..Limits::default()
        };
        check_memory(self.hash as usize, 0).map_err(anyhow::Error::msg)?;
        let numbers = game.load(&self.parameters.or(outer))?;
        let mut engine = numbers.engine(self.hash as usize);
        engine.set_threads(self.threads.into());
        let control = Control::new();
        let mut stdout = std::io::stdout().lock();
        let mut written = Ok(());
        let outcome = engine.search(position, &limits, &control, &mut |found| {
            if written.is_ok() {
                written = writeln!(stdout, "{}", info_line(found, &root, false));
            }
            if written.is_err() {
                control.stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        });
        written?;
        if outcome.best.is_none() {
            let how = position.outcome().map_or("no move".to_owned(), |(_, rule)| rule.words());
            bail!("the game is over: {how}");
        }
        writeln!(stdout, "{}", best_move(&outcome, &root))?;
        Ok(())
    }
}

/// Most nodes of `--nodes`: years of search.
pub const NODES_MAX: u64 = 1_000_000_000_000_000;

/// Longest time of `--time`: a thousand hours.
const TIME_MAX: Duration = Duration::from_secs(1000 * 60 * 60);

/// A time such as `500ms`, `1.5s` or `2m`, from a millisecond to [`TIME_MAX`].
fn parse_time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text)
        .map_err(|_| "expected a number with its unit: 500ms, 2s, 1m".to_string())?;
    match (Duration::from_millis(1)..=TIME_MAX).contains(&time) {
        true => Ok(time),
        false => Err(format!("`{text}` is not from 1ms to {}m", TIME_MAX.as_secs() / 60)),
    }
}
