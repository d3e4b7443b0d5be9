//! `sprt openings`.

use std::cell::Cell;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use matches::GameOption;
use matches::openings::{self, GenerateSettings, PLIES, Source, Taste};
use playable::Game;
use system::files::{EMBEDDED, check_outputs, claim_outputs};
use system::shell;
use system::tell;

use super::printing::say;
use super::report::refused;
use super::statuses::{WrongUse, interruption};
use super::thread_options::CoreOptions;
use super::{Status, bounds};

/// Arguments of `sprt openings`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct OpeningsArguments {
    /// File to write (EPD with the score in centipawns as `ce`)
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    game: GameOption,
    /// Number of openings, 1 to 10000000
    #[arg(long, value_name = "N", default_value_t = 5000,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=10_000_000))]
    count: usize,
    /// Where they come from: search (moves that a search thinks well of, the better the likelier),
    /// random (any legal moves), or a file: games in PGN, or positions in EPD
    #[arg(long, value_name = "search|random|FILE", default_value = "search")]
    from: String,
    /// Plies from the start position, or of each game: fewest and most, up to 1000 [default: 6-10]
    #[arg(long, value_name = "FEWEST-MOST", value_parser = parse_plies)]
    plies: Option<RangeInclusive<u32>>,
    /// Lead of the side that is better off, in centipawns up to 30000: at most so much, or from LOW
    /// to HIGH, as 80-120, so that a game is no draw and both games of a pair together decide
    #[arg(long, value_name = "[LOW-]HIGH", default_value = "60", value_parser = parse_balance)]
    balance: RangeInclusive<i32>,
    /// Men on the board, kings and pawns included: fewest and most, as 2-12 for endgames
    #[arg(long, value_name = "FEWEST-MOST", default_value = "2-64", value_parser = parse_men)]
    men: RangeInclusive<u32>,
    /// At most so many openings with the same pawns, for variety [default: any number]
    #[arg(long, value_name = "N",
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=10_000_000))]
    alike: Option<usize>,
    /// With search: how much worse than the best a move may be, in centipawns up to 1000
    /// [default: 30]
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(i32).range(0..=1000))]
    worse: Option<i32>,
    /// With search: nodes of the search for the moves of a position, 1 to 10^12 [default: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(bounds::NODES))]
    move_nodes: Option<u64>,
    /// Nodes of the search that finds the score, 1 to 10^12
    #[arg(long, value_name = "N", default_value_t = 5000,
          value_parser = clap::value_parser!(u64).range(bounds::NODES))]
    nodes: u64,
    /// Parameter file of the search, or "embedded"
    #[arg(long, value_name = "FILE", default_value = EMBEDDED)]
    parameters: PathBuf,
    /// Seed of all that is drawn, any of 64 bits
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: CoreOptions,
}

const EXAMPLES: &str = "\
Examples:
  Balanced, of moves that the engine likes:
    sprt openings --count 2000 --output openings.epd
  One side leads, so that equal players win and lose in turn:
    sprt openings --balance 80-120 --plies 8-12 --worse 60 --count 2000 --output lead.epd
  Endgames out of games, no pawns twice:
    sprt openings --from games.pgn --plies 60-120 --men 4-12 --alike 1 --output endgames.epd";

/// Time between two lines where there is no terminal.
const LINES: Duration = Duration::from_secs(10);

impl OpeningsArguments {
    pub fn execute(self) -> Result<Status> {
        // Of no file where they name something else.
        let read = [Path::new(&self.from), &self.parameters];
        check_outputs(&[&self.output], read).map_err(refused)?;
        let _claims = claim_outputs([&*self.output]).map_err(refused)?;
        let game = self.game.game;
        let numbers = if self.parameters == Path::new(EMBEDDED) {
            game.embedded()
        } else {
            game.open_numbers(&self.parameters)?.0
        };
        let settings = GenerateSettings {
            source: self.source(game)?,
            count: self.count,
            balance: self.balance.clone(),
            men: self.men.clone(),
            alike: self.alike,
            nodes: self.nodes,
            seed: self.seed,
        };
        let bar = ProgressBar::new(self.count as u64);
        let template = "{bar:24} {pos}/{len} openings, {per_sec}, {eta} left";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is fixed"));
        let threads = self.threads.count();
        let interrupted = interruption()?;
        let line = Cell::new(Instant::now());
        let on_progress = |found| {
            bar.set_position(found as u64);
            if bar.is_hidden() && line.get().elapsed() > LINES {
                tell(format_args!("{found} of {} openings", self.count));
                line.set(Instant::now());
            }
        };
        let made = openings::generate(&settings, &numbers, threads, on_progress, &interrupted)?;
        openings::write(&self.output, &made)?;
        bar.finish_and_clear();
        say(format_args!("{} openings in {}", made.len(), self.output.display()));
        say(format_args!("Repeat: {}", shell::invocation("sprt")));
        Ok(Status::Success)
    }

    fn source(&self, game: Game) -> Result<Source> {
        /// How much worse than the best a move may be (centipawns), and nodes of the search that
        /// says so, unless the user says otherwise.
        const WORSE: i32 = 30;
        const MOVE_NODES: u64 = 10_000;
        let plies = self.plies.clone();
        if self.from == "search" {
            let nodes = self.move_nodes.unwrap_or(MOVE_NODES);
            let taste = Taste::new(nodes, self.worse.unwrap_or(WORSE));
            return Ok(Source::Search(plies.unwrap_or(PLIES), taste));
        }
        let given =
            [("--worse", self.worse.is_some()), ("--move-nodes", self.move_nodes.is_some())];
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
            let message = format!("{option} is for --from search, not --from {}", self.from);
            return Err(WrongUse(message).into());
        }
        Ok(match self.from.as_str() {
            "random" => Source::Random(plies.unwrap_or(PLIES)),
            file => Source::of_file(game, Path::new(file), plies)?,
        })
    }
}

fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    parse_range(text, 0..=1000)
        .ok_or_else(|| "two whole numbers up to 1000, the fewer first, as in 6-10".to_owned())
}

fn parse_men(text: &str) -> Result<RangeInclusive<u32>, String> {
    parse_range(text, 2..=100)
        .ok_or_else(|| "two whole numbers from 2 to 100, the fewer first, as in 2-12".to_owned())
}

fn parse_balance(text: &str) -> Result<RangeInclusive<i32>, String> {
    let whole = if text.contains('-') { text.to_owned() } else { format!("0-{text}") };
    parse_range(&whole, 0..=30_000).ok_or_else(|| {
        "a whole number up to 30000, or two of them, the less first, as in 80-120".to_owned()
    })
}

/// Two numbers with a hyphen between them, both within bounds, the first not above the second.
fn parse_range<T>(text: &str, bounds: RangeInclusive<T>) -> Option<RangeInclusive<T>>
where
    T: FromStr + PartialOrd,
{
    let (low, high) = text.split_once('-')?;
    let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    (bounds.contains(&low) && bounds.contains(&high) && low <= high).then_some(low..=high)
}
