//! What the session hears: lines of standard input.

use std::io::{BufRead, Read};
use std::sync::mpsc::SyncSender;

use super::Event;

/// Longest line that is read, in bytes: a game of 200,000 plies. What is longer is passed over.
pub const LINE_MAX: usize = 1 << 20;

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
        return Ok(Event::LongLine);
    }
    Ok(Event::Line(line))
}
