//! The openings of a session: the book or library that `BookFile` names, and the moves played from
//! it.

use std::io::Read;
use std::path::Path;

use chess::opening_book::{self, Book};
use chess::opening_library::{self, Library};
use chess::rules::Move;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use system::files::open_file;
use uci::{Go, Reply};

use super::Session;

/// Largest file of a book or library that is read, in bytes: 64 million moves of a book.
const LARGEST_BOOK: u64 = 1 << 30;

/// The source of opening moves.
pub(super) enum OpeningMoves {
    /// A book in Polyglot's format.
    Book(Book),
    Library(Library),
}

impl Session {
    /// Reads the book that `BookFile` names, in place of the one before. One that cannot be used is
    /// named, and play goes on without.
    pub(super) fn read_book(&mut self) {
        self.book = None;
        let path = &self.options.book_file;
        if path.is_empty() {
            return;
        }
        match read(path) {
            Ok(found) => {
                self.output.remark(match &found {
                    OpeningMoves::Book(book) => format!("book: {} moves", book.len()),
                    OpeningMoves::Library(library) => {
                        let size = library.size();
                        let (variations, moves) = (size.variations, size.moves);
                        format!("library: {variations} variations of {moves} moves")
                    }
                });
                self.book = Some(found);
            }
            Err(reason) => self.output.remark(format!("book: none is used: {path}: {reason}")),
        }
    }

    /// Answers with a move of the book by weight, or of the library by assessment, if the position is
    /// in it and a move is wanted: not an analysis, not a thought on the opponent's time. True if that
    /// was the answer.
    pub(super) fn answer_from_book(&self, go: &Go) -> bool {
        let wants_search =
            go.infinite || go.ponder || go.mate.is_some() || !go.search_moves.is_empty();
        let plays = self.options.own_book && !self.options.analyses && !wants_search;
        let Some(source) = self.book.as_ref().filter(|_| plays) else {
            return false;
        };
        let mut random = match self.options.book_seed {
            0 => ChaCha8Rng::seed_from_u64(rand::random()),
            seed => {
                let mut random = ChaCha8Rng::seed_from_u64(seed.into());
                random.set_stream(opening_book::key(&self.position));
                random
            }
        };
        let found = self.opening_move(source, |sum| random.random_range(0..sum));
        let Some((mv, form, why)) = found else { return false };
        let text = self.position.uci(mv, self.style().chess960);
        self.output.remark(format!("{form}: {text}, {why}"));
        self.output.say(Reply::BestMove { best: Some(text), ponder: None });
        true
    }

    /// The move that a source has for the position, the source's form, and why this move.
    fn opening_move(
        &self,
        source: &OpeningMoves,
        pick: impl FnOnce(u32) -> u32,
    ) -> Option<(Move, &'static str, String)> {
        match source {
            OpeningMoves::Book(book) => {
                let found = book.pick(&self.position, pick)?;
                Some((found.mv, "book", format!("weight {}", found.weight)))
            }
            OpeningMoves::Library(library) => {
                let found = library.choose(self.line.as_ref()?, &self.position, pick)?;
                let why = format!("assessment {}, {} games", found.assessment, found.tally.games());
                Some((found.mv, "library", why))
            }
        }
    }
}

/// Reads the file of a book or library; its first bytes tell which.
///
/// # Errors
/// It cannot be read, is too large, neither of the two or damaged; says why.
fn read(path: &str) -> Result<OpeningMoves, String> {
    let file = open_file(Path::new(path)).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let read = file.take(LARGEST_BOOK + 1).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LARGEST_BOOK {
        return Err("more than a gigabyte".to_owned());
    }
    if opening_library::is_library(&bytes) {
        let library = Library::parse(&bytes).map_err(|error| error.to_string())?;
        return Ok(OpeningMoves::Library(library));
    }
    let book = Book::parse(&bytes).map_err(|error| error.to_string())?;
    Ok(OpeningMoves::Book(book))
}
