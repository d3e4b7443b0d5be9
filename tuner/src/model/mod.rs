//! The model of a set of positions: expected results, their error and its gradient.
//!
//! The linear part of the evaluation is a sum over stored traces; what comes after it is the
//! engine's closing formula, called with real numbers for a value and with dual numbers for slopes.
//! All sums are taken over fixed blocks of positions and joined in their order, so results do not
//! depend on the number of threads.

pub mod dual;
pub mod normal_equations;
pub mod trace;

use std::ops::Range;

use engine::Weights;
use engine::chess::evaluation::{CHANNELS, Sums, close};
use engine::parameters::{CellKind, Score};
use rayon::prelude::*;

use self::dual::{DIRECTIONS, Dual};
use self::trace::{Position, TraceStore};

/// Positions in one block of a sum.
const BLOCK: usize = 512;

/// What K = 1 means: odds of ten to one for 400 centipawns, in natural units for one centipawn.
pub const NATURAL: f64 = std::f64::consts::LN_10 / 400.0;

/// The weights as real numbers, by cell: middlegame and endgame half.
///
/// A cell without phases holds its number in the endgame half, as the closing formula takes it; its
/// other half is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Values(pub Vec<[f64; 2]>);

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

/// The channel sums of a position.
#[inline]
pub fn sums(position: &Position<'_>, values: &Values) -> Sums<f64> {
    let mut sums = Sums { middlegame: [0.0; CHANNELS], endgame: [0.0; CHANNELS] };
    // Four sums side by side, since each addition waits for the one before it.
    let mut parts = [[0.0; 2]; 4];
    let fours = position.main.chunks_exact(4);
    let rest = fours.remainder();
    for four in fours {
        for (part, entry) in parts.iter_mut().zip(four) {
            let [middlegame, endgame] = values.0[entry.cell as usize];
            let times = f64::from(entry.times);
            part[0] += times * middlegame;
            part[1] += times * endgame;
        }
    }
    for (part, entry) in parts.iter_mut().zip(rest) {
        let [middlegame, endgame] = values.0[entry.cell as usize];
        let times = f64::from(entry.times);
        part[0] += times * middlegame;
        part[1] += times * endgame;
    }
    let main = |half: usize| (parts[0][half] + parts[1][half]) + (parts[2][half] + parts[3][half]);
    [sums.middlegame[0], sums.endgame[0]] = [main(0), main(1)];
    for entry in position.others {
        let [middlegame, endgame] = values.0[entry.cell as usize];
        let times = f64::from(entry.times);
        sums.middlegame[entry.channel as usize] += times * middlegame;
        sums.endgame[entry.channel as usize] += times * endgame;
    }
    sums
}

/// The model's evaluation of a position: centipawns, White's view.
#[inline]
pub fn evaluate(position: &Position<'_>, values: &Values) -> f64 {
    close(&sums(position, values), position.context)
}

/// The model's evaluation of a position, and its slopes by the middlegame and endgame sum of each
/// channel.
#[inline]
pub fn differentiate(position: &Position<'_>, values: &Values) -> (f64, [[f64; 2]; CHANNELS]) {
    let sums = sums(position, values);
    let duals = Sums {
        middlegame: std::array::from_fn(|channel| {
            Dual::variable(sums.middlegame[channel], channel)
        }),
        endgame: std::array::from_fn(|channel| {
            Dual::variable(sums.endgame[channel], DIRECTIONS / 2 + channel)
        }),
    };
    let evaluation = close(&duals, position.context);
    let slope =
        |channel: usize| [evaluation.slopes[channel], evaluation.slopes[DIRECTIONS / 2 + channel]];
    (evaluation.value, std::array::from_fn(slope))
}

/// The expected result at an evaluation, for a scale in natural units for one centipawn.
#[inline]
pub fn expected(scale: f64, evaluation: f64) -> f64 {
    1.0 / (1.0 + (-scale * evaluation).exp())
}

/// Applies `work` to consecutive blocks of `0..count` in parallel; the results come in the order of
/// the blocks.
pub fn in_blocks<T: Send>(
    count: usize,
    block: usize,
    work: impl Fn(Range<usize>) -> T + Sync + Send,
) -> Vec<T> {
    (0..count.div_ceil(block))
        .into_par_iter()
        .map(|index| work(index * block..count.min((index + 1) * block)))
        .collect()
}

/// Positions with their targets: what an optimizer minimizes the error of.
pub struct Objective<'a> {
    /// The positions.
    pub store: &'a TraceStore,
    /// The result each position should predict, 0 to 1 from White's view.
    pub targets: Vec<f32>,
    /// Natural units for one centipawn.
    pub scale: f64,
}

