//! Traces of many positions, packed: what every pass of a fit walks.
//!
//! A position is a head (result, score, what the closing formula needs) and the codes of its
//! entries, see [`dictionary`](super::dictionary). Where a code occurs in more than an eighth of the
//! positions, a bit in each costs less than a byte in some; those of the evaluation of chess take
//! more than half of its entries. The others are lists, see [`lists`](super::lists). Columns of a
//! block that repeat a few values hold each once.
//!
//! A position of Kamerton's evaluation takes 94 bytes. Traces beyond `--memory` lie in a temporary
//! file (`blocks.rs`).

use std::ops::Range;

use super::blocks::Blocks;
use super::columns::{Column, Cursor};
use super::dictionary::{Dictionary, Entry};
use super::lists::{each_gap, each_plain};
use super::traced::{BLOCK, Labels, Positions, Pulls, Row, RowRoom, Single, Tables, Values, Work};

/// Stands for no score.
pub(super) const NO_SCORE: i16 = i16::MIN;

/// How an evaluation follows from a position's sums.
pub trait Closing: Send + Sync + 'static {
    /// The sums, each with its middlegame and its endgame half; the first is the main sum.
    type Sums: Copy + Default + AsRef<[[f64; 2]]> + AsMut<[[f64; 2]]>;
    /// Input of the formula from a position besides its sums.
    type Context: bytemuck::Pod + PartialEq + Send + Sync;
    /// Numbers of the formula itself, which no fit changes.
    type Numbers;
    /// Data beside the positions.
    type Beside: Default + Send + Sync;
    /// Number of sums of a position.
    const SUMS: usize;
    /// The evaluation is linear in so many of them, the first.
    const LINEAR_SUMS: u8;
    /// Whether positions are so full that bits, and gaps instead of codes, are worth their time.
    const HAS_DENSE: bool;
    /// Whether the order of positions within a block is free, so that they may lie as passes like it:
    /// what is kept of them elsewhere is then to be [`arranged`](Store::arranged).
    const IS_SORTED: bool;

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
    pub(super) blocks: Blocks,
    pub(super) dictionary: Dictionary,
    /// Sum that the entry of each code belongs to.
    pub(super) sums: Vec<u8>,
    /// Codes kept as bits: those of the main sum from 0 on, then those of the others.
    pub(super) dense: [usize; 2],
    /// Codes from which on gaps are counted: in lists of the main sum, of the others.
    pub(super) firsts: [u16; 2],
    pub(super) len: usize,
    pub(super) entries: usize,
    pub(super) cells: usize,
    /// Where each position stood in its block when it was pushed; empty where they lie as they came.
    pub(super) order: Vec<u16>,
    /// Data beside the positions.
    pub beside: C::Beside,
}

struct View<'a, Context> {
    results: Column<'a, f32>,
    scores: Column<'a, i16>,
    contexts: Column<'a, Context>,
    /// Bytes of each position's lists: of the main sum, of the others.
    lengths: [Column<'a, u32>; 2],
    /// Words of bits of each position: of the main sum, of the others.
    words: [usize; 2],
    bits: &'a [u64],
    lists: &'a [u8],
}

impl<Context> View<'_, Context> {
    /// Where the lists of the position at `index` begin.
    fn place(&self, index: usize) -> usize {
        let length = |column: &Column<'_, u32>, at| column.get(at) as usize;
        (0..index).map(|at| self.lengths.iter().map(|it| length(it, at)).sum::<usize>()).sum()
    }
}

