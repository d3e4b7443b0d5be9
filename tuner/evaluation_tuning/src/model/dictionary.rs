//! Two bytes for what a position counts: codes for the pairs of a cell with a count that occur.
//!
//! A thousand cells could be counted in a hundred ways each, but few are: the positions of a large
//! set use some three thousand combinations. A combination is written as its number, so that a pass
//! adds up products that were made once, and neither multiplies nor converts.

use std::collections::HashMap;

/// A cell counted `times` in a sum of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Index of the cell in [`Values`](super::Values).
    pub cell: u16,
    /// Index of the sum that the cell is added to; 0 is the main sum.
    pub sum: u8,
    /// How often: White's count minus Black's in the main sum.
    pub times: i16,
}

/// Codes there can be.
const CODES_MAX: usize = 1 << 16;
/// Counts that a table of codes holds; others are looked up by hash.
const TABLE_TIMES: i16 = 16;
/// Codes kept free for each cell and each of its sums, for the powers of two that make up any count.
const POWERS: usize = 32;

/// The codes of a store, in the order in which they were given.
#[derive(Default)]
pub struct Dictionary {
    entries: Vec<Entry>,
    /// Codes plus one by cell, sum and small count; 0 where there is none.
    small: Vec<u16>,
    others: HashMap<Entry, u16>,
    cells: usize,
    sums: usize,
}

/// More combinations of cells and counts than two bytes tell apart.
#[derive(Debug, thiserror::Error)]
#[error(
    "more than {CODES_MAX} different pairs of an index and a count: fit fewer numbers at once, or \
     count in coarser units"
)]
pub struct TooManyCodes;

impl Dictionary {
    /// Without a code yet, for so many cells and sums.
    pub fn new(cells: usize, sums: usize) -> Dictionary {
        let small = vec![0; cells * sums * (2 * TABLE_TIMES as usize + 1)];
        Dictionary { entries: Vec::new(), small, others: HashMap::new(), cells, sums }
    }

    /// Entries by their codes.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Hands the codes of an entry to `take`: one, or several that add up to it where codes are
    /// short.
    ///
    /// # Errors
    /// When all codes are taken.
    pub fn encode(&mut self, entry: Entry, take: &mut impl FnMut(u16)) -> Result<(), TooManyCodes> {
        if entry.times == 0 {
            return Ok(());
        }
        // No cell is in more than two of the sums.
        let reserve = POWERS * self.cells * self.sums.min(2);
        if let Some(code) = self.find(entry) {
            take(code);
            return Ok(());
        }
        if self.entries.len() + reserve < CODES_MAX || entry.times.unsigned_abs().is_power_of_two()
        {
            take(self.add(entry)?);
            return Ok(());
        }
        for bit in 0..i16::BITS {
            if entry.times.unsigned_abs() >> bit & 1 == 1 {
                let times = (i32::from(entry.times.signum()) << bit) as i16;
                let power = Entry { times, ..entry };
                take(self.find(power).map_or_else(|| self.add(power), Ok)?);
            }
        }
        Ok(())
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + self.small.capacity() * size_of::<u16>()
            + self.others.capacity() * (size_of::<Entry>() + size_of::<u16>() + 1)
    }

    fn small_index(&self, entry: Entry) -> Option<usize> {
        let width = 2 * TABLE_TIMES as usize + 1;
        (entry.times.unsigned_abs() <= TABLE_TIMES as u16).then(|| {
            (usize::from(entry.cell) * self.sums + usize::from(entry.sum)) * width
                + (entry.times + TABLE_TIMES) as usize
        })
    }

    fn find(&self, entry: Entry) -> Option<u16> {
        match self.small_index(entry) {
            // The greatest code has no place in the table, and is looked up like great counts.
            Some(index) if self.small[index] > 0 => Some(self.small[index] - 1),
            _ => self.others.get(&entry).copied(),
        }
    }

    fn add(&mut self, entry: Entry) -> Result<u16, TooManyCodes> {
        let code = u16::try_from(self.entries.len()).map_err(|_| TooManyCodes)?;
        self.entries.push(entry);
        match self.small_index(entry) {
            Some(index) if code < u16::MAX => self.small[index] = code + 1,
            _ => {
                self.others.insert(entry, code);
            }
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(dictionary: &mut Dictionary, entry: Entry) -> Result<Vec<u16>, TooManyCodes> {
        let mut codes = Vec::new();
        dictionary.encode(entry, &mut |code| codes.push(code))?;
        Ok(codes)
    }

    fn total(dictionary: &Dictionary, codes: &[u16]) -> i32 {
        codes.iter().map(|&code| i32::from(dictionary.entries()[usize::from(code)].times)).sum()
    }

    #[test]
    fn every_entry_has_one_code_and_keeps_it() {
        let mut dictionary = Dictionary::new(9, 3);
        let entries: Vec<Entry> = (0..9)
            .flat_map(|cell| (0..3).map(move |sum| (cell, sum)))
            .flat_map(|(cell, sum)| {
                [-300, -17, -16, -1, 1, 5, 16, 17, i16::MIN, i16::MAX].map(|times| Entry {
                    cell,
                    sum,
                    times,
                })
            })
            .collect();
        for round in 0..2 {
            for (index, &entry) in entries.iter().enumerate() {
                let codes = encoded(&mut dictionary, entry).expect("few");
                assert_eq!(codes, [index as u16], "{entry:?} in round {round}");
            }
        }
        assert_eq!(dictionary.entries(), entries);
        let nothing = Entry { cell: 1, sum: 0, times: 0 };
        assert!(encoded(&mut dictionary, nothing).expect("no code").is_empty());
    }

    /// The evaluation here has some 830 cells and six sums, and codes enough for each of its counts.
    #[test]
    fn counts_of_the_engine_s_terms_have_a_code_each() {
        let mut dictionary = Dictionary::new(900, 6);
        for cell in 0..900 {
            for times in [1, 2, 3, 5, 7] {
                let codes = encoded(&mut dictionary, Entry { cell, sum: 1, times });
                assert_eq!(codes.expect("few").len(), 1, "{cell} {times}");
            }
        }
    }

    /// Where codes are short, a count is the sum of powers of two, and no position is refused.
    #[test]
    fn any_count_is_told_when_codes_run_out() {
        let mut dictionary = Dictionary::new(2, 1);
        for cell in 0..2 {
            for times in i16::MIN..=i16::MAX {
                let codes = encoded(&mut dictionary, Entry { cell, sum: 0, times });
                let codes = codes.expect("room for the powers of two");
                assert_eq!(total(&dictionary, &codes), i32::from(times));
            }
        }
        assert!(dictionary.entries().len() <= CODES_MAX);
        let mut crowded = Dictionary::new(5000, 1);
        let found = (0..5000)
            .flat_map(|cell| (0..14).map(move |bit| Entry { cell, sum: 0, times: 1 << bit }))
            .try_for_each(|entry| encoded(&mut crowded, entry).map(|_| ()));
        assert!(found.is_err());
    }
}
