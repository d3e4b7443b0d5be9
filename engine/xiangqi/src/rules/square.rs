//! Squares: nine files, ten ranks.

use std::fmt;

/// A square, or point, of the board. Its index goes from a0 (0), Red's left corner, rank by rank to
/// i9 (89).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Files of the board.
    pub const FILES: usize = 9;
    /// Ranks of the board.
    pub const RANKS: usize = 10;
    /// Squares of the board.
    pub const COUNT: usize = Square::FILES * Square::RANKS;

    /// The square of a file from Red's left and a rank from Red's side, both from 0.
    #[inline]
    pub const fn new(file: usize, rank: usize) -> Square {
        debug_assert!(file < Square::FILES && rank < Square::RANKS);
        Square((rank * Square::FILES + file) as u8)
    }

    /// The square of an index.
    #[inline]
    pub const fn at(index: usize) -> Square {
        debug_assert!(index < Square::COUNT);
        Square(index as u8)
    }

    /// Its index, below [`Square::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file from Red's left, from 0.
    #[inline]
    pub const fn file(self) -> usize {
        self.index() % Square::FILES
    }

    /// The rank from Red's side, from 0.
    #[inline]
    pub const fn rank(self) -> usize {
        self.index() / Square::FILES
    }

    /// All squares.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..Square::COUNT).map(Square::at)
    }

    /// The square so many files to the right and ranks up, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        let is_on =
            file >= 0 && file < Square::FILES as i8 && rank >= 0 && rank < Square::RANKS as i8;
        if is_on { Some(Square::new(file as usize, rank as usize)) } else { None }
    }

    /// The same square with left and right exchanged.
    pub const fn mirrored(self) -> Square {
        Square::new(Square::FILES - 1 - self.file(), self.rank())
    }

    /// The square as the other side sees it: ranks counted from the other end.
    pub const fn turned(self) -> Square {
        Square::new(self.file(), Square::RANKS - 1 - self.rank())
    }
}

/// File and rank, the rank from 0: `e0`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file() as u8), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