impl<C: Closing> Store<C> {
    /// Number of entries over all positions.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.blocks.memory_bytes()
            + self.dictionary.bytes()
            + self.sums.capacity()
            + self.order.capacity() * size_of::<u16>()
    }

    /// Data of each position beside the store, from the order in which the positions were pushed
    /// into the order in which the store has them.
    pub fn arranged<T: Copy>(&self, pushed: Vec<T>) -> Vec<T> {
        if self.order.is_empty() {
            return pushed;
        }
        let stood = |(index, &at): (usize, &u16)| index / BLOCK * BLOCK + usize::from(at);
        self.order.iter().enumerate().map(|it| pushed[stood(it)]).collect()
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
        let codes = self.codes_of(&view, index % BLOCK, view.place(index % BLOCK));
        codes.each(|code| entries.push(self.dictionary.entries()[code]));
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
            lists: cursor.rest(),
        }
    }

    /// The codes of the position at `index` of a block, whose lists begin at `place`.
    #[inline(always)]
    fn codes_of<'a>(
        &self,
        view: &View<'a, C::Context>,
        index: usize,
        place: usize,
    ) -> PositionCodes<'a> {
        let words = view.words[0] + view.words[1];
        let bits =
            if C::HAS_DENSE { &view.bits[index * words..(index + 1) * words] } else { &[][..] };
        let lists = &view.lists[place..];
        let (main, lists) = lists.split_at(view.lengths[0].get(index) as usize);
        let others = &lists[..view.lengths[1].get(index) as usize];
        let (main_bits, other_bits) = bits.split_at(if C::HAS_DENSE { view.words[0] } else { 0 });
        PositionCodes {
            main_bits,
            other_bits,
            first_other: self.dense[0],
            main,
            others,
            firsts: C::HAS_DENSE.then_some(self.firsts),
        }
    }

    #[inline(always)]
    fn sums(&self, codes: &PositionCodes<'_>, products: &[[f64; 2]]) -> C::Sums {
        let mut main = [0.0; 2];
        codes.each_main(|code| {
            let product = products[code];
            main[0] += product[0];
            main[1] += product[1];
        });
        let mut sums = C::Sums::default();
        codes.each_other(|code| {
            let product = products[code];
            let sum = &mut sums.as_mut()[usize::from(self.sums[code])];
            sum[0] += product[0];
            sum[1] += product[1];
        });
        sums.as_mut()[0] = main;
        sums
    }

    /// Sets a row to the cells of a position and the slopes by them, from those by its sums.
    fn fill_row(&self, codes: &PositionCodes<'_>, by_sum: &[[f64; 2]], row: &mut RowRoom) {
        let RowRoom { by_cell, cells, slopes } = row;
        by_cell.resize(self.cells, None);
        cells.clear();
        codes.each(|code| {
            let entry = self.dictionary.entries()[code];
            let times = f64::from(entry.times);
            let halves = by_sum[usize::from(entry.sum)];
            let cell = by_cell[usize::from(entry.cell)].get_or_insert_with(|| {
                cells.push(entry.cell);
                [0.0; 2]
            });
            cell[0] += times * halves[0];
            cell[1] += times * halves[1];
        });
        cells.sort_unstable();
        slopes.clear();
        slopes.extend(
            cells.iter().map(|&cell| by_cell[usize::from(cell)].take().unwrap_or_default()),
        );
    }
}

struct PositionCodes<'a> {
    main_bits: &'a [u64],
    other_bits: &'a [u64],
    /// Code of the first bit of those that are not of the main sum.
    first_other: usize,
    /// The lists: of the main sum, of the others.
    main: &'a [u8],
    others: &'a [u8],
    /// Codes from which on they count gaps; none where they are codes.
    firsts: Option<[u16; 2]>,
}

impl PositionCodes<'_> {
    /// Bytes of the lists.
    #[inline(always)]
    fn listed(&self) -> usize {
        self.main.len() + self.others.len()
    }

    /// The codes of the main sum.
    #[inline(always)]
    fn each_main(&self, mut take: impl FnMut(usize)) {
        each_bit(self.main_bits, 0, &mut take);
        match self.firsts {
            Some([first, _]) => each_gap(self.main, first, take),
            None => each_plain(self.main, take),
        }
    }

    /// The codes of the other sums.
    #[inline(always)]
    fn each_other(&self, mut take: impl FnMut(usize)) {
        each_bit(self.other_bits, self.first_other, &mut take);
        match self.firsts {
            Some([_, first]) => each_gap(self.others, first, take),
            None => each_plain(self.others, take),
        }
    }

    #[inline(always)]
    fn each(&self, mut take: impl FnMut(usize)) {
        self.each_main(&mut take);
        self.each_other(take);
    }
}

