//! A library as bytes, and what is refused.
//!
//! Numbers have their low bytes first. A header of 20 bytes: the eight letters `KamerLib`, the version
//! (2 bytes), plies (2), least games (4), number of entries (4); then the entries of 36 bytes each,
//! the start of a game first: move (2), assessment (1), nothing (1), first reply (4), next sibling
//! (4), games won by White, drawn, won by Black (4 each), scores (4), their sum (8); then the CRC-32
//! of everything before it (4). Moves are written as Polyglot's books have them. An entry is followed
//! by its replies, in the order of their moves, each with all that follows from it.

use thiserror::Error;

use super::{Assessment, ENTRIES_MAX, Entry, Library, PLIES_MAX, Tally, minimax};
use crate::opening_book;
use crate::rules::Position;

/// The first bytes of a library's file.
const SIGNATURE: &[u8; 8] = b"KamerLib";
/// The version that is written, and the only one that is read.
const VERSION: u16 = 1;
const HEADER_BYTES: usize = 20;
const ENTRY_BYTES: usize = 36;
const CHECKSUM_BYTES: usize = 4;

/// A library that cannot be used, or cannot grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum LibraryError {
    /// There is nothing in it.
    #[error("the library is empty")]
    Empty,
    /// The file has another signature.
    #[error("this is no opening library: it does not begin with KamerLib")]
    Foreign,
    /// A version that is not known here.
    #[error("version {0} of opening libraries is not known here, only version 1")]
    Version(u16),
    /// It has not the length that it says.
    #[error("{found} bytes where there should be {expected}: cut off, or more was added")]
    Length {
        /// Bytes that it should have.
        expected: u64,
        /// Bytes found in the file.
        found: u64,
    },
    /// The bytes do not match the checksum.
    #[error("the checksum is wrong: damaged")]
    Checksum,
    /// Plies or least games are out of range.
    #[error("{plies} plies and {games_min} games at least: out of 1 to 200 plies, 1 game or more")]
    Settings {
        /// Plies from the start.
        plies: u16,
        /// Games that a move must have been played in.
        games_min: u32,
    },
    /// A wrong entry; the start of a game is number 0.
    #[error("entry {number}: {fault}")]
    Entry {
        /// Number of the entry in the file.
        number: usize,
        /// The fault found in it.
        fault: EntryFault,
    },
    /// No more can be taken in.
    #[error("the library is full: it holds 16,777,216 moves at most")]
    Full,
}

/// A fault of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum EntryFault {
    /// A link leads back, or past an entry, or out of the library.
    #[error("a link leads elsewhere than to the next entry")]
    Link,
    /// No link of an earlier entry leads to it.
    #[error("no link leads to it")]
    Unreached,
    /// Its move is none, or illegal where it stands.
    #[error("its move is not legal where it stands")]
    Move,
    /// A sibling with the same move, or a greater one, stands before it.
    #[error("its move stands twice or out of order among its siblings")]
    Order,
    /// It stands deeper than the library goes.
    #[error("it stands deeper than the library's plies")]
    Depth,
    /// Its numbers cannot be those of games.
    #[error("its scores are more than its games, or their sum is too great")]
    Numbers,
    /// Its replies were played in more games than itself.
    #[error("its replies have more games than itself")]
    Games,
    /// Its assessment is not that of its best reply, or of its games.
    #[error("its assessment is not the best of its replies")]
    Assessment,
    /// A byte that means nothing is not zero.
    #[error("a byte without a meaning is set")]
    Padding,
}

/// Whether these bytes begin as a library does, whatever follows.
pub fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

