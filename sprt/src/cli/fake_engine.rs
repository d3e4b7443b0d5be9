//! `sprt fake-engine`: an engine to test match runners with.
//!
//! It has every fault to order.

use std::io::{self, BufRead, StdinLock, StdoutLock, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, ValueEnum};
use engine::console::session::{self, Listing};
use matches::GameOption;
use playable::{Move, Position};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use random::stream;
use system::files::EMBEDDED;
use system::processes;
use system::tell;
use uci::{Command, Start};

use super::Status;

/// Arguments of `sprt fake-engine`.
#[derive(Args, Debug)]
#[command(after_long_help = "\
It plays random legal moves, under `sprt run` the same as the player \"random\". A runner should give
the verdict in brackets for each misbehavior, end the process, and go on.

Example:
  sprt run --candidate cmd=sprt arg=fake-engine arg=--misbehave arg=abort --baseline random \\
    --nodes 1 --pairs 10 --output faults")]
pub struct FakeEngineArguments {
    #[command(flatten)]
    game: GameOption,
    /// Seed of the moves, any of 64 bits, unless the options Seed and Stream are set
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// What to do wrong
    #[arg(long, value_enum, value_name = "KIND")]
    misbehave: Option<Misbehavior>,
    /// Moves that are played well before, in each game, up to 10000
    #[arg(long, value_name = "N", default_value_t = 2, requires = "misbehave",
          value_parser = clap::value_parser!(u32).range(0..=10_000))]
    after_moves: u32,
    /// How late late answers are (milliseconds, up to 10^10)
    #[arg(long, value_name = "MS", default_value_t = 1000, requires = "misbehave",
          value_parser = clap::value_parser!(u64).range(0..=10_000_000_000))]
    delay: u64,
    /// Be Kamerton instead, with this parameter file or "embedded"
    #[arg(long, value_name = "FILE", conflicts_with_all = ["misbehave", "seed"])]
    parameters: Option<PathBuf>,
}

/// A way to break the protocol, and the verdict it deserves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Misbehavior {
    /// End with status 1 instead of starting [crash]
    NoStart,
    /// Answer `uci` late [none, if the runner waits that long]
    SlowStart,
    /// Never say `uciok` [no reply]
    NoUciok,
    /// Declare options without end [flood]
    OptionFlood,
    /// Declare no Chess960 [cannot play it]
    StandardChessOnly,
    /// Never say `readyok` [no reply]
    NoReadyok,
    /// Abort, with a message on stderr [crash]
    Abort,
    /// End with status 1, with a message on stderr [crash]
    ExitFailure,
    /// End with status 0 [exit]
    ExitSuccess,
    /// End, but leave a process behind that holds the pipes for the time of a delay [exit]
    LeaveChild,
    /// Leave a process in a session of its own behind for the time of a delay, and hang [no reply]
    LeaveSession,
    /// Close the output and live on [exit]
    CloseOutput,
    /// Wait for ever, deaf to `stop` [no reply]
    Hang,
    /// The same at full speed [no reply]
    HangBusy,
    /// Suspend the process [no reply]
    Suspend,
    /// Print the move without the end of its line [no reply]
    NoLineEnd,
    /// Answer only to `stop` [no reply; with a clock lost on time]
    WaitForStop,
    /// Search a thousand times the nodes that it may [no game; without the trial of limits none]
    ManyNodes,
    /// Answer late [none; with a clock lost on time]
    Late,
    /// Print empty lines without end [flood]
    FloodLines,
    /// Print a line without end [flood]
    FloodLine,
    /// Print `info` lines without end [flood]
    FloodInfo,
    /// Write to stderr without end [flood]
    FloodErrors,
    /// Play a move that is not legal [illegal move]
    IllegalMove,
    /// Play the move it played before once more [illegal move, almost always]
    StaleMove,
    /// Play something that is no move [unreadable move]
    GarbageMove,
    /// Print `bestmove` and nothing behind it [unreadable move]
    EmptyMove,
    /// Print `bestmove (none)` [no move]
    NoMove,
    /// Print `bestmove 0000` [no move]
    NullMove,
    /// Answer twice [a warning]
    TwoMoves,
    /// Print bytes that are not UTF-8 [a warning]
    InvalidUtf8,
    /// Print lines that are not of the protocol [a warning]
    Chatter,
    /// Print a variation that begins with another move [a warning]
    OtherVariation,
    /// Print a variation with an illegal move [a warning]
    IllegalVariation,
    /// Announce mates that are none [a warning]
    FalseMate,
    /// Announce its own mates as the opponent's [a warning]
    MateSign,
    /// End lines with CR LF and put spaces everywhere [none]
    Spaces,
    /// Write and read moves in the last dialect of the game [none]
    OtherDialect,
    /// Write a little to stderr before every move [none]
    Murmur,
    /// Live on after `quit` [none, but it is killed two seconds later]
    IgnoreQuit,
}

