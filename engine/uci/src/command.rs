//! The lines that a user interface sends to an engine.

use std::fmt;
use std::time::Duration;

use foreign::shown;

/// Longest time the protocol layer passes on: clocks beyond it (some senders use all 64 bits) would
/// overflow sums of durations.
pub(super) const LONGEST_TIME: Duration = Duration::from_secs(1 << 32);

/// One line from the user interface to the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`: name yourself and your options.
    Uci,
    /// `isready`: answer `readyok`, also during a search.
    IsReady,
    /// `ucinewgame`: what follows has nothing to do with what was before.
    NewGame,
    /// `debug on|off`: say more, or less, in `info string`.
    Debug(bool),
    /// `register …`: for engines that are sold.
    Register,
    /// `setoption name … [value …]`.
    SetOption {
        /// The option's name; case does not matter.
        name: String,
        /// Its value as written; none for buttons.
        value: Option<String>,
    },
    /// `position startpos|fen … [moves …]`.
    Position {
        /// Where the game began.
        start: Start,
        /// The moves since, in coordinates.
        moves: Vec<String>,
    },
    /// `go …`: search within limits, or count moves.
    Go(Go),
    /// `stop`: end the search and print its best move.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`: end as soon as possible.
    Quit,
    /// `bench [depth]`: not of the protocol, but known by all test frameworks.
    Bench(Option<u32>),
    /// `d`: show the board. For people.
    Display,
    /// `eval`: show the evaluation term by term. For people.
    Evaluate,
    /// `help`: list the commands. For people.
    Help,
    /// `ucci`: speak UCCI from now on, and name yourself and your options.
    Ucci,
    /// `banmoves …` of UCCI: moves, in coordinates, that are not to be played in this position.
    BanMoves(Vec<String>),
    /// `probe …` of UCCI: show the transposition table.
    Probe,
}

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The usual start position.
    Standard,
    /// A position in Forsyth–Edwards notation.
    Fen(String),
    /// None that can be read, and why.
    Unreadable(CommandError),
}

/// The limits of a `go` command. Without any, the search runs until `stop`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Only these moves, in coordinates; empty for all.
    pub search_moves: Vec<String>,
    /// Think on the opponent's time until `ponderhit`.
    pub ponder: bool,
    /// Time left for White and Black.
    pub time: [Option<Duration>; 2],
    /// Time gained by each move, for White and Black.
    pub increment: [Option<Duration>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Deepest iteration in plies.
    pub depth: Option<u32>,
    /// Number of nodes to search.
    pub nodes: Option<u64>,
    /// Look for a mate in this many moves.
    pub mate: Option<u32>,
    /// Time for this move, whatever the clocks say.
    pub move_time: Option<Duration>,
    /// Until `stop`, whatever is found.
    pub infinite: bool,
    /// Not a search: count the positions at this depth (plies).
    pub perft: Option<u32>,
    /// The opponent offers a draw; in UCCI alone.
    pub draw: bool,
}

/// A command and what was odd about its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The command that the line gives.
    pub command: Command,
    /// Words that mean nothing there and were passed over.
    pub ignored: Vec<String>,
    /// Words of `go` that lack the value they take; the rest of the line counts.
    pub mistakes: Vec<CommandError>,
}

/// Why a line is no command; the message names the offending text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// The first word is no command.
    #[error("unknown command `{0}`; `help` lists the commands")]
    Unknown(String),
    /// A word must be followed by something else than it is.
    #[error("`{word}` takes {expected}, not {found}")]
    Value {
        /// The word, or words, without a fitting value.
        word: String,
        /// The kind of value that should follow the word.
        expected: &'static str,
        /// The text that follows it, quoted, or `nothing`.
        found: String,
    },
}

impl Command {
    /// Parses one line. None for an empty one. Errors: unknown command, or a word without the value
    /// it takes; words that mean nothing are passed over, as the protocol asks. A `go` is never an
    /// error, because somebody waits for its answer: what is wrong with it is in
    /// [`Parsed::mistakes`]. Nor is a `position`, since the one before it is not meant any more: see
    /// [`Start::Unreadable`].
    pub fn parse(line: &str) -> Result<Option<Parsed>, CommandError> {
        let mut words = Words::new(line);
        let Some(first) = words.next() else { return Ok(None) };
        let (mut ignored, mut mistakes) = (Vec::new(), Vec::new());
        let command = match first {
            "uci" => Command::Uci,
            "ucci" => Command::Ucci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" | "exit" => Command::Quit,
            "d" => Command::Display,
            "eval" => Command::Evaluate,
            "help" => Command::Help,
            "debug" => match words.next() {
                Some("on") => Command::Debug(true),
                Some("off") => Command::Debug(false),
                other => return Err(value_error("debug", "`on` or `off`", other)),
            },
            "register" => {
                return Ok(Some(Parsed { command: Command::Register, ignored, mistakes }));
            }
            "setoption" => parse_option(&mut words)?,
            "position" => parse_position(&mut words),
            "go" => Command::Go(parse_go(&mut words, &mut ignored, &mut mistakes)),
            "bench" => Command::Bench(match words.next() {
                None => None,
                Some(depth) => Some(number("bench", Some(depth))?),
            }),
            other => return Err(CommandError::Unknown(shorten(other))),
        };
        ignored.extend(words.map(shorten));
        Ok(Some(Parsed { command, ignored, mistakes }))
    }
}

