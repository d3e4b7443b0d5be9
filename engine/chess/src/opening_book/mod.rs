//! Opening books in Polyglot's format: moves with weights by the key of a position.
//!
//! SOURCE: the description of the format (`book_format.html`, Michel Van den Bergh). Entries of sixteen
//! bytes, high bytes first, in the order of their keys: key (8), move (2), weight (2), and four bytes
//! for programs that learn, which are not read.

mod key;
mod numbers;

use thiserror::Error;

use super::rules::{Move, PieceType, Position, Square};

pub use key::key;

const ENTRY_BYTES: usize = 16;

/// A book that cannot be used. Entries are counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum BookError {
    /// There is nothing in it.
    #[error("the book is empty")]
    Empty,
    /// It is not made of whole entries.
    #[error("{0} bytes are no whole number of entries of 16 bytes: cut off, or no Polyglot book")]
    Length(usize),
    /// Entries are not in the order of their keys.
    #[error("entry {0} is out of order: damaged, or no Polyglot book")]
    Order(usize),
    /// An entry's move leads nowhere, or a pawn becomes what there is not.
    #[error("entry {0} holds no move: damaged, or no Polyglot book")]
    Move(usize),
}

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move, legal in the position that was asked about.
    pub mv: Move,
    /// How good or frequent it is, compared to the others of its position; above 0.
    pub weight: u16,
}

/// A move of a position, to be put into a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookEntry(Entry);

impl BookEntry {
    /// A legal move of the position with this [`key`], and its weight.
    pub fn new(key: u64, mv: Move, weight: u16) -> BookEntry {
        BookEntry(Entry { key, mv: code(mv), weight })
    }
}

/// An opening book of Polyglot's form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    key: u64,
    mv: u16,
    weight: u16,
}

impl Book {
    /// Reads the bytes of a book's file.
    ///
    /// # Errors
    /// A [`BookError`]: what is no book, or damaged so that it shows.
    pub fn parse(bytes: &[u8]) -> Result<Book, BookError> {
        if bytes.is_empty() {
            return Err(BookError::Empty);
        }
        let (entries, []) = bytes.as_chunks::<ENTRY_BYTES>() else {
            return Err(BookError::Length(bytes.len()));
        };
        let entries: Vec<Entry> = entries.iter().map(Entry::parse).collect();
        if let Some(index) = entries.windows(2).position(|pair| pair[0].key > pair[1].key) {
            return Err(BookError::Order(index + 2));
        }
        match entries.iter().position(|entry| entry.key != 0 && !entry.may_be_move()) {
            Some(index) => Err(BookError::Move(index + 1)),
            None => Ok(Book { entries }),
        }
    }

    /// The book of these moves; the weights of those that are given more than once are added up, as
    /// far as the format reaches.
    pub fn of(entries: impl IntoIterator<Item = BookEntry>) -> Book {
        let mut sorted: Vec<Entry> = entries.into_iter().map(|BookEntry(entry)| entry).collect();
        sorted.sort_by_key(|entry| (entry.key, entry.mv));
        let mut entries: Vec<Entry> = Vec::with_capacity(sorted.len());
        for entry in sorted {
            match entries.last_mut() {
                Some(last) if (last.key, last.mv) == (entry.key, entry.mv) => {
                    last.weight = last.weight.saturating_add(entry.weight);
                }
                _ => entries.push(entry),
            }
        }
        // Programs that play the first move they find should find the best.
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight)));
        Book { entries }
    }

    /// The bytes of the book's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = |entry: &Entry| {
            let mut bytes = [0; ENTRY_BYTES];
            bytes[..8].copy_from_slice(&entry.key.to_be_bytes());
            bytes[8..10].copy_from_slice(&entry.mv.to_be_bytes());
            bytes[10..12].copy_from_slice(&entry.weight.to_be_bytes());
            bytes
        };
        self.entries.iter().flat_map(bytes).collect()
    }

    /// How many moves of positions the book has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if the book has no moves.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The moves for this position that are legal and weigh something, the heaviest first.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let key = key(position);
        let first = self.entries.partition_point(|entry| entry.key < key);
        let of_position = self.entries[first..].iter().take_while(|entry| entry.key == key);
        let mut moves: Vec<BookMove> = of_position
            .filter(|entry| entry.weight > 0)
            .filter_map(|entry| Some(BookMove { mv: entry.legal(position)?, weight: entry.weight }))
            .collect();
        moves.sort_by_key(|found| std::cmp::Reverse(found.weight));
        moves
    }

    /// One of the moves for this position by weight: the one that `pick` points to when it is given
    /// the sum of all weights, and answers with a number below it.
    pub fn pick(&self, position: &Position, pick: impl FnOnce(u32) -> u32) -> Option<BookMove> {
        let moves = self.moves(position);
        let sum: u32 = moves.iter().map(|found| u32::from(found.weight)).sum();
        if sum == 0 {
            return None;
        }
        let mut left = pick(sum);
        moves.into_iter().find(|found| {
            let is_here = left < u32::from(found.weight);
            left = left.saturating_sub(found.weight.into());
            is_here
        })
    }
}

impl Entry {
    fn parse(bytes: &[u8; ENTRY_BYTES]) -> Entry {
        let number = |from: usize| u16::from_be_bytes([bytes[from], bytes[from + 1]]);
        let high = (0..4).map(|index| u64::from(number(2 * index)));
        Entry { key: high.fold(0, |key, part| key << 16 | part), mv: number(8), weight: number(10) }
    }

    /// Where the move goes to and comes from.
    fn squares(self) -> (Square, Square) {
        let square = |shift: u32| Square::new((self.mv >> shift & 63) as u8);
        (square(6), square(0))
    }

    /// The piece a pawn promotes to: 0 for none, then knight to queen.
    fn promotion(self) -> u16 {
        self.mv >> 12
    }

    fn may_be_move(self) -> bool {
        let (from, to) = self.squares();
        from != to && self.promotion() <= 4
    }

    /// The move, if it is legal.
    fn legal(self, position: &Position) -> Option<Move> {
        decode(self.mv, position)
    }
}

/// A move in the format's sixteen bits, which need not be legal anywhere. Castling goes to the rook's
/// square.
pub fn code(mv: Move) -> u16 {
    let promotion = mv.promotion().map_or(0, |kind| kind.index() as u16);
    promotion << 12 | (mv.from().index() as u16) << 6 | mv.to().index() as u16
}

/// The legal move of a position that these sixteen bits of the format mean. Castling goes to the
/// rook's square; books that name the king's target instead are understood.
pub fn decode(code: u16, position: &Position) -> Option<Move> {
    let entry = Entry { key: 0, mv: code, weight: 0 };
    let (from, to) = entry.squares();
    let mut text = format!("{from}{to}");
    let promotion = usize::from(entry.promotion());
    if promotion > 0 {
        text.push(PieceType::ALL.get(promotion)?.letter());
    }
    position.parse_uci(&text).ok()
}
