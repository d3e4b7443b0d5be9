//! Records in the form of PGN.
//!
//! Tags first, the start as `FEN` among them, then the moves with their numbers and the result.
//! Comments in braces or behind a semicolon, variations in parentheses, and marks (`$1`, `!?`) are
//! skipped, and the numbers are not checked: games that begin in the middle have any.

use std::fmt::Write;

use playable::{Color, Game};

use super::reader::Reader;
use super::{Draft, GAME_TYPE, GameRecord, RecordError, RecordFault, parse_result, result_text};

/// Reads all records of a text, of one game.
///
/// # Errors
/// The first fault, with its line.
pub fn parse(text: &str, game: Game) -> Result<Vec<GameRecord>, RecordError> {
    let mut reader = Reader::new(text);
    let (mut records, mut draft) = (Vec::new(), Draft::default());
    loop {
        reader.take_while(char::is_whitespace);
        let line = reader.line;
        let Some(next) = reader.rest.chars().next() else { break };
        match next {
            '[' => {
                if !draft.moves.is_empty() {
                    records.push(unended(std::mem::take(&mut draft), game, line)?);
                }
                let (name, value) = reader.tag().ok_or(RecordFault::Tag.at(line))?;
                let name = if name == "FenStr" { "FEN" } else { name };
                draft.tag(line, name, value)?;
            }
            ';' => _ = reader.take_while(|c| c != '\n'),
            '{' => reader.skip_comment()?,
            '(' => reader.skip_variation()?,
            ')' | '}' | ']' => return Err(RecordFault::Stray(next).at(line)),
            _ => {
                let word = reader.take_while(|c| !c.is_whitespace() && !"{}()[];".contains(c));
                let word = without_number(word).trim_end_matches(['!', '?']);
                if word.is_empty() || word.starts_with('$') {
                    continue;
                }
                if draft.tags.is_empty() {
                    return Err(RecordFault::NoTags.at(line));
                }
                let Some(end) = parse_result(word) else {
                    draft.moves.push((line, word.to_owned()));
                    continue;
                };
                let is_stated = draft.tags.iter().any(|(_, name, _)| name == "Result");
                let mut record = std::mem::take(&mut draft).finish(game)?;
                if is_stated && record.result != end {
                    return Err(RecordFault::Contradiction(result_text(end)).at(line));
                }
                record.result = end;
                records.push(record);
            }
        }
    }
    if !draft.tags.is_empty() {
        records.push(unended(draft, game, reader.line)?);
    }
    Ok(records)
}

/// A record whose moves end without a result: a tag must state it.
fn unended(draft: Draft, game: Game, line: usize) -> Result<GameRecord, RecordError> {
    let is_stated = draft.tags.iter().any(|(_, name, _)| name == "Result");
    let record = draft.finish(game)?;
    if is_stated { Ok(record) } else { Err(RecordFault::NoResult.at(line)) }
}

/// A word without the number of its move. Moves of keypads begin as numbers do, but a single digit
/// or a sign and a digit follow: `62.5`, `7.+1`.
fn without_number(word: &str) -> &str {
    let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = behind.trim_start_matches('.');
    let is_of_keypad = rest.chars().count() == 1 || rest.starts_with(['+', '-']);
    if rest.len() == behind.len() || is_of_keypad { word } else { rest }
}

impl<'a> Reader<'a> {
    /// A tag, on one line.
    fn tag(&mut self) -> Option<(&'a str, String)> {
        let is_blank = |c: char| c.is_whitespace() && c != '\n';
        self.take_text("[")?;
        self.take_while(is_blank);
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        self.take_while(is_blank);
        self.take_text("\"")?;
        let mut value = String::new();
        loop {
            value += self.take_while(|c| !"\"\\\n".contains(c));
            let is_escape = self.take_text("\\").is_some();
            match self.rest.chars().next()? {
                '\n' => return None,
                sign if is_escape => {
                    self.take(sign.len_utf8());
                    value.push(sign);
                }
                _ => break,
            }
        }
        self.take_text("\"")?;
        self.take_while(is_blank);
        self.take_text("]")?;
        (!name.is_empty()).then_some((name, value))
    }

    fn skip_comment(&mut self) -> Result<(), RecordError> {
        let line = self.line;
        self.take_while(|c| c != '}');
        self.take_text("}").ok_or(RecordFault::Open("a comment".to_owned()).at(line))
    }

    /// Skips a variation, with the variations and the comments in it.
    fn skip_variation(&mut self) -> Result<(), RecordError> {
        let (line, mut depth) = (self.line, 0);
        loop {
            self.take_while(|c| !"(){;".contains(c));
            match self.rest.chars().next() {
                None => return Err(RecordFault::Open("a variation".to_owned()).at(line)),
                Some('{') => self.skip_comment()?,
                Some(';') => _ = self.take_while(|c| c != '\n'),
                Some(sign) => {
                    self.take(1);
                    depth = if sign == '(' { depth + 1 } else { depth - 1 };
                    if depth == 0 {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// A record as text, its moves in a notation by its number, a line for two.
pub fn write(record: &GameRecord, notation: usize) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    for (name, value) in &record.tags {
        tag(name, value);
    }
    tag("Result", result_text(record.result));
    if let Some(kind) = record.start.game().record_type() {
        tag(GAME_TYPE, kind);
    }
    if let Some(start) = record.start_text() {
        tag("SetUp", "1");
        tag("FEN", &start);
    }
    text.push('\n');
    for (at, (color, number, mv)) in record.move_texts(notation).iter().enumerate() {
        let _ = match (color, at) {
            (Color::White, _) => write!(text, "{number}. {mv}"),
            (Color::Black, 0) => writeln!(text, "{number}... {mv}"),
            (Color::Black, _) => writeln!(text, " {mv}"),
        };
    }
    if !text.ends_with('\n') {
        text.push(' ');
    }
    text + result_text(record.result) + "\n"
}