/// Words between white space; the rest of the line is at hand, for values that hold spaces.
pub(super) struct Words<'l> {
    rest: &'l str,
}

impl<'l> Words<'l> {
    pub fn new(line: &'l str) -> Words<'l> {
        Words { rest: line }
    }

    /// The text behind the words that were taken.
    pub fn rest(&self) -> &'l str {
        self.rest
    }

    fn peek(&self) -> Option<&'l str> {
        self.rest.split_whitespace().next()
    }

    /// The text up to a word (or the end), which becomes the next word.
    fn until(&mut self, word: &str) -> &'l str {
        let whole = self.rest.trim_start();
        let start = whole.as_ptr() as usize;
        let mut end = whole.len();
        while let Some(next) = self.peek() {
            if next == word {
                end = next.as_ptr() as usize - start;
                break;
            }
            self.next();
        }
        whole[..end].trim_end()
    }
}

impl<'l> Iterator for Words<'l> {
    type Item = &'l str;

    fn next(&mut self) -> Option<&'l str> {
        let trimmed = self.rest.trim_start();
        let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        let (word, rest) = trimmed.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

fn parse_option(words: &mut Words<'_>) -> Result<Command, CommandError> {
    match words.next() {
        Some("name") => {}
        other => return Err(value_error("setoption", "`name`", other)),
    }
    let name = words.until("value");
    if name.is_empty() {
        return Err(value_error("setoption name", "the name of an option", words.next()));
    }
    let value = words.next().map(|_| std::mem::take(&mut words.rest).trim().to_string());
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(Command::SetOption { name, value })
}

/// A position, or why there is none.
pub(super) fn parse_position(words: &mut Words<'_>) -> Command {
    try_position(words).unwrap_or_else(|error| {
        words.rest = "";
        Command::Position { start: Start::Unreadable(error), moves: Vec::new() }
    })
}

fn try_position(words: &mut Words<'_>) -> Result<Command, CommandError> {
    let start = match words.next() {
        Some("startpos") => Start::Standard,
        Some("fen") => {
            let fen = words.until("moves");
            if fen.is_empty() {
                return Err(value_error("position fen", "a position", words.next()));
            }
            Start::Fen(fen.to_string())
        }
        other => return Err(value_error("position", "`startpos` or `fen`", other)),
    };
    let moves = match words.next() {
        None => Vec::new(),
        Some("moves") => words.map(str::to_string).collect(),
        other => return Err(value_error("position startpos", "`moves`", other)),
    };
    Ok(Command::Position { start, moves })
}

/// The words that `go` knows.
const GO_WORDS: [&str; 13] = [
    "infinite",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movetime",
    "movestogo",
    "depth",
    "mate",
    "perft",
    "nodes",
    "searchmoves",
];

fn parse_go(
    words: &mut Words<'_>,
    ignored: &mut Vec<String>,
    mistakes: &mut Vec<CommandError>,
) -> Go {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        if !GO_WORDS.contains(&word) {
            ignored.push(shorten(word));
        } else if let Err(mistake) = go.parse_limit(word, words) {
            mistakes.push(mistake);
        }
    }
    if !mistakes.is_empty() {
        go.let_unlimited_clocks_run_out();
    }
    go
}

impl Go {
    /// Greatest depth of `go perft` in plies: more than any machine can count.
    pub const PERFT_DEPTH_MAX: u32 = 20;

    /// Notes the limit that a word and what follows it ask for.
    fn parse_limit(&mut self, word: &str, words: &mut Words<'_>) -> Result<(), CommandError> {
        match word {
            "infinite" => self.infinite = true,
            "ponder" => self.ponder = true,
            "wtime" => self.time[0] = Some(time(word, go_value(words))?),
            "btime" => self.time[1] = Some(time(word, go_value(words))?),
            "winc" => self.increment[0] = Some(time(word, go_value(words))?),
            "binc" => self.increment[1] = Some(time(word, go_value(words))?),
            "movetime" => self.move_time = Some(time(word, go_value(words))?),
            "movestogo" => self.moves_to_go = Some(number(word, go_value(words))?),
            "depth" => self.depth = Some(number(word, go_value(words))?),
            "mate" => self.mate = Some(number(word, go_value(words))?),
            "nodes" => self.nodes = Some(count(word, go_value(words))?),
            "perft" => {
                let value = go_value(words);
                let depth = number(word, value)?;
                if depth > Go::PERFT_DEPTH_MAX {
                    return Err(value_error(word, "at most 20 plies", value));
                }
                self.perft = Some(depth);
            }
            _ => {
                let before = self.search_moves.len();
                while let Some(word) = words.peek().filter(|word| looks_like_move(word)) {
                    self.search_moves.push(word.to_string());
                    words.next();
                }
                if self.search_moves.len() == before {
                    return Err(value_error(word, "moves", go_value(words)));
                }
            }
        }
        Ok(())
    }

