//! Traces of many positions, laid out flat: what the model walks in every pass.

use engine::Weights;
use engine::chess::evaluation::{Channel, ClosingContext, Trace, TraceEntry};
use rayon::prelude::*;

use crate::positions::Sample;

/// The sum most entries belong to; they come first in a position, so that they are summed in
/// registers.
pub const MAIN_SUM: usize = Channel::MAIN.index(0);
/// Positions traced in one parallel task, and tasks gathered before their entries are appended.
const TASK_POSITIONS: usize = 1024;
const GATHERED_TASKS: usize = 64;

/// A weight's cell counted `times` in a sum of one position: a [`TraceEntry`] in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedEntry {
    /// Index in [`Weights::cells`].
    pub cell: u16,
    /// Index of the sum that the cell is added to, see [`Channel::of_sum`].
    pub sum: u8,
    /// How often: White's count minus Black's in the main sum.
    pub times: i8,
}

/// One position of a store.
#[derive(Clone, Copy, Debug)]
pub struct TracedPosition<'a> {
    /// Entries of the main sum, by cell.
    pub main: &'a [PackedEntry],
    /// Entries of the other sums, by cell and sum.
    pub others: &'a [PackedEntry],
    /// What the closing formula needs besides the sums.
    pub context: &'a ClosingContext,
}

/// Where one position's entries lie, and its labels.
struct Head {
    start: u32,
    main: u16,
    others: u16,
    score: Option<i16>,
    /// White's points.
    result: f32,
    context: ClosingContext,
}

/// The traces of a set of positions.
#[derive(Default)]
pub struct TraceStore {
    heads: Vec<Head>,
    entries: Vec<PackedEntry>,
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
        self.entries.capacity() * size_of::<PackedEntry>()
            + self.heads.capacity() * size_of::<Head>()
    }

    /// The position at `index`.
    #[inline]
    pub fn position(&self, index: usize) -> TracedPosition<'_> {
        let head = &self.heads[index];
        let start = head.start as usize;
        let middle = start + head.main as usize;
        TracedPosition {
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
            // A cell may occur in several of the other sums: those entries are neighbors.
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
        let is_main = |entry: &TraceEntry| usize::from(entry.sum) == MAIN_SUM;
        trace.entries.sort_unstable_by_key(|entry| (!is_main(entry), entry.cell, entry.sum));
        let start = self.entries.len();
        let mut main = 0;
        for entry in &trace.entries {
            push_split(&mut self.entries, entry);
            if is_main(entry) {
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
fn push_split(entries: &mut Vec<PackedEntry>, entry: &TraceEntry) {
    let mut left = entry.times;
    while left != 0 {
        let times = left.clamp(i16::from(i8::MIN), i16::from(i8::MAX)) as i8;
        entries.push(PackedEntry { cell: entry.cell, sum: entry.sum, times });
        left -= i16::from(times);
    }
}

#[cfg(test)]
mod tests {
    use engine::Parameters;
    use engine::chess::Position;
    use sprt::openings::random_opening;
    use sprt::random::stream;

    use super::*;

    /// What several tasks trace is joined as if the positions had been traced one by one, those left
    /// out among them.
    #[test]
    fn many_tasks_make_the_store_of_single_positions() {
        let weights = Parameters::embedded().weights;
        let bare = Position::from_fen("8/8/4k3/8/8/3K4/8/8 w - - 0 1").expect("a legal position");
        let samples: Vec<Sample> = (0..2 * TASK_POSITIONS as u32 + 400)
            .map(|game| {
                let played = || random_opening(&mut stream(41, u64::from(game % 97)), 10..=60);
                let position = if game % 311 == 5 { bare.clone() } else { played() };
                let (score, points) = ((game % 2 == 0).then_some(game as i16), game % 3);
                Sample::new(&position, game, 0, score, points as f32 / 2.0).expect("few pieces")
            })
            .collect();
        let joined = TraceStore::build(&samples, &weights).expect("few positions");
        let (mut exact, mut next, mut entries) = (Vec::new(), 0, 0);
        for (index, sample) in samples.iter().enumerate() {
            let single = TraceStore::build(std::slice::from_ref(sample), &weights);
            let single = single.expect("one position");
            if single.is_empty() {
                exact.push(index);
                continue;
            }
            let (found, expected) = (joined.position(next), single.position(0));
            assert_eq!((found.main, found.others), (expected.main, expected.others), "{index}");
            assert_eq!(joined.result(next), sample.result());
            assert_eq!(joined.score(next), sample.score().map(f64::from));
            next += 1;
            entries += single.entries();
        }
        assert!(exact.len() >= 8, "{exact:?}");
        assert_eq!(joined.exact(), exact);
        assert_eq!((joined.len(), joined.entries()), (next, entries));
        let heads = next * size_of::<Head>();
        assert!(joined.bytes() >= heads + entries * size_of::<PackedEntry>());
    }

    /// A cell counts once in a position, in however many entries it occurs.
    #[test]
    fn occurrences_are_positions_with_the_cell() {
        let entry = |cell, sum: usize, times| TraceEntry { cell, sum: sum as u8, times };
        let position = Position::start();
        let sample = Sample::new(&position, 0, 0, None, 0.5).expect("few pieces");
        let other = MAIN_SUM + 1;
        let mut store = TraceStore::default();
        for entries in [
            // Split in the main sum, and in two of the others.
            vec![entry(1, MAIN_SUM, 300), entry(2, other, 1), entry(2, other + 1, 1)],
            vec![entry(0, MAIN_SUM, -1), entry(1, MAIN_SUM, 1), entry(3, other, 2)],
        ] {
            let mut trace = Trace::default();
            trace.entries = entries;
            store.push(&mut trace, &sample);
        }
        assert_eq!(store.occurrences(5), [1, 2, 1, 1, 0]);
    }

    #[test]
    fn split_entries_count_as_often_as_the_whole() {
        for times in [0, 1, -1, 127, 128, -128, -129, 255, 1000, i16::MAX, i16::MIN] {
            let mut entries = Vec::new();
            push_split(&mut entries, &TraceEntry { cell: 7, sum: 2, times });
            let total: i32 = entries.iter().map(|entry| i32::from(entry.times)).sum();
            assert_eq!(total, i32::from(times));
            assert!(entries.iter().all(|entry| (entry.cell, entry.sum) == (7, 2)));
            let most = if times < 0 { 128 } else { 127 };
            assert_eq!(entries.len(), usize::from(times.unsigned_abs()).div_ceil(most));
        }
    }

    /// What every position of a fit costs besides its entries.
    #[test]
    fn a_position_takes_twenty_bytes_and_four_an_entry() {
        assert_eq!((size_of::<Head>(), size_of::<PackedEntry>()), (20, 4));
    }
}