/// Numbers of the bits that are set, the first being `first`.
#[inline(always)]
fn each_bit(words: &[u64], first: usize, take: &mut impl FnMut(usize)) {
    for (word, &bits) in words.iter().enumerate() {
        let mut left = bits;
        while left != 0 {
            take(first + 64 * word + left.trailing_zeros() as usize);
            left &= left - 1;
        }
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
        let Work { buffer, labels, evaluations, .. } = work;
        evaluations.clear();
        let view = self.view(block, buffer);
        let mut place = 0;
        for index in 0..self.range(block).len() {
            let codes = self.codes_of(&view, index, place);
            place += codes.listed();
            let sums = self.sums(&codes, &tables.products);
            evaluations.push(C::evaluate(&sums, &view.contexts.get(index), &numbers));
        }
        labels.read(&view.results, &view.scores, evaluations.len());
    }

    fn differentiate(&self, block: usize, tables: &Tables, work: &mut Work) {
        let numbers = C::numbers(&tables.values);
        let Work { buffer, labels, evaluations, slopes, .. } = work;
        evaluations.clear();
        slopes.clear();
        let view = self.view(block, buffer);
        let mut place = 0;
        for index in 0..self.range(block).len() {
            let codes = self.codes_of(&view, index, place);
            place += codes.listed();
            let sums = self.sums(&codes, &tables.products);
            let context = view.contexts.get(index);
            let (evaluation, by_sum) = C::differentiate(&sums, &context, &numbers);
            evaluations.push(evaluation);
            slopes.extend_from_slice(by_sum.as_ref());
        }
        labels.read(&view.results, &view.scores, evaluations.len());
    }

    fn add_gradient(
        &self,
        block: usize,
        tables: &Tables,
        pulls_of: Pulls<'_>,
        work: &mut Work,
        gradient: &mut [[f64; 2]],
    ) -> f64 {
        // One thing after the other for the whole block: the middle part then runs on several
        // positions at once.
        self.differentiate(block, tables, work);
        let Work { buffer, labels, evaluations, slopes, pulls, .. } = work;
        let squares = pulls_of(labels, evaluations, pulls);
        let view = self.view(block, buffer);
        let mut place = 0;
        for (index, (&pull, slopes)) in pulls.iter().zip(slopes.chunks_exact(C::SUMS)).enumerate() {
            let codes = self.codes_of(&view, index, place);
            place += codes.listed();
            let main = slopes[0].map(|half| half * pull);
            codes.each_main(|code| {
                let sum = &mut gradient[code];
                sum[0] += main[0];
                sum[1] += main[1];
            });
            codes.each_other(|code| {
                let slopes = slopes[usize::from(self.sums[code])];
                let sum = &mut gradient[code];
                sum[0] += pull * slopes[0];
                sum[1] += pull * slopes[1];
            });
        }
        squares
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
        let mut place = 0;
        for (index, slopes) in slopes.chunks_exact(C::SUMS).enumerate() {
            let codes = self.codes_of(&view, index, place);
            place += codes.listed();
            self.fill_row(&codes, slopes, row);
            take(Row {
                index,
                evaluation: evaluations[index],
                cells: &row.cells,
                slopes: &row.slopes,
            });
        }
    }

    fn single<'w>(&self, index: usize, tables: &Tables, work: &'w mut Work) -> Single<'w> {
        let Work { buffer, labels, row, .. } = work;
        let view = self.view(index / BLOCK, buffer);
        let inside = index % BLOCK;
        let codes = self.codes_of(&view, inside, view.place(inside));
        let sums = self.sums(&codes, &tables.products);
        let numbers = C::numbers(&tables.values);
        let (evaluation, slopes) = C::differentiate(&sums, &view.contexts.get(inside), &numbers);
        self.fill_row(&codes, slopes.as_ref(), row);
        let score = Some(view.scores.get(inside)).filter(|&score| score != NO_SCORE);
        labels.results.clear();
        labels.results.push(view.results.get(inside));
        labels.scores.clear();
        labels.scores.push(score);
        let row = Row { index: 0, evaluation, cells: &row.cells, slopes: &row.slopes };
        Single { labels, row }
    }

    fn read_labels(&self, block: usize, work: &mut Work) {
        let Work { buffer, labels, .. } = work;
        let view = self.view(block, buffer);
        labels.read(&view.results, &view.scores, self.range(block).len());
    }

    fn linear_sums(&self) -> u8 {
        C::LINEAR_SUMS
    }

    fn counts(&self, take: &mut dyn FnMut(&[Entry])) {
        let mut buffer = Vec::new();
        let mut entries = Vec::new();
        for block in 0..self.blocks.len() {
            let view = self.view(block, &mut buffer);
            let mut place = 0;
            for index in 0..self.range(block).len() {
                entries.clear();
                let codes = self.codes_of(&view, index, place);
                place += codes.listed();
                codes.each(|code| entries.push(self.dictionary.entries()[code]));
                take(&entries);
            }
        }
    }
}

