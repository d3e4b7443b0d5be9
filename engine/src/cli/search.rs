//! `kamerton search`.

use std::io::Write;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use engine::engine::{Control, Engine, Limits};

use super::{Place, Source};
use engine::console::session::{Style, best_move, check_memory, info};

/// Arguments of `kamerton search`.
#[derive(Args, Debug)]
#[command(after_help = "\
The search ends at the first limit reached.

Examples:
  kamerton search --depth 12
  kamerton search --time 2s --lines 3
  kamerton search --nodes 100000 --fen \"8/5k2/8/8/8/3K4/3P4/8 w - - 0 1\"")]
pub struct SearchArguments {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    ends: Ends,
    /// How many of the best moves to search out
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    lines: u16,
    /// Megabytes of the transposition table
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
}

/// When the search ends.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
struct Ends {
    /// Greatest depth
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Number of nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time, with its unit: 500ms, 2s, 1m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
}

impl SearchArguments {
    /// Searches and prints. Errors: a bad parameter file; nobody reads the output.
    pub fn run(self, outer: Source) -> anyhow::Result<()> {
        let position = self.place.position();
        let style = Style { chess960: self.place.chess960(), show_chances: false };
        let limits = Limits {
            depth: self.ends.depth,
            nodes: self.ends.nodes,
            move_time: self.ends.time,
            multi_pv: self.lines.into(),
            ..Limits::default()
        };
        check_memory(self.hash as usize).map_err(anyhow::Error::msg)?;
        let mut engine = Engine::new(self.source.or(outer).load()?, self.hash as usize);
        let control = Control::new();
        let mut stdout = std::io::stdout().lock();
        let mut written = Ok(());
        let outcome = engine.search(&position, &limits, &control, &mut |found| {
            if written.is_ok() {
                written = writeln!(stdout, "{}", info(found, &position, style));
            }
            if written.is_err() {
                control.stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        });
        written?;
        if outcome.best.is_none() {
            let how = if position.in_check() { "checkmate" } else { "stalemate" };
            bail!("the game is over: {how}");
        }
        writeln!(stdout, "{}", best_move(&outcome, &position, style))?;
        Ok(())
    }
}

/// A time such as `500ms`, `1.5s` or `2m`.
fn parse_time(text: &str) -> Result<Duration, String> {
    let longest = Duration::from_secs(u64::from(u32::MAX));
    let time = humantime::parse_duration(text).ok().filter(|time| *time < longest);
    time.ok_or_else(|| "expected a number with its unit: 500ms, 2s, 1m".to_owned())
}
