//! `tuner traces`: asks an engine over UCI what its evaluation counts in recorded positions.

use std::io;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use command_line::say_line;
use command_line::{self, WrongUse};
use indicatif::{ProgressBar, ProgressStyle};
use matches::GameOption;
use matches::game::MoveLimits;
use matches::player::{Contestant, Source, UciPlayer};
use positions::{Filter, Sample, SourceArguments, compression, expand_sources};
use system::files;

use crate::model::linear::{LinearPosition, ParameterFile};

/// Ask an engine over UCI what its evaluation counts in recorded positions, and write it as traces.
///
/// For engines that would rather answer than write files: after `position fen ...` and `trace` it
/// answers in a line what a line of a text of traces has after the result (docs/traces), as
/// `trace phase=0.75 0:1 17:-2 130:1`. Results, games and scores are those of the positions.
/// `tuner fit --traces` fits the numbers to what is written.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, allow_negative_numbers = true)]
pub struct TracesArguments {
    /// The game whose positions are traced.
    #[command(flatten)]
    pub game: GameOption,
    /// The engine: its program, and further words as `sprt run --help` describes them, as
    /// option.Hash=16 or arg=--quiet.
    #[arg(long, value_name = "WORDS", num_args = 1.., required = true)]
    pub engine: Vec<String>,
    /// Names, ranges and starting values of the numbers, as `tuner fit --traces` takes them: what the
    /// engine answers is held against it.
    #[arg(long, value_name = "FILE")]
    pub parameters: PathBuf,
    /// Recorded games, or positions with results in any form that `tuner positions` reads.
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "job")]
    pub positions: Vec<PathBuf>,
    /// Other sources than files.
    #[command(flatten)]
    pub sources: SourceArguments,
    /// File to write, whole or not at all: a text of traces, packed if its name ends with .gz or .zst.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Which positions are kept; what is quiet, Kamerton judges.
    #[command(flatten)]
    pub filter: Filter,
    /// Threads that read positions, to 1024; 0 means all cores. The result does not depend on it.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = command_line::threads())]
    pub threads: usize,
}

const EXAMPLES: &str = "\
Examples:
  tuner traces --engine ./other --parameters numbers.toml --positions games.kgames --output games.txt
  tuner fit --traces games.txt --parameters numbers.toml --output tuned.toml --array tuned.h";

/// Runs `tuner traces`.
///
/// # Errors
/// On unusable files, and when the engine fails or answers what is no trace; nothing is written then.
pub fn run(arguments: &TracesArguments) -> anyhow::Result<()> {
    let &TracesArguments { ref positions, ref filter, game: GameOption { game }, .. } = arguments;
    let Some(sources) = arguments.sources.sources_or_print(positions, filter)? else {
        return Ok(());
    };
    let read = sources.iter().map(|source| source.path.as_path());
    let read = read.chain([arguments.parameters.as_path()]);
    let read = read.chain(arguments.sources.job.as_deref());
    files::check_outputs(&[&arguments.output], read)?;
    let _claims = files::claim_outputs([&*arguments.output])?;
    let cells = ParameterFile::load(&arguments.parameters)?.terms.cells();
    let contestant = Contestant::parse(&arguments.engine, MoveLimits::default(), None)
        .map_err(|error| WrongUse(format!("--engine: {error}")))?;
    let Source::Uci(mut program) = contestant.source.clone() else {
        bail!(WrongUse("--engine takes a program that speaks UCI".to_owned()));
    };
    if let Some(command) = contestant.load(game)?.command() {
        program.command = command.to_path_buf();
    }
    let found = expand_sources(&sources, &game.embedded(), arguments.threads)?;
    found.counts.warn();
    let mut player = UciPlayer::new(program, contestant.hash);
    let bar = ProgressBar::new(found.samples.len() as u64);
    if let Ok(style) =
        ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len}, {eta} left")
    {
        bar.set_style(style);
    }
    let traced = |sample| {
        bar.inc(1);
        let line = traced(sample, &mut player, cells);
        line.map_err(|reason| anyhow!("{}: {reason}", contestant.name))
    };
    let mut outcome: anyhow::Result<()> = Ok(());
    let written = compression::write_packed(&arguments.output, |file| {
        outcome =
            found.samples.iter().map(traced).try_for_each(|line| Ok(writeln!(file, "{}", line?)?));
        // The reason is in the outcome.
        outcome.as_ref().map(drop).map_err(|_| io::ErrorKind::Other.into())
    });
    outcome.with_context(|| format!("{} is not written", arguments.output.display()))?;
    written?;
    bar.finish_and_clear();
    say_line!("{} ({} positions)", arguments.output.display(), found.samples.len());
    Ok(())
}

/// The line of a position.
fn traced(sample: &Sample, player: &mut UciPlayer, cells: usize) -> Result<String, String> {
    let position = sample.position();
    let answer = player.trace(&position).map_err(|fault| fault.to_string())?;
    let score = sample.score().map(|score| format!(" score={score}")).unwrap_or_default();
    // Game and score are the recorded ones, whatever the engine tells of them.
    let is_its_own = |word: &&str| !["game=", "score="].iter().any(|key| word.starts_with(key));
    let known: Vec<&str> = answer.split_ascii_whitespace().filter(is_its_own).collect();
    let (result, game, known) = (sample.result(), sample.game(), known.join(" "));
    let line = format!("{result} game={game}{score} {known}");
    match LinearPosition::parse(&line, cells) {
        Ok(_) => Ok(line),
        Err(reason) => {
            let fen = position.to_fen();
            Err(format!("in {fen} it answers `trace {answer}`: {reason}"))
        }
    }
}
