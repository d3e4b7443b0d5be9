//! The openings of a session: the book or library that `BookFile` names, and the moves played from
//! it.

use chess::opening_book;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use uci::{Go, Reply};

use super::opening_moves::OpeningMoves;
use super::state::Session;

impl Session {
    /// Reads the book that `BookFile` names, in place of the one before. One that cannot be used is
    /// named, and play goes on without.
    pub(super) fn read_book(&mut self) {
        self.book = None;
        let path = &self.options.book_file;
        if path.is_empty() {
            return;
        }
        match OpeningMoves::read(path) {
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
        let found =
            source.pick(&self.position, self.line.as_deref(), |sum| random.random_range(0..sum));
        let Some((mv, form, why)) = found else { return false };
        let text = self.position.uci(mv, self.style().chess960);
        self.output.remark(format!("{form}: {text}, {why}"));
        self.output.say(Reply::BestMove { best: Some(text), ponder: None });
        true
    }
}
