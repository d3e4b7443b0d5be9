//! Splits PGN into games: tags and raw movetext, in a stream.
//!
//! Programs write PGN in many dialects, so that the reader takes what it can: a byte order mark,
//! Windows line ends, Latin-1, several tags in a line, quotation marks that were not escaped, games
//! without tags, without a result or without an empty line between them. Text in a comment is never
//! taken for a tag.

use std::cmp::Reverse;
use std::io::{self, BufRead};

use thiserror::Error;

use super::spelling::game_result;
use playable::GameResult;

/// A tag pair of a game: `[Name "value"]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// Name, as written.
    pub name: String,
    /// Value without escapes.
    pub value: String,
}

/// One game as it stands in the file, its moves not yet read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RawGame {
    /// Line of the file the game begins in, from 1.
    pub line: u64,
    /// Tags in the order of the file.
    pub tags: Vec<Tag>,
    /// Line of the file the movetext begins in, from 1; 0 if there is none.
    pub moves_line: u64,
    /// Movetext with comments, variations and the closing result, lines joined by `\n`.
    pub moves: String,
}

impl RawGame {
    /// Value of the first tag of this name, whatever its case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name)).map(|tag| &*tag.value)
    }

    /// Texts of the tags Termination and TerminationDetails, in small letters and without the names
    /// of the players, which may hold any word.
    pub fn terminations(&self) -> Vec<String> {
        terminations(&self.tags)
    }

    /// The result by the tag or, if that says nothing, by the end of the movetext; `None` for games
    /// that were not finished, and for those whose result the play did not decide: their tags
    /// Termination and TerminationDetails tell of a withdrawal or the like.
    pub fn result(&self) -> Option<GameResult> {
        decide(&self.tags, || self.marker())
    }

    /// Whether the end of the movetext states another result than the tag, which counts then.
    pub fn contradicts_itself(&self) -> bool {
        result_by(&self.tags).is_some_and(|tag| self.marker().is_some_and(|marker| marker != tag))
    }

    /// The result that the movetext states.
    fn marker(&self) -> Option<GameResult> {
        let last = self.moves.split_whitespace().next_back().and_then(game_result);
        last.or_else(|| self.movetext().and_then(|text| text.marker))
    }
}

/// The result by the tag.
pub(super) fn result_by(tags: &[Tag]) -> Option<GameResult> {
    let tag = tags.iter().find(|tag| tag.name.eq_ignore_ascii_case("Result"))?;
    game_result(tag.value.trim())
}

/// The result by the tag, else by the end of the movetext, if play decided it.
pub(super) fn decide(
    tags: &[Tag],
    marker: impl FnOnce() -> Option<GameResult>,
) -> Option<GameResult> {
    if !is_result_played(tags) {
        return None;
    }
    result_by(tags).or_else(marker)
}

/// False if the tags say that the result was awarded, whatever stood on the board. A player that lost
/// on time, crashed or was disconnected has lost the game; one that withdrew has not.
fn is_result_played(tags: &[Tag]) -> bool {
    const AWARDED: [&str; 10] = [
        "withdr",
        "unterminated",
        "death",
        "emergency",
        "walkover",
        "no show",
        "no-show",
        "disqualif",
        "not played",
        "unplayed",
    ];
    !terminations(tags).iter().any(|value| AWARDED.iter().any(|word| value.contains(word)))
}

pub(super) fn terminations(tags: &[Tag]) -> Vec<String> {
    let values = |names: [&'static str; 2]| {
        let is_one = move |tag: &&Tag| names.iter().any(|name| tag.name.eq_ignore_ascii_case(name));
        tags.iter().filter(is_one).map(|tag| tag.value.to_ascii_lowercase())
    };
    let mut players: Vec<String> = values(["White", "Black"]).collect();
    players.retain(|name| !name.is_empty() && !["white", "black"].contains(&&**name));
    // Of two names one of which is part of the other, that one last.
    players.sort_by_key(|name| Reverse(name.len()));
    let without_names =
        |value: String| players.iter().fold(value, |value, name| without_word(&value, name));
    values(["Termination", "TerminationDetails"]).map(without_names).collect()
}

