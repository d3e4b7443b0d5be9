//! A library that takes in games.

use super::{ENTRIES_MAX, Entry, Library, LibraryError, PLIES_MAX, minimax};
use crate::opening_book;
use crate::rules::{Color, GameResult, Move};

/// A move with what the mover stated it was worth: centipawns, White's view.
pub type ScoredMove = (Move, Option<i16>);

/// A library while it grows.
///
/// It keeps every move of every game to its depth, whether or not it was played often enough to be
/// the library's, and the order of entries is one of moves, not of games: so what has grown from some
/// games and then from others is, byte for byte, what has grown from all of them in any order.
#[derive(Clone, Debug)]
pub struct GrowingLibrary {
    plies: u16,
    games_min: u32,
    /// As in a library, but in the order in which moves were first played; siblings are linked in the
    /// order of their codes.
    entries: Vec<Entry>,
}

impl GrowingLibrary {
    /// An empty library of games' first `plies` plies, 1 to [`PLIES_MAX`], whose moves are those
    /// played in `games_min` games or more, at least 1.
    ///
    /// # Errors
    /// [`LibraryError::Settings`]: one of the two is out of its range.
    pub fn new(plies: u16, games_min: u32) -> Result<GrowingLibrary, LibraryError> {
        if !(1..=PLIES_MAX).contains(&plies) || games_min == 0 {
            return Err(LibraryError::Settings { plies, games_min });
        }
        Ok(GrowingLibrary { plies, games_min, entries: vec![Entry::default()] })
    }

    /// Plies of a game that are taken in.
    pub fn plies(&self) -> u16 {
        self.plies
    }

    /// Takes in a game from the start of standard chess: its legal moves, with scores where the
    /// movers stated some. Moves beyond the library's plies do not count.
    ///
    /// # Errors
    /// [`LibraryError::Full`]; nothing of the game is taken in then.
    pub fn add(&mut self, moves: &[ScoredMove], result: GameResult) -> Result<(), LibraryError> {
        let moves = &moves[..moves.len().min(self.plies.into())];
        if self.entries.len() + moves.len() > ENTRIES_MAX {
            return Err(LibraryError::Full);
        }
        let mut index = 0;
        self.entries[0].tally.add(result, None);
        for &(mv, score) in moves {
            index = self.son_of(index, opening_book::code(mv));
            self.entries[index].tally.add(result, score);
        }
        Ok(())
    }

    /// The reply with this code, which is added if it is new.
    fn son_of(&mut self, parent: usize, code: u16) -> usize {
        let mut before = None;
        let mut next = self.entries[parent].son;
        while next != 0 && self.entries[next as usize].code < code {
            before = Some(next as usize);
            next = self.entries[next as usize].brother;
        }
        if next != 0 && self.entries[next as usize].code == code {
            return next as usize;
        }
        let added = self.entries.len();
        self.entries.push(Entry { code, brother: next, ..Entry::default() });
        match before {
            Some(before) => self.entries[before].brother = added as u32,
            None => self.entries[parent].son = added as u32,
        }
        added
    }

    /// The library of all games so far, every move assessed.
    pub fn finish(&self) -> Library {
        let mut entries = Vec::with_capacity(self.entries.len());
        self.copy(0, Color::White, &mut entries);
        Library { plies: self.plies, games_min: self.games_min, entries }
    }

    /// Appends an entry and all below it in the order of a library, and assesses them; says where it
    /// is now. `mover` is whose turn it is after the entry's move.
    fn copy(&self, from: usize, mover: Color, entries: &mut Vec<Entry>) -> usize {
        let at = entries.len();
        entries.push(Entry { son: 0, brother: 0, ..self.entries[from] });
        let mut before: Option<usize> = None;
        let mut replies = Vec::new();
        let mut next = self.entries[from].son;
        while next != 0 {
            let copied = self.copy(next as usize, !mover, entries);
            match before {
                Some(before) => entries[before].brother = copied as u32,
                None => entries[at].son = copied as u32,
            }
            if entries[copied].is_played(self.games_min) {
                replies.push(entries[copied].assessment);
            }
            before = Some(copied);
            next = self.entries[next as usize].brother;
        }
        entries[at].assessment = minimax(&entries[at], replies.into_iter(), mover);
        at
    }
}

impl From<Library> for GrowingLibrary {
    fn from(library: Library) -> GrowingLibrary {
        let Library { plies, games_min, entries } = library;
        GrowingLibrary { plies, games_min, entries }
    }
}
