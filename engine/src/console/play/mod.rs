//! A game against the engine on a terminal, line by line: moves go in, a board and the answer come
//! out. It serves a pipe as well.

mod why;

use std::io::{self, BufRead, Read, Write};

use playable::{
    Color, Control, Ending, Engine, Game, GameResult, Limits, Move, MoveError, Numbers, Position,
};

use crate::console::session::check_memory;
use crate::console::show;
use why::Thought;

/// Megabytes of the engine's transposition table.
const HASH: usize = 16;

/// Longest line that is read, in bytes; the rest counts as another.
const LINE_MAX: u64 = 1 << 12;

/// The commands, as far as the game has them.
fn help(game: Game) -> String {
    let level = match game.features().ratings.is_empty() {
        true => "`level nodes 5000`",
        false => "`level nodes 5000` or\n                  `level elo 1500`",
    };
    format!("Give a move as {}. Else:\n{}", game.move_examples(), HELP.replace("LEVEL", level))
}

const HELP: &str = "  back            take back your last move and the answer to it
  why             what the engine thought before its last move
  level           how well it plays; set it by LEVEL
  board           show the board again
  new             begin again
  resign          give the game up
  quit            leave";

/// How much the engine searches for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Nodes of each search.
    Nodes(u64),
    /// So many that it plays no better than a rating.
    Rating {
        /// The rating.
        rating: i32,
        /// The nodes of each search.
        nodes: u64,
    },
}

impl Level {
    /// No better than this rating.
    ///
    /// # Errors
    /// In words: nobody has rated the game, or nothing so weak or so strong.
    pub fn of_rating(game: Game, rating: i32) -> Result<Level, String> {
        let ladder = game.features().ratings;
        if ladder.is_empty() {
            return Err(format!("nobody has rated the engine's play of {}", game.name()));
        }
        let (least, greatest) = (ladder.least(), ladder.greatest());
        if !(least..=greatest).contains(&rating) {
            return Err(format!("{rating} is not in {least}..={greatest}"));
        }
        Ok(Level::Rating { rating, nodes: ladder.nodes(rating) })
    }

    fn nodes(self) -> u64 {
        let (Level::Nodes(nodes) | Level::Rating { nodes, .. }) = self;
        nodes
    }

    /// Reads what follows `level`. Errors: in words, how a level is written.
    fn parse(words: &[&str], game: Game) -> Result<Level, String> {
        let ladder = game.features().ratings;
        let level = match words {
            ["nodes", number] | [number] => {
                number.parse().ok().filter(|&nodes| nodes > 0).map(Level::Nodes)
            }
            ["elo", rating] => rating.parse().ok().and_then(|it| Level::of_rating(game, it).ok()),
            _ => None,
        };
        level.ok_or_else(|| match ladder.is_empty() {
            true => "Write `level nodes N`.".to_owned(),
            false => format!(
                "Write `level nodes N`, or `level elo R` with R from {} to {}.",
                ladder.least(),
                ladder.greatest()
            ),
        })
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Level::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Level::Rating { rating, nodes } => write!(f, "elo {rating}, {nodes} nodes a move"),
        }
    }
}

/// A game in progress.
pub struct Play {
    engine: Box<dyn Engine>,
    start: Position,
    position: Position,
    /// The moves from the start to the position.
    moves: Vec<Move>,
    /// The color of who sits at the terminal.
    own: Color,
    level: Level,
    /// The engine's thoughts before its last move.
    thought: Option<Thought>,
    resigned: bool,
    /// The output shows colors.
    is_colored: bool,
}