    /// For a line whose limits could not all be read: where none is left, the answer is given at
    /// once, since whoever meant to set one will not say `stop`.
    pub(super) fn let_unlimited_clocks_run_out(&mut self) {
        let limited = self.infinite
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || self.perft.is_some();
        if !limited {
            for time in &mut self.time {
                time.get_or_insert(Duration::ZERO);
            }
        }
    }
}

/// The word after a word of `go`. Another word of `go` stays where it is: it has a value of its own.
fn go_value<'l>(words: &mut Words<'l>) -> Option<&'l str> {
    let value = words.peek();
    if value.is_some_and(|value| !GO_WORDS.contains(&value)) {
        words.next();
    }
    value
}

/// One square or more and perhaps a piece, or a pass: enough to tell a move from the word that follows it.
/// Boards may have ten ranks.
pub(super) fn looks_like_move(word: &str) -> bool {
    if word == "pass" {
        return true;
    }
    let Some(mut rest) = behind_square(word) else { return false };
    while let Some(behind) = behind_square(rest) {
        rest = behind;
    }
    matches!(rest.as_bytes(), [] | [b'a'..=b'z' | b'A'..=b'Z'])
}

fn behind_square(text: &str) -> Option<&str> {
    let rank = text.strip_prefix(|file: char| file.is_ascii_alphabetic())?;
    let digits = rank.bytes().take_while(u8::is_ascii_digit).count();
    (1..=2).contains(&digits).then(|| &rank[digits..])
}

/// A time in milliseconds. Clocks may run below zero in some user interfaces: that is no time left.
fn time(word: &str, value: Option<&str>) -> Result<Duration, CommandError> {
    let Some(text) = value else {
        return Err(value_error(word, "a number of milliseconds", value));
    };
    if text.strip_prefix('-').is_some_and(is_number) {
        return Ok(Duration::ZERO);
    }
    let milliseconds = count(word, Some(text))?;
    Ok(Duration::from_millis(milliseconds).min(LONGEST_TIME))
}

fn number(word: &str, value: Option<&str>) -> Result<u32, CommandError> {
    count(word, value).map(|count| u32::try_from(count).unwrap_or(u32::MAX))
}

/// A whole number; one too large for its type is as good as the largest.
fn count(word: &str, value: Option<&str>) -> Result<u64, CommandError> {
    match value {
        Some(text) if is_number(text) => Ok(text.parse().unwrap_or(u64::MAX)),
        other => Err(value_error(word, "a whole number", other)),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn value_error(word: &str, expected: &'static str, found: Option<&str>) -> CommandError {
    let found = found.map_or_else(|| "nothing".to_string(), |word| format!("`{}`", shorten(word)));
    CommandError::Value { word: word.to_string(), expected, found }
}

/// A word as it may be repeated in a message.
fn shorten(word: &str) -> String {
    shown(word, 40)
}

impl fmt::Display for Command {
    /// The line as the protocol has it, without a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::IsReady => f.write_str("isready"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Debug(on) => f.write_str(if *on { "debug on" } else { "debug off" }),
            Command::Register => f.write_str("register later"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::Position { start, moves } => {
                match start {
                    Start::Standard => f.write_str("position startpos")?,
                    Start::Fen(fen) => write!(f, "position fen {fen}")?,
                    Start::Unreadable(_) => f.write_str("position")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {}", moves.join(" ")) }
            }
            Command::Go(go) => write!(f, "{go}"),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Bench(None) => f.write_str("bench"),
            Command::Bench(Some(depth)) => write!(f, "bench {depth}"),
            Command::Display => f.write_str("d"),
            Command::Evaluate => f.write_str("eval"),
            Command::Help => f.write_str("help"),
            Command::Ucci => f.write_str("ucci"),
            Command::BanMoves(moves) => write!(f, "banmoves {}", moves.join(" ")),
            Command::Probe => f.write_str("probe"),
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        let times = [
            ("wtime", self.time[0]),
            ("btime", self.time[1]),
            ("winc", self.increment[0]),
            ("binc", self.increment[1]),
            ("movetime", self.move_time),
        ];
        for (word, time) in times {
            if let Some(time) = time {
                write!(f, " {word} {}", time.as_millis())?;
            }
        }
        let counts = [
            ("movestogo", self.moves_to_go.map(u64::from)),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("mate", self.mate.map(u64::from)),
            ("perft", self.perft.map(u64::from)),
        ];
        for (word, count) in counts {
            if let Some(count) = count {
                write!(f, " {word} {count}")?;
            }
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        // Last, because the list of moves ends where no more moves come.
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves.join(" "))?;
        }
        Ok(())
    }
}
