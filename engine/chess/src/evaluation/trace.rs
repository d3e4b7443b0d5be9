//! The coefficients of a position's evaluation: what the tuner fits weights by.

use parameters::{CellKind, Declaration, Score};

use super::arithmetic::Arithmetic;
use super::channels::{Channel, Recorder, SUMS, Sums, TraceEntry};
use super::closing::ClosingContext;
use super::material::{self, Counts};
use super::pawns;
use super::weights::Weights;
use super::{closing_context, endgames, terms};
use crate::rules::Board;

/// Everything the tuner needs to compute a position's value for any weights near the traced ones.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    /// One entry per cell and sum, in no particular (but a fixed) order, none with zero times.
    pub entries: Vec<TraceEntry>,
    /// The rest of what [`close`](super::close) needs of the position.
    pub context: ClosingContext,
    /// White's value, if endgame knowledge answered: there is nothing to tune then, and `entries`
    /// is empty.
    pub exact: Option<i32>,
    /// Black's entries, and a counter per cell and side: kept for the next trace, all zero between.
    black: Vec<TraceEntry>,
    counters: Vec<i16>,
}

impl Trace {
    /// An empty trace, to be filled by [`trace`].
    pub fn new() -> Trace {
        Trace::default()
    }

    /// The sums for the given weights, in any type of number.
    pub fn sums<T: Arithmetic>(&self, weights: &Weights) -> Sums<T> {
        let mut sums = Sums::<T>::zero();
        for entry in &self.entries {
            let sum = &mut sums.0[usize::from(entry.sum)];
            for (sum, half) in sum.iter_mut().zip(halves(weights, entry.cell)) {
                *sum = *sum + T::from_i32(half * i32::from(entry.times));
            }
        }
        sums
    }
}

/// Clears and fills `trace`: the coefficients of every weight in this position. They do not depend
/// on the values in `weights`, which gives addresses only, but for its group `endgames`: what is
/// known of an ending is told in its numbers, and what kind of ending it is by its points of pieces.
pub fn trace(board: &Board, weights: &Weights, trace: &mut Trace) {
    trace.exact = endgames::known(board, &weights.endgames);
    trace.context = closing_context(board, Counts::new(board).phase(), [0; 2]);
    if trace.exact.is_some() {
        trace.entries.clear();
        return;
    }
    let entries = std::mem::take(&mut trace.entries);
    let black = std::mem::take(&mut trace.black);
    (trace.entries, trace.black, trace.context.scale_base) = record(board, weights, entries, black);
    trace.entries.extend_from_slice(&trace.black);
    merge(&mut trace.entries, &mut trace.counters, weights.cells().len());
}

/// White's entries, Black's (in the given vectors, reused), and what the scales start from.
pub(super) fn record(
    board: &Board,
    weights: &Weights,
    white: Vec<TraceEntry>,
    black: Vec<TraceEntry>,
) -> (Vec<TraceEntry>, Vec<TraceEntry>, [u8; 2]) {
    let mut sinks = [Recorder::new(weights, 0, white), Recorder::new(weights, 1, black)];
    material::material(&Counts::new(board), weights, &mut sinks);
    let passed = pawns::cached_terms(board, weights, &mut sinks);
    let scale_base = terms(board, passed, weights, &mut sinks);
    let [white, black] = sinks;
    (white.entries, black.entries, scale_base)
}

/// Adds up the entries of the same cell and sum, drops zeros. A cell speaks to one channel, so that
/// a counter per cell and side tells the sums apart.
fn merge(entries: &mut Vec<TraceEntry>, counters: &mut Vec<i16>, cells: usize) {
    const SIDES: [usize; SUMS] = {
        let mut sides = [0; SUMS];
        let mut sum = 0;
        while sum < SUMS {
            sides[sum] = Channel::of_sum(sum).1;
            sum += 1;
        }
        sides
    };
    counters.resize(2 * cells, 0);
    let slot = |entry: &TraceEntry| usize::from(entry.cell) + cells * SIDES[usize::from(entry.sum)];
    for entry in entries.iter() {
        counters[slot(entry)] += entry.times;
    }
    entries.retain_mut(|entry| {
        entry.times = std::mem::take(&mut counters[slot(entry)]);
        entry.times != 0
    });
}

/// Middlegame and endgame number of a cell; a Scalar is all endgame.
pub(super) fn halves(weights: &Weights, cell: u16) -> [i32; 2] {
    let value = weights.cells()[usize::from(cell)];
    match info_of(cell).kind {
        CellKind::Score => {
            let score: Score = bytemuck::cast(value);
            [score.middlegame(), score.endgame()]
        }
        CellKind::Scalar => [0, value],
    }
}

/// The declared weight that a cell belongs to.
pub(super) fn info_of(cell: u16) -> &'static Declaration {
    let index =
        Weights::INFO.partition_point(|info| info.first_cell + info.length <= usize::from(cell));
    &Weights::INFO[index]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameters;
    use crate::rules::Position;

    /// Adding up entries of the same cell and sum changes no sum.
    #[test]
    fn merged_entries_add_up_to_the_recorded_ones() {
        let parameters = Parameters::embedded();
        let weights = &parameters.weights;
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2PBPN2/PP3PPP/RN1Q1RK1 b - - 4 9",
            "8/5pk1/3b2p1/1P5p/7P/4B1P1/5PK1/8 w - - 12 50",
        ] {
            let position = Position::from_fen(fen).expect("a legal position");
            let board = position.board();
            let (white, black, _) = record(board, weights, Vec::new(), Vec::new());
            let mut recorded = Trace { entries: [white, black].concat(), ..Trace::new() };
            let mut merged = Trace::new();
            trace(board, weights, &mut merged);
            assert_eq!(recorded.sums::<i32>(weights), merged.sums::<i32>(weights), "{fen}");
            let places = |trace: &mut Trace| {
                trace.entries.sort_unstable();
                let all = trace.entries.len();
                trace.entries.dedup_by_key(|entry| (entry.cell, entry.sum));
                (all, trace.entries.len())
            };
            assert!(merged.entries.iter().all(|entry| entry.times != 0), "{fen}");
            let (entries, distinct) = places(&mut merged);
            assert_eq!(entries, distinct, "{fen}");
            let (entries, distinct) = places(&mut recorded);
            assert!(entries > distinct, "nothing to merge in {fen}");
        }
    }
}