/// A text without a word wherever it stands by itself, no letter or digit before or behind it.
fn without_word(text: &str, word: &str) -> String {
    let mut left = String::with_capacity(text.len());
    let mut end = 0;
    for (start, _) in text.match_indices(word) {
        let behind = start + word.len();
        let touches = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        if !touches(text[..start].chars().next_back()) && !touches(text[behind..].chars().next()) {
            left += &text[end..start];
            end = behind;
        }
    }
    left + &text[end..]
}

/// Why a file cannot be read as PGN.
#[derive(Debug, Error)]
pub enum PgnError {
    /// The file cannot be read.
    #[error("cannot read: {0}")]
    Read(io::Error),
    /// The file holds something else.
    #[error("line {line}: {reason}")]
    NotPgn {
        /// Line from 1.
        line: u64,
        /// The reason why it is no PGN.
        reason: String,
    },
}

impl From<io::Error> for PgnError {
    /// The reason is part of the message, hence no source, which would be printed again.
    fn from(reason: io::Error) -> PgnError {
        PgnError::Read(reason)
    }
}

/// The games of a file, one after the other; ends after the first error.
pub struct RawGames<R> {
    reader: R,
    /// Number of the last line read, from 1.
    line: u64,
    /// The line that ended a game and begins the next.
    pending: Option<String>,
    ended: bool,
}

impl<R: BufRead> RawGames<R> {
    /// Longest line, longest tags and longest movetext (bytes) taken for a game: what is longer is no
    /// PGN, and reading on would fill the memory.
    const LONGEST: usize = 1 << 22;

    /// Reads games from here on.
    pub fn new(reader: R) -> RawGames<R> {
        RawGames { reader, line: 0, pending: None, ended: false }
    }

    /// The next line without its end; `None` at the end of the file.
    fn next_line(&mut self) -> Result<Option<String>, PgnError> {
        if let Some(line) = self.pending.take() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        let limit = Self::LONGEST as u64;
        io::Read::take(&mut self.reader, limit).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        let not_pgn = |reason: &str| PgnError::NotPgn { line: self.line, reason: reason.into() };
        if bytes.len() == Self::LONGEST {
            return Err(not_pgn("the line has no end"));
        }
        // At the beginning of a file, and of each one that was joined to it.
        if bytes.starts_with("\u{feff}".as_bytes()) {
            bytes.drain(..3);
        }
        if bytes.contains(&0) {
            return Err(not_pgn("binary data"));
        }
        // PGN of the last century is Latin-1, whose bytes are the first characters of Unicode.
        let mut text = String::from_utf8(bytes).unwrap_or_else(|error| {
            error.into_bytes().into_iter().map(char::from).collect::<String>()
        });
        text.truncate(text.trim_end().len());
        Ok(Some(text))
    }

    fn next_game(&mut self) -> Result<Option<RawGame>, PgnError> {
        let mut game = RawGame::default();
        let mut scan = Scan::default();
        let mut tag_bytes = 0;
        while let Some(line) = self.next_line()? {
            // Lines that begin with a percent sign are for other programs.
            if line.starts_with('%') {
                continue;
            }
            if scan.is_open() {
                // An event opens every game: a comment that runs into one behind an empty line was
                // never closed.
                if line.starts_with("[Event \"") && game.moves.ends_with('\n') {
                    self.pending = Some(line);
                    return Ok(Some(game));
                }
            } else if line.trim_start().starts_with('[') && tag(line.trim_start()).is_some() {
                if !game.moves.is_empty() {
                    self.pending = Some(line);
                    return Ok(Some(game));
                }
                if game.tags.is_empty() {
                    game.line = self.line;
                }
                tag_bytes += line.len();
                if tag_bytes > Self::LONGEST {
                    let reason = "the tags have no end".to_owned();
                    return Err(PgnError::NotPgn { line: game.line, reason });
                }
                let mut rest = line.trim_start();
                while let Some((found, behind)) = tag(rest) {
                    game.tags.push(found);
                    rest = behind.trim_start();
                }
                self.add_moves(&mut game, rest)?;
                if scan.ends_game(rest) {
                    return Ok(Some(game));
                }
                continue;
            } else if line.is_empty() && game.moves.is_empty() {
                continue;
            } else if line.starts_with(';') && game.tags.is_empty() && game.moves.is_empty() {
                // A comment behind the result of the last game makes no game of its own.
                continue;
            }
            self.add_moves(&mut game, &line)?;
            if scan.ends_game(&line) {
                return Ok(Some(game));
            }
        }
        let is_something = !game.tags.is_empty() || !game.moves.trim().is_empty();
        Ok(is_something.then_some(game))
    }

