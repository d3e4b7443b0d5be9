//! Traces of many positions, packed: what every pass of a fit walks.
//!
//! A position is a head (result, score, what the closing formula needs) and the codes of its
//! entries, see [`dictionary`](super::dictionary). Where a code occurs in more than a sixteenth of
//! the positions, a bit in each costs less than two bytes in some; those of the evaluation of chess
//! take two thirds of its entries. Columns of a block that repeat a few values hold each once.

use std::collections::HashMap;
use std::ops::Range;

use super::blocks::Blocks;
use super::columns::{Column, Cursor, push_column, push_slice};
use super::dictionary::{Dictionary, Entry};
use super::{Positions, Row, Tables, Values, Work};

/// Positions of a block, the unit of storage and of sums.
pub const BLOCK: usize = 512;
/// Positions whose entries say which codes are frequent.
const FIRST_POSITIONS: usize = 4096;
/// Share of the positions from which on a code is kept as a bit: a bit in all costs as much as two
/// bytes in those.
const DENSE_SHARE: f64 = 1.0 / 16.0;
/// Stands for no score.
const NO_SCORE: i16 = i16::MIN;

/// How an evaluation follows from a position's sums.
pub trait Closing: Send + Sync + 'static {
    /// The sums, each with its middlegame and its endgame half; the first is the main sum.
    type Sums: Copy + Default + AsRef<[[f64; 2]]> + AsMut<[[f64; 2]]>;
    /// What the formula needs of a position besides its sums.
    type Context: bytemuck::Pod + PartialEq + Send + Sync;
    /// Numbers of the formula itself, which no fit changes.
    type Numbers;
    /// What is kept beside the positions.
    type Beside: Default + Send + Sync;
    /// Number of sums.
    const SUMS: usize;
    /// Whether positions are so full that bits are worth their time.
    const HAS_DENSE: bool;

    /// The formula's own numbers among the values.
    fn numbers(values: &Values) -> Self::Numbers;

    /// The evaluation: centipawns, White's view.
    fn evaluate(sums: &Self::Sums, context: &Self::Context, numbers: &Self::Numbers) -> f64;

    /// The evaluation and its slopes by the sums.
    fn differentiate(
        sums: &Self::Sums,
        context: &Self::Context,
        numbers: &Self::Numbers,
    ) -> (f64, Self::Sums);
}

/// The traces of a set of positions.
pub struct Store<C: Closing> {
    blocks: Blocks,
    dictionary: Dictionary,
    /// Sum that the entry of each code belongs to.
    sums: Vec<u8>,
    /// Codes kept as bits: those of the main sum from 0 on, then those of the others.
    dense: [usize; 2],
    len: usize,
    entries: usize,
    cells: usize,
    /// What is kept beside the positions.
    pub beside: C::Beside,
}

/// One position as it is traced.
#[derive(Clone, Copy, Debug)]
pub struct Head<Context> {
    /// What the closing formula needs besides the sums.
    pub context: Context,
    /// White's points: 0 to 1.
    pub result: f32,
    /// Search score: centipawns, White's view.
    pub score: Option<i16>,
}

/// Takes positions in their order.
pub struct Builder<C: Closing> {
    store: Store<C>,
    /// The first positions and their entries, until it is known what is frequent.
    first: Vec<(Head<C::Context>, usize)>,
    first_entries: Vec<Entry>,
    is_open: bool,
    open: OpenBlock<C::Context>,
}

/// The block that is being filled.
struct OpenBlock<Context> {
    results: Vec<f32>,
    scores: Vec<i16>,
    contexts: Vec<Context>,
    /// Codes in the lists: of the main sum, of the others.
    lengths: [Vec<u16>; 2],
    bits: Vec<u64>,
    codes: Vec<u16>,
    /// Codes of one position that belong to other sums, kept until those of the main sum are there.
    others: Vec<u16>,
}

/// A block, read.
struct View<'a, Context> {
    results: Column<'a, f32>,
    scores: Column<'a, i16>,
    contexts: Column<'a, Context>,
    lengths: [Column<'a, u16>; 2],
    /// Words of bits of each position: of the main sum, of the others.
    words: [usize; 2],
    bits: &'a [u64],
    codes: &'a [u16],
}