impl Play {
    /// A game from this position, in which `own` is the color of who sits at the terminal.
    ///
    /// # Errors
    /// In words: there is not enough memory.
    pub fn new(
        numbers: &Numbers,
        start: Position,
        own: Color,
        level: Level,
        is_colored: bool,
    ) -> Result<Play, String> {
        check_memory(HASH, 0)?;
        Ok(Play {
            engine: numbers.engine(HASH),
            position: start.clone(),
            start,
            moves: Vec::new(),
            own,
            level,
            thought: None,
            resigned: false,
            is_colored,
        })
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
        let game = self.position.game();
        let (own, level) = (game.color_names()[self.own.index()], self.level);
        writeln!(output, "You play {own} against {level}; `help` lists the commands.")?;
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
                ["help" | "?"] => writeln!(output, "{}", help(game))?,
                ["board"] => self.show(&mut output)?,
                ["new"] => {
                    self.engine.new_game();
                    self.go_to(0);
                    (self.thought, self.resigned) = (None, false);
                    self.begin(&mut output)?;
                }
                ["back"] => self.take_back(&mut output)?,
                ["resign"] => self.resign(&mut output)?,
                ["level"] => writeln!(output, "It plays with {}.", self.level)?,
                ["level", ref level @ ..] => match Level::parse(level, game) {
                    Ok(level) => {
                        self.level = level;
                        writeln!(output, "It plays with {level}.")?;
                    }
                    Err(usage) => writeln!(output, "{usage}")?,
                },
                ["why"] => match &self.thought {
                    Some(thought) => {
                        write!(output, "{}", thought.explain(&self.engine.numbers()))?;
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
        writeln!(output, "\n{}", show::board(&self.position, self.own, self.is_colored))
    }

    /// Plays a move that was typed, and the answer.
    fn try_move(&mut self, text: &str, output: &mut impl Write) -> io::Result<()> {
        if self.is_over(output)? {
            return writeln!(output, "`new` begins again, `back` takes a move back.");
        }
        match read_move(&self.position, text) {
            Ok(mv) => {
                self.play(mv);
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
        self.play(found.best);
        self.thought = Some(Thought { before, found });
        self.show(output)?;
        self.is_over(output).map(drop)
    }

    fn play(&mut self, mv: Move) {
        self.position.play(mv);
        self.moves.push(mv);
    }

    /// Goes back to the position after so many moves.
    fn go_to(&mut self, plies: usize) {
        self.moves.truncate(plies);
        self.position = self.start.clone();
        self.moves.iter().for_each(|&mv| self.position.play(mv));
    }

    /// Takes back moves up to the last own one, which was the last or the one before it.
    fn take_back(&mut self, output: &mut impl Write) -> io::Result<()> {
        let plies = if self.position.side_to_move() == self.own { 2 } else { 1 };
        let Some(before) = self.moves.len().checked_sub(plies) else {
            return writeln!(output, "You have made no move yet.");
        };
        self.go_to(before);
        (self.thought, self.resigned) = (None, false);
        self.show(output)
    }

    fn resign(&mut self, output: &mut impl Write) -> io::Result<()> {
        self.resigned |= self.position.outcome().is_none();
        self.is_over(output).map(drop)
    }

    /// Whether the game is over, and if so how, which is said.
    fn is_over(&self, output: &mut impl Write) -> io::Result<bool> {
        let (result, how) = match self.position.outcome() {
            Some((result, ending)) => (result, words_of(ending)),
            None if self.resigned => (GameResult::win_of(!self.own), "you resigned".to_owned()),
            None => return Ok(false),
        };
        writeln!(output, "The game is over, {}: {how}.", result.as_str())?;
        Ok(true)
    }
}

/// The rule that ended a game, in words for its players.
fn words_of(ending: Ending) -> String {
    match ending {
        Ending::REPETITION => "the position occurred three times".to_owned(),
        Ending::FIFTY_MOVES => "fifty moves without capture or pawn's move".to_owned(),
        Ending::INSUFFICIENT_MATERIAL => "nobody can mate any more".to_owned(),
        other => other.words(),
    }
}

/// A move in any notation of the game, in which the first letter may be a small one where it would mean
/// nothing else.
fn read_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let capital: String = first.into_iter().chain(letters).collect();
    let notations = 0..position.game().notations().len();
    let read = |text: &str| {
        let read = notations.clone().filter_map(|notation| position.parse_in(notation, text).ok());
        read.collect::<Vec<_>>()
    };
    let mut found = read(text);
    if found.is_empty() {
        found = read(&capital);
    }
    match (found.first(), found.iter().find(|other| **other != found[0])) {
        (Some(&mv), None) => Ok(mv),
        (Some(&first), Some(&second)) => Err(MoveError::Ambiguous {
            text: text.to_owned(),
            first: position.uci(first),
            second: position.uci(second),
        }),
        // The error is that of the notation which knows the text for a move.
        (None, _) => {
            let errors = notations.filter_map(|notation| position.parse_in(notation, text).err());
            let is_known = |error: &MoveError| !matches!(error, MoveError::Malformed(_));
            let error = errors.max_by_key(is_known);
            Err(error.unwrap_or_else(|| MoveError::Malformed(text.to_owned())))
        }
    }
}
