//! The pairs of a journal: every finished one in schedule order, with its moves, so that the PGN file
//! and every figure can be made again from the journal alone.

use std::collections::BTreeSet;
use std::path::Path;

use serde::de::DeserializeOwned;
use work::journal::{Journal, JournalError, JournalReader, checked, line_of};

use super::pair_line::PairLine;
use crate::game::PairRecord;
use crate::openings::Book;
use crate::playing::ScheduledPair;

/// A journal of pairs being read.
#[derive(Debug)]
pub struct PairReader {
    reader: JournalReader,
    /// No pair of a smaller number can follow.
    next: u64,
    /// Files that engines are told of and have written, by the pairs so far.
    written: BTreeSet<String>,
}

impl PairReader {
    /// Opens a journal only to read it, even while another process writes it; reads its header.
    ///
    /// # Errors
    /// The file cannot be read, or its header is damaged.
    pub fn open<H: DeserializeOwned>(path: &Path) -> Result<(H, PairReader), JournalError> {
        let (header, reader) = JournalReader::open(path)?;
        Ok((header, PairReader::new(reader)))
    }

    /// Opens a journal to go on with after its pairs: then [`Journal::continue_after`] what
    /// [`PairReader::lines`] returns.
    ///
    /// # Errors
    /// The file cannot be read or locked, or its header is damaged.
    pub fn open_to_continue<H: DeserializeOwned>(
        path: &Path,
    ) -> Result<(H, PairReader, Journal), JournalError> {
        let (header, reader, journal) = Journal::open(path)?;
        Ok((header, PairReader::new(reader), journal))
    }

    fn new(reader: JournalReader) -> PairReader {
        PairReader { reader, next: 0, written: BTreeSet::new() }
    }

    /// The next pair, replayed from its opening; `None` at the end or at a torn last line, which a
    /// kill leaves.
    ///
    /// # Errors
    /// The file cannot be read or is damaged.
    pub fn next_pair(&mut self, openings: &Book) -> Result<Option<PairRecord>, JournalError> {
        let Some(line) = self.reader.next::<PairLine>("pair")? else { return Ok(None) };
        // Pairs are left out where a player was withdrawn; whoever knows the players looks closer.
        if line.pair < self.next {
            return Err(self.damaged(format!("pair {} is out of order", line.pair)));
        }
        self.next = line.pair + 1;
        self.written.extend(line.written.iter().cloned());
        line.replay(openings).map(Some).map_err(|reason| self.damaged(reason))
    }

    /// Files that engines are told of and have written while they played, as far as pairs were read.
    pub fn written(&self) -> &BTreeSet<String> {
        &self.written
    }

    /// The error that the line read last is not what was written, for this reason.
    pub fn damaged(&self, reason: String) -> JournalError {
        self.reader.damaged(reason)
    }

    /// The lines that were read.
    pub fn lines(self) -> JournalReader {
        self.reader
    }
}

/// The line of a pair. The times of moves are written only on demand: without them a run is the same
/// when repeated.
pub fn line_of_pair(pair: &PairRecord, with_times: bool) -> String {
    line_of(&PairLine::new(pair, with_times))
}

/// The pair of a line made by [`line_of_pair`], which must be this one of the schedule.
///
/// # Errors
/// The reason why it is not.
pub fn pair_of_line(
    line: &[u8],
    expected: ScheduledPair,
    openings: &Book,
) -> Result<PairRecord, String> {
    let line: PairLine = serde_json::from_str(checked(line)?).map_err(|error| error.to_string())?;
    let pair = line.replay(openings)?;
    let PairRecord { number, opening, players, .. } = pair;
    match (ScheduledPair { number, opening, players }) == expected {
        true => Ok(pair),
        false => Err("another pair than was asked for".to_owned()),
    }
}

/// The line of a pair that equals an earlier one, which is marked since it is not counted; and with named
/// files that engines were seen to write.
pub(super) fn line_with(
    pair: &PairRecord,
    with_times: bool,
    copy: bool,
    written: Vec<String>,
) -> String {
    let mut line = PairLine::new(pair, with_times);
    (line.copy, line.written) = (copy, written);
    line_of(&line)
}

#[cfg(test)]
mod tests {
    use playable::Color;
    use system::files::EMBEDDED;

    use super::*;
    use crate::game::{Fault, FaultKind, GameRecord, GameResult, Termination};
    use crate::openings::OpeningSettings;

    #[test]
    fn both_faults_of_a_game_that_never_began_are_read_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let book =
            Book::load(Path::new(EMBEDDED), &OpeningSettings::default()).expect("a good book");
        let fault = |color, text: &str| (color, Fault::new(FaultKind::Start, text));
        let game = |one: &str, other: &str| GameRecord {
            start: book.opening(0).expect("an opening").position,
            plies: Vec::new(),
            result: GameResult::Draw,
            termination: Termination::Forfeit,
            faults: vec![fault(Color::White, one), fault(Color::Black, other)],
            audit: None,
            warnings: Vec::new(),
        };
        let games = [game("one", "other"), game("other", "one")];
        let pair =
            PairRecord { number: 0, opening: 0, players: [0, 1], games, replays: Vec::new() };
        let mut journal = Journal::create(&path, &"header").expect("writable");
        journal.append(&line_of_pair(&pair, false)).expect("writable");
        let (_, mut reader) = PairReader::open::<String>(&path).expect("readable");
        let read = reader.next_pair(&book).expect("undamaged").expect("a pair");
        for (read, written) in read.games.iter().zip(&pair.games) {
            assert_eq!(read.faults, written.faults);
        }
    }
}