impl<'a> Objective<'a> {
    /// Targets are results, blended with the expected result at the recorded search score by the
    /// share `lambda`; `k` is in units of [`NATURAL`].
    pub fn new(store: &'a TraceStore, k: f64, lambda: f64) -> Objective<'a> {
        let scale = k * NATURAL;
        let target = |index: usize| {
            let result = store.result(index);
            let by_score = store.score(index).map_or(result, |score| expected(scale, score));
            ((1.0 - lambda) * result + lambda * by_score) as f32
        };
        let targets = (0..store.len()).into_par_iter().map(target).collect();
        Objective { store, targets, scale }
    }

    /// Mean squared error.
    pub fn error(&self, values: &Values) -> f64 {
        let blocks = in_blocks(self.store.len(), BLOCK, |range| {
            range
                .map(|index| {
                    let evaluation = evaluate(&self.store.position(index), values);
                    let residual = self.residual(index, evaluation).0;
                    residual * residual
                })
                .sum::<f64>()
        });
        blocks.iter().sum::<f64>() / self.store.len() as f64
    }

    /// Target minus expected result at an evaluation, and the slope of the expected result by the
    /// evaluation.
    #[inline]
    pub fn residual(&self, index: usize, evaluation: f64) -> (f64, f64) {
        let expected = expected(self.scale, evaluation);
        (f64::from(self.targets[index]) - expected, self.scale * expected * (1.0 - expected))
    }

    /// Mean squared error over the positions `order`, and its gradient by cell and half.
    pub fn gradient(&self, values: &Values, order: &[u32]) -> (f64, Vec<[f64; 2]>) {
        let blocks = in_blocks(order.len(), BLOCK, |range| {
            let mut gradient = vec![[0.0; 2]; values.0.len()];
            let error: f64 = order[range]
                .iter()
                .map(|&index| self.add_gradient(index as usize, values, &mut gradient))
                .sum();
            (error, gradient)
        });
        let mut error = 0.0;
        let mut gradient = vec![[0.0; 2]; values.0.len()];
        for (part_error, part) in blocks {
            error += part_error;
            for (sum, part) in gradient.iter_mut().zip(part) {
                sum[0] += part[0];
                sum[1] += part[1];
            }
        }
        let factor = -2.0 / order.len() as f64;
        for sum in &mut gradient {
            *sum = sum.map(|value| value * factor);
        }
        (error / order.len() as f64, gradient)
    }

    /// Adds residual times slope of one position to each of its cells; returns its squared
    /// residual.
    #[inline]
    fn add_gradient(&self, index: usize, values: &Values, gradient: &mut [[f64; 2]]) -> f64 {
        let position = self.store.position(index);
        let (evaluation, slopes) = differentiate(&position, values);
        let (residual, slope) = self.residual(index, evaluation);
        let slopes = slopes.map(|halves| halves.map(|half| half * residual * slope));
        for entry in position.main {
            let times = f64::from(entry.times);
            let sum = &mut gradient[entry.cell as usize];
            sum[0] += times * slopes[0][0];
            sum[1] += times * slopes[0][1];
        }
        for entry in position.others {
            let times = f64::from(entry.times);
            let [middlegame, endgame] = slopes[entry.channel as usize];
            let sum = &mut gradient[entry.cell as usize];
            sum[0] += times * middlegame;
            sum[1] += times * endgame;
        }
        residual * residual
    }
}

/// Values of K tried, in units of [`NATURAL`]: beyond them the evaluation's unit is no centipawn.
pub const K_RANGE: (f64, f64) = (0.02, 20.0);

/// The K that minimizes the error of the results at the given values, and that error.
pub fn fit_k(store: &TraceStore, values: &Values) -> (f64, f64) {
    let evaluations: Vec<f64> = in_blocks(store.len(), BLOCK, |range| {
        range.map(|index| evaluate(&store.position(index), values)).collect::<Vec<_>>()
    })
    .concat();
    let error = |logarithm: f64| {
        let scale = logarithm.exp() * NATURAL;
        let blocks = in_blocks(store.len(), BLOCK, |range| {
            range
                .map(|index| (store.result(index) - expected(scale, evaluations[index])).powi(2))
                .sum::<f64>()
        });
        blocks.iter().sum::<f64>() / store.len() as f64
    };
    let logarithm = golden_section(K_RANGE.0.ln(), K_RANGE.1.ln(), &error);
    (logarithm.exp(), error(logarithm))
}

/// Where `function`, with a single valley, is least between `low` and `high`, to six digits of the
/// interval.
fn golden_section(mut low: f64, mut high: f64, function: &impl Fn(f64) -> f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let tolerance = (high - low) * 1e-6;
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut left_value, mut right_value) = (function(left), function(right));
    while high - low > tolerance {
        if left_value <= right_value {
            (high, right, right_value) = (right, left, left_value);
            left = high - ratio * (high - low);
            left_value = function(left);
        } else {
            (low, left, left_value) = (left, right, right_value);
            right = low + ratio * (high - low);
            right_value = function(right);
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_section_finds_the_valley() {
        let least = golden_section(-3.0, 5.0, &|x| (x - 1.25) * (x - 1.25));
        assert!((least - 1.25).abs() < 1e-4, "{least}");
    }

    #[test]
    fn blocks_cover_everything_in_order() {
        let blocks = in_blocks(1000, 300, |range| range);
        assert_eq!(blocks, [0..300, 300..600, 600..900, 900..1000]);
    }

    #[test]
    fn real_values_round_trip() {
        let mut weights: Weights = bytemuck::Zeroable::zeroed();
        for info in Weights::INFO {
            weights.cells_mut()[info.first_cell] = match info.kind {
                CellKind::Score => bytemuck::cast(Score::new(-7, 12)),
                CellKind::Scalar => -5,
            };
        }
        assert_eq!(Values::of(&weights).rounded(), weights);
    }
}
