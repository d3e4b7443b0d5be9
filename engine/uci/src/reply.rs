//! The lines that an engine sends to a user interface.

use std::fmt;
use std::time::Duration;

use super::OptionDeclaration;
use super::command::looks_like_move;

/// One line from the engine to the user interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// `id name …`: what the engine is called.
    Name(String),
    /// `id author …`: who wrote the engine.
    Author(String),
    /// `option …`: something that may be set.
    Option(OptionDeclaration),
    /// `uciok`: name and options have been told.
    UciOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info …`: what a search has found so far, or a remark.
    Info(Box<InfoLine>),
    /// `bestmove … [ponder …]`.
    BestMove {
        /// The move in coordinates; none where there is no legal one.
        best: Option<String>,
        /// The expected answer, to ponder on.
        ponder: Option<String>,
    },
}

/// The fields of an `info` line; all may be absent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InfoLine {
    /// Depth of the iteration in plies.
    pub depth: Option<u32>,
    /// Plies of the longest line.
    pub selective_depth: Option<u32>,
    /// Rank of the line among several, from 1.
    pub multi_pv: Option<u32>,
    /// Worth for the side to move.
    pub score: Option<ScoreValue>,
    /// Whether the score is exact.
    pub bound: ScoreBound,
    /// Chances of win, draw and loss for the side to move, in permille.
    pub win_draw_loss: Option<[u32; 3]>,
    /// Nodes searched since the search began.
    pub nodes: Option<u64>,
    /// Mean speed of this search in nodes per second.
    pub nodes_per_second: Option<u64>,
    /// Share of the transposition table in use, in permille.
    pub hash_full: Option<u32>,
    /// Positions found in endgame tables.
    pub table_hits: Option<u64>,
    /// Time since the search began.
    pub time: Option<Duration>,
    /// The move searched at the moment.
    pub current_move: Option<String>,
    /// Its number, from 1.
    pub current_move_number: Option<u32>,
    /// The expected line, in coordinates.
    pub line: Vec<String>,
    /// Any text; takes the rest of the line.
    pub text: Option<String>,
}

/// A score as the protocol has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreValue {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative if the side to move is mated.
    Mate(i32),
}

/// How a score bounds the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScoreBound {
    /// The score is the value.
    #[default]
    Exact,
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

impl InfoLine {
    /// An `info string` line.
    pub fn text(text: impl Into<String>) -> InfoLine {
        InfoLine { text: Some(text.into()), ..InfoLine::default() }
    }
}

impl Reply {
    /// Parses one line. None for one that is not of the protocol, which asks to pass over it; so
    /// are fields of `info` that mean nothing.
    pub fn parse(line: &str) -> Option<Reply> {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        match first {
            "uciok" => Some(Reply::UciOk),
            "readyok" => Some(Reply::ReadyOk),
            "id" => {
                let (what, text) = rest.split_once(char::is_whitespace)?;
                match what {
                    "name" => Some(Reply::Name(text.trim().to_string())),
                    "author" => Some(Reply::Author(text.trim().to_string())),
                    _ => None,
                }
            }
            "option" => OptionDeclaration::parse(rest).map(Reply::Option),
            "info" => Some(Reply::Info(Box::new(parse_info(rest)))),
            "bestmove" => {
                let mut words = rest.split_whitespace();
                let best = parse_move(words.next()?);
                let ponder = match words.next() {
                    Some("ponder") => words.next().and_then(parse_move),
                    _ => None,
                };
                Some(Reply::BestMove { best, ponder })
            }
            _ => None,
        }
    }
}

/// A move, unless it is one of the ways to say that there is none.
fn parse_move(word: &str) -> Option<String> {
    (!matches!(word, "(none)" | "0000" | "NULL" | "none")).then(|| word.to_string())
}

fn parse_info(rest: &str) -> InfoLine {
    let mut info = InfoLine::default();
    let mut words = rest.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = parse_next(&mut words),
            "seldepth" => info.selective_depth = parse_next(&mut words),
            "multipv" => info.multi_pv = parse_next(&mut words),
            "nodes" => info.nodes = parse_next(&mut words),
            "nps" => info.nodes_per_second = parse_next(&mut words),
            "hashfull" => info.hash_full = parse_next(&mut words),
            "tbhits" => info.table_hits = parse_next(&mut words),
            "time" => info.time = parse_next(&mut words).map(Duration::from_millis),
            "currmove" => info.current_move = words.next().map(str::to_string),
            "currmovenumber" => info.current_move_number = parse_next(&mut words),
            "score" => {}
            "cp" => info.score = parse_next(&mut words).map(ScoreValue::Centipawns),
            "mate" => info.score = parse_next(&mut words).map(ScoreValue::Mate),
            "lowerbound" => info.bound = ScoreBound::Lower,
            "upperbound" => info.bound = ScoreBound::Upper,
            "wdl" => {
                let chances: Vec<u32> = (0..3).filter_map(|_| parse_next(&mut words)).collect();
                info.win_draw_loss = chances.try_into().ok();
            }
            "pv" => {
                while let Some(word) = words.next_if(|word| is_move(word)) {
                    info.line.push(word.to_string());
                }
            }
            "string" => {
                let at = word.as_ptr() as usize - rest.as_ptr() as usize + word.len();
                info.text = Some(rest[at..].trim().to_string());
                break;
            }
            _ => {}
        }
    }
    info
}

/// The next word's value; a word that is no such value stays for the next field.
fn parse_next<'l, T: std::str::FromStr>(
    words: &mut std::iter::Peekable<impl Iterator<Item = &'l str>>,
) -> Option<T> {
    let value = words.peek()?.parse().ok()?;
    words.next();
    Some(value)
}

/// Tells the moves of a line from the field that follows it.
fn is_move(word: &str) -> bool {
    word == "0000" || looks_like_move(word)
}

impl fmt::Display for Reply {
    /// The line as the protocol has it, without a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {name}"),
            Reply::Author(author) => write!(f, "id author {author}"),
            Reply::Option(option) => write!(f, "{option}"),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => write!(f, "{info}"),
            Reply::BestMove { best, ponder } => {
                write!(f, "bestmove {}", best.as_deref().unwrap_or("(none)"))?;
                match ponder {
                    Some(ponder) => write!(f, " ponder {ponder}"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        let mut field = |word: &str, value: Option<u64>| match value {
            Some(value) => write!(f, " {word} {value}"),
            None => Ok(()),
        };
        field("depth", self.depth.map(u64::from))?;
        field("seldepth", self.selective_depth.map(u64::from))?;
        field("multipv", self.multi_pv.map(u64::from))?;
        match self.score {
            Some(ScoreValue::Centipawns(score)) => write!(f, " score cp {score}")?,
            Some(ScoreValue::Mate(moves)) => write!(f, " score mate {moves}")?,
            None => {}
        }
        match self.bound {
            ScoreBound::Exact => {}
            ScoreBound::Lower => f.write_str(" lowerbound")?,
            ScoreBound::Upper => f.write_str(" upperbound")?,
        }
        if let Some([win, draw, loss]) = self.win_draw_loss {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        let mut field = |word: &str, value: Option<u64>| match value {
            Some(value) => write!(f, " {word} {value}"),
            None => Ok(()),
        };
        field("nodes", self.nodes)?;
        field("nps", self.nodes_per_second)?;
        field("hashfull", self.hash_full.map(u64::from))?;
        field("tbhits", self.table_hits)?;
        field("time", self.time.map(|time| time.as_millis() as u64))?;
        if let Some(current) = &self.current_move {
            write!(f, " currmove {current}")?;
        }
        if let Some(number) = self.current_move_number {
            write!(f, " currmovenumber {number}")?;
        }
        if !self.line.is_empty() {
            write!(f, " pv {}", self.line.join(" "))?;
        }
        match &self.text {
            // A line break would end the line too early.
            Some(text) => write!(f, " string {}", text.replace(['\n', '\r'], " ")),
            None => Ok(()),
        }
    }
}
