//! Moves for the opening, from a book or a library.

use std::io::Read;
use std::path::Path;

use chess::opening_book::Book;
use chess::opening_library::{self, Library};
use chess::rules::{Move, Position};
use system::files::open_file;

/// Largest file of a book or library that is read, in bytes: 64 million moves of a book.
const LARGEST_BOOK: u64 = 1 << 30;

/// The source of opening moves.
pub enum OpeningMoves {
    /// A book in Polyglot's format.
    Book(Book),
    Library(Library),
}

impl OpeningMoves {
    /// Reads the file of a book or library; its first bytes tell which.
    ///
    /// # Errors
    /// It cannot be read, is too large, neither of the two or damaged; says why.
    pub fn read(path: &str) -> Result<OpeningMoves, String> {
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

    /// The move to play in a position that `line` led to from the start of standard chess, if it began
    /// there: the move, where it is from, and why this one.
    pub fn pick(
        &self,
        position: &Position,
        line: Option<&[Move]>,
        pick: impl FnOnce(u32) -> u32,
    ) -> Option<(Move, &'static str, String)> {
        match self {
            OpeningMoves::Book(book) => {
                let found = book.pick(position, pick)?;
                Some((found.mv, "book", format!("weight {}", found.weight)))
            }
            OpeningMoves::Library(library) => {
                let found = library.choose(line?, position, pick)?;
                let why = format!("assessment {}, {} games", found.assessment, found.tally.games());
                Some((found.mv, "library", why))
            }
        }
    }
}
