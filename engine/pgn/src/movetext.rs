//! From the text behind the tags to moves, comments and the result.

use std::borrow::Cow;

use super::spelling::{game_result, san_of};
use super::tags::RawGame;
use playable::GameResult;

/// The text of a game's moves, taken apart.
#[derive(Default)]
pub(super) struct Movetext {
    /// Comments before the first move.
    pub comment: String,
    pub moves: Vec<PgnMove>,
    /// The result behind the moves; `None` if it is missing or unknown (`*`).
    pub marker: Option<GameResult>,
}

/// The first unreadable place, in lines below the first.
pub(super) struct Broken {
    pub line: u64,
    pub reason: &'static str,
}

/// Reads the text of a game's moves; lines are counted from `first_line`.
pub(super) fn parse(text: &str, first_line: u64) -> Result<Movetext, Broken> {
    let mut scanner = Scanner { rest: text, line: first_line };
    let mut found = Movetext::default();
    // Where each of the variations around the text in work was opened.
    let mut variations = Vec::new();
    let mut ended = false;
    loop {
        scanner.skip_blanks();
        let line = scanner.line;
        let Some(first) = scanner.rest.chars().next() else { break };
        match first {
            '{' => {
                let reason = "a comment is not closed";
                let comment = scanner.comment().ok_or(Broken { line, reason })?;
                if variations.is_empty() {
                    found.comment(comment);
                }
            }
            ';' => {
                let comment = &scanner.take_until('\n')[1..];
                if variations.is_empty() {
                    found.comment(comment);
                }
            }
            '(' => {
                scanner.take(1);
                variations.push(line);
            }
            ')' => {
                scanner.take(1);
                variations.pop();
            }
            '$' => {
                scanner.take(1);
                scanner.take(scanner.rest.bytes().take_while(u8::is_ascii_digit).count());
            }
            _ => {
                let word = scanner.take(word_length(scanner.rest));
                if !variations.is_empty() {
                    continue;
                }
                let marker = game_result(word);
                if marker.is_some() || word == "*" {
                    ended = true;
                    found.marker = marker.or(found.marker);
                } else if let Some(san) = move_in(word) {
                    if ended {
                        return Err(Broken { line, reason: "moves follow the result" });
                    }
                    let (san, comment) = (san.into_owned(), String::new());
                    found.moves.push(PgnMove { san, comment, line });
                }
            }
        }
    }
    match variations.first() {
        Some(&line) => Err(Broken { line, reason: "a variation is not closed" }),
        None => Ok(found),
    }
}

impl RawGame {
    /// The moves of the main line as they are written, and not held against the rules; none if the
    /// text cannot be read.
    pub fn written_moves(&self) -> Vec<PgnMove> {
        self.movetext().map_or(Vec::new(), |text| text.moves)
    }

    /// The moves and comments of its text; none if it cannot be read.
    pub(super) fn movetext(&self) -> Option<Movetext> {
        parse(&self.moves, self.moves_line).ok()
    }
}

impl Movetext {
    fn comment(&mut self, text: &str) {
        let target = match self.moves.last_mut() {
            Some(last) => &mut last.comment,
            None => &mut self.comment,
        };
        for word in text.split_whitespace() {
            if !target.is_empty() {
                target.push(' ');
            }
            target.push_str(word);
        }
    }
}

/// The text in work and the line it is in.
struct Scanner<'a> {
    rest: &'a str,
    line: u64,
}

impl<'a> Scanner<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count() as u64;
        self.rest = rest;
        taken
    }

    fn take_until(&mut self, end: char) -> &'a str {
        self.take(self.rest.find(end).unwrap_or(self.rest.len()))
    }

    fn skip_blanks(&mut self) {
        self.take(self.rest.len() - self.rest.trim_start().len());
    }

    /// The comment in braces that begins here; `None` if it is not closed.
    fn comment(&mut self) -> Option<&'a str> {
        let end = self.rest.find('}')?;
        let comment = self.take(end + 1);
        Some(&comment[1..end])
    }
}

/// Where a word ends: at a blank or the sign of something else. Its first sign always belongs to it.
fn word_length(rest: &str) -> usize {
    let ends = |&(index, sign): &(usize, char)| {
        index > 0 && (sign.is_whitespace() || "{}();$*".contains(sign))
    };
    let length = rest.char_indices().find(ends).map_or(rest.len(), |(index, _)| index);
    // A promotion in brackets, as in e8(Q).
    match rest.as_bytes()[length..] {
        [b'(', b'N' | b'B' | b'R' | b'Q', b')', ..] => length + 3,
        _ => length,
    }
}

/// The move in a word, without number and annotations; `None` if there is none.
fn move_in(word: &str) -> Option<Cow<'_, str>> {
    if PgnMove::NULLS.contains(&word) {
        return Some(word.into());
    }
    let behind_digits = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let behind_dots = behind_digits.trim_start_matches(['.', '…']);
    // Digits are the number of a move if dots or nothing follow: castling may begin with a zero. On
    // keypads a move of xiangqi has the same beginning, and a digit, or a sign and digits, at its end.
    let is_of_keypad = behind_dots.len() == 1 && behind_dots.as_bytes()[0].is_ascii_digit()
        || behind_dots.starts_with(['+', '-'])
            && behind_dots[1..].starts_with(|it: char| it.is_ascii_digit());
    let is_numbered = behind_digits.len() != behind_dots.len() || behind_digits.is_empty();
    let numbered = is_numbered && !is_of_keypad;
    let text = if numbered { behind_dots } else { word };
    let text = san_of(text);
    if PgnMove::NULLS.contains(&&*text) {
        return Some(text);
    }
    // Signs of the Informant, diagrams, novelties.
    let is_sign = !text.contains(char::is_alphanumeric)
        || matches!(&*text, "D" | "N" | "TN" | "RR" | "ep" | "e.p.");
    (!is_sign).then_some(text)
}

/// A move as a PGN file shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnMove {
    /// The move, without number and annotations.
    pub san: String,
    /// Comments behind it, joined by blanks.
    pub comment: String,
    /// Line number from 1.
    pub line: u64,
}

impl PgnMove {
    /// How files write null moves.
    const NULLS: [&'static str; 7] = ["--", "Z0", "@@@@", "0000", "null", "NULL", "pass"];

    /// Whether it is written as a null move. In some games that may be a legal one.
    pub fn looks_null(&self) -> bool {
        PgnMove::NULLS.contains(&&*self.san)
    }
}
