//! Kamerton's own evaluation, traced: the first user of [`Positions`](super::Positions).
//!
//! The linear part of the evaluation is a sum over entries; what comes after it is the engine's
//! closing formula, called with real numbers for a value and with dual numbers for slopes. Its own
//! numbers (the group `closing`) are no sums: no fit changes them.

use chess::evaluation::weights::Closing as ClosingNumbers;
use chess::evaluation::{Channel, ClosingContext, SUMS, Sums, Trace, close};
use chess::packed::PACKED_BYTES;
use chess::{GAME, Position, Weights};
use parameters::{CellKind, Score};
use positions::{PackedPosition, Sample};
use rayon::prelude::*;

use super::Values;
use super::blocks::Blocks;
use super::columns::push_slice;
use super::dictionary::Entry;
use super::dual::Dual;
use super::packing::{Builder, Head};
use super::store::{Closing, Store};
use super::terms::Terms;

/// Positions traced in one parallel task, and tasks gathered before they are packed.
const TASK_POSITIONS: usize = 1024;
const GATHERED_TASKS: usize = 16;
/// Positions in a block of boards: a multiple of those in a block of traces.
pub const BOARDS: usize = 8 * super::BLOCK;

const _: () = assert!(Channel::MAIN.index(0) == 0, "the main sum is the first");

/// The closing formula of the engine.
pub struct Chess;

/// The traces of positions in Kamerton's evaluation.
pub type TraceStore = Store<Chess>;

impl Closing for Chess {
    type Sums = [[f64; 2]; SUMS];
    type Context = [u8; 4];
    type Numbers = ClosingNumbers;
    type Beside = Beside;
    const SUMS: usize = SUMS;
    const LINEAR_SUMS: u8 = 1;
    const HAS_DENSE: bool = true;
    // The boards lie in the same order.
    const IS_SORTED: bool = false;

    fn numbers(values: &Values) -> ClosingNumbers {
        const FIRST: usize = std::mem::offset_of!(Weights, closing) / size_of::<i32>();
        const LENGTH: usize = size_of::<ClosingNumbers>() / size_of::<i32>();
        let mut closing = [0; LENGTH];
        for (number, value) in closing.iter_mut().zip(&values.0[FIRST..FIRST + LENGTH]) {
            // They are whole, because no fit changes them.
            *number = value[1] as i32;
        }
        bytemuck::cast(closing)
    }

    #[inline]
    fn evaluate(sums: &Self::Sums, context: &[u8; 4], numbers: &ClosingNumbers) -> f64 {
        close(&Sums(*sums), &closing_context(*context), numbers)
    }

    #[inline]
    fn differentiate(
        sums: &Self::Sums,
        context: &[u8; 4],
        numbers: &ClosingNumbers,
    ) -> (f64, Self::Sums) {
        let direction = |sum: usize, half: usize| 2 * sum + half;
        let duals = Sums(std::array::from_fn(|sum| {
            std::array::from_fn(|half| Dual::variable(sums[sum][half], direction(sum, half)))
        }));
        let evaluation = close(&duals, &closing_context(*context), numbers);
        let slopes = std::array::from_fn(|sum| {
            std::array::from_fn(|half| evaluation.slopes[direction(sum, half)])
        });
        (evaluation.value, slopes)
    }
}

/// Data beside the traces.
pub struct Beside {
    /// Indices of the samples left out because endgame knowledge answers them exactly.
    exact: Vec<usize>,
    /// The positions themselves, in a temporary file: only reports look at them.
    boards: Blocks,
    /// Positions whose games were guessed.
    guessed: usize,
    /// Number of each position's game.
    games: Vec<u32>,
}

impl Default for Beside {
    fn default() -> Beside {
        Beside { exact: Vec::new(), boards: Blocks::new(0), guessed: 0, games: Vec::new() }
    }
}

impl Store<Chess> {
    /// Traces `samples` in parallel, in their order.
    ///
    /// Positions which endgame knowledge answers exactly hold nothing to tune: they are left out
    /// and counted.
    ///
    /// # Errors
    /// When a temporary file fails.
    pub fn build(samples: &[Sample], weights: &Weights) -> anyhow::Result<TraceStore> {
        let mut tracer = Tracer::new(weights, usize::MAX);
        tracer.add(samples)?;
        tracer.finish()
    }

    /// Indices of the samples left out because endgame knowledge answers them exactly, ascending.
    pub fn exact(&self) -> &[usize] {
        &self.beside.exact
    }

    /// Number of positions whose games were guessed.
    pub fn guessed(&self) -> usize {
        self.beside.guessed
    }

