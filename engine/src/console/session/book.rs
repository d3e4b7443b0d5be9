//! The openings of a session: the book or library that `BookFile` names, and the moves played from
//! it.

use std::io::Read;
use std::path::Path;

use playable::{Game, OpeningMoves, PickedMove};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use system::files::open_file;
use uci::{Go, Reply};

use super::state::Session;

impl Session {
    /// Reads the book that `BookFile` names, in place of the one before. One that cannot be used is
    /// named, and play goes on without.
    pub(super) fn read_book(&mut self) {
        self.book = None;
        let path = &self.options.book_file;
        if path.is_empty() || !self.position.game().features().books {
            return;
        }
        match read(self.position.game(), path) {
            Ok(found) => {
                self.output.remark(found.summary());
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
                random.set_stream(source.key(&self.position));
                random
            }
        };
        let mut pick = |sum| random.random_range(0..sum);
        let found = source.pick(&self.position, self.line.as_deref(), &mut pick);
        let Some(PickedMove { mv, form, why }) = found else { return false };
        let text = self.root().text(mv);
        self.output.remark(format!("{form}: {text}, {why}"));
        self.output.reply(&Reply::BestMove { best: Some(text), ponder: None });
        true
    }
}

/// Largest file of a book or library that is read, in bytes: 64 million moves of a book.
const LARGEST_BOOK: u64 = 1 << 30;

/// Reads the file of a book or library.
///
/// # Errors
/// It cannot be read, is too large, neither of the two or damaged; says why.
fn read(game: Game, path: &str) -> Result<Box<dyn OpeningMoves>, String> {
    let file = open_file(Path::new(path)).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let read = file.take(LARGEST_BOOK + 1).read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LARGEST_BOOK {
        return Err("more than a gigabyte".to_owned());
    }
    game.opening_moves(&bytes)
}
