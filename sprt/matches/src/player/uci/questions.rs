//! Questions to an engine, and the fault of not answering them.

use std::time::{Duration, Instant};

use playable::{Game, Position};
use uci::{Go, Reply};

use super::lines::shorten;
use super::options;
use super::process::{Process, Silence};
use crate::game::{Fault, FaultKind};
use crate::player::Turn;

/// As [`ask_for`], without the line of the answer.
pub(super) fn ask_until(
    process: &mut Process,
    text: &str,
    answer: &str,
    patience: u64,
) -> Result<Vec<String>, Fault> {
    ask_for(process, text, answer, patience).map(|(lines, _)| lines)
}

/// Sends text, whose last line is the question, and reads for so many milliseconds until a line
/// that begins with the answer. Returns the lines before it, and that line.
fn ask_for(
    process: &mut Process,
    text: &str,
    answer: &str,
    patience: u64,
) -> Result<(Vec<String>, String), Fault> {
    let question = text.lines().last().unwrap_or_default();
    let deadline = Instant::now() + Duration::from_millis(patience);
    let mut lines = Vec::new();
    let mut asked = process.ask(text, deadline);
    while asked.is_ok() {
        match process.next_line(deadline) {
            Err(silence) => asked = Err(silence),
            Ok(line) => {
                let text = String::from_utf8_lossy(process.text(line));
                let first = text.split_ascii_whitespace().next();
                if first == Some(answer) || (answer, first) == ("bestmove", Some("nobestmove")) {
                    return Ok((lines, text.into_owned()));
                }
                if lines.len() < options::MOST_LINES {
                    lines.push(text.into_owned());
                }
            }
        }
    }
    let silence = asked.err().unwrap_or(Silence::Timeout);
    Err(no_reply(process, silence, question, patience))
}

/// The fault of not answering a question within so many milliseconds.
pub(super) fn no_reply(
    process: &mut Process,
    silence: Silence,
    question: &str,
    patience: u64,
) -> Fault {
    match silence {
        Silence::Timeout => {
            let seconds = patience as f64 / 1000.0;
            Fault::new(FaultKind::Hang, format!("to `{question}` within {seconds} s"))
        }
        Silence::Flood(what) => Fault::new(FaultKind::Flood, what),
        Silence::Ended => process.end_of_output(),
    }
}

/// The `go` command of a turn. Clocks are told in whole milliseconds and never as zero, which some
/// engines take for no clock; and only to a player that has one, since others would take the
/// opponent's for the sign that they are out of time.
pub(super) fn go(turn: &Turn<'_>) -> Go {
    let told = |time: Duration| Duration::from_millis(time.as_millis().max(1) as u64);
    let clocks = turn.limits.clock.map_or([None; 2], |_| turn.clocks);
    Go {
        time: clocks.map(|side| side.map(|side| told(side.time))),
        increment: clocks.map(|side| side.map(|side| side.increment)),
        moves_to_go: turn.moves_to_go,
        depth: turn.limits.depth,
        nodes: turn.limits.nodes,
        move_time: turn.limits.move_time.map(Duration::from_millis),
        ..Go::default()
    }
}

/// The dialect in which a program writes the moves of a game. Where there are several, it is asked
/// for the first move of a game.
pub(super) fn learn_dialect(
    process: &mut Process,
    game: Game,
    patience: u64,
    fault: impl Fn(String) -> Fault,
) -> Result<usize, Fault> {
    if game.dialects() == 1 {
        return Ok(0);
    }
    let question = "position startpos\ngo depth 1\n";
    let (_, answer) = ask_for(process, question, "bestmove", patience)?;
    dialect_of(game, &answer).map_err(fault)
}

/// The dialect in which the move of a line `bestmove` is legal at the start of a game.
///
/// # Errors
/// It is legal in none; in words.
pub fn dialect_of(game: Game, answer: &str) -> Result<usize, String> {
    let start = game.start();
    let is_legal = |best: &str, dialect| start.parse_dialect(best, dialect).is_ok();
    let dialect = match Reply::parse(answer) {
        Some(Reply::BestMove { best: Some(best), .. }) => {
            (0..game.dialects()).find(|&dialect| is_legal(&best, dialect))
        }
        _ => None,
    };
    dialect.ok_or_else(|| {
        let (name, answer) = (game.name(), shorten(answer));
        format!("it begins a game of {name} with `{answer}`, which is not legal")
    })
}

/// The move that a text in a dialect of the game means.
///
/// # Errors
/// It is no move, or not a legal one.
pub fn read_move(position: &Position, text: &str, dialect: usize) -> Result<playable::Move, Fault> {
    use playable::MoveError;
    position.parse_dialect(text, dialect).map_err(|error| {
        let kind = match error {
            MoveError::Malformed(_) => FaultKind::UnreadableMove,
            MoveError::Illegal(_) | MoveError::Ambiguous { .. } => FaultKind::IllegalMove,
        };
        Fault::new(kind, shorten(text))
    })
}
