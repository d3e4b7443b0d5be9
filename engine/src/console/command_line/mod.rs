//! The command line: arguments, subcommands, and what they print. Each number has bounds, and
//! negative ones are taken for values, so that the refusal can name the bounds.

mod choices;
mod convert;
mod library;
mod params;
mod play;
mod search;
mod toy;

use std::io::Write;

use anyhow::{Context, anyhow, ensure};
use chess::bench;
use chess::bench::BenchMode;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use playable::{Bench, Color, Control, nodes_per_second};
use program::Status;
use program::manual::ManualArguments;
use system::paint;
use uci::Go;

use crate::console::session::Listing;
use crate::console::{session, show};
use choices::{GameChoice, ParametersChoice, PositionChoice};

/// Kamerton, a chess engine in which every evaluation term and every pruning margin is a named,
/// documented, ranged number
///
/// Without a command it speaks UCI, the protocol of chess programs, on standard input and output:
/// give its path to any chess user interface. The commands below are for people and scripts.
#[derive(Parser, Debug)]
#[command(
    name = "kamerton",
    version,
    allow_negative_numbers = true,
    after_help = format!("\
Examples:
  kamerton                                  speak UCI; `help` then lists the commands
  kamerton --parameters tuned.toml          the same, with other numbers
  kamerton --options all                    the same, for programs that tune its numbers
  kamerton params | less                    what every number means
  kamerton play                             a game on the terminal
  kamerton search --time 5s                 the start position for five seconds
  kamerton bench --parameters tuned.toml    signature and speed with other numbers

{}", Status::TABLE)
)]
pub struct Arguments {
    #[command(flatten)]
    game: GameChoice,
    #[command(flatten)]
    parameters: ParametersChoice,
    /// Which options `uci` lists; all are accepted [default: what KAMERTON_OPTIONS says, or ordinary]
    #[arg(long, value_enum, value_name = "WHICH")]
    options: Option<Listing>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Search a fixed set of positions; print nodes, which are the same on every machine, and speed
    Bench(BenchArguments),
    /// Count the positions after a number of plies, for each first move
    Perft(PerftArguments),
    /// Show the evaluation of a position term by term
    Eval(EvalArguments),
    /// Print all parameters with meaning, value and range
    Params(params::ParamsArguments),
    /// Search a position and print what is found, as UCI does
    Search(search::SearchArguments),
    /// Play a game against the engine on the terminal
    Play(Box<play::PlayArguments>),
    /// Build, grow and look into opening libraries: trees of moves with assessments
    #[command(subcommand)]
    Library(library::LibraryCommand),
    /// Check recorded games, and write them in another notation or form
    Convert(convert::ConvertArguments),
    /// Play two small games, or count what pruning, order and table save in them
    #[command(subcommand)]
    Toy(toy::ToyCommand),
    /// Write pages for `man`, and completions for shells, into a folder
    Manual(ManualArguments),
}

#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
The nodes of each position go to stderr; stdout gets one line, `N nodes M nps`.

Examples:
  kamerton bench
  kamerton bench 6"
)]
struct BenchArguments {
    #[command(flatten)]
    parameters: ParametersChoice,
    /// Plies to search each position [default: 13, or 4 by the textbook's search]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: Option<u32>,
    /// Also say how good the order of moves is: how often the first move refutes a node that any
    /// refutes, and the mean number of the refuting move (slower)
    #[arg(long)]
    details: bool,
    /// Read the numbers it was built with as any others, and not as constants of the program: the
    /// same nodes, as slow as with other numbers
    #[arg(long, conflicts_with = "details")]
    no_constants: bool,
}

impl BenchArguments {
    fn run(self, game: GameChoice, outer: ParametersChoice) -> anyhow::Result<()> {
        let numbers = game.load(&self.parameters.or(outer))?;
        let mut on_position = |name: &str, nodes| {
            // A reader who has closed stderr may still wait for the last line.
            let _ = writeln!(std::io::stderr(), "{nodes:>10} {name}");
        };
        let (depth, constants, control) = (self.depth, !self.no_constants, Control::new());
        let mut stdout = std::io::stdout();
        if !self.details {
            let game = numbers.game();
            let found = game.bench(&numbers, depth, constants, &control, &mut on_position);
            let Bench { nodes, time } = found.expect("nobody else has the control to stop it");
            writeln!(stdout, "{nodes} nodes {} nps", nodes_per_second(nodes, time))?;
            return Ok(());
        }
        ensure!(game.is_chess(), "--details knows no game but chess");
        let parameters = numbers.typed();
        let depth = depth.unwrap_or_else(|| bench::default_depth(&parameters));
        let mode = BenchMode::CountingCutoffs;
        let result = bench::bench_until(&parameters, depth, mode, &control, &mut on_position)
            .expect("nobody else has the control to stop it");
        if let Some(cutoffs) = result.cutoffs {
            writeln!(
                stdout,
                "{} cutoffs, {:.2} % by the first move, mean number {:.3}",
                cutoffs.nodes,
                cutoffs.first_percent(),
                cutoffs.mean_number()
            )?;
        }
        writeln!(stdout, "{} nodes {} nps", result.nodes, result.speed())?;
        Ok(())
    }
}