impl Library {
    /// The bytes of the library's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let length = HEADER_BYTES + self.entries.len() * ENTRY_BYTES + CHECKSUM_BYTES;
        let mut bytes = Vec::with_capacity(length);
        bytes.extend(SIGNATURE);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.plies.to_le_bytes());
        bytes.extend(self.games_min.to_le_bytes());
        bytes.extend((self.entries.len() as u32).to_le_bytes());
        for entry in &self.entries {
            entry.write(&mut bytes);
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a library's file, and plays through all of its variations.
    ///
    /// # Errors
    /// A [`LibraryError`]: the bytes are no library, or damaged. A library that is read is sound:
    /// its links make trees, its moves are legal, and its assessments are those of its games.
    pub fn parse(bytes: &[u8]) -> Result<Library, LibraryError> {
        if bytes.is_empty() {
            return Err(LibraryError::Empty);
        }
        if !is_library(bytes) {
            return Err(LibraryError::Foreign);
        }
        let found = bytes.len() as u64;
        let Some((header, rest)) = bytes.split_at_checked(HEADER_BYTES) else {
            let expected = (HEADER_BYTES + ENTRY_BYTES + CHECKSUM_BYTES) as u64;
            return Err(LibraryError::Length { expected, found });
        };
        let mut header = Reader(&header[SIGNATURE.len()..]);
        let version = u16::from_le_bytes(header.take());
        if version != VERSION {
            return Err(LibraryError::Version(version));
        }
        let plies = u16::from_le_bytes(header.take());
        let games_min = u32::from_le_bytes(header.take());
        let count = u64::from(u32::from_le_bytes(header.take()));
        let expected = HEADER_BYTES as u64 + count * ENTRY_BYTES as u64 + CHECKSUM_BYTES as u64;
        if found != expected || count == 0 {
            return Err(LibraryError::Length { expected, found });
        }
        let (written, checksum) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
        if crc32fast::hash(written).to_le_bytes() != checksum {
            return Err(LibraryError::Checksum);
        }
        if !(1..=PLIES_MAX).contains(&plies) || games_min == 0 {
            return Err(LibraryError::Settings { plies, games_min });
        }
        if count > ENTRIES_MAX as u64 {
            return Err(LibraryError::Full);
        }
        let (entries, _) = rest.as_chunks::<ENTRY_BYTES>();
        let read = |(number, bytes): (usize, &[u8; ENTRY_BYTES])| {
            Entry::read(bytes).map_err(|fault| LibraryError::Entry { number, fault })
        };
        let entries = entries.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        let library = Library { plies, games_min, entries };
        if library.entries[0].code != 0 {
            return Err(fault(0, EntryFault::Move));
        }
        if library.entries[0].brother != 0 {
            return Err(fault(0, EntryFault::Link));
        }
        let end = library.check_below(0, &mut Position::start())?;
        if end < library.entries.len() {
            return Err(fault(end, EntryFault::Unreached));
        }
        Ok(library)
    }

    /// Holds an entry and all below it against what a library must be; says where the next entry
    /// stands. `position` is the one after the entry's move.
    fn check_below(&self, index: usize, position: &mut Position) -> Result<usize, LibraryError> {
        let entry = &self.entries[index];
        let mut end = index + 1;
        let mut link = entry.son;
        let mut last_code = None;
        let mut sum = Tally::default();
        let mut assessments: Vec<Assessment> = Vec::new();
        // The links of a sound library count its entries one by one, and so end.
        while link != 0 {
            if link as usize != end || end >= self.entries.len() {
                return Err(fault(end - 1, EntryFault::Link));
            }
            let reply = &self.entries[end];
            if position.plies_played() >= self.plies.into() {
                return Err(fault(end, EntryFault::Depth));
            }
            if last_code >= Some(reply.code) {
                return Err(fault(end, EntryFault::Order));
            }
            let mv = opening_book::decode(reply.code, position)
                .filter(|&mv| opening_book::code(mv) == reply.code)
                .ok_or(fault(end, EntryFault::Move))?;
            position.play(mv);
            let next = self.check_below(end, position)?;
            position.undo();
            sum.add_results(&reply.tally);
            if reply.is_played(self.games_min) {
                assessments.push(reply.assessment);
            }
            last_code = Some(reply.code);
            link = reply.brother;
            end = next;
        }
        if !entry.tally.is_possible() {
            return Err(fault(index, EntryFault::Numbers));
        }
        if !entry.tally.covers(&sum) {
            return Err(fault(index, EntryFault::Games));
        }
        if entry.assessment != minimax(entry, assessments.into_iter(), position.side_to_move()) {
            return Err(fault(index, EntryFault::Assessment));
        }
        Ok(end)
    }
}

fn fault(number: usize, fault: EntryFault) -> LibraryError {
    LibraryError::Entry { number, fault }
}

impl Entry {
    fn write(&self, bytes: &mut Vec<u8>) {
        let Tally { white_wins, draws, black_wins, scores, score_sum } = self.tally;
        bytes.extend(self.code.to_le_bytes());
        bytes.extend(self.assessment.to_le_bytes());
        bytes.push(0);
        for number in [self.son, self.brother, white_wins, draws, black_wins, scores] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(score_sum.to_le_bytes());
    }

    fn read(bytes: &[u8; ENTRY_BYTES]) -> Result<Entry, EntryFault> {
        let mut reader = Reader(bytes);
        let code = u16::from_le_bytes(reader.take());
        let assessment = i8::from_le_bytes(reader.take());
        if reader.take() != [0] {
            return Err(EntryFault::Padding);
        }
        let [son, brother, white_wins, draws, black_wins, scores] =
            std::array::from_fn(|_| u32::from_le_bytes(reader.take()));
        let score_sum = i64::from_le_bytes(reader.take());
        let tally = Tally { white_wins, draws, black_wins, scores, score_sum };
        Ok(Entry { code, assessment, son, brother, tally })
    }
}

/// Bytes of known length that are read one number after the other.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_first_chunk().expect("the lengths add up");
        self.0 = rest;
        *taken
    }
}
