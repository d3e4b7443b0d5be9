//! The openings of a file, in little memory.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use pgn::{GameError, Games, PgnGame};
use playable::{Color, Game, Move, Position};
use system::files::FileError;
use system::text::{Text, plain, read_lines};

use super::{Opening, OpeningSettings, OpeningsError, epd};
use crate::games;

/// The openings of a file.
///
/// All of them are read once, so that a bad one is known before the first game, and then kept as
/// they are in the file: positions are made when they are played, because a book may have millions.
#[derive(Debug)]
pub struct Book {
    bytes: Vec<u8>,
    lines: Lines,
    game: Game,
    chess960: bool,
    /// Openings that lead to a position to which none before leads.
    distinct: usize,
}

/// The places of the openings in the bytes of the file.
#[derive(Debug)]
enum Lines {
    /// The ends of each line within the bytes of the file.
    Epd(Vec<(usize, usize)>),
    /// Each game by where its opening ends.
    Pgn(Vec<Line>),
}

#[derive(Debug)]
struct Line {
    /// Where it starts, if not at the usual position.
    start: Option<Position>,
    /// Moves; [`Move::NONE`] is a null move.
    moves: Box<[Move]>,
    name: Box<str>,
}

/// The forms of opening files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A line of EPD or FEN for each opening.
    Epd,
    /// A game of PGN for each opening.
    Pgn,
}

impl Format {
    /// The forms an opening file may have.
    pub const ALL: [Format; 2] = [Format::Epd, Format::Pgn];

    /// The usual ending of names of such files.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Epd => "epd",
            Format::Pgn => "pgn",
        }
    }

    /// The form of a file, by its contents.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of_file(path: &Path) -> Result<Format, OpeningsError> {
        Ok(Format::of(&Book::read(games::usual(), path)?.0))
    }

    /// The form that the text has: games begin with a tag, a comment or the number of a move.
    pub(super) fn of(bytes: &[u8]) -> Format {
        let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let first = lines.find(|line| !line.is_empty() && !b"#%".contains(&line[0]));
        match first {
            Some([b'[' | b'{' | b';', ..]) => Format::Pgn,
            Some(line) if line.starts_with(b"1.") || line.starts_with(b"1 ") => Format::Pgn,
            _ => Format::Epd,
        }
    }
}

/// Longest line of an opening file, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// How files begin that are packed: zip, gzip, zstd, xz, bzip2.
const PACKED: [&[u8]; 5] =
    [b"PK\x03\x04", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00", b"BZh"];

/// Refuses the contents of a packed file.
///
/// # Errors
/// They are packed.
pub(super) fn refuse_packed(bytes: &[u8], origin: &str) -> Result<(), OpeningsError> {
    match PACKED.iter().any(|beginning| bytes.starts_with(beginning)) {
        true => Err(OpeningsError::Packed { origin: origin.to_owned() }),
        false => Ok(()),
    }
}

impl Book {
    /// Reads an opening file, EPD or PGN by its contents, or [`system::files::EMBEDDED`].
    ///
    /// EPD and FEN lines: empty lines and lines that start with `#` are skipped; `id` names the
    /// opening, `ce` is its score, `hmvc` and `fmvn` are the counters. PGN: the opening is where the
    /// game, or its first plies, lead to.
    ///
    /// # Errors
    /// The file cannot be read, holds no opening, or an opening is malformed, illegal or a game that
    /// is over.
    pub fn load(path: &Path, settings: &OpeningSettings) -> Result<Book, OpeningsError> {
        let (bytes, origin) = Book::read(settings.game, path)?;
        Book::parse(bytes, &origin, settings)
    }

    /// The contents of an opening file as plain text, and what it is called in errors.
    pub(super) fn read(game: Game, path: &Path) -> Result<(Vec<u8>, String), OpeningsError> {
        if path == Path::new(system::files::EMBEDDED) {
            return Ok((game.openings().into(), "embedded openings".to_owned()));
        }
        let read = || {
            let text = Text::new(BufReader::new(File::open(path)?))?;
            read_lines(text, LONGEST_LINE)
        };
        Ok((read().map_err(FileError::at("read", path))?, path.display().to_string()))
    }

    /// As [`Book::load`] with the contents of the file; `origin` names it in errors.
    ///
    /// # Errors
    /// As [`Book::load`].
    pub fn parse(
        bytes: Vec<u8>,
        origin: &str,
        settings: &OpeningSettings,
    ) -> Result<Book, OpeningsError> {
        refuse_packed(&bytes, origin)?;
        let bytes = plain(bytes);
        let (game, chess960) = (settings.game, settings.chess960);
        if chess960 && !game.features().chess960 {
            return Err(OpeningsError::Chess960(game.name()));
        }
        let mut found = BookProperties { game, chess960, keys: HashSet::new() };
        let lines = match Format::of(&bytes) {
            Format::Epd if settings.plies.is_some() => {
                return Err(OpeningsError::Plies { origin: origin.to_owned() });
            }
            Format::Epd => Lines::Epd(epd_lines(&bytes, origin, &mut found)?),
            Format::Pgn => Lines::Pgn(lines_of_games(&bytes, origin, settings.plies, &mut found)?),
        };
        let (chess960, distinct) = (found.chess960, found.keys.len());
        let book = Book { bytes, lines, game, chess960, distinct };
        if book.len() == 0 {
            return Err(OpeningsError::Empty { origin: origin.to_owned() });
        }
        Ok(book)
    }

    /// How many openings there are; never 0.
    #[expect(clippy::len_without_is_empty, reason = "no book is empty")]
    pub fn len(&self) -> usize {
        match &self.lines {
            Lines::Epd(lines) => lines.len(),
            Lines::Pgn(games) => games.len(),
        }
    }

    /// How many of them differ. Two are the same if they lead to the same pieces, turn, castling
    /// rights and possible en passant captures: an en passant square that no pawn can use does not
    /// count, nor do counters.
    pub fn distinct(&self) -> usize {
        self.distinct
    }

    /// The contents of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The form of the file.
    pub fn format(&self) -> Format {
        match self.lines {
            Lines::Epd(_) => Format::Epd,
            Lines::Pgn(_) => Format::Pgn,
        }
    }

    /// The game that it has openings of.
    pub fn game(&self) -> Game {
        self.game
    }

    /// True if the settings or any opening say that this is Chess960; then all openings are, also
    /// those that could be of standard chess.
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// The opening of this index, from 0; `None` beyond the last.
    pub fn opening(&self, index: usize) -> Option<Opening> {
        let mut opening = match &self.lines {
            Lines::Epd(lines) => {
                let &(start, end) = lines.get(index)?;
                let line = std::str::from_utf8(&self.bytes[start..end]).ok();
                line.and_then(|line| epd::parse(self.game, line).ok())
                    .expect("the line was read before")
            }
            Lines::Pgn(games) => games.get(index)?.opening(self.game),
        };
        opening.position.set_chess960(self.chess960);
        Some(opening)
    }

    /// All openings in the order of the file.
    pub fn openings(&self) -> impl Iterator<Item = Opening> {
        (0..self.len()).filter_map(|index| self.opening(index))
    }
}

/// Properties of all openings of a book, found as they are read.
struct BookProperties {
    game: Game,
    /// One of them is of Chess960, or all are taken so.
    chess960: bool,
    /// Keys of the positions they lead to.
    keys: HashSet<u64>,
}

impl BookProperties {
    fn add(&mut self, position: &Position) {
        self.chess960 |= position.chess960();
        self.keys.insert(position.key());
    }
}

/// Finds the lines that hold openings, and checks each.
fn epd_lines(
    bytes: &[u8],
    origin: &str,
    found: &mut BookProperties,
) -> Result<Vec<(usize, usize)>, OpeningsError> {
    let mut lines = Vec::new();
    let mut next = 0;
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let trimmed = line.trim_ascii_start();
        let start = next + line.len() - trimmed.len();
        let trimmed = trimmed.trim_ascii_end();
        next += line.len() + 1;
        if trimmed.is_empty() || trimmed[0] == b'#' {
            continue;
        }
        let read = std::str::from_utf8(trimmed).map_err(|_| "not text in UTF-8".to_owned());
        let opening = read.and_then(|line| epd::parse(found.game, line)).map_err(|reason| {
            OpeningsError::Line {
                origin: origin.to_owned(),
                line: index + 1,
                reason,
                text: String::from_utf8_lossy(trimmed).chars().take(120).collect(),
            }
        })?;
        found.add(&opening.position);
        lines.push((start, start + trimmed.len()));
    }
    Ok(lines)
}

