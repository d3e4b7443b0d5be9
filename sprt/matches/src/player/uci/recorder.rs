//! The last lines of both directions, in bounded memory.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::game::{Direction, Exchange, SaidLine};
use crate::player::line_log::ProcessLog;

/// Lines kept of what was sent, and of what was heard: a flood must not push the questions out.
const SENT: usize = 60;
const HEARD: usize = 200;
/// Lines shown of what was read and not taken.
const UNREAD: usize = 5;
/// Bytes of a line that are kept, of both directions: what was sent is needed to repeat it.
const LONGEST_SENT: usize = 16 << 10;
const LONGEST_HEARD: usize = 1 << 10;

/// Remembers the last lines of a process, and has all of them logged if that is wanted.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    sent: Ring,
    heard: Ring,
    log: Option<ProcessLog>,
}

/// The last lines of one direction. Their memory is used again.
#[derive(Debug, Default)]
struct Ring {
    lines: VecDeque<(Instant, String)>,
    forgotten: u64,
}

impl Ring {
    fn add(&mut self, bytes: &[u8], most: usize, longest: usize) {
        let mut text = String::new();
        if self.lines.len() == most
            && let Some((_, oldest)) = self.lines.pop_front()
        {
            self.forgotten += 1;
            text = oldest;
            text.clear();
        }
        if bytes.len() <= longest {
            text.push_str(&String::from_utf8_lossy(bytes));
        } else {
            let (begin, end) = (&bytes[..longest / 2], &bytes[bytes.len() - longest / 2..]);
            text.push_str(&String::from_utf8_lossy(begin));
            text.push_str(&format!(" [… {} bytes …] ", bytes.len() - longest));
            text.push_str(&String::from_utf8_lossy(end));
        }
        self.lines.push_back((Instant::now(), text));
    }
}

impl Recorder {
    /// A recorder whose lines go to a log as well, if there is one.
    pub fn new(log: Option<ProcessLog>) -> Recorder {
        Recorder { log, ..Recorder::default() }
    }

    /// Takes lines that were sent, each with its end.
    pub fn sent(&mut self, text: &str) {
        for line in text.lines() {
            self.sent.add(line.as_bytes(), SENT, LONGEST_SENT);
            self.log(Direction::Sent, line.as_bytes());
        }
    }

    /// Takes a line that was heard, without its end.
    pub fn heard(&mut self, line: &[u8]) {
        self.heard.add(line, HEARD, LONGEST_HEARD);
        self.log(Direction::Heard, line);
    }

    /// Takes bytes from standard error.
    pub fn errors(&mut self, bytes: &[u8]) {
        if self.log.is_some() {
            for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
                self.log(Direction::Error, line);
            }
        }
    }

    fn log(&self, direction: Direction, line: &[u8]) {
        if let Some(log) = &self.log {
            log.write(direction, line);
        }
    }

    /// The lines kept, by time, with what was read and not taken, and the end of
    /// standard error.
    pub fn exchange(&self, errors: &[u8], unread: &[u8]) -> Exchange {
        let now = Instant::now();
        let of = |ring: &Ring, direction| -> Vec<(Instant, Direction, String)> {
            ring.lines.iter().map(|(at, text)| (*at, direction, text.clone())).collect()
        };
        let mut lines = of(&self.sent, Direction::Sent);
        lines.extend(of(&self.heard, Direction::Heard));
        // Stable: what has the same time stays behind its question.
        lines.sort_by_key(|(at, ..)| *at);
        let mut lines: Vec<SaidLine> = lines
            .into_iter()
            .map(|(at, direction, text)| SaidLine { ago: now - at, direction, text })
            .collect();
        let mut unread = unread.split(|&byte| byte == b'\n').take(UNREAD).peekable();
        while let Some(line) = unread.next() {
            let shown = String::from_utf8_lossy(&line[..line.len().min(LONGEST_HEARD)]);
            let text = match unread.peek() {
                Some(_) => shown.into_owned(),
                None if line.is_empty() => break,
                None => format!("{shown} [no end of line]"),
            };
            lines.push(SaidLine { ago: Duration::ZERO, direction: Direction::Heard, text });
        }
        Exchange {
            lines,
            forgotten: self.sent.forgotten + self.heard.forgotten,
            errors: String::from_utf8_lossy(errors).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_forgotten_and_questions_are_not() {
        let mut recorder = Recorder::default();
        recorder.sent("position startpos\ngo nodes 1\n");
        for number in 0..100_000 {
            recorder.heard(format!("info depth {number}").as_bytes());
        }
        recorder.heard(&[b'x'; 1 << 20]);
        let exchange = recorder.exchange(b"oh\n", b"info string\nbestmove e2");
        assert_eq!(exchange.lines[0].text, "position startpos");
        assert_eq!(exchange.lines[1].text, "go nodes 1");
        assert_eq!(exchange.lines.len(), 2 + HEARD + 2);
        assert_eq!(exchange.forgotten, 100_001 - HEARD as u64);
        assert_eq!(exchange.lines[HEARD].text, "info depth 99999");
        let long = &exchange.lines[HEARD + 1].text;
        assert!(long.len() < 2 * LONGEST_HEARD && long.contains("bytes"), "{}", long.len());
        assert_eq!(exchange.lines[HEARD + 3].text, "bestmove e2 [no end of line]");
        assert_eq!(exchange.errors, "oh\n");
    }
}