    /// Number of each position's game.
    pub fn games(&self) -> &[u32] {
        &self.beside.games
    }

    /// White's points in the games of the positions.
    pub fn results(&self) -> Vec<f32> {
        self.labels().into_iter().map(|(result, _)| result as f32).collect()
    }

    /// The positions as samples again; whether their games were guessed is not known any more.
    ///
    /// # Panics
    /// When the temporary file with the boards is damaged.
    pub fn samples(&self) -> Vec<Sample> {
        let boards = (0..self.board_blocks()).flat_map(|block| self.boards(block));
        boards
            .zip(self.labels())
            .zip(self.games())
            .map(|((board, (result, score)), &game)| {
                let position = board.unpack().expect("it was packed from a legal position");
                let score = score.map(|score| score as i16);
                Sample::new(&position, game, 0, score, result as f32).expect("as it was packed")
            })
            .collect()
    }

    /// Number of blocks of boards.
    pub fn board_blocks(&self) -> usize {
        self.beside.boards.len()
    }

    /// The boards of a block: together all positions in their order.
    pub fn boards(&self, block: usize) -> Vec<PackedPosition> {
        let mut buffer = Vec::new();
        let words = self.beside.boards.get(block, &mut buffer);
        let bytes: &[u8] = bytemuck::cast_slice(words);
        let count = BOARDS.min(super::Positions::len(self) - block * BOARDS);
        bytes
            .chunks_exact(PACKED_BYTES)
            .take(count)
            .map(|bytes| PackedPosition::from_bytes(GAME, bytes))
            .collect()
    }
}

/// Traces samples into a store.
pub struct Tracer<'a> {
    weights: &'a Weights,
    builder: Builder<Chess>,
    samples: usize,
    boards: Vec<u8>,
}

/// A task's traces: the head and the number of entries of each position that is not exact.
#[derive(Default)]
struct Traced {
    heads: Vec<Option<(Head<[u8; 4]>, usize)>>,
    entries: Vec<Entry>,
}

impl<'a> Tracer<'a> {
    /// Without positions yet; traces beyond `memory` bytes go to a temporary file.
    pub fn new(weights: &'a Weights, memory: usize) -> Tracer<'a> {
        let builder = Store::builder(weights.cells().len(), memory);
        Tracer { weights, builder, samples: 0, boards: Vec::new() }
    }

    /// Appends samples.
    ///
    /// # Errors
    /// When a temporary file fails.
    pub fn add(&mut self, samples: &[Sample]) -> anyhow::Result<()> {
        for gathered in samples.chunks(TASK_POSITIONS * GATHERED_TASKS) {
            let tasks: Vec<Traced> = gathered
                .par_chunks(TASK_POSITIONS)
                .map_init(Trace::default, |trace, samples| {
                    let mut traced = Traced::default();
                    samples.iter().for_each(|sample| traced.push(sample, self.weights, trace));
                    traced
                })
                .collect();
            for (traced, samples) in tasks.iter().zip(gathered.chunks(TASK_POSITIONS)) {
                self.pack(traced, samples)?;
            }
        }
        Ok(())
    }

    /// The store of all samples.
    ///
    /// # Errors
    /// When a temporary file fails.
    pub fn finish(mut self) -> anyhow::Result<TraceStore> {
        self.flush_boards()?;
        self.builder.finish()
    }

    fn pack(&mut self, traced: &Traced, samples: &[Sample]) -> anyhow::Result<()> {
        let mut start = 0;
        for (head, sample) in traced.heads.iter().zip(samples) {
            self.samples += 1;
            let Some((head, count)) = head else {
                self.builder.beside().exact.push(self.samples - 1);
                continue;
            };
            self.builder.push(*head, &traced.entries[start..start + count])?;
            start += count;
            self.builder.beside().guessed += usize::from(sample.game_is_guessed());
            self.builder.beside().games.push(sample.game());
            self.boards.extend_from_slice(sample.packed().bytes());
            if self.boards.len() == BOARDS * PACKED_BYTES {
                self.flush_boards()?;
            }
        }
        Ok(())
    }

    fn flush_boards(&mut self) -> anyhow::Result<()> {
        if self.boards.is_empty() {
            return Ok(());
        }
        let mut words = Vec::new();
        push_slice(&mut words, &self.boards);
        self.boards.clear();
        self.builder.beside().boards.push(&words)
    }
}

impl Traced {
    fn push(&mut self, sample: &Sample, weights: &Weights, trace: &mut Trace) {
        chess::evaluation::trace(sample.position().typed::<Position>(), weights, trace);
        if trace.exact.is_some() {
            self.heads.push(None);
            return;
        }
        // The order of entries decides the order of sums: it is that of the cells.
        trace.entries.sort_unstable_by_key(|entry| (entry.cell, entry.sum, entry.times));
        self.entries.extend(trace.entries.iter().map(|entry| Entry {
            cell: entry.cell,
            sum: entry.sum,
            times: entry.times,
        }));
        let ClosingContext { phase, halfmove_clock, scale_base } = trace.context;
        let head = Head {
            context: [phase, halfmove_clock, scale_base[0], scale_base[1]],
            result: sample.result() as f32,
            score: sample.score(),
        };
        self.heads.push(Some((head, trace.entries.len())));
    }
}

/// The engine's context from the four bytes that a store holds.
fn closing_context([phase, halfmove_clock, white, black]: [u8; 4]) -> ClosingContext {
    ClosingContext { phase, halfmove_clock, scale_base: [white, black] }
}

/// The terms of Kamerton's evaluation.
pub fn terms() -> Terms {
    Terms::of(Weights::INFO)
}

impl Values {
    /// The values in `weights`.
    pub fn of(weights: &Weights) -> Values {
        let mut values = vec![[0.0; 2]; weights.cells().len()];
        for info in Weights::INFO {
            let range = info.first_cell..info.first_cell + info.length;
            for (value, &cell) in values[range.clone()].iter_mut().zip(&weights.cells()[range]) {
                *value = match info.kind {
                    CellKind::Score => {
                        let score: Score = bytemuck::cast(cell);
                        [f64::from(score.middlegame()), f64::from(score.endgame())]
                    }
                    CellKind::Scalar => [0.0, f64::from(cell)],
                };
            }
        }
        Values(values)
    }

