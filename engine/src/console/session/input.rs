//! The session's input: lines of standard input.

use std::io::{BufRead, Read};
use std::sync::mpsc::SyncSender;

use uci::{Command, CommandError, Start};

use super::state::Event;

/// Longest line that is read, in bytes: a game of 200,000 plies. Longer ones are passed over.
pub const LINE_MAX: usize = 1 << 20;

/// Bytes that are kept of a longer line.
const BEGINNING: usize = 64;

/// Passes lines on as bytes, up to the end of the input or of the session: what is not UTF-8 must
/// not end the session.
pub fn read_lines(sender: &SyncSender<Event>) {
    let mut stdin = std::io::stdin().lock();
    loop {
        let event = next_line(&mut stdin).unwrap_or(Event::End);
        let ended = matches!(event, Event::End);
        if sender.send(event).is_err() || ended {
            return;
        }
    }
}

/// Reads a line, of a long one no more than [`LINE_MAX`] at once.
fn next_line(input: &mut impl BufRead) -> std::io::Result<Event> {
    let mut line = Vec::new();
    input.take(LINE_MAX as u64 + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(Event::End);
    }
    if line.len() > LINE_MAX && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        line.truncate(BEGINNING);
        return Ok(Event::LongLine(line));
    }
    Ok(Event::Line(line))
}

/// The command of a line that was too long, if it asks for a position: for one that is not known.
pub fn position_of(beginning: &[u8]) -> Option<Command> {
    let word = beginning.trim_ascii_start().split(u8::is_ascii_whitespace).next()?;
    let error = CommandError::Value {
        word: "position".to_string(),
        expected: "a line of at most 1048576 bytes",
        found: "more".to_string(),
    };
    let start = Start::Unreadable(error);
    (word == b"position").then(|| Command::Position { start, moves: Vec::new() })
}