/// Reads the games, each as far as it is an opening.
fn lines_of_games(
    bytes: &[u8],
    origin: &str,
    plies: Option<u32>,
    found: &mut BookProperties,
) -> Result<Vec<Line>, OpeningsError> {
    let mut lines = Vec::new();
    for game in Games::new(bytes, origin) {
        let mut game = game?;
        if let Some(plies) = plies {
            game.moves.truncate(plies as usize);
        }
        let (line, position) = Line::read(found.game, &game)?;
        found.add(&position);
        lines.push(line);
    }
    Ok(lines)
}

impl Line {
    /// The opening that a game is, and the position it leads to.
    fn read(kind: Game, game: &PgnGame) -> Result<(Line, Position), GameError> {
        let start = game.start(kind)?;
        let mut moves = Vec::with_capacity(game.moves.len());
        let position = game.replay(kind, |_, _, mv| moves.push(mv.unwrap_or(Move::NONE)))?;
        if let Some((_, rule)) = position.outcome() {
            let line = game.moves.last().map_or(game.line, |last| last.line);
            let reason = format!(
                "the game is over ({}) where play would begin: take fewer plies of it",
                rule.words()
            );
            return Err(game.error(line, reason));
        }
        let name = match game.tag("Opening").filter(|name| !["", "?"].contains(name)) {
            Some(name) => name.to_owned(),
            None => line_text(game, &start),
        };
        let is_usual = start.is_start();
        let found = Line {
            start: (!is_usual).then(|| start.clone()),
            moves: moves.into(),
            name: name.into(),
        };
        Ok((found, position))
    }

    fn opening(&self, game: Game) -> Opening {
        let mut position = self.start.clone().unwrap_or_else(|| game.start());
        for &mv in &self.moves {
            if mv.is_none() {
                position.pass();
            } else {
                position.play(mv);
            }
        }
        position.forget_past();
        let name = Some(self.name.to_string()).filter(|name| !name.is_empty());
        Opening { position, score: None, name }
    }
}

/// The moves of a game with their numbers: "1. d4 Nf6 2. c4".
fn line_text(game: &PgnGame, start: &Position) -> String {
    let mut text = String::new();
    let mut number = start.move_number();
    let mut color = start.side_to_move();
    for (index, mv) in game.moves.iter().enumerate() {
        let space = if index == 0 { "" } else { " " };
        text += &match color {
            Color::White => format!("{space}{number}. {}", mv.san),
            Color::Black if index == 0 => format!("{number}... {}", mv.san),
            Color::Black => format!("{space}{}", mv.san),
        };
        number += u32::from(color == Color::Black);
        color = !color;
    }
    text
}