#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
Examples:
  kamerton perft 6
  kamerton perft 4 --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\""
)]
struct PerftArguments {
    /// Plies to count
    #[arg(value_parser = clap::value_parser!(u32).range(0..=Go::PERFT_DEPTH_MAX.into()))]
    depth: u32,
    #[command(flatten)]
    position: PositionChoice,
}

#[derive(Args, Debug)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
Examples:
  kamerton eval
  kamerton eval --fen \"8/5k2/8/8/8/3K4/3P4/8 w - - 0 1\""
)]
struct EvalArguments {
    #[command(flatten)]
    parameters: ParametersChoice,
    #[command(flatten)]
    position: PositionChoice,
}

/// The listing asked for: on the command line, or in the environment, which reaches engines whose
/// command line others write.
fn listing(asked: Option<Listing>) -> anyhow::Result<Listing> {
    let text = std::env::var("KAMERTON_OPTIONS").unwrap_or_default();
    match asked {
        Some(listing) => Ok(listing),
        // An empty variable counts as unset: some callers cannot take one away.
        None if text.is_empty() => Ok(Listing::default()),
        None => Listing::from_str(&text, true)
            .map_err(|_| anyhow!("KAMERTON_OPTIONS is `ordinary` or `all`, not `{text}`")),
    }
}

impl Arguments {
    /// Does what the arguments ask for. Errors: a bad parameter file; nobody reads the output.
    pub fn run(self) -> anyhow::Result<()> {
        let outer = self.parameters;
        let is_session = self.command.is_none();
        ensure!(self.options.is_none() || is_session, "--options is for sessions of UCI alone");
        let is_unused = matches!(
            self.command,
            Some(
                Command::Convert(_)
                    | Command::Library(_)
                    | Command::Manual(_)
                    | Command::Perft(_)
                    | Command::Toy(_)
            )
        );
        let is_of_chess = matches!(self.command, Some(Command::Toy(_)));
        ensure!(self.game.is_chess() || !is_of_chess, "this command knows no game but chess");
        ensure!(outer.file.is_none() || !is_unused, "--parameters says nothing to this command");
        let mut stdout = std::io::stdout();
        match self.command {
            None => Ok(session::run(self.game.load(&outer)?, listing(self.options)?)?),
            Some(Command::Bench(arguments)) => arguments.run(self.game, outer),
            Some(Command::Perft(PerftArguments { depth, position })) => {
                let control = Control::new();
                let start = position.chosen(self.game.game())?;
                let text = show::perft(&start, depth, 0, &control)
                    .expect("nobody else has the control to stop it");
                stdout.write_all(text.as_bytes())?;
                Ok(())
            }
            Some(Command::Eval(EvalArguments { parameters, position })) => {
                let numbers = self.game.load(&parameters.or(outer))?;
                let position = position.chosen(self.game.game())?;
                let report = numbers.game().explain(&numbers, &position);
                let report = report.context("nobody explains evaluations of this game")?;
                let (total, terms) = report.split_once('\n').unwrap_or((&report, ""));
                let board = show::board(&position, Color::White, paint::is_colored());
                writeln!(stdout, "{total}\n\n{board}{terms}")?;
                Ok(())
            }
            Some(Command::Params(arguments)) => arguments.run(self.game, outer),
            Some(Command::Search(arguments)) => arguments.run(self.game, outer),
            Some(Command::Play(arguments)) => arguments.run(self.game, outer),
            Some(Command::Library(command)) => command.run(self.game.game()),
            Some(Command::Convert(arguments)) => arguments.run(self.game.game()),
            Some(Command::Toy(command)) => command.run(),
            Some(Command::Manual(arguments)) => {
                for file in arguments.write(Arguments::command())? {
                    writeln!(stdout, "{}", file.display())?;
                }
                Ok(())
            }
        }
    }
}