impl<C: Closing> Store<C> {
    /// Begins a store of evaluations with so many cells, of which `memory` bytes may lie in memory.
    pub fn builder(cells: usize, memory: usize) -> Builder<C> {
        let store = Store {
            blocks: Blocks::new(memory),
            dictionary: Dictionary::new(cells, C::SUMS),
            sums: Vec::new(),
            dense: [0; 2],
            len: 0,
            entries: 0,
            cells,
            beside: C::Beside::default(),
        };
        Builder {
            store,
            first: Vec::new(),
            first_entries: Vec::new(),
            is_open: false,
            open: OpenBlock::default(),
        }
    }

    /// Number of entries over all positions.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.blocks.memory_bytes() + self.dictionary.bytes() + self.sums.capacity()
    }

    /// Bytes that lie in a temporary file, because they are too many for the memory.
    pub fn file_bytes(&self) -> u64 {
        self.blocks.file_bytes()
    }

    /// White's points in the games of the positions, 0 to 1, and the search scores recorded with
    /// them: centipawns, White's view.
    pub fn labels(&self) -> Vec<(f64, Option<f64>)> {
        let mut work = Work::default();
        let mut labels = Vec::with_capacity(self.len);
        for block in 0..self.blocks.len() {
            let view = self.view(block, &mut work.buffer);
            labels.extend((0..self.range(block).len()).map(|index| {
                let score = Some(view.scores.get(index)).filter(|&score| score != NO_SCORE);
                (f64::from(view.results.get(index)), score.map(f64::from))
            }));
        }
        labels
    }

    /// Entries and context of the position at `index`; entries are in no particular order.
    pub fn position(&self, index: usize) -> (Vec<Entry>, C::Context) {
        let mut buffer = Vec::new();
        let view = self.view(index / BLOCK, &mut buffer);
        let mut entries = Vec::new();
        let mut place = 0;
        for inside in 0..=index % BLOCK {
            entries.clear();
            place = self.walk(&view, inside, place, |code, _| {
                entries.push(self.dictionary.entries()[code]);
            });
        }
        (entries, view.contexts.get(index % BLOCK))
    }

    fn range(&self, block: usize) -> Range<usize> {
        block * BLOCK..self.len.min((block + 1) * BLOCK)
    }

    fn view<'a>(&'a self, block: usize, buffer: &'a mut Vec<u64>) -> View<'a, C::Context> {
        let count = self.range(block).len();
        let mut cursor = Cursor::new(self.blocks.get(block, buffer));
        let words = self.dense.map(|codes| codes.div_ceil(64));
        View {
            results: cursor.column(count),
            scores: cursor.column(count),
            contexts: cursor.column(count),
            lengths: [cursor.column(count), cursor.column(count)],
            words,
            bits: cursor.slice(count * (words[0] + words[1])),
            codes: cursor.rest(),
        }
    }

    /// Hands all codes of a position to `take`, each with whether it is of the main sum; the codes
    /// in lists begin at `place`. Returns where those of the next position begin.
    #[inline(always)]
    fn walk(
        &self,
        view: &View<'_, C::Context>,
        index: usize,
        place: usize,
        mut take: impl FnMut(usize, bool),
    ) -> usize {
        let middle = place + usize::from(view.lengths[0].get(index));
        if C::HAS_DENSE {
            let words = view.words[0] + view.words[1];
            let bits = &view.bits[index * words..(index + 1) * words];
            for (word, &bits) in bits.iter().enumerate() {
                let is_main = word < view.words[0];
                let first =
                    if is_main { 64 * word } else { self.dense[0] + 64 * (word - view.words[0]) };
                let mut left = bits;
                while left != 0 {
                    take(first + left.trailing_zeros() as usize, is_main);
                    left &= left - 1;
                }
            }
        }
        for &code in &view.codes[place..middle] {
            take(usize::from(code), true);
        }
        if C::SUMS == 1 {
            return middle;
        }
        let end = middle + usize::from(view.lengths[1].get(index));
        for &code in &view.codes[middle..end] {
            take(usize::from(code), false);
        }
        end
    }

    /// The sums of a position, and where the codes of the next begin.
    #[inline(always)]
    fn sums(
        &self,
        view: &View<'_, C::Context>,
        index: usize,
        place: usize,
        products: &[[f64; 2]],
    ) -> (C::Sums, usize) {
        let mut main = [0.0; 2];
        let mut sums = C::Sums::default();
        let place = self.walk(view, index, place, |code, is_main| {
            let product = products[code];
            let sum = if is_main {
                &mut main
            } else {
                &mut sums.as_mut()[usize::from(self.sums[code])]
            };
            sum[0] += product[0];
            sum[1] += product[1];
        });
        sums.as_mut()[0] = main;
        (sums, place)
    }
}

