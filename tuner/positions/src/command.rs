//! `tuner positions`: counts, filters and converts recorded positions.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use command_line::{self, WrongUse};
use matches::{GameOption, games};
use system::files;
use system::tell;

use super::filter::Filter;
use super::job::SourceArguments;
use super::output::{write_samples, write_samples_to};
use super::source::{Form, Source};
use super::whole_games::{write_games, write_games_to};
use super::{Samples, expand_sources};

/// Count, filter and convert recorded positions.
///
/// Reads stores of `tuner record` and `tuner import`, CSV with the columns fen, score, result, ply,
/// game (all but fen and result may be missing), lines of a FEN with a result in all usual forms,
/// bulletformat (.bullet, .data) and viriformat (.vf, .viri), each plain or packed by gzip or zstd. A
/// position that occurs again counts once, with the mean of its results.
///
/// Writes CSV, text (`FEN | score | result`), bulletformat or viriformat, packed if the name ends with
/// .gz or .zst; the table of what was found goes to standard error, or with --count or --output to
/// standard output. Text and bulletformat need scores and know no result but loss, draw and win, to
/// which means are rounded: for networks, --keep-duplicates. Viriformat takes the whole games of
/// stores and viriformat as they are, without filter; those with plies without scores are left out.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct PositionsArguments {
    /// The game that is played.
    #[command(flatten)]
    pub game: GameOption,
    /// Files of any form; games are numbered through all of them.
    #[arg(required_unless_present = "job", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Other sources than files.
    #[command(flatten)]
    pub sources: SourceArguments,
    /// File to write, whole or not at all [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Form to write; stores are written by `tuner import` and `tuner record` [default: as the name of
    /// --output says, else csv].
    #[arg(long, value_enum, value_name = "FORM", conflicts_with = "count")]
    pub form: Option<Form>,
    /// Only count, and write nothing
    #[arg(long, conflicts_with = "output")]
    pub count: bool,
    /// Values of the engine that judges what is quiet.
    #[arg(long, value_name = "FILE", value_parser = command_line::parameter_file)]
    #[arg(help = command_line::values_help("Values of the engine that judges what is quiet")
        + " [default: the embedded ones]")]
    pub parameters: Option<PathBuf>,
    /// Which positions are kept.
    #[command(flatten)]
    pub filter: Filter,
    /// Threads to use, to 1024; 0 means all cores. The result does not depend on it.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = command_line::threads())]
    pub threads: usize,
}

const EXAMPLES: &str = "\
Examples:
  What a store holds:
    tuner positions games.kgames --count
  All quiet positions of two sources in one file:
    tuner positions games.kgames players.epd --per-game 0 --output quiet.csv
  All positions of a store for a network, and its games:
    tuner positions games.kgames --per-game 0 --keep-duplicates --output games.bullet
    tuner positions games.kgames --output games.vf.zst

A job file, for `tuner fit` too; paths are those beside it:
    filter = { per_game = 8 }       # every option of the filter, by its name
    [[source]]
    path = \"games.kgames\"
    [[source]]
    path = \"others.txt.zst\"
    view = \"mover\"                # whose results and scores: white's (usual) or the mover's
    weight = 0.5                    # above 1, each position counts so often
    positions = 200000              # at most, drawn at random
    filter = { keep_noisy = true }  # for this source";

/// Runs `tuner positions`.
///
/// # Errors
/// On unusable files; nothing is written then.
pub fn run(arguments: &PositionsArguments) -> anyhow::Result<()> {
    let filter = &arguments.filter;
    let Some(sources) = arguments.sources.sources_or_print(&arguments.files, filter)? else {
        return Ok(());
    };
    let outputs: Vec<&Path> = arguments.output.iter().map(PathBuf::as_path).collect();
    let read = sources.iter().map(|source| source.path.as_path());
    let read = read.chain(arguments.sources.job.as_deref()).chain(arguments.parameters.as_deref());
    files::check_outputs(&outputs, read)?;
    let _claims = files::claim_outputs(outputs)?;
    let form = match (arguments.form, &arguments.output) {
        (Some(form), _) => form,
        (None, Some(path)) => Form::of_name(path).unwrap_or(Form::Csv),
        (None, None) => Form::Csv,
    };
    let game = arguments.game.game;
    let is_of_chess = matches!(form, Form::Bulletformat | Form::Viriformat);
    if is_of_chess && !arguments.count && !games::is_usual(&game) {
        bail!(WrongUse(format!("{form} holds positions of chess, not of {}", game.name())));
    }
    match form {
        _ if arguments.count => {}
        Form::Store => bail!(WrongUse("a store is written by `tuner import`".to_owned())),
        Form::Viriformat => return convert_games(arguments, &sources),
        Form::Csv | Form::Text | Form::Bulletformat => {}
    }
    let numbers = match &arguments.parameters {
        Some(path) => game.open_numbers(path)?.0,
        None => game.embedded(),
    };
    let Samples { samples, counts } = expand_sources(&sources, &numbers, arguments.threads)?;
    counts.warn();
    match &arguments.output {
        Some(path) => {
            write_samples(path, form, &samples)?;
            print(&counts)
        }
        None if arguments.count => print(&counts),
        None => {
            tell(counts.to_string().trim_end());
            write_samples_to(&mut io::stdout().lock(), form, &samples)
        }
    }
}

/// Writes whole games as viriformat.
fn convert_games(arguments: &PositionsArguments, sources: &[Source]) -> anyhow::Result<()> {
    let asks = |is_asked: fn(&Filter) -> bool| sources.iter().any(|it| is_asked(&it.filter));
    let changes = [
        ("--lookahead", asks(|filter| filter.lookahead > 0)),
        ("--resolve", asks(|filter| filter.resolve)),
        ("--syzygy", asks(|filter| !filter.syzygy.is_empty())),
        ("--parameters", arguments.parameters.is_some()),
    ];
    if let Some((option, _)) = changes.iter().find(|(_, is_asked)| *is_asked) {
        let reason = "says nothing to viriformat, which takes whole games: leave it out";
        bail!(WrongUse(format!("{option} {reason}")));
    }
    let Some(path) = &arguments.output else {
        let games = write_games_to(&mut io::stdout().lock(), sources)?;
        games.warn();
        tell(games.to_string().trim_end());
        return Ok(());
    };
    let games = write_games(path, sources)?;
    games.warn();
    print(&games)
}

fn print(table: &impl Display) -> anyhow::Result<()> {
    write!(io::stdout(), "{table}").context("cannot write standard output")
}
