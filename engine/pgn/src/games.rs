//! Games with their moves, and playing them through.

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use system::files::FileError;
use thiserror::Error;

use super::movetext::{self, Broken, Movetext, PgnMove};
use super::source::open;
use super::tags::{PgnError, RawGame, RawGames, Tag, decide, result_by, terminations};
use playable::{Color, Game, GameResult, Move, Position};

/// A PGN file, or a game in it, that cannot be used.
#[derive(Debug, Error)]
pub enum GameError {
    /// The file cannot be opened.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file cannot be read on.
    #[error("{origin}: {error}")]
    Pgn {
        /// The file, or what stands for it.
        origin: String,
        /// The reason, with its line.
        error: PgnError,
    },
    /// A game is broken; those after it can be read all the same.
    #[error("{origin}:{line}: game {game}: {reason}")]
    Game {
        /// The file, or what stands for it.
        origin: String,
        /// Line number from 1.
        line: u64,
        /// Number of the game in its file, from 1.
        game: u64,
        /// The reason in words.
        reason: String,
    },
}

/// The games of a file one after another, their moves told apart but not yet held against the rules.
///
/// Accepted is what [`RawGames`] accepts, comments in braces and after a semicolon, variations
/// (skipped), numeric annotations, moves without numbers and numbers without moves, null moves,
/// missing results. A game that cannot be read gives an error and the games after it follow; after
/// an error of the file itself nothing follows.
pub struct Games<R> {
    raw: RawGames<R>,
    origin: Arc<str>,
    count: u64,
}

impl Games<Box<dyn BufRead>> {
    /// Opens a file: see [`open`].
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: &Path) -> Result<Games<Box<dyn BufRead>>, FileError> {
        let file = open(path).map_err(FileError::at("read", path))?;
        Ok(Games::new(file, &path.display().to_string()))
    }
}

impl<R: BufRead> Games<R> {
    /// Reads from any source; `origin` names it in errors.
    pub fn new(source: R, origin: &str) -> Games<R> {
        Games { raw: RawGames::new(source), origin: origin.into(), count: 0 }
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<PgnGame, GameError>;

    fn next(&mut self) -> Option<Result<PgnGame, GameError>> {
        loop {
            let raw = match self.raw.next()? {
                Ok(raw) => raw,
                Err(error) => {
                    return Some(Err(GameError::Pgn { origin: self.origin.to_string(), error }));
                }
            };
            let RawGame { line, tags, moves_line, moves } = raw;
            let read = movetext::parse(&moves, moves_line);
            // A remark behind the last game is no game.
            if let Ok(found) = &read
                && tags.is_empty()
                && found.moves.is_empty()
            {
                continue;
            }
            self.count += 1;
            let origin = self.origin.clone();
            let mut game = PgnGame { origin, number: self.count, line, tags, ..PgnGame::default() };
            return Some(match read {
                Ok(Movetext { comment, moves, marker }) => {
                    game = PgnGame { comment, moves, marker, ..game };
                    Ok(game)
                }
                Err(Broken { line, reason }) => Err(game.error(line, reason.to_owned())),
            });
        }
    }
}

/// A game as a PGN file shows it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PgnGame {
    /// The file it was read from, or what stands for it.
    pub origin: Arc<str>,
    /// Its number in the file, from 1.
    pub number: u64,
    /// The line where it begins, from 1.
    pub line: u64,
    /// Its tags, in the order of the file.
    pub tags: Vec<Tag>,
    /// Comments before the first move.
    pub comment: String,
    /// Moves of the main line.
    pub moves: Vec<PgnMove>,
    /// The result behind the moves; `None` if it is missing or unknown (`*`).
    pub marker: Option<GameResult>,
}