    fn add_moves(&self, game: &mut RawGame, text: &str) -> Result<(), PgnError> {
        if game.moves.is_empty() {
            if text.is_empty() {
                return Ok(());
            }
            game.moves_line = self.line;
            if game.line == 0 {
                game.line = self.line;
            }
        } else {
            game.moves.push('\n');
        }
        game.moves.push_str(text);
        if game.moves.len() > Self::LONGEST {
            let reason = "the movetext has no end".to_owned();
            return Err(PgnError::NotPgn { line: game.moves_line, reason });
        }
        Ok(())
    }
}

impl<R: BufRead> Iterator for RawGames<R> {
    type Item = Result<RawGame, PgnError>;

    fn next(&mut self) -> Option<Result<RawGame, PgnError>> {
        if self.ended {
            return None;
        }
        let game = self.next_game();
        self.ended = !matches!(game, Ok(Some(_)));
        game.transpose()
    }
}

/// Where in the movetext a line ends.
#[derive(Default)]
struct Scan {
    in_comment: bool,
    variations: u32,
}

impl Scan {
    /// True within a comment that goes on in the next line.
    fn is_open(&self) -> bool {
        self.in_comment
    }

    /// Takes in a line of movetext; true if it closes the game with a result.
    fn ends_game(&mut self, line: &str) -> bool {
        let mut last_word = "";
        let mut word_start = None;
        for (index, character) in line.char_indices() {
            let is_mark = matches!(character, '{' | '}' | '(' | ')' | ';');
            let in_word = !self.in_comment && !is_mark && !character.is_whitespace();
            match (word_start, in_word) {
                (None, true) => word_start = Some(index),
                (Some(start), false) => {
                    last_word = &line[start..index];
                    word_start = None;
                }
                _ => {}
            }
            match character {
                '}' => self.in_comment = false,
                _ if self.in_comment => {}
                '{' => self.in_comment = true,
                // The rest of the line is a comment.
                ';' => break,
                '(' => self.variations += 1,
                ')' => self.variations = self.variations.saturating_sub(1),
                _ => {}
            }
        }
        if let Some(start) = word_start {
            last_word = &line[start..];
        }
        let is_closing = last_word == "*" || game_result(last_word).is_some();
        !self.in_comment && self.variations == 0 && is_closing
    }
}

/// The tag a text begins with, and what is behind it; `None` if there is none.
fn tag(text: &str) -> Option<(Tag, &str)> {
    let inner = text.strip_prefix('[')?.trim_start();
    let name_length = inner.find(|c: char| !(c.is_alphanumeric() || "_+#=:-".contains(c)))?;
    let name = &inner[..name_length];
    let quoted = inner[name_length..].trim_start().strip_prefix('"')?;
    if name.is_empty() {
        return None;
    }
    let (value, behind) = closed_value(quoted);
    Some((Tag { name: name.to_owned(), value }, behind))
}

