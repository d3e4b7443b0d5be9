//! `sprt fastchess`: the command lines of fastchess, cutechess-cli and c-chess-cli on our machinery.
//!
//! The words of scripts and test clients are read (`words.rs`, `names.rs`, `settings.rs`,
//! `engines.rs`), other spellings of two programs are translated before (`dialect.rs`), and how the
//! match goes is told by the lines that they look for (`lines.rs`, `observer.rs`). Games, pairs,
//! clocks, faults and the test are those of every run.
//!
//! Two engines are a test, more are a tournament, in a temporary folder. An option that is not read
//! is refused by its name, because games would be others without it; only options that change no
//! game are passed over, and told of (`names.rs`). A test sends the command lines of the programs
//! that call it, and reads the lines as they do.

mod dialect;
mod engines;
mod lines;
mod names;
mod observer;
mod options;
mod outputs;
mod settings;
mod words;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use matches::openings::Format;
use matches::player::LineLog;
use matches::run::{RunError, Workers};
use matches::sequential_test::{self, TestSettings};
use matches::tournament::{self, TournamentSettings};
use statistics::Design;
use system::files::EMBEDDED;
use system::paint;
use system::tell;

use super::Status;
use super::printing::say;
use super::report::refused;
use super::statuses::{WrongUse, interruption};
use dialect::Program;
use observer::Teller;
use settings::Match;

/// The version whose options and lines these are.
const VERSION: &str = "fastchess 1.8.2";

/// Arguments of `sprt fastchess`.
#[derive(Args, Debug)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub struct FastchessArguments {
    /// Options with one dash, as fastchess has them; -help lists what is known
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

const HELP: &str = "\
Plays a match by the command line of fastchess, cutechess-cli or c-chess-cli.

sprt fastchess, and this program under the name fastchess or fastchess-ob, read these options.
An option that is not listed is refused, since games could be others without it. Games are played by
pairs: a round is an opening with both colors, so that -games 1 is refused.

  -engine cmd= name= args= dir= proto=uci tc= st= nodes= plies= timemargin= restart=on ponder=true
          option.NAME=
  -each                 the same for all engines
  -concurrency N        games at once (1); 0 or -N is the number of cores, or so many fewer
  -use-affinity LIST    bind each game to cores of its own: all, or those of a list as 0-3,8
  -rounds N             openings that are played (2); -games 2, -repeat and -repeat 2 are as always
  -tournament roundrobin|gauntlet, -seeds N
  -openings file= format=epd|pgn order=sequential|random plies= start= policy=round; without it the
                        openings of this program are played
  -srand N              seed of the order; drawn and told if missing
  -sprt elo0= elo1= alpha= beta= model=normalized|logistic|bayesian
  -resign movecount= score= twosided=, -draw movenumber= movecount= score=, -maxmoves N
  -tb PATHS, -tbpieces N, -tbignore50, -tbadjudicate BOTH
  -variant standard|fischerandom
  -recover              go on after a fault, with a new process; without it the first one ends the match
  -pgnout file= append= min= notation=san|uci nodes= seldepth=; a bare file name, too
  -epdout file= append=   the last position of each game
  -event NAME, -site NAME
  -output format=fastchess|cutechess, -ratinginterval N (10), -scoreinterval N (1), -report penta=true
  -log file= append= level=trace|info|warn|err|fatal engine=true, -config discard=true outname=
  -startup-ms N, -ucinewgame-ms N, -ping-ms N, -force-concurrency, -testEnv
  -wait -reverse -show-latency -autosaveinterval -crc32 -check-mate-pvs -debug -bookmode
  -outcomeinterval -resultformat   change no game and do nothing, which is noted
  -version, -help

sprt cutechess-cli, and the program under that name, count rounds and games as cutechess-cli does:
-rounds N times -games N (1), an even number, with -repeat if there is a book; Elo of -sprt is
logistic. An engine takes arg= any number of times, and -pgnout takes fi. sprt c-chess-cli and that
name count so, too, and know besides:

  -engine \"cmd=PROGRAM ARGUMENTS\", which runs in the folder of the program; movetime= timeout=
  -openings FILE or file= order= srand=, -random, -gauntlet
  -resign 3,700 or count= score=, -draw 8,10 or number= count= score=
  -sprt 0,4,0.05,0.05 or elo0= elo1= (4) alpha= beta=
  -pgn FILE 0|1|2|3 (3), -log

Lines of a game come when its pair is counted, which is in the order of the schedule. What can be
resumed, and shown as a page, is `sprt run`; its exit status is the verdict, and 0 here, or 3 where
something of the match failed or could not be written.";

impl FastchessArguments {
    pub fn execute(self) -> Result<Status> {
        // The subcommand has the names of all of them.
        let name = std::env::args().nth(1).unwrap_or_default();
        play(&self.words, Program::called(&name).unwrap_or(Program::Fastchess))
    }
}

/// The runner by whose name a program is called.
fn runner(program: &Path) -> Option<Program> {
    Program::called(program.file_stem()?.to_str()?)
}

/// Advice to a user who gives this program the options of fastchess where it has its own.
pub fn hint<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<&'static str> {
    let is_theirs = |word: &str| names::KNOWN.contains(&word) || word == "-pgnin";
    words.into_iter().any(is_theirs).then_some(
        "tip: options with one dash are read by `sprt fastchess`, as fastchess has them; `sprt run \
         --help` lists those here",
    )
}

