//! A game against the engine on a terminal, line by line: moves go in, a board and the answer come
//! out. It serves a pipe as well.

mod why;

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;

use chess::Parameters;
use chess::engine::{Control, Engine, Limits};
use chess::{Color, Ending, GameResult, Move, MoveError, Position};

use crate::console::session::{check_memory, strength};
use crate::console::show;
use why::Thought;

/// Megabytes of the engine's transposition table.
const HASH: usize = 16;

/// Longest line that is read, in bytes; the rest counts as another.
const LINE_MAX: u64 = 1 << 12;

const HELP: &str = "\
Give a move as Nf3, exd5, O-O or e8=Q, or by its squares: g1f3, e7e8q. Else:
  back            take back your last move and the answer to it
  why             what the engine thought before its last move
  level           how well it plays; set it by `level nodes 5000` or
                  `level elo 1500`
  board           show the board again
  new             begin again
  resign          give the game up
  quit            leave";

/// How much the engine searches for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Nodes of each search.
    Nodes(u64),
    /// So many that it plays no better than this rating.
    Rating(i32),
}

impl Level {
    fn nodes(self) -> u64 {
        match self {
            Level::Nodes(nodes) => nodes,
            Level::Rating(rating) => strength::nodes(rating),
        }
    }

    /// Reads what follows `level`. Errors: in words, how a level is written.
    fn parse(words: &[&str]) -> Result<Level, String> {
        let (least, greatest) = (strength::LEAST, strength::GREATEST);
        let level = match words {
            ["nodes", number] | [number] => {
                number.parse().ok().filter(|&nodes| nodes > 0).map(Level::Nodes)
            }
            ["elo", rating] => {
                let rating = rating.parse().ok();
                rating.filter(|it| (least..=greatest).contains(it)).map(Level::Rating)
            }
            _ => None,
        };
        level.ok_or_else(|| {
            format!("Write `level nodes N`, or `level elo R` with R from {least} to {greatest}.")
        })
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Level::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Level::Rating(rating) => write!(f, "elo {rating}, {} nodes a move", self.nodes()),
        }
    }
}

/// A game in progress.
pub struct Play {
    engine: Engine,
    start: Position,
    position: Position,
    /// The color of who sits at the terminal.
    own: Color,
    level: Level,
    /// The engine's thoughts before its last move.
    thought: Option<Thought>,
    resigned: bool,
}

impl Play {
    /// A game from this position, in which `own` is the color of who sits at the terminal.
    ///
    /// # Errors
    /// In words: there is not enough memory.
    pub fn new(
        parameters: Arc<Parameters>,
        start: Position,
        own: Color,
        level: Level,
    ) -> Result<Play, String> {
        check_memory(HASH, 0)?;
        let engine = Engine::new(parameters, HASH);
        let position = start.clone();
        Ok(Play { engine, start, position, own, level, thought: None, resigned: false })
    }

