//! Traced positions: all that a fit knows of an evaluation, and how passes over them walk.

use std::ops::Range;

use positions::logistic::fit_k;
use rayon::prelude::*;

use super::dictionary::Entry;

/// Positions of a block, the unit of storage and of sums.
pub const BLOCK: usize = 512;

/// Blocks in one parallel task of a pass.
pub(super) const TASK_BLOCKS: usize = 4;

/// The numbers of an evaluation as real numbers, by cell: middlegame and endgame half.
///
/// A cell without phases holds its number in the endgame half; its other half is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Values(pub Vec<[f64; 2]>);

impl Values {
    /// A number rounded to the nearest integer.
    pub fn whole(&self, cell: usize, half: usize) -> i32 {
        self.0[cell][half].round() as i32
    }
}

/// Tables for a pass at some values.
pub struct Tables {
    /// Value times count, by code.
    pub products: Vec<[f64; 2]>,
    /// The values that the tables are of.
    pub values: Values,
}

/// The result of a pass over a block for the next step, and the room it works in.
#[derive(Default)]
pub struct Work {
    /// Evaluations: centipawns, White's view.
    pub evaluations: Vec<f64>,
    /// Results and scores of the positions.
    pub labels: Labels,
    /// Slopes of each evaluation by its sums.
    pub(super) slopes: Vec<[f64; 2]>,
    /// Residual times slope of each expected result.
    pub(super) pulls: Vec<f64>,
    /// A block that comes from a file.
    pub(super) buffer: Vec<u64>,
    pub(super) row: RowRoom,
}

/// Results and scores of a block's positions.
#[derive(Default)]
pub struct Labels {
    /// White's points, 0 to 1.
    pub(super) results: Vec<f32>,
    /// Search scores: centipawns, White's view; empty where none is known.
    pub(super) scores: Vec<Option<i16>>,
}

/// Room for a row of the Jacobian.
#[derive(Default)]
pub(super) struct RowRoom {
    pub(super) by_cell: Vec<Option<[f64; 2]>>,
    pub(super) cells: Vec<u16>,
    pub(super) slopes: Vec<[f64; 2]>,
}

/// The slopes of one position's evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Index of the position in its block.
    pub index: usize,
    /// The evaluation: centipawns, White's view.
    pub evaluation: f64,
    /// The cells it depends on, ascending.
    pub cells: &'a [u16],
    /// Slopes of the evaluation by the halves of each.
    pub slopes: &'a [[f64; 2]],
}

/// One position with its labels and slopes.
pub struct Single<'a> {
    /// Its result and score, at index 0.
    pub labels: &'a Labels,
    /// Evaluation (centipawns) and its slopes.
    pub row: Row<'a>,
}

impl Labels {
    /// White's points in the game of the position at `index`.
    pub fn result(&self, index: usize) -> f64 {
        f64::from(self.results[index])
    }
}

/// Sets the pulls, residual times slope of the expected results, at the evaluations of a block's
/// positions; returns the sum of their losses.
pub type Pulls<'a> = &'a dyn Fn(&Labels, &[f64], &mut Vec<f64>) -> f64;

/// Traced positions: all that a fit knows of an evaluation. They are walked in blocks of
/// [`BLOCK`].
pub trait Positions: Sync {
    /// Number of positions in all blocks.
    fn len(&self) -> usize;

    /// True without positions.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of cells of the evaluation.
    fn cells(&self) -> usize;

    /// Number of codes that gradients are added up by.
    fn codes(&self) -> usize;

    /// Tables for passes at these values.
    fn tables(&self, values: &Values) -> Tables;

    /// Labels and evaluations of a block's positions.
    fn evaluate(&self, block: usize, tables: &Tables, work: &mut Work);

    /// Labels, evaluations and slopes of a block's positions.
    fn differentiate(&self, block: usize, tables: &Tables, work: &mut Work);

    /// Adds for each position of a block the slopes of its evaluation, times its pull, to the gradient by
    /// code; returns the sum of losses.
    fn add_gradient(
        &self,
        block: usize,
        tables: &Tables,
        pulls: Pulls<'_>,
        work: &mut Work,
        gradient: &mut [[f64; 2]],
    ) -> f64;

    /// A gradient by cell, from one by code.
    fn by_cell(&self, by_code: &[[f64; 2]]) -> Vec<[f64; 2]>;

    /// The rows of the block in `work`, which was differentiated.
    fn rows(&self, block: usize, work: &mut Work, take: &mut dyn FnMut(Row<'_>));

    /// Label, evaluation and row of the position at `index` alone; its index in the row is 0.
    fn single<'w>(&self, index: usize, tables: &Tables, work: &'w mut Work) -> Single<'w>;

    /// Labels of a block's positions.
    fn read_labels(&self, block: usize, work: &mut Work);

    /// The evaluation is linear in so many sums, the first.
    fn linear_sums(&self) -> u8;

    /// The entries of every position.
    fn counts(&self, take: &mut dyn FnMut(&[Entry]));

    /// Number of blocks, of [`BLOCK`] positions each but the last.
    fn blocks(&self) -> usize {
        self.len().div_ceil(BLOCK)
    }

    /// All evaluations: centipawns, White's view.
    fn evaluations(&self, values: &Values) -> Vec<f64> {
        let tables = self.tables(values);
        let tasks = in_blocks(self.blocks(), TASK_BLOCKS, Work::default, |work, blocks| {
            let mut evaluations = Vec::with_capacity(BLOCK * blocks.len());
            for block in blocks {
                self.evaluate(block, &tables, work);
                evaluations.extend_from_slice(&work.evaluations);
            }
            evaluations
        });
        tasks.concat()
    }

    /// The K at which the evaluations foretell the results best: see [`fit_k`].
    fn fit_k(&self, values: &Values) -> f64 {
        let mut known = Vec::with_capacity(self.len());
        let mut work = Work::default();
        let evaluations = self.evaluations(values);
        for (block, evaluations) in evaluations.chunks(BLOCK).enumerate() {
            self.read_labels(block, &mut work);
            let evaluations = evaluations.iter().map(|&evaluation| evaluation as f32);
            known.extend(evaluations.zip(work.labels.results.iter().copied()));
        }
        fit_k(&known)
    }

    /// Whether any position has a search score.
    fn has_scores(&self) -> bool {
        let mut work = Work::default();
        (0..self.blocks()).any(|block| {
            self.read_labels(block, &mut work);
            work.labels.scores.iter().any(Option::is_some)
        })
    }

    /// In how many positions each cell occurs.
    fn occurrences(&self) -> Vec<u32> {
        let mut occurrences = vec![0; self.cells()];
        let mut last = vec![0; self.cells()];
        let mut position = 0u32;
        self.counts(&mut |entries| {
            position += 1;
            for entry in entries {
                let cell = usize::from(entry.cell);
                occurrences[cell] += u32::from(last[cell] != position);
                last[cell] = position;
            }
        });
        occurrences
    }
}

/// Applies `work` to consecutive parts of `0..count` in parallel, each with the room of its thread;
/// the results come in the order of the parts.
pub fn in_blocks<R, T: Send>(
    count: usize,
    block: usize,
    room: impl Fn() -> R + Sync + Send,
    work: impl Fn(&mut R, Range<usize>) -> T + Sync + Send,
) -> Vec<T> {
    (0..count.div_ceil(block))
        .into_par_iter()
        .map_init(room, |room, index| work(room, index * block..count.min((index + 1) * block)))
        .collect()
}