impl<C: Closing> Positions for Store<C> {
    fn len(&self) -> usize {
        self.len
    }

    fn cells(&self) -> usize {
        self.cells
    }

    fn codes(&self) -> usize {
        self.sums.len()
    }

    fn tables(&self, values: &Values) -> Tables {
        let products = self.dictionary.entries().iter().map(|entry| {
            values.0[usize::from(entry.cell)].map(|half| half * f64::from(entry.times))
        });
        Tables { products: products.collect(), values: values.clone() }
    }

    fn evaluate(&self, block: usize, tables: &Tables, work: &mut Work) {
        let numbers = C::numbers(&tables.values);
        work.evaluations.clear();
        let view = self.view(block, &mut work.buffer);
        let mut place = 0;
        for index in 0..self.range(block).len() {
            let sums;
            (sums, place) = self.sums(&view, index, place, &tables.products);
            let context = view.contexts.get(index);
            work.evaluations.push(C::evaluate(&sums, &context, &numbers));
        }
        read_labels(&view, work.evaluations.len(), &mut work.results, &mut work.scores);
    }

    fn differentiate(&self, block: usize, tables: &Tables, work: &mut Work) {
        let numbers = C::numbers(&tables.values);
        work.evaluations.clear();
        work.slopes.clear();
        let view = self.view(block, &mut work.buffer);
        let mut place = 0;
        for index in 0..self.range(block).len() {
            let sums;
            (sums, place) = self.sums(&view, index, place, &tables.products);
            let context = view.contexts.get(index);
            let (evaluation, slopes) = C::differentiate(&sums, &context, &numbers);
            work.evaluations.push(evaluation);
            work.slopes.extend_from_slice(slopes.as_ref());
        }
        read_labels(&view, work.evaluations.len(), &mut work.results, &mut work.scores);
    }

    fn add_gradient(
        &self,
        block: usize,
        pulls: &[f64],
        work: &mut Work,
        gradient: &mut [[f64; 2]],
    ) {
        let view = self.view(block, &mut work.buffer);
        let mut place = 0;
        for (index, (&pull, slopes)) in
            pulls.iter().zip(work.slopes.chunks_exact(C::SUMS)).enumerate()
        {
            let mut pulled = C::Sums::default();
            for (pulled, slopes) in pulled.as_mut().iter_mut().zip(slopes) {
                *pulled = slopes.map(|slope| slope * pull);
            }
            let main = pulled.as_ref()[0];
            place = self.walk(&view, index, place, |code, is_main| {
                let pulled =
                    if is_main { main } else { pulled.as_ref()[usize::from(self.sums[code])] };
                let sum = &mut gradient[code];
                sum[0] += pulled[0];
                sum[1] += pulled[1];
            });
        }
    }

    fn by_cell(&self, by_code: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let mut cells = vec![[0.0; 2]; self.cells];
        for (entry, sum) in self.dictionary.entries().iter().zip(by_code) {
            let cell = &mut cells[usize::from(entry.cell)];
            let times = f64::from(entry.times);
            cell[0] += times * sum[0];
            cell[1] += times * sum[1];
        }
        cells
    }