struct FakeEngine {
    arguments: FakeEngineArguments,
    random: ChaCha8Rng,
    seed: u64,
    position: Position,
    moves: u32,
    last: Option<String>,
    /// The limit of nodes of this search.
    nodes: u64,
    output: StdoutLock<'static>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Command,
    End(Status),
}

const INTRODUCTION: &str = "\
id name Fake engine
id author the Kamerton authors
option name Seed type string default 0
option name Stream type string default 0
";
const CHESS960: &str = "option name UCI_Chess960 type check default false\n";

impl FakeEngineArguments {
    /// Speaks UCI until `quit` or the end of the input.
    pub fn execute(self) -> Result<Status> {
        if let Some(file) = &self.parameters {
            let embedded = file.as_os_str() == EMBEDDED;
            let parameters = if embedded {
                Arc::clone(chess::Parameters::embedded())
            } else {
                Arc::new(chess::Parameters::load(file)?)
            };
            session::run(parameters.into(), Listing::Ordinary)?;
            return Ok(Status::Success);
        }
        if self.misbehave == Some(Misbehavior::NoStart) {
            tell("I do not feel like it");
            return Ok(Status::Rejected);
        }
        let mut input = io::stdin().lock();
        let mut engine = FakeEngine {
            random: stream(self.seed, 0),
            seed: self.seed,
            position: self.game.game.start(),
            arguments: self,
            moves: 0,
            last: None,
            nodes: 1,
            output: io::stdout().lock(),
        };
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line)? == 0 {
                return Ok(Status::Success);
            }
            let line = String::from_utf8_lossy(&line);
            let Ok(Some(parsed)) = Command::parse(&line) else { continue };
            match engine.obey(parsed.command, &mut input) {
                Ok(Next::Command) => {}
                Ok(Next::End(status)) => return Ok(status),
                // Nobody listens any more.
                Err(_) => return Ok(Status::Success),
            }
        }
    }
}

impl FakeEngine {
    fn obey(&mut self, command: Command, input: &mut StdinLock<'_>) -> io::Result<Next> {
        let misbehavior = self.arguments.misbehave;
        match command {
            Command::Uci => match misbehavior {
                Some(Misbehavior::NoUciok) => self.say(INTRODUCTION)?,
                Some(Misbehavior::OptionFlood) => loop {
                    self.say("option name One more type check default false\n")?;
                },
                _ => {
                    if misbehavior == Some(Misbehavior::SlowStart) {
                        std::thread::sleep(self.delay());
                    }
                    self.say(INTRODUCTION)?;
                    if misbehavior != Some(Misbehavior::StandardChessOnly) {
                        self.say(CHESS960)?;
                    }
                    self.say("uciok\n")?;
                }
            },
            Command::IsReady if misbehavior == Some(Misbehavior::NoReadyok) => {}
            Command::IsReady => self.say("readyok\n")?,
            Command::SetOption { name, value } => {
                let number = value.and_then(|value| value.parse().ok()).unwrap_or(0);
                match name.as_str() {
                    "Seed" => self.seed = number,
                    "Stream" => self.random = stream(self.seed, number),
                    _ => {}
                }
            }
            Command::NewGame => self.moves = 0,
            Command::Position { start, moves } => self.set_up(&start, &moves),
            Command::Go(go) => {
                self.moves += 1;
                self.nodes = go.nodes.unwrap_or(1);
                let moves = self.position.legal_moves();
                if moves.is_empty() {
                    self.say("info depth 0 score cp 0\nbestmove (none)\n")?;
                    return Ok(Next::Command);
                }
                let mv = moves[self.random.random_range(0..moves.len())];
                let mut text = String::new();
                self.position.push_dialect(mv, self.dialect(), &mut text);
                let next = match misbehavior {
                    Some(kind) if self.moves > self.arguments.after_moves => {
                        self.misbehave(kind, mv, &text, input)?
                    }
                    _ => {
                        self.answer(&text)?;
                        Next::Command
                    }
                };
                self.last = Some(text);
                return Ok(next);
            }
            Command::Quit if misbehavior == Some(Misbehavior::IgnoreQuit) => pause(),
            Command::Quit => return Ok(Next::End(Status::Success)),
            _ => {}
        }
        Ok(Next::Command)
    }

