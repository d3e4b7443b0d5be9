//! Traces of many positions, laid out flat: what the model walks in every pass.

use engine::Weights;
use engine::chess::evaluation::{Context, Trace, TraceEntry};
use rayon::prelude::*;

use crate::positions::Sample;

/// The channel most entries belong to; they come first in a position, so that they are summed in
/// registers.
const MAIN_CHANNEL: u8 = 0;
/// Positions traced in one parallel task, and tasks gathered before their entries are appended.
const TASK_POSITIONS: usize = 1024;
const GATHERED_TASKS: usize = 64;

/// A weight's cell counted `times` in a channel of one position; four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Index in [`Weights::cells`].
    pub cell: u16,
    /// Channel whose sums the cell is added to.
    pub channel: u8,
    /// How often: White's count minus Black's in the main channel.
    pub times: i8,
}

/// One position of a store.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// Entries of the main channel, by cell.
    pub main: &'a [Entry],
    /// Entries of the other channels, by cell and channel.
    pub others: &'a [Entry],
    /// What the closing formula needs besides the channel sums.
    pub context: &'a Context,
}

/// Where one position's entries lie, and its labels.
struct Head {
    start: u32,
    main: u16,
    others: u16,
    score: Option<i16>,
    /// White's points.
    result: f32,
    context: Context,
}

/// The traces of a set of positions.
#[derive(Default)]
pub struct TraceStore {
    heads: Vec<Head>,
    entries: Vec<Entry>,
    /// Indices of the samples left out.
    exact: Vec<usize>,
    /// Number of samples seen.
    samples: usize,
}

impl TraceStore {
    /// Traces `samples` in parallel, in their order.
    ///
    /// Positions which endgame knowledge answers exactly hold nothing to tune: they are left out
    /// and counted.
    ///
    /// # Errors
    /// When there are more than 2³² entries (about 50 million positions).
    pub fn build(samples: &[Sample], weights: &Weights) -> anyhow::Result<TraceStore> {
        let mut store = TraceStore::default();
        for gathered in samples.chunks(TASK_POSITIONS * GATHERED_TASKS) {
            let parts: Vec<TraceStore> = gathered
                .par_chunks(TASK_POSITIONS)
                .map_init(Trace::default, |trace, samples| {
                    let mut part = TraceStore::default();
                    for sample in samples {
                        engine::chess::evaluation::trace(&sample.position(), weights, trace);
                        part.push(trace, sample);
                    }
                    part
                })
                .collect();
            for part in parts {
                store.append(part)?;
            }
        }
        store.entries.shrink_to_fit();
        store.heads.shrink_to_fit();
        Ok(store)
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// True without positions.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Indices of the samples left out because endgame knowledge answers them exactly, ascending.
    pub fn exact(&self) -> &[usize] {
        &self.exact
    }

    /// Number of entries over all positions.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.heads.capacity() * size_of::<Head>()
    }

    /// The position at `index`.
    #[inline]
    pub fn position(&self, index: usize) -> Position<'_> {
        let head = &self.heads[index];
        let start = head.start as usize;
        let middle = start + head.main as usize;
        Position {
            main: &self.entries[start..middle],
            others: &self.entries[middle..middle + head.others as usize],
            context: &head.context,
        }
    }

    /// White's points in the game of the position at `index`: 0 to 1.
    pub fn result(&self, index: usize) -> f64 {
        f64::from(self.heads[index].result)
    }

    /// The search score recorded with the position at `index`, if any: centipawns, White's view.
    pub fn score(&self, index: usize) -> Option<f64> {
        self.heads[index].score.map(f64::from)
    }

    /// In how many positions each cell occurs.
    pub fn occurrences(&self, cells: usize) -> Vec<u32> {
        let mut occurrences = vec![0; cells];
        for index in 0..self.len() {
            let position = self.position(index);
            let mut last = u16::MAX;
            for entry in position.main {
                occurrences[entry.cell as usize] += u32::from(entry.cell != last);
                last = entry.cell;
            }
            // A cell may occur in several of the other channels: those entries are neighbors.
            last = u16::MAX;
            for entry in position.others {
                occurrences[entry.cell as usize] += u32::from(entry.cell != last);
                last = entry.cell;
            }
        }
        occurrences
    }

    /// Appends one traced position.
    fn push(&mut self, trace: &mut Trace, sample: &Sample) {
        self.samples += 1;
        if trace.exact.is_some() {
            self.exact.push(self.samples - 1);
            return;
        }
        trace.entries.sort_unstable_by_key(|entry| {
            (entry.channel != MAIN_CHANNEL, entry.cell, entry.channel)
        });
        let start = self.entries.len();
        let mut main = 0;
        for entry in &trace.entries {
            push_split(&mut self.entries, entry);
            if entry.channel == MAIN_CHANNEL {
                main = self.entries.len() - start;
            }
        }
        self.heads.push(Head {
            start: start as u32,
            main: main as u16,
            others: (self.entries.len() - start - main) as u16,
            score: sample.score(),
            result: sample.result() as f32,
            context: trace.context,
        });
    }

    /// Appends the positions of `part`.
    fn append(&mut self, part: TraceStore) -> anyhow::Result<()> {
        let start = u32::try_from(self.entries.len() + part.entries.len())
            .map_err(|_| anyhow::anyhow!("too many positions for one fit: take fewer a game"))?
            - part.entries.len() as u32;
        self.entries.extend(part.entries);
        self.heads.extend(part.heads.into_iter().map(|mut head| {
            head.start += start;
            head
        }));
        self.exact.extend(part.exact.into_iter().map(|index| self.samples + index));
        self.samples += part.samples;
        Ok(())
    }
}

/// Appends an entry, as several when it counts more often than fits in a byte.
fn push_split(entries: &mut Vec<Entry>, entry: &TraceEntry) {
    let mut left = entry.times;
    while left != 0 {
        let times = left.clamp(i16::from(i8::MIN), i16::from(i8::MAX)) as i8;
        entries.push(Entry { cell: entry.cell, channel: entry.channel, times });
        left -= i16::from(times);
    }
}