    fn rows(&self, block: usize, work: &mut Work, take: &mut dyn FnMut(Row<'_>)) {
        let Work { buffer, slopes, row, evaluations, .. } = work;
        let view = self.view(block, buffer);
        row.by_cell.resize(self.cells, None);
        let mut place = 0;
        for (index, slopes) in slopes.chunks_exact(C::SUMS).enumerate() {
            row.cells.clear();
            place = self.walk(&view, index, place, |code, _| {
                let entry = self.dictionary.entries()[code];
                let times = f64::from(entry.times);
                let slopes = slopes[usize::from(entry.sum)];
                let cell = row.by_cell[usize::from(entry.cell)].get_or_insert_with(|| {
                    row.cells.push(entry.cell);
                    [0.0; 2]
                });
                cell[0] += times * slopes[0];
                cell[1] += times * slopes[1];
            });
            row.cells.sort_unstable();
            row.slopes.clear();
            row.slopes.extend(
                row.cells
                    .iter()
                    .map(|&cell| row.by_cell[usize::from(cell)].take().unwrap_or_default()),
            );
            take(Row { index, evaluation: evaluations[index], cells: &row.cells, slopes: &row.slopes });
        }
    }

    fn counts(&self, take: &mut dyn FnMut(&[Entry])) {
        let mut buffer = Vec::new();
        let mut entries = Vec::new();
        for block in 0..self.blocks.len() {
            let view = self.view(block, &mut buffer);
            let mut place = 0;
            for index in 0..self.range(block).len() {
                entries.clear();
                place = self.walk(&view, index, place, |code, _| {
                    entries.push(self.dictionary.entries()[code]);
                });
                take(&entries);
            }
        }
    }
}

fn read_labels<Context: bytemuck::Pod>(
    view: &View<'_, Context>,
    count: usize,
    results: &mut Vec<f32>,
    scores: &mut Vec<Option<i16>>,
) {
    results.clear();
    results.extend((0..count).map(|index| view.results.get(index)));
    scores.clear();
    let known = |index| Some(view.scores.get(index)).filter(|&score| score != NO_SCORE);
    scores.extend((0..count).map(known));
}

impl<C: Closing> Builder<C> {
    /// Appends a position. No two of its entries are of the same cell and sum.
    ///
    /// # Errors
    /// When a temporary file fails, or the combinations of cells and counts are too many.
    pub fn push(&mut self, head: Head<C::Context>, entries: &[Entry]) -> anyhow::Result<()> {
        if self.is_open {
            return self.append(&head, entries);
        }
        self.first.push((head, entries.len()));
        self.first_entries.extend_from_slice(entries);
        if self.first.len() < FIRST_POSITIONS { Ok(()) } else { self.begin() }
    }

    /// What is kept beside the positions, to be filled as they come.
    pub fn beside(&mut self) -> &mut C::Beside {
        &mut self.store.beside
    }

    /// Positions so far.
    pub fn len(&self) -> usize {
        self.first.len() + self.store.len
    }

    /// The store of all positions.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn finish(mut self) -> anyhow::Result<Store<C>> {
        if !self.is_open {
            self.begin()?;
        }
        self.flush()?;
        let entries = self.store.dictionary.entries();
        self.store.sums = entries.iter().map(|entry| entry.sum).collect();
        Ok(self.store)
    }

    /// Gives codes to the entries of the first positions, and appends these.
    fn begin(&mut self) -> anyhow::Result<()> {
        self.is_open = true;
        let mut seen: HashMap<Entry, u32> = HashMap::new();
        for &entry in self.first_entries.iter().filter(|entry| entry.times != 0) {
            *seen.entry(entry).or_default() += 1;
        }
        let least = self.first.len() as f64 * DENSE_SHARE;
        let class = |entry: &Entry, seen: u32| {
            let is_dense = C::HAS_DENSE && f64::from(seen) > least;
            (!is_dense, entry.sum != 0)
        };
        let mut by_frequency: Vec<(Entry, u32)> = seen.into_iter().collect();
        by_frequency.sort_unstable_by_key(|(entry, seen)| {
            let Entry { cell, sum, times } = *entry;
            (class(entry, *seen), std::cmp::Reverse(*seen), cell, sum, times)
        });
        for (entry, seen) in by_frequency {
            let (is_sparse, is_other) = class(&entry, seen);
            self.store.dense[usize::from(is_other)] += usize::from(!is_sparse);
            self.store.dictionary.encode(entry, &mut |_| ())?;
        }
        let (first, entries) =
            (std::mem::take(&mut self.first), std::mem::take(&mut self.first_entries));
        let mut start = 0;
        for (head, count) in first {
            self.append(&head, &entries[start..start + count])?;
            start += count;
        }
        Ok(())
    }

    fn append(&mut self, head: &Head<C::Context>, entries: &[Entry]) -> anyhow::Result<()> {
        let Builder { store, open, .. } = self;
        let dense = store.dense;
        let words = dense.map(|codes| codes.div_ceil(64));
        let (codes_start, bits_start) = (open.codes.len(), open.bits.len());
        open.bits.resize(bits_start + words[0] + words[1], 0);
        open.others.clear();
        for &entry in entries {
            let is_other = entry.sum != 0;
            store.dictionary.encode(entry, &mut |code| {
                let place = usize::from(code);
                let bit = match is_other {
                    false if place < dense[0] => Some(place),
                    true if (dense[0]..dense[0] + dense[1]).contains(&place) => {
                        Some(place - dense[0] + 64 * words[0])
                    }
                    _ => None,
                };
                if let Some(bit) = bit {
                    let word = &mut open.bits[bits_start + bit / 64];
                    if *word >> (bit % 64) & 1 == 0 {
                        *word |= 1 << (bit % 64);
                        return;
                    }
                }
                (if is_other { &mut open.others } else { &mut open.codes }).push(code);
            })?;
        }
        let lengths = [open.codes.len() - codes_start, open.others.len()];
        for (column, length) in open.lengths.iter_mut().zip(lengths) {
            column.push(u16::try_from(length).map_err(|_| {
                anyhow::anyhow!("a position with more than 65,535 entries")
            })?);
        }
        open.codes.append(&mut open.others);
        open.results.push(head.result);
        open.scores.push(head.score.unwrap_or(NO_SCORE));
        open.contexts.push(head.context);
        store.len += 1;
        store.entries += entries.len();
        if open.results.len() == BLOCK { self.flush() } else { Ok(()) }
    }