impl PgnGame {
    /// Value of the first tag of this name, whatever its case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name)).map(|tag| &*tag.value)
    }

    /// The end of the game by its tags: see [`RawGame::terminations`].
    pub fn terminations(&self) -> Vec<String> {
        terminations(&self.tags)
    }

    /// The result by the tag, else by the marker behind the moves; `None` if neither knows one, or
    /// the play did not decide it: see [`RawGame::result`].
    pub fn result(&self) -> Option<GameResult> {
        decide(&self.tags, || self.marker)
    }

    /// The remark on so many games that contradict themselves.
    pub fn contradictions(games: u64) -> String {
        format!(
            "warning: {games} game{} end{} with another result than the tag Result says: the tag \
             counts",
            if games == 1 { "" } else { "s" },
            if games == 1 { "s" } else { "" }
        )
    }

    /// Whether the marker is another result than that of the tag, which counts then.
    pub fn contradicts_itself(&self) -> bool {
        result_by(&self.tags).is_some_and(|tag| self.marker.is_some_and(|marker| marker != tag))
    }

    /// Where the game, one of this kind, starts, without past: the tag FEN (in chess FEN, X-FEN or
    /// Shredder-FEN) or the usual position. The tag Variant makes it Chess960; so does a right to
    /// castle that standard chess does not know.
    ///
    /// # Errors
    /// The FEN is wrong, or the variant is another game.
    pub fn start(&self, kind: Game) -> Result<Position, GameError> {
        let start = start_by(kind, |name| self.tag(name));
        start.map_err(|(_, reason)| self.error(self.line, reason))
    }

    /// Plays the game, one of this kind, through; its moves are in one of the game's notations. Calls
    /// `visit` with the position before each move, the index of the move and the move (`None`: a null
    /// move); returns the position after the last one, with the whole game as its past.
    ///
    /// # Errors
    /// As [`PgnGame::start`], and if a move is none or illegal; `visit` has then seen the moves
    /// before.
    pub fn replay(
        &self,
        kind: Game,
        mut visit: impl FnMut(&Position, usize, Option<Move>),
    ) -> Result<Position, GameError> {
        let mut position = self.start(kind)?;
        let notation = self.notation(&position);
        for (index, mv @ PgnMove { san, line, .. }) in self.moves.iter().enumerate() {
            let fail = |reason: &dyn std::fmt::Display| {
                let dots = if position.side_to_move() == Color::White { "." } else { "..." };
                let number = position.move_number();
                self.error(*line, format!("{number}{dots} {reason}"))
            };
            let read = position.parse_in(notation, san);
            if read.is_err() && mv.looks_null() {
                if position.in_check() {
                    return Err(fail(&"a null move in check"));
                }
                visit(&position, index, None);
                position.pass();
                continue;
            }
            let mv = read.or_else(|error| {
                // Old ways to write promotion and en passant, and novelties; and some programs write
                // castling, or all moves, in coordinates.
                let plain = san.replace("e.p.", "").replace('/', "");
                let plain = plain.trim_end_matches('N');
                let again = position.parse_san(plain).or_else(|_| position.parse_uci(san));
                again.map_err(|_| fail(&error))
            })?;
            visit(&position, index, Some(mv));
            position.play(mv);
        }
        Ok(position)
    }

    /// The number of the notation in which most moves from the start on can be read. Of two notations,
    /// as chess has them, each move may be in either.
    fn notation(&self, start: &Position) -> usize {
        let notations = start.game().notations().len();
        if notations <= 2 {
            return 0;
        }
        let readable = |&notation: &usize| {
            let mut position = start.clone();
            let is_read = |mv: &&PgnMove| match position.parse_in(notation, &mv.san) {
                Ok(mv) => {
                    position.play(mv);
                    true
                }
                Err(_) => false,
            };
            self.moves.iter().take_while(is_read).count()
        };
        // Of equals the first.
        (0..notations).rev().max_by_key(readable).unwrap_or(0)
    }

    /// An error of this game at a line of its file.
    pub fn error(&self, line: u64, reason: String) -> GameError {
        GameError::Game { origin: self.origin.to_string(), line, game: self.number, reason }
    }
}

/// Where a game of this kind starts, by its tags: see [`PgnGame::start`]. An error has the name of
/// the tag that is wrong.
pub(crate) fn start_by<'a>(
    kind: Game,
    tag: impl Fn(&str) -> Option<&'a str>,
) -> Result<Position, (&'static str, String)> {
    let first_field = |text: &str| text.split(',').next().map(|field| field.trim().to_owned());
    if let (Some(own), Some(other)) = (kind.record_type(), tag("GameType"))
        && first_field(own) != first_field(other)
    {
        let (name, own) = (kind.name(), first_field(own).unwrap_or_default());
        return Err((
            "GameType",
            format!("the game type \"{other}\" is not that of {name}, {own}"),
        ));
    }
    let mut position = match tag("FEN").filter(|fen| !fen.is_empty()) {
        Some(fen) => kind.position(fen).map_err(|error| ("FEN", error.to_string()))?,
        None => kind.start(),
    };
    let variant = tag("Variant").unwrap_or_default();
    let is_letter = |letter: &char| letter.is_ascii_alphanumeric();
    let name: String = variant.to_ascii_lowercase().chars().filter(is_letter).collect();
    match name.as_str() {
        "chess960" | "fischerandom" | "fischerrandom" | "fischerrandomchess" | "frc" | "960"
        | "freestyle" | "freestylechess"
            if kind.features().chess960 =>
        {
            position.set_chess960(true);
        }
        "" | "normal" | "standard" | "orthodox" | "fromposition" => {}
        name if name == kind.name() => {}
        _ => return Err(("Variant", format!("the variant \"{variant}\" is not known here"))),
    }
    Ok(position)
}