impl Labels {
    /// Takes over those of a block.
    fn read(&mut self, results: &Column<'_, f32>, scores: &Column<'_, i16>, count: usize) {
        self.results.clear();
        self.results.extend((0..count).map(|index| results.get(index)));
        self.scores.clear();
        if !matches!(scores, Column::One(NO_SCORE)) {
            let known = |index| Some(scores.get(index)).filter(|&score| score != NO_SCORE);
            self.scores.extend((0..count).map(known));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::linear::{LinearStore, Tapered};
    use super::super::packing::{Builder, FIRST_POSITIONS, Head};
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

    #[test]
    fn what_is_known_beside_the_store_is_arranged_as_it_is() {
        let positions = positions();
        let store = store(&positions, usize::MAX);
        let pushed: Vec<usize> = (0..positions.len()).collect();
        let arranged = store.arranged(pushed.clone());
        assert!(arranged != pushed, "positions lie by their lengths");
        for (index, &label) in store.labels().iter().enumerate() {
            let at = arranged[index];
            assert_eq!(label.0, (at % 5) as f64 / 4.0, "the result of position {at}");
            let (mut found, mut pushed) = (store.position(index).0, positions[at].clone());
            found.sort_by_key(|entry| (entry.cell, entry.sum));
            pushed.sort_by_key(|entry| (entry.cell, entry.sum));
            assert_eq!(found, pushed);
        }
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
        let values =
            Values((0..50).map(|cell| [f64::from(cell), 50.0 - f64::from(cell)]).collect());
        let [in_memory, in_both, in_file] =
            [usize::MAX, 50_000, 0].map(|memory| store(&positions, memory));
        assert_eq!(in_memory.file_bytes(), 0);
        assert!(in_both.file_bytes() > 0 && in_both.file_bytes() < in_file.file_bytes());
        assert!(in_both.bytes() < 60_000 + in_both.dictionary.bytes(), "{}", in_both.bytes());
        for store in [&in_memory, &in_both, &in_file] {
            assert_eq!(store.evaluations(&values), in_memory.evaluations(&values));
            // Within a block they are ordered anew, with all that belongs to them.
            let mut labels = Vec::new();
            for (index, label) in store.labels().into_iter().enumerate().step_by(97) {
                let (mut found, context) = store.position(index);
                found.sort_unstable_by_key(|entry| entry.cell);
                let number = (context[0] * positions.len() as f32).round() as usize;
                assert_eq!(number / BLOCK, index / BLOCK);
                assert_eq!((&found, context[2]), (&positions[number], (number % 3) as f32));
                let score = number.is_multiple_of(2).then_some(f64::from(number as i16));
                assert_eq!(label, ((number % 5) as f64 / 4.0, score));
                labels.push(number);
            }
            labels.sort_unstable();
            labels.dedup();
            assert!(labels.len() > 50);
        }
    }
}