/// Does what the command line of this process asks for, if it was called by the name of another
/// runner. `own` are commands that this program starts itself under whatever name.
pub fn by_name(own: &[&str]) -> Option<Result<Status>> {
    let mut arguments = std::env::args_os();
    let program = runner(&PathBuf::from(arguments.next()?))?;
    let words: Vec<String> = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    if words.first().is_some_and(|word| own.contains(&word.as_str())) {
        return None;
    }
    Some(play(&words, program))
}

fn play(words: &[String], program: Program) -> Result<Status> {
    match words.first().map(|word| word.trim_start_matches('-')) {
        Some("version" | "v") => {
            let own = env!("CARGO_PKG_VERSION");
            say(format_args!("{VERSION} as played by sprt {own} of Kamerton"));
            return Ok(Status::Success);
        }
        Some("help" | "h") | None => {
            say(HELP);
            return Ok(Status::Success);
        }
        Some(_) => {}
    }
    let mut asked = Match::parse(words, program).map_err(|error| WrongUse(error.0))?;
    asked.notes.iter().for_each(|note| tell(format_args!("note: {note}")));
    asked.check_outputs().map_err(refused)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if asked.threads > cores {
        paint::tell_warning(format_args!("{} games at once on {cores} cores", asked.threads));
    }
    let started = Instant::now();
    // Nobody resumes such a match: its journal goes when it ends.
    let folder = tempfile::Builder::new().prefix("sprt-fastchess-").tempdir();
    let folder = folder.context("cannot make a folder for the match")?;
    let openings = asked.openings.clone().unwrap_or_else(|| {
        // One position would be the same game again and again.
        tell("note: without -openings the openings of this program are played");
        PathBuf::from(EMBEDDED)
    });
    // Scripts give plies for positions, too, which have none. A pipe can be read but once.
    let plies = asked.play.openings.plies;
    if plies.is_some() && openings.is_file() && Format::of_file(&openings)? == Format::Epd {
        asked.play.openings.plies = None;
    }
    // Lines of the end are for a match that has ended: the results so far are told in any case.
    let Ended { interrupted, failure } = run(&asked, openings, &folder.path().join("run"))?;
    if let Some(pairs) = interrupted {
        paint::tell_error(format_args!(
            "interrupted after {pairs} pairs; what can be resumed is `sprt run`"
        ));
        return Ok(Status::Interrupted);
    }
    say("Finished match");
    say(format_args!("Total Time: {} (hours:minutes:seconds)", clock(started.elapsed())));
    failure.map_or(Ok(Status::Success), Err)
}

struct Ended {
    /// The pairs that were played, if somebody interrupted it.
    interrupted: Option<u64>,
    /// The first error of writing.
    failure: Option<anyhow::Error>,
}

/// Plays the match in a folder and tells how it goes and what came out.
fn run(asked: &Match, openings: PathBuf, folder: &Path) -> Result<Ended> {
    let pairings = match asked.engines.len() {
        2 => 1,
        players => asked.format.pairings(players).len() as u64,
    };
    let games = asked.rounds.saturating_mul(2 * pairings);
    let teller = Teller::new(asked, games, interruption()?, |line| paint::print(line))?;
    // The teller has begun the file; both write whole lines at its end.
    let engine_lines = asked.log.as_ref().filter(|log| log.engine_lines);
    let log = engine_lines.map(|log| LineLog::open(&log.file)).transpose()?;
    let places = asked.places.clone();
    let allows_unknown_options = true;
    let workers = Workers { log, places, allows_unknown_options, ..Workers::from(asked.threads) };
    let result: Result<(), RunError> = match asked.engines.as_slice() {
        [candidate, baseline] => {
            let settings = TestSettings {
                candidate: candidate.clone(),
                baseline: baseline.clone(),
                openings,
                syzygy: asked.syzygy.clone(),
                rules: sequential_test::Rules {
                    play: asked.play,
                    pairs: asked.rounds,
                    early_stop: asked.hypotheses.is_some(),
                    hypotheses: asked.hypotheses.unwrap_or_default(),
                    design: Design::default(),
                },
            };
            sequential_test::run(&settings, workers, folder, &teller).map(drop)
        }
        players => {
            let settings = TournamentSettings {
                players: players.to_vec(),
                openings,
                syzygy: asked.syzygy.clone(),
                rules: tournament::Rules {
                    play: asked.play,
                    format: asked.format,
                    rounds: asked.rounds,
                    anchors: Default::default(),
                    withdrawal: None,
                },
            };
            tournament::run(&settings, workers, folder, &teller).map(drop)
        }
    };
    teller.finish();
    let interrupted = match result {
        // The folder goes with the match.
        Err(RunError::Interrupted { pairs, .. }) => Some(pairs),
        result => result.map(|()| None)?,
    };
    Ok(Ended { interrupted, failure: teller.failure() })
}

/// A time as `00:00:05`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_answers_to_names() {
        for (name, style) in [
            ("./fastchess-ob", Some(Program::Fastchess)),
            ("/usr/bin/fastchess", Some(Program::Fastchess)),
            ("cutechess-cli", Some(Program::Cutechess)),
            ("./c-chess-cli", Some(Program::CChess)),
            ("target/release/sprt", None),
            ("fastchess/sprt", None),
        ] {
            assert_eq!(runner(Path::new(name)), style, "{name}");
        }
    }

    #[test]
    fn times_are_hours_minutes_seconds() {
        assert_eq!(clock(Duration::from_millis(5_900)), "00:00:05");
        assert_eq!(clock(Duration::from_secs(100 * 3600 + 61)), "100:01:01");
    }
}