    /// Appends the open block to the blocks.
    fn flush(&mut self) -> anyhow::Result<()> {
        if self.open.results.is_empty() {
            return Ok(());
        }
        let open = std::mem::take(&mut self.open);
        let mut words = Vec::new();
        push_column(&mut words, &open.results);
        push_column(&mut words, &open.scores);
        push_column(&mut words, &open.contexts);
        push_column(&mut words, &open.lengths[0]);
        push_column(&mut words, &open.lengths[1]);
        push_slice(&mut words, &open.bits);
        push_slice(&mut words, &open.codes);
        self.store.blocks.push(&words)
    }
}

impl<Context> Default for OpenBlock<Context> {
    fn default() -> OpenBlock<Context> {
        OpenBlock {
            results: Vec::new(),
            scores: Vec::new(),
            contexts: Vec::new(),
            lengths: [Vec::new(), Vec::new()],
            bits: Vec::new(),
            codes: Vec::new(),
            others: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::linear::{LinearStore, Tapered};
    use super::*;

    fn entry(cell: u16, sum: u8, times: i16) -> Entry {
        Entry { cell, sum, times }
    }

    fn store(positions: &[Vec<Entry>], memory: usize) -> LinearStore {
        let mut builder: Builder<Tapered> = Store::builder(50, memory);
        for (index, entries) in positions.iter().enumerate() {
            let context = [index as f32 / positions.len() as f32, 0.5, (index % 3) as f32];
            let score = (index % 2 == 0).then_some(index as i16);
            let head = Head { context, result: (index % 5) as f32 / 4.0, score };
            builder.push(head, entries).expect("room");
        }
        builder.finish().expect("room")
    }

    /// Positions with counts of all sizes, more than are looked at for what is frequent.
    fn positions() -> Vec<Vec<Entry>> {
        let count = |place: usize| [1, -1, 2, 300, -7, 40][place % 6];
        (0..FIRST_POSITIONS + 1000)
            .map(|index| {
                let cells = (0..index % 23).map(|place| (place * 2 + index % 2) as u16);
                cells.map(|cell| entry(cell, (cell % 3 == 0).into(), count(index + 5))).collect()
            })
            .collect()
    }

    /// A cell counts once in a position, in however many entries it occurs.
    #[test]
    fn occurrences_are_positions_with_the_cell() {
        let store = store(
            &[
                vec![entry(1, 0, 300), entry(2, 0, 1), entry(2, 1, 1)],
                vec![entry(0, 0, -1), entry(1, 0, 1), entry(3, 1, 2)],
            ],
            usize::MAX,
        );
        assert_eq!(store.occurrences()[..5], [1, 2, 1, 1, 0]);
    }

    #[test]
    fn positions_come_back_from_memory_and_from_a_file() {
        let positions = positions();
        let values = Values((0..50).map(|cell| [f64::from(cell), 50.0 - f64::from(cell)]).collect());
        let [in_memory, in_both, in_file] =
            [usize::MAX, 50_000, 0].map(|memory| store(&positions, memory));
        assert_eq!(in_memory.file_bytes(), 0);
        assert!(in_both.file_bytes() > 0 && in_both.file_bytes() < in_file.file_bytes());
        assert!(in_both.bytes() < 60_000 + in_both.dictionary.bytes(), "{}", in_both.bytes());
        for store in [&in_memory, &in_both, &in_file] {
            assert_eq!(store.evaluations(&values), in_memory.evaluations(&values));
            for (index, entries) in positions.iter().enumerate().step_by(97) {
                let (mut found, context) = store.position(index);
                found.sort_unstable_by_key(|entry| entry.cell);
                assert_eq!(&found, entries);
                assert_eq!(context[2], (index % 3) as f32);
            }
            let (result, score) = store.labels()[1001];
            assert_eq!((result, score), (0.25, None));
        }
    }
}
