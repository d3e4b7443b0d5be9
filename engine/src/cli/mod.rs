//! The command line: arguments, subcommands, and what they print.

mod params;
mod search;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};
use engine::Parameters;
use engine::chess::Position;
use engine::chess::{bench, evaluation};
use engine::console::{session, show};

/// Kamerton, a chess engine in which every evaluation term and every pruning margin is a named,
/// documented, ranged number
///
/// Without a command it speaks UCI, the protocol of chess programs, on standard input and output:
/// give its path to any chess user interface. The commands below are for people and scripts.
#[derive(Parser, Debug)]
#[command(
    name = "kamerton",
    version,
    after_help = "\
Examples:
  kamerton                                  speak UCI; `help` then lists the commands
  kamerton --parameters tuned.toml          the same, with other numbers
  kamerton params | less                    what every number means
  kamerton search --time 5s                 the start position for five seconds
  kamerton bench --parameters tuned.toml    signature and speed with other numbers"
)]
pub struct Arguments {
    #[command(flatten)]
    source: Source,
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
}

/// Which numbers the engine plays with.
#[derive(Args, Debug)]
struct Source {
    /// Parameter file to use instead of the embedded one [default: embedded]
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,
}

impl Source {
    /// This choice, or where there is none the one made before the command's name.
    fn or(self, outer: Source) -> Source {
        Source { parameters: self.parameters.or(outer.parameters) }
    }

    fn load(&self) -> anyhow::Result<Arc<Parameters>> {
        match &self.parameters {
            Some(path) => Ok(Arc::new(Parameters::load(path)?)),
            None => Ok(Arc::clone(Parameters::try_embedded()?)),
        }
    }
}

#[derive(Args, Debug)]
#[command(after_help = "\
The nodes of each position go to stderr; stdout gets one line, `N nodes M nps`.

Examples:
  kamerton bench
  kamerton bench 6")]
struct BenchArguments {
    #[command(flatten)]
    source: Source,
    /// Plies to search each position
    #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: u32,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kamerton perft 6
  kamerton perft 4 --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"")]
struct PerftArguments {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
    #[command(flatten)]
    place: Place,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kamerton eval
  kamerton eval --fen \"8/5k2/8/8/8/3K4/3P4/8 w - - 0 1\"")]
struct EvalArguments {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    place: Place,
}

/// Which position a command is about.
#[derive(Args, Debug)]
struct Place {
    /// Position in Forsyth–Edwards notation [default: the start of a game]
    #[arg(long, value_name = "FEN", value_parser = Position::from_fen)]
    fen: Option<Position>,
    /// Write castling as king takes rook, as Chess960 must
    #[arg(long)]
    chess960: bool,
}

impl Place {
    fn position(&self) -> Position {
        self.fen.clone().unwrap_or_default()
    }

    /// Whether castling is to be written as king takes rook.
    fn chess960(&self) -> bool {
        self.chess960 || self.position().chess960()
    }
}

impl Arguments {
    /// Does what the arguments ask for. Errors: a bad parameter file; nobody reads the output.
    pub fn run(self) -> anyhow::Result<()> {
        let outer = self.source;
        let mut stdout = std::io::stdout();
        match self.command {
            None => Ok(session::run(outer.load()?)?),
            Some(Command::Bench(arguments)) => {
                let parameters = arguments.source.or(outer).load()?;
                let result = bench::bench(&parameters, arguments.depth, &mut |name, nodes| {
                    eprintln!("{nodes:>10} {name}");
                });
                writeln!(stdout, "{} nodes {} nps", result.nodes, result.speed())?;
                Ok(())
            }
            Some(Command::Perft(PerftArguments { depth, place })) => {
                let text = show::perft(&place.position(), depth, place.chess960());
                stdout.write_all(text.as_bytes())?;
                Ok(())
            }
            Some(Command::Eval(EvalArguments { source, place })) => {
                let parameters = source.or(outer).load()?;
                let report = evaluation::explain(place.position().board(), &parameters.weights);
                writeln!(stdout, "{report}")?;
                Ok(())
            }
            Some(Command::Params(arguments)) => arguments.run(outer),
            Some(Command::Search(arguments)) => arguments.run(outer),
        }
    }
}
