//! Packing positions into a store.

use std::collections::HashMap;
use std::ops::Range;

use super::blocks::Blocks;
use super::columns::{push_column, push_slice};
use super::dictionary::{Dictionary, Entry};
use super::lists::{push_gaps, push_plain};
use super::store::{Closing, NO_SCORE, Store};
use super::traced::BLOCK;

/// Positions whose entries say which codes are frequent.
pub(super) const FIRST_POSITIONS: usize = 4096;
/// Share of the positions from which on a code is kept as a bit: a bit in all costs as much as a byte
/// in those.
const DENSE_SHARE: f64 = 1.0 / 8.0;
/// One position as it is traced.
#[derive(Clone, Copy, Debug)]
pub struct Head<Context> {
    /// Input of the closing formula besides the sums.
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
    /// Bytes of the lists: of the main sum, of the others.
    lengths: [Vec<u32>; 2],
    bits: Vec<u64>,
    lists: Vec<u8>,
    /// The listed codes of one position: of the main sum, of the others.
    listed: [Vec<u16>; 2],
}

impl<C: Closing> Store<C> {
    /// Begins a store of evaluations with so many cells, of which `memory` bytes may lie in memory.
    pub fn builder(cells: usize, memory: usize) -> Builder<C> {
        let store = Store {
            blocks: Blocks::new(memory),
            dictionary: Dictionary::new(cells, C::SUMS),
            sums: Vec::new(),
            dense: [0; 2],
            firsts: [0; 2],
            len: 0,
            entries: 0,
            cells,
            order: Vec::new(),
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

    /// The data beside the positions, to be filled as they come.
    pub fn beside(&mut self) -> &mut C::Beside {
        &mut self.store.beside
    }

    /// Number of positions so far.
    pub fn positions(&self) -> usize {
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
        let mut counts = [[0; 2]; 2];
        for (entry, seen) in by_frequency {
            let (is_sparse, is_other) = class(&entry, seen);
            counts[usize::from(is_sparse)][usize::from(is_other)] += 1;
            self.store.dictionary.encode(entry, &mut |_| ())?;
        }
        let [dense, [sparse_main, _]] = counts;
        let first = dense[0] + dense[1];
        self.store.dense = dense;
        self.store.firsts = [first, first + sparse_main].map(|first| first as u16);
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
        let bits_start = open.bits.len();
        open.bits.resize(bits_start + words[0] + words[1], 0);
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
                open.listed[usize::from(is_other)].push(code);
            })?;
        }
        let lists = open.listed.iter_mut().zip(&mut open.lengths).zip(store.firsts);
        for ((codes, lengths), first) in lists {
            let start = open.lists.len();
            match C::HAS_DENSE {
                true => push_gaps(&mut open.lists, codes, first),
                false => push_plain(&mut open.lists, codes),
            }
            lengths.push((open.lists.len() - start) as u32);
            codes.clear();
        }
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
        let mut open = std::mem::take(&mut self.open);
        if C::IS_SORTED {
            self.store.order.append(&mut open.sort());
        }
        let mut words = Vec::new();
        push_column(&mut words, &open.results);
        push_column(&mut words, &open.scores);
        push_column(&mut words, &open.contexts);
        push_column(&mut words, &open.lengths[0]);
        push_column(&mut words, &open.lengths[1]);
        push_slice(&mut words, &open.bits);
        push_slice(&mut words, &open.lists);
        self.store.blocks.push(&words)
    }
}

impl<Context: Copy> OpenBlock<Context> {
    /// Orders the positions by the lengths of their lists: a processor then foresees where each ends.
    /// Returns where each stood.
    fn sort(&mut self) -> Vec<u16> {
        let mut ends = 0;
        let listed: Vec<Range<usize>> = (0..self.results.len())
            .map(|index| {
                let start = ends;
                ends += self.lengths.iter().map(|column| column[index] as usize).sum::<usize>();
                start..ends
            })
            .collect();
        let mut order: Vec<usize> = (0..listed.len()).collect();
        order.sort_by_key(|&index| self.lengths.each_ref().map(|column| column[index]));
        self.results = order.iter().map(|&index| self.results[index]).collect();
        self.scores = order.iter().map(|&index| self.scores[index]).collect();
        self.contexts = order.iter().map(|&index| self.contexts[index]).collect();
        for column in &mut self.lengths {
            *column = order.iter().map(|&index| column[index]).collect();
        }
        let lists = order.iter().flat_map(|&index| &self.lists[listed[index].clone()]);
        self.lists = lists.copied().collect();
        order.into_iter().map(|index| index as u16).collect()
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
            lists: Vec::new(),
            listed: [Vec::new(), Vec::new()],
        }
    }
}
