//! The opening library: trees of moves from the first on, in which every move carries an assessment.
//!
//! A library is a forest of moves in one array. Nothing that was learned is thrown away: moves of
//! too few games are kept and not played. Replies stand in the order of their moves, so that the
//! same games make the same bytes, in whatever order they were learned (`growing.rs`). A game that
//! was set up elsewhere is searched.
//!
//! SOURCE: A. D. Yudin's article on an opening library and its algorithm (850 variations in 20 KB,
//! Fortran IV on an ICL 4-70). From it come the three arrays of one length (the moves, LIB; the first
//! reply to each, SON; the next sibling, BRAT; 0 where there is none), the assessments from −2 to +2
//! that are minimaxed, the choice of the extreme one with chance among equals, and the hand-over to
//! the search where a reply is missing or the variation ends. Ours are the assessments themselves,
//! which its author gave by hand: here they come from games and the scores in them ([`Tally`]), so
//! that a library grows with the games that are played. As in the article a place in the library is a
//! sequence of moves: who comes to a position by another order of moves is elsewhere in it.

mod format;
mod growing;
mod learning;
mod show;
mod tally;

use std::collections::HashSet;

use super::opening_book::{self, Book, BookEntry};
use super::rules::{Color, Move, Position};

pub use format::{EntryFault, LibraryError, is_library};
pub use growing::{GrowingLibrary, ScoredMove};
pub use learning::{LearnError, LearnedGames, Openings, Taken};
pub use tally::Tally;

/// Plies to which a library can be built, at most.
pub const PLIES_MAX: u16 = 200;

/// Entries that a library can hold: its file stays below a gigabyte.
const ENTRIES_MAX: usize = 1 << 24;

/// Assessment of a move: 0 equal, +1 and −1 White's and Black's advantage, +2 and −2 a decisive one.
pub type Assessment = i8;

/// A library that was read or has grown: whole, and sound in all that [`LibraryError`] names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Library {
    /// Plies from the start of a game that it takes in.
    plies: u16,
    /// Games that a move must have been played in to be one of the library's.
    games_min: u32,
    /// The start of a game, then its first moves, each followed by all replies to it.
    entries: Vec<Entry>,
}

/// A move, and where its replies and siblings are; 0 for nowhere. The first entry of a library is the
/// start of a game, which no link leads to.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Entry {
    /// The move as [`opening_book::code`] writes it.
    code: u16,
    /// The best for the side to move among the replies; of a variation's end, what its games say.
    assessment: Assessment,
    /// The first reply.
    son: u32,
    /// The next sibling, whose code is greater.
    brother: u32,
    /// The games in which it was played.
    tally: Tally,
}

/// A move of a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LibraryMove {
    /// The move that can be played.
    pub mv: Move,
    /// The assessment of the position it leads to, with the best play that the library knows.
    pub assessment: Assessment,
    /// The games in which it was played.
    pub tally: Tally,
    /// True if it is one of those that the library plays: no other of its siblings is better.
    pub is_best: bool,
    /// Where it stands among the entries.
    index: usize,
}

/// How much is in a library.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct LibrarySize {
    /// Variations: moves without a reply.
    pub variations: usize,
    /// Moves, each at its place in the trees.
    pub moves: usize,
    /// Positions after these moves; those that several orders of moves lead to count once.
    pub positions: usize,
    /// Moves played in too few games to be the library's, which are kept for what is learned later.
    pub noted: usize,
    /// Moves by assessment, from −2 to +2.
    pub by_assessment: [usize; 5],
    /// Plies of the longest variation.
    pub longest: usize,
}

impl Library {
    /// Plies from the start of a game that the library takes in.
    pub fn plies(&self) -> u16 {
        self.plies
    }

    /// Games that a move must have been played in to be one of the library's.
    pub fn games_min(&self) -> u32 {
        self.games_min
    }

    /// The tally of all games of the library, and the assessment of the start.
    pub fn start(&self) -> (Tally, Assessment) {
        (self.entries[0].tally, self.entries[0].assessment)
    }

    /// The replies after these moves from the start of a game, which lead to `position`; none if the
    /// moves leave the library or end a variation.
    pub fn replies(&self, line: &[Move], position: &Position) -> Vec<LibraryMove> {
        match self.find(line) {
            Some(index) => self.replies_at(index, position),
            None => Vec::new(),
        }
    }