/// The value up to its closing quotation mark, and what is behind the bracket.
///
/// A quotation mark closes the value if a bracket follows: names such as `John "The Rook" Doe` are
/// written without escapes all too often. Without any such mark the value is the rest of the line.
fn closed_value(quoted: &str) -> (String, &str) {
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                Some((_, other)) => value.extend(['\\', other]),
                None => value.push('\\'),
            },
            '"' => {
                if let Some(behind) = quoted[index + 1..].trim_start().strip_prefix(']') {
                    return (value, behind);
                }
                value.push('"');
            }
            _ => value.push(character),
        }
    }
    let without_end = value.trim_end_matches([']', '"']).len();
    value.truncate(without_end);
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &[u8]) -> Vec<RawGame> {
        RawGames::new(text).map(|game| game.expect("PGN")).collect()
    }

    #[test]
    fn games_with_all_that_programs_write() {
        let text = "\u{feff}[Event \"a \\\"b\\\" \\\\ c\"]\r\n[White \"John \"Rook\" Doe\"]\r\n\
            [Result \"1-0\"]\r\n\r\n1. e4 {[not \"a tag\"]\r\n[Event \" neither\"]} e5 1-0\r\n\
            [Event \"next\"] [Result \"1/2-1/2\"]\n1. d4 ; 0-1\nd5 1/2-1/2\n\n% skipped\n\
            1. c4 (1. e4 0-1) *\n[Event \"cut\"]\n[Black \"no end\n";
        let games = games(text.as_bytes());
        assert_eq!(games.len(), 4);
        assert_eq!(games[0].tag("event"), Some("a \"b\" \\ c"));
        assert_eq!(games[0].tag("White"), Some("John \"Rook\" Doe"));
        assert_eq!((games[0].line, games[0].moves_line), (1, 5));
        assert_eq!(games[0].result(), Some(GameResult::WhiteWins));
        assert_eq!(games[1].moves, "1. d4 ; 0-1\nd5 1/2-1/2");
        assert_eq!((games[1].line, games[1].result()), (7, Some(GameResult::Draw)));
        assert_eq!((games[2].tags.len(), games[2].result()), (0, None));
        assert_eq!((games[3].tag("Black"), games[3].moves.as_str()), (Some("no end"), ""));
    }

    #[test]
    fn awarded_points_are_no_results() {
        let result = |name: &str, value: &str| {
            let text = format!("[Result \"1-0\"]\n[{name} \"{value}\"]\n\n1. e4 1-0\n");
            let raw = games(text.as_bytes()).remove(0).result();
            let game = crate::Games::new(text.as_bytes(), "a.pgn").next();
            assert_eq!(raw, game.expect("a game").expect("readable").result(), "{value}");
            raw
        };
        // As TCEC wrote it in season 4.
        assert_eq!(result("Termination", "Chiron Stage 3 withdrawal"), None);
        assert_eq!(result("TerminationDetails", "White withdrew"), None);
        assert_eq!(result("Termination", "unterminated"), None);
        for played in ["normal", "time forfeit", "abandoned", "illegal move", "adjudication", ""] {
            assert_eq!(result("Termination", played), Some(GameResult::WhiteWins), "{played}");
        }
        assert_eq!(result("Event", "death match"), Some(GameResult::WhiteWins));
    }

    #[test]
    fn a_comment_without_end_ends_at_the_next_event() {
        let games = games(b"[Event \"a\"]\n\n1. e4 { oh\n\n[Event \"b\"]\n\n1. d4 0-1\n");
        assert_eq!(games.len(), 2);
        assert_eq!(games[1].result(), Some(GameResult::BlackWins));
    }

    #[test]
    fn tags_and_lines_without_end_are_refused() {
        let [tag, moves] = ["[White \"x\"]\n", "1. e4 "].map(|text| text.repeat(1 << 19));
        for (text, reason) in
            [(tag, "the tags have no end"), (moves.repeat(2), "the line has no end")]
        {
            let refused = RawGames::new(text.as_bytes()).next().expect("something");
            assert!(refused.expect_err("endless").to_string().ends_with(reason));
        }
    }

    #[test]
    fn comments_between_games_are_no_games() {
        let text = b"[White \"a\"]\n\n1. e4 1-0\n; { Game 1: a won\n; after 04:32 }\n\n\
            [White \"b\"]\n\n; first\n1. d4 0-1\n; last\n";
        let games = games(text);
        assert_eq!(games.len(), 2);
        assert_eq!(games[1].moves, "; first\n1. d4 0-1");
    }

    #[test]
    fn latin_1_is_read_and_binary_data_is_refused() {
        assert_eq!(games(b"[White \"M\xfcller\"]\n*\n")[0].tag("White"), Some("M\u{fc}ller"));
        let mut binary = RawGames::new(&b"[White \"a\"]\n\0\0"[..]);
        let error = binary.next().expect("an item").expect_err("binary").to_string();
        assert_eq!(error, "line 2: binary data");
        assert!(binary.next().is_none());
    }

    #[test]
    fn moves_behind_the_tags_of_a_line() {
        let games = games(b"[White \"a\"] [Black \"b\"] 1. e4 1-0\n[White \"c\"] 0-1");
        assert_eq!(games[0].moves, "1. e4 1-0");
        assert_eq!((games.len(), games[1].tag("White")), (2, Some("c")));
    }
}