    fn set_up(&mut self, start: &Start, moves: &[String]) {
        let game = self.position.game();
        let position = match start {
            Start::Standard => Some(game.start()),
            Start::Fen(fen) => game.position(fen).ok(),
            Start::Unreadable(_) => None,
        };
        let Some(mut position) = position else { return };
        for text in moves {
            let Ok(mv) = position.parse_dialect(text, self.dialect()) else { return };
            position.play(mv);
        }
        self.position = position;
    }

    fn dialect(&self) -> usize {
        match self.arguments.misbehave {
            Some(Misbehavior::OtherDialect) => self.position.game().dialects() - 1,
            _ => 0,
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.say_bytes(text.as_bytes())
    }

    fn say_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes)?;
        self.output.flush()
    }

    fn answer(&mut self, mv: &str) -> io::Result<()> {
        self.say(&format!("info nodes 1\nbestmove {mv}\n"))
    }

    fn delay(&self) -> Duration {
        Duration::from_millis(self.arguments.delay)
    }

    /// Answers `go` in a way that is not right. `mv` would be a good move, `text` says it.
    fn misbehave(
        &mut self,
        kind: Misbehavior,
        mv: Move,
        text: &str,
        input: &mut StdinLock<'_>,
    ) -> io::Result<Next> {
        match kind {
            Misbehavior::NoLineEnd => {
                self.say(&format!("bestmove {text}"))?;
                pause();
            }
            Misbehavior::WaitForStop => {
                let mut line = String::new();
                while line.trim() != "stop" {
                    line.clear();
                    if input.read_line(&mut line)? == 0 {
                        return Ok(Next::End(Status::Success));
                    }
                }
                self.answer(text)?;
            }
            Misbehavior::Late => {
                std::thread::sleep(self.delay());
                self.answer(text)?;
            }
            Misbehavior::ManyNodes => {
                let nodes = self.nodes.saturating_mul(1000);
                self.say(&format!("info nodes {nodes}\nbestmove {text}\n"))?;
            }
            Misbehavior::IllegalMove => self.answer("e3e3")?,
            Misbehavior::StaleMove => {
                let last = self.last.clone().unwrap_or_else(|| "e3e3".to_owned());
                self.answer(&last)?;
            }
            Misbehavior::GarbageMove => self.answer("castles, I think")?,
            Misbehavior::EmptyMove => self.say("bestmove\n")?,
            Misbehavior::NoMove => self.answer("(none)")?,
            Misbehavior::NullMove => self.answer("0000")?,
            Misbehavior::TwoMoves => {
                self.say(&format!("bestmove {text}\nbestmove {text}\n"))?;
            }
            Misbehavior::InvalidUtf8 => {
                self.say_bytes(b"info string \xff\xfe\n")?;
                self.answer(text)?;
            }
            Misbehavior::Chatter => {
                self.say("My move is strong.\n")?;
                self.answer(text)?;
            }
            Misbehavior::OtherVariation => {
                let moves = self.position.legal_moves();
                let other = moves.iter().find(|&&other| other != mv).copied().unwrap_or(mv);
                self.say(&format!(
                    "info depth 1 score cp 0 nodes 1 pv {}\n",
                    self.position.uci(other)
                ))?;
                self.say(&format!("bestmove {text}\n"))?;
            }
            Misbehavior::IllegalVariation => {
                self.say(&format!("info depth 1 score cp 0 nodes 1 pv {text} {text}\n"))?;
                self.say(&format!("bestmove {text}\n"))?;
            }
            Misbehavior::FalseMate => {
                self.say(&format!("info depth 1 score mate 1 nodes 1 pv {text}\n"))?;
                self.say(&format!("bestmove {text}\n"))?;
            }
            Misbehavior::MateSign => self.mate_with_wrong_sign(text)?,
            Misbehavior::Spaces => {
                self.say("\r\n   info   depth  1   score  cp  0   nodes 1  \r\n\r\n")?;
                self.say(&format!("  bestmove \t {text}  ponder  e2e4 \r\n"))?;
            }
            Misbehavior::Murmur => {
                tell(format_args!("thinking about {text}"));
                self.answer(text)?;
            }
            _ => return self.misbehave_as_process(kind, text),
        }
        Ok(Next::Command)
    }

    /// Misbehavior as a process, whatever the text: it ends, hangs, floods.
    fn misbehave_as_process(&mut self, kind: Misbehavior, text: &str) -> io::Result<Next> {
        let flood = |engine: &mut FakeEngine, text: &str| -> io::Result<Next> {
            let many = text.repeat((1 << 16) / text.len());
            loop {
                engine.say(&many)?;
            }
        };
        match kind {
            Misbehavior::Abort => {
                tell("first line of the last words\nall is lost");
                std::process::abort();
            }
            Misbehavior::ExitFailure => {
                tell("all is lost");
                return Ok(Next::End(Status::Rejected));
            }
            Misbehavior::ExitSuccess => return Ok(Next::End(Status::Success)),
            Misbehavior::LeaveChild => {
                processes::sleeper(self.delay().as_secs(), false).spawn()?;
                return Ok(Next::End(Status::Success));
            }
            Misbehavior::LeaveSession => {
                let null = std::process::Stdio::null;
                let mut helper = processes::sleeper(self.delay().as_secs(), true);
                helper.stdin(null()).stdout(null()).stderr(null()).spawn()?;
                pause();
            }
            Misbehavior::CloseOutput => {
                processes::close_output()?;
                pause();
            }
            Misbehavior::Hang => pause(),
            Misbehavior::HangBusy => loop {
                std::hint::spin_loop();
            },
            Misbehavior::Suspend => {
                processes::suspend_oneself()?;
                self.answer(text)?;
            }
            Misbehavior::FloodLines => return flood(self, "\n"),
            Misbehavior::FloodLine => return flood(self, "info pv e2e4 "),
            Misbehavior::FloodInfo => return flood(self, "info depth 1 score cp 0 nodes 1\n"),
            Misbehavior::FloodErrors => loop {
                io::stderr().write_all(&[b'!'; 1 << 12])?;
            },
            // The others misbehave at another time, or in what they say.
            _ => self.answer(text)?,
        }
        Ok(Next::Command)
    }

    /// Mates if there is a mate in one and says that it is being mated itself.
    fn mate_with_wrong_sign(&mut self, text: &str) -> io::Result<()> {
        let mates = |mv: &&Move| {
            let mut after = self.position.clone();
            after.play(**mv);
            after.is_lost()
        };
        let moves = self.position.legal_moves();
        match moves.iter().find(mates) {
            Some(mv) => {
                let text = self.position.uci(*mv);
                self.say(&format!("info depth 1 score mate -1 nodes 1 pv {text}\n"))?;
                self.say(&format!("bestmove {text}\n"))
            }
            None => self.answer(text),
        }
    }
}

/// Waits until the process is killed.
fn pause() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