    /// One of the moves with the extreme assessment for the side to move: the one that `pick` points
    /// to when it is given their number, and answers with a number below it. `None` hands the choice
    /// over to the search: a reply is missing, or the variation ends.
    pub fn choose(
        &self,
        line: &[Move],
        position: &Position,
        pick: impl FnOnce(u32) -> u32,
    ) -> Option<LibraryMove> {
        let mut best = self.replies(line, position);
        best.retain(|reply| reply.is_best);
        if best.is_empty() {
            return None;
        }
        let picked = pick(best.len() as u32) as usize;
        best.get(picked).copied()
    }

    /// How much is in it.
    pub fn size(&self) -> LibrarySize {
        let mut size = LibrarySize::default();
        let mut positions = HashSet::new();
        self.walk(0, &mut Position::start(), &mut |place| {
            size.moves += 1;
            size.longest = size.longest.max(place.ply);
            size.by_assessment[(place.entry.assessment + 2) as usize] += 1;
            size.variations += usize::from(place.is_end);
            positions.insert(opening_book::key(place.position));
        });
        size.positions = positions.len();
        size.noted = self.entries.len() - 1 - size.moves;
        size
    }

    /// The library as a book in Polyglot's format, which plays the same moves: those that are best,
    /// with equal weights. Positions that several orders of moves lead to are one there, and a move's
    /// weight is the number of places at which it is best.
    pub fn to_book(&self) -> Book {
        let mut entries = Vec::new();
        let mut add = |index: usize, position: &Position| {
            let key = opening_book::key(position);
            let best = self.replies_at(index, position).into_iter().filter(|reply| reply.is_best);
            entries.extend(best.map(|reply| BookEntry::new(key, reply.mv, 1)));
        };
        add(0, &Position::start());
        self.walk(0, &mut Position::start(), &mut |place| add(place.index, place.position));
        Book::of(entries)
    }

    /// The entry that moves from the start lead to.
    fn find(&self, line: &[Move]) -> Option<usize> {
        line.iter().try_fold(0, |index, &mv| {
            let code = opening_book::code(mv);
            self.sons(index).find(|&son| self.entries[son].code == code)
        })
    }

    /// The replies that are the library's.
    fn sons(&self, index: usize) -> impl Iterator<Item = usize> {
        let follow = |link: u32| (link != 0).then_some(link as usize);
        let first = follow(self.entries[index].son);
        let all = std::iter::successors(first, move |&son| follow(self.entries[son].brother));
        all.filter(|&son| self.entries[son].is_played(self.games_min))
    }

    fn replies_at(&self, index: usize, position: &Position) -> Vec<LibraryMove> {
        let best = self.entries[index].assessment;
        let reply = |son: usize| {
            let Entry { code, assessment, tally, .. } = self.entries[son];
            let mv = opening_book::decode(code, position)?;
            Some(LibraryMove { mv, assessment, tally, is_best: assessment == best, index: son })
        };
        self.sons(index).filter_map(reply).collect()
    }

    /// Shows `visit` all moves of the library below an entry, each before its replies.
    fn walk(&self, index: usize, position: &mut Position, visit: &mut impl FnMut(WalkedMove<'_>)) {
        for reply in self.replies_at(index, position) {
            position.play(reply.mv);
            visit(WalkedMove {
                index: reply.index,
                entry: &self.entries[reply.index],
                ply: position.plies_played(),
                is_end: self.sons(reply.index).next().is_none(),
                position,
            });
            self.walk(reply.index, position, visit);
            position.undo();
        }
    }
}

/// A move as [`Library::walk`] comes to it.
struct WalkedMove<'a> {
    index: usize,
    entry: &'a Entry,
    /// Plies from the start, itself included.
    ply: usize,
    /// No reply of the library follows.
    is_end: bool,
    /// The position after it.
    position: &'a Position,
}

impl Entry {
    /// Whether it was played often enough to be the library's.
    fn is_played(&self, games_min: u32) -> bool {
        self.tally.games() >= u64::from(games_min)
    }
}

/// The assessment that an entry must have: the extreme one of its replies for the side whose turn it
/// is, or what its own games say where the library has none.
fn minimax(entry: &Entry, replies: impl Iterator<Item = Assessment>, mover: Color) -> Assessment {
    let extreme = if mover == Color::White { replies.max() } else { replies.min() };
    extreme.unwrap_or_else(|| entry.tally.assessment())
}