    /// Plays until the input ends or says so. A prompt is for those who see what they type.
    ///
    /// # Errors
    /// The input cannot be read, or nobody reads the output.
    pub fn run(
        mut self,
        mut input: impl BufRead,
        mut output: impl Write,
        prompts: bool,
    ) -> io::Result<()> {
        writeln!(
            output,
            "You play {:?} against {}; `help` lists the commands.",
            self.own, self.level
        )?;
        self.begin(&mut output)?;
        loop {
            if prompts {
                write!(output, "> ")?;
            }
            output.flush()?;
            let mut line = Vec::new();
            if input.by_ref().take(LINE_MAX).read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            let line = String::from_utf8_lossy(&line);
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [] => {}
                ["quit" | "exit"] => return Ok(()),
                ["help" | "?"] => writeln!(output, "{HELP}")?,
                ["board"] => self.show(&mut output)?,
                ["new"] => {
                    self.engine.new_game();
                    self.position = self.start.clone();
                    (self.thought, self.resigned) = (None, false);
                    self.begin(&mut output)?;
                }
                ["back"] => self.take_back(&mut output)?,
                ["resign"] => self.resign(&mut output)?,
                ["level"] => writeln!(output, "It plays with {}.", self.level)?,
                ["level", ref level @ ..] => match Level::parse(level) {
                    Ok(level) => {
                        self.level = level;
                        writeln!(output, "It plays with {level}.")?;
                    }
                    Err(usage) => writeln!(output, "{usage}")?,
                },
                ["why"] => match &self.thought {
                    Some(thought) => {
                        let weights = &self.engine.parameters().weights;
                        write!(output, "{}", thought.explain(weights))?;
                    }
                    None => writeln!(output, "It has not moved yet.")?,
                },
                [text] => self.try_move(text, &mut output)?,
                _ => writeln!(output, "One move or command a line; `help` lists them.")?,
            }
        }
    }

    /// Shows where the game begins; the engine moves if it is its turn.
    fn begin(&mut self, output: &mut impl Write) -> io::Result<()> {
        self.show(output)?;
        if self.is_over(output)? || self.position.side_to_move() == self.own {
            return Ok(());
        }
        self.answer(output)
    }

    fn show(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "\n{}", show::board(&self.position, self.own))
    }

    /// Plays a move that was typed, and the answer.
    fn try_move(&mut self, text: &str, output: &mut impl Write) -> io::Result<()> {
        if self.is_over(output)? {
            return writeln!(output, "`new` begins again, `back` takes a move back.");
        }
        match read_move(&self.position, text) {
            Ok(mv) => {
                self.position.play(mv);
                if self.is_over(&mut io::sink())? {
                    self.show(output)?;
                    return self.is_over(output).map(drop);
                }
                self.answer(output)
            }
            Err(error) => writeln!(output, "{error}; `help` lists the commands."),
        }
    }

    fn answer(&mut self, output: &mut impl Write) -> io::Result<()> {
        let limits = Limits::nodes(self.level.nodes());
        let before = self.position.clone();
        let found = self.engine.search(&before, &limits, &Control::new(), &mut |_| {});
        let number = show::move_number(&before);
        writeln!(output, "Kamerton plays {number} {}", before.to_san(found.best))?;
        self.position.play(found.best);
        self.thought = Some(Thought { before, found });
        self.show(output)?;
        self.is_over(output).map(drop)
    }

    /// Takes back moves up to the last own one, which was the last or the one before it.
    fn take_back(&mut self, output: &mut impl Write) -> io::Result<()> {
        let plies = if self.position.side_to_move() == self.own { 2 } else { 1 };
        if self.position.plies_played() < plies {
            return writeln!(output, "You have made no move yet.");
        }
        for _ in 0..plies {
            self.position.undo();
        }
        (self.thought, self.resigned) = (None, false);
        self.show(output)
    }

    fn resign(&mut self, output: &mut impl Write) -> io::Result<()> {
        self.resigned |= self.position.outcome().is_none();
        self.is_over(output).map(drop)
    }

    /// Whether the game is over, and if so how, which is said.
    fn is_over(&self, output: &mut impl Write) -> io::Result<bool> {
        let mover = self.position.side_to_move();
        let (result, how) = match self.position.outcome() {
            Some(Ending::Checkmate) => (GameResult::win_of(!mover), "checkmate"),
            Some(Ending::Stalemate) => (GameResult::Draw, "stalemate"),
            Some(Ending::Repetition) => (GameResult::Draw, "the position occurred three times"),
            Some(Ending::FiftyMoves) => {
                (GameResult::Draw, "fifty moves without capture or pawn's move")
            }
            Some(Ending::InsufficientMaterial) => (GameResult::Draw, "nobody can mate any more"),
            None if self.resigned => (GameResult::win_of(!self.own), "you resigned"),
            None => return Ok(false),
        };
        writeln!(output, "The game is over, {}: {how}.", result.as_str())?;
        Ok(true)
    }
}

/// A move by its squares or in algebraic notation, in which a piece may be a small letter where no pawn
/// is meant.
fn read_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    if let Ok(mv) = position.parse_uci(text) {
        return Ok(mv);
    }
    position.parse_san(text).or_else(|error| {
        let mut letters = text.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        let capital: String = first.into_iter().chain(letters).collect();
        position.parse_san(&capital).map_err(|_| error)
    })
}
