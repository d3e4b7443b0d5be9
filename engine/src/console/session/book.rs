//! The opening book of a session: what `BookFile` names, and the moves played from it.

use std::fs::File;
use std::io::Read;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Session;
use crate::chess::opening_book::{self, Book};
use crate::uci::{Go, Reply};

/// Largest file of a book that is read, in bytes: 64 million moves.
const LARGEST_BOOK: u64 = 1 << 30;

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
            Ok(book) => {
                self.output.remark(format!("book: {} moves", book.len()));
                self.book = Some(book);
            }
            Err(reason) => self.output.remark(format!("book: none is used: {path}: {reason}")),
        }
    }

    /// Answers with a move of the book by weight, if the position is in it and a move is wanted: not
    /// an analysis, not a thought on the opponent's time. True if that was the answer.
    pub(super) fn answer_from_book(&self, go: &Go) -> bool {
        let wants_search =
            go.infinite || go.ponder || go.mate.is_some() || !go.search_moves.is_empty();
        let plays = self.options.own_book && !self.options.analyses && !wants_search;
        let Some(book) = self.book.as_ref().filter(|_| plays) else {
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
        let Some(found) = book.pick(&self.position, |sum| random.random_range(0..sum)) else {
            return false;
        };
        let text = self.position.uci(found.mv, self.style().chess960);
        self.output.remark(format!("book: {text}, weight {}", found.weight));
        self.output.say(Reply::BestMove { best: Some(text), ponder: None });
        true
    }
}

/// Reads a book's file.
///
/// # Errors
/// It cannot be read, is too large or no book; says why.
fn read(path: &str) -> Result<Book, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let read = file.take(LARGEST_BOOK + 1).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LARGEST_BOOK {
        return Err("more than a gigabyte".to_owned());
    }
    Book::parse(&bytes).map_err(|error| error.to_string())
}