    /// The values rounded to the nearest integers, as weights.
    pub fn rounded(&self) -> Weights {
        let mut weights: Weights = bytemuck::Zeroable::zeroed();
        let cells = weights.cells_mut();
        for info in Weights::INFO {
            let range = info.first_cell..info.first_cell + info.length;
            for (cell, value) in cells[range.clone()].iter_mut().zip(&self.0[range]) {
                let [middlegame, endgame] = value.map(|half| half.round() as i32);
                *cell = match info.kind {
                    CellKind::Score => bytemuck::cast(Score::new(middlegame, endgame)),
                    CellKind::Scalar => endgame,
                };
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use chess::{GAME, Parameters};
    use matches::openings::random_opening;
    use random::stream;

    use super::super::Positions;
    use super::*;

    /// Traces of several tasks are joined as if the positions had been traced one by one, those
    /// left out among them.
    #[test]
    fn many_tasks_make_the_store_of_single_positions() {
        let weights = Parameters::embedded().weights;
        let bare = GAME.position("8/8/4k3/8/8/3K4/8/8 w - - 0 1").expect("a legal position");
        let samples: Vec<Sample> = (0..4 * TASK_POSITIONS as u32 + 400)
            .map(|game| {
                let played =
                    || random_opening(GAME, &mut stream(41, u64::from(game % 97)), 10..=60);
                let position = if game % 311 == 5 { bare.clone() } else { played() };
                let (score, points) = ((game % 2 == 0).then_some(game as i16), game % 3);
                Sample::new(&position, game, 0, score, points as f32 / 2.0).expect("few pieces")
            })
            .collect();
        let joined = TraceStore::build(&samples, &weights).expect("few positions");
        let labels = joined.labels();
        let sorted = |(mut entries, context): (Vec<Entry>, [u8; 4])| {
            entries.sort_unstable_by_key(|entry| (entry.cell, entry.sum, entry.times));
            (entries, context)
        };
        let (mut exact, mut next, mut entries) = (Vec::new(), 0, 0);
        for (index, sample) in samples.iter().enumerate() {
            let single = TraceStore::build(std::slice::from_ref(sample), &weights);
            let single = single.expect("one position");
            if single.is_empty() {
                exact.push(index);
                continue;
            }
            let [found, expected] = [joined.position(next), single.position(0)].map(sorted);
            assert_eq!(found, expected, "{index}");
            assert_eq!(labels[next], (sample.result(), sample.score().map(f64::from)));
            let board = joined.boards(next / BOARDS)[next % BOARDS];
            assert_eq!(&board, sample.packed());
            next += 1;
            entries += single.entries();
        }
        assert!(exact.len() >= 8, "{exact:?}");
        assert_eq!(joined.exact(), exact);
        assert_eq!((joined.len(), joined.entries()), (next, entries));
        // With what repeats kept once, an entry costs little more than a byte.
        assert!(joined.bytes() < 2 * entries, "{} bytes, {entries} entries", joined.bytes());
    }
}
