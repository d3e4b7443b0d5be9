//! Records in XML: a `<game>` of an element for each tag, the start and the result, and one for
//! each move.
//!
//! The reader knows what records need of XML: elements without attributes, comments, and entities.
//! Other tags than Event, Site, Date, Red and Black have no element, and are left out; White is Red.

use std::fmt::Write;

use playable::Game;

use super::reader::Reader;
use super::{Draft, GameRecord, RecordError, RecordFault, result_text};

/// Elements and the tags that they hold.
const ELEMENTS: [(&str, &str); 7] = [
    ("event", "Event"),
    ("site", "Site"),
    ("date", "Date"),
    ("red", "Red"),
    ("black", "Black"),
    ("fen", "FEN"),
    ("result", "Result"),
];
/// Entities and what they stand for; the first one is written first.
const ENTITIES: [(&str, &str); 5] =
    [("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'")];

/// Reads a record, of one game.
///
/// # Errors
/// The first fault, with its line.
pub fn parse_xml(text: &str, game: Game) -> Result<GameRecord, RecordError> {
    let mut reader = Reader::new(text);
    let mut draft = Draft::default();
    reader.skip()?;
    reader.expect("<game>")?;
    loop {
        reader.skip()?;
        if reader.rest.starts_with("</") {
            break;
        }
        let line = reader.line;
        let (name, value) = reader.element()?;
        match ELEMENTS.iter().find(|(element, _)| *element == name) {
            Some((_, tag)) => draft.tag(line, tag, value)?,
            None if name == "move" => draft.moves.push((line, value)),
            None => return Err(RecordFault::Element(name.to_owned()).at(line)),
        }
    }
    reader.expect("</game>")?;
    reader.skip()?;
    match reader.rest.is_empty() {
        true => draft.finish(game),
        false => Err(reader.expected("the end")),
    }
}

impl<'a> Reader<'a> {
    /// Skips blanks, comments and the declaration.
    fn skip(&mut self) -> Result<(), RecordError> {
        loop {
            self.take_while(char::is_whitespace);
            let pairs = [("<!--", "-->"), ("<?", "?>")];
            let Some((open, close)) =
                pairs.into_iter().find(|(open, _)| self.rest.starts_with(open))
            else {
                return Ok(());
            };
            let end = self.rest[open.len()..].find(close);
            let end = end.ok_or_else(|| RecordFault::Open(open.to_owned()).at(self.line))?;
            self.take(open.len() + end + close.len());
        }
    }

    fn expected(&self, text: &str) -> RecordError {
        RecordFault::Expected(text.to_owned()).at(self.line)
    }

    fn expect(&mut self, text: &str) -> Result<(), RecordError> {
        self.take_text(text).ok_or_else(|| self.expected(text))
    }

    /// The next element: its name and its text.
    fn element(&mut self) -> Result<(&'a str, String), RecordError> {
        self.expect("<")?;
        let name = self.take_while(|c| c.is_ascii_alphanumeric());
        self.take_while(char::is_whitespace);
        if self.take_text("/>").is_some() {
            return Ok((name, String::new()));
        }
        self.expect(">")?;
        let line = self.line;
        let open = || RecordFault::Open(format!("<{name}>")).at(line);
        let end = self.rest.find('<').ok_or_else(open)?;
        let value = self.text(end)?;
        self.expect(&format!("</{name}>"))?;
        Ok((name, value.trim().to_owned()))
    }

    /// So many bytes with their entities read.
    fn text(&mut self, bytes: usize) -> Result<String, RecordError> {
        let mut text = String::new();
        let mut pieces = self.rest[..bytes].split('&');
        let plain = pieces.next().unwrap_or_default();
        text += self.take(plain.len());
        for piece in pieces {
            let end = piece.find(';').map_or(piece.len(), |at| at + 1);
            let (entity, plain) = piece.split_at(end);
            let Some(c) = character(entity) else {
                return Err(RecordFault::Entity(entity.to_owned()).at(self.line));
            };
            text += &c;
            text += plain;
            self.take(1 + piece.len());
        }
        Ok(text)
    }
}

/// The character of an entity, given without its `&`.
fn character(entity: &str) -> Option<String> {
    if let Some((_, c)) = ENTITIES.iter().find(|(name, _)| *name == entity) {
        return Some((*c).to_owned());
    }
    let number = entity.strip_prefix('#')?.strip_suffix(';')?;
    let (digits, radix) = match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    let code = u32::from_str_radix(digits, radix).ok()?;
    char::from_u32(code).filter(|c| *c != '\0').map(String::from)
}

/// The tag that has the element for a tag.
fn as_element(tag: &str) -> &str {
    if tag == "White" { "Red" } else { tag }
}

/// The tags of a record that have no element.
pub fn without_element(record: &GameRecord) -> Vec<&str> {
    let names = record.tags.iter().map(|(name, _)| &**name);
    names.filter(|name| ELEMENTS.iter().all(|(_, tag)| as_element(name) != *tag)).collect()
}

/// A record as text, its moves in a notation by its number.
pub fn write_xml(record: &GameRecord, notation: usize) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<game>\n".to_owned();
    let mut element = |name: &str, value: &str| {
        let escape =
            |value: String, (name, c): &(&str, &str)| value.replace(c, &format!("&{name}"));
        let value = ENTITIES.iter().fold(value.to_owned(), escape);
        let _ = writeln!(text, "  <{name}>{value}</{name}>");
    };
    for (name, tag) in ELEMENTS {
        if let Some((_, value)) = record.tags.iter().find(|(name, _)| as_element(name) == tag) {
            element(name, value);
        }
    }
    if let Some(start) = record.start_text() {
        element("fen", &start);
    }
    element("result", result_text(record.result));
    for (.., mv) in record.move_texts(notation) {
        element("move", &mv);
    }
    text + "</game>\n"
}
