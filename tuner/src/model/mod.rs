//! The model of a set of positions: expected results, their error and its gradient.
//!
//! The linear part of the evaluation is a sum over stored traces; what comes after it is the
//! engine's closing formula, called with real numbers for a value and with dual numbers for slopes.
//! Its own numbers (the group `closing`) are no sums: no fit changes them.
//!
//! CITE: Peter Österlund, Texel's Tuning Method.
//!
//! All sums are taken over fixed blocks of positions and joined in their order, so results do not
//! depend on the number of threads.

pub mod dual;
pub mod loss;
pub mod normal_equations;
pub mod trace;

use std::ops::Range;

use engine::Weights;
use engine::chess::evaluation::weights::Closing;
use engine::chess::evaluation::{SUMS, Sums, close};
use engine::parameters::{CellKind, Score};
use rayon::prelude::*;

use self::dual::Dual;
use self::loss::Loss;
use self::trace::{MAIN_SUM, TraceStore, TracedPosition};

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

    /// The numbers of the closing formula, which stay whole because no fit changes them.
    #[inline]
    fn closing(&self) -> Closing {
        const FIRST: usize = std::mem::offset_of!(Weights, closing) / size_of::<i32>();
        const LENGTH: usize = size_of::<Closing>() / size_of::<i32>();
        let mut closing = [0; LENGTH];
        for (number, value) in closing.iter_mut().zip(&self.0[FIRST..FIRST + LENGTH]) {
            *number = value[1] as i32;
        }
        bytemuck::cast(closing)
    }
}

/// The sums of a position.
#[inline]
pub fn sums(position: &TracedPosition<'_>, values: &Values) -> Sums<f64> {
    let mut sums = Sums([[0.0; 2]; SUMS]);
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
    sums.0[MAIN_SUM] = [main(0), main(1)];
    for entry in position.others {
        let [middlegame, endgame] = values.0[entry.cell as usize];
        let times = f64::from(entry.times);
        let sum = &mut sums.0[entry.sum as usize];
        sum[0] += times * middlegame;
        sum[1] += times * endgame;
    }
    sums
}

/// The model's evaluation of a position: centipawns, White's view.
#[inline]
pub fn evaluate(position: &TracedPosition<'_>, values: &Values) -> f64 {
    close(&sums(position, values), position.context, &values.closing())
}

/// The model's evaluation of a position, and its slopes by the two halves of each sum.
#[inline]
pub fn differentiate(position: &TracedPosition<'_>, values: &Values) -> (f64, [[f64; 2]; SUMS]) {
    let sums = sums(position, values);
    let direction = |sum: usize, half: usize| 2 * sum + half;
    let duals = Sums(std::array::from_fn(|sum| {
        std::array::from_fn(|half| Dual::variable(sums.0[sum][half], direction(sum, half)))
    }));
    let evaluation = close(&duals, position.context, &values.closing());
    let slopes = std::array::from_fn(|sum| {
        std::array::from_fn(|half| evaluation.slopes[direction(sum, half)])
    });
    (evaluation.value, slopes)
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
    /// The positions whose results are to be predicted.
    pub store: &'a TraceStore,
    /// The result each position should predict, 0 to 1 from White's view.
    pub targets: Vec<f32>,
    /// Natural units for one centipawn.
    pub scale: f64,
    /// How wrong an expected result is.
    pub loss: Loss,
}

impl<'a> Objective<'a> {
    /// Targets are results, blended with the expected result at the recorded search score by the
    /// share `lambda`; `k` is in units of [`NATURAL`]. The loss is that of squares.
    pub fn new(store: &'a TraceStore, k: f64, lambda: f64) -> Objective<'a> {
        let scale = k * NATURAL;
        let target = |index: usize| {
            let result = store.result(index);
            let by_score = store.score(index).map_or(result, |score| expected(scale, score));
            ((1.0 - lambda) * result + lambda * by_score) as f32
        };
        let targets = (0..store.len()).into_par_iter().map(target).collect();
        Objective { store, targets, scale, loss: Loss::Squares }
    }

    /// The same positions and targets with another loss.
    pub fn with_loss(self, loss: Loss) -> Objective<'a> {
        Objective { loss, ..self }
    }

    /// Mean loss: with [`Loss::Squares`] the mean squared error.
    pub fn error(&self, values: &Values) -> f64 {
        let blocks = in_blocks(self.store.len(), BLOCK, |range| {
            range
                .map(|index| {
                    let evaluation = evaluate(&self.store.position(index), values);
                    self.loss_at(index, evaluation)
                })
                .sum::<f64>()
        });
        blocks.iter().sum::<f64>() / self.store.len() as f64
    }

    /// Target minus expected result at an evaluation, and the slope of the expected result by the
    /// evaluation; with another loss than that of squares what takes their place, see
    /// [`Loss::least_squares`].
    #[inline]
    pub fn residual(&self, index: usize, evaluation: f64) -> (f64, f64) {
        let expected = expected(self.scale, evaluation);
        let residual = f64::from(self.targets[index]) - expected;
        self.loss.least_squares(self.scale, expected, residual)
    }

    /// The loss of one position at an evaluation.
    #[inline]
    pub fn loss_at(&self, index: usize, evaluation: f64) -> f64 {
        self.loss.of(f64::from(self.targets[index]), self.scale * evaluation)
    }

    /// Mean loss over the positions `order`, and its gradient by cell and half.
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

    /// Adds residual times slope of one position to each of its cells; returns its loss.
    #[inline]
    fn add_gradient(&self, index: usize, values: &Values, gradient: &mut [[f64; 2]]) -> f64 {
        let position = self.store.position(index);
        let (evaluation, slopes) = differentiate(&position, values);
        let (residual, slope) = self.residual(index, evaluation);
        let slopes = slopes.map(|halves| halves.map(|half| half * residual * slope));
        for entry in position.main {
            let times = f64::from(entry.times);
            let sum = &mut gradient[entry.cell as usize];
            sum[0] += times * slopes[MAIN_SUM][0];
            sum[1] += times * slopes[MAIN_SUM][1];
        }
        for entry in position.others {
            let times = f64::from(entry.times);
            let [middlegame, endgame] = slopes[entry.sum as usize];
            let sum = &mut gradient[entry.cell as usize];
            sum[0] += times * middlegame;
            sum[1] += times * endgame;
        }
        match self.loss {
            Loss::Squares => residual * residual,
            Loss::CrossEntropy => self.loss_at(index, evaluation),
        }
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
    fit_k_to(&evaluations, |index| store.result(index))
}

/// The K that minimizes the error of results, 0 to 1, at evaluations in centipawns, both from
/// White's view, and that error.
pub fn fit_k_to(evaluations: &[f64], result: impl Fn(usize) -> f64 + Sync) -> (f64, f64) {
    let error = |logarithm: f64| {
        let scale = logarithm.exp() * NATURAL;
        let blocks = in_blocks(evaluations.len(), BLOCK, |range| {
            range
                .map(|index| (result(index) - expected(scale, evaluations[index])).powi(2))
                .sum::<f64>()
        });
        blocks.iter().sum::<f64>() / evaluations.len() as f64
    };
    let logarithm = golden_section(K_RANGE.0.ln(), K_RANGE.1.ln(), &error);
    (logarithm.exp(), error(logarithm))
}

/// Where `function`, with a single valley, is least between `low` and `high`, to six digits of the
/// interval.
///
/// CITE: Jack Kiefer, Sequential Minimax Search for a Maximum (1953).
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
    use engine::Parameters;
    use engine::chess::evaluation::{Channel, Evaluator, Trace, trace, weights};
    use engine::chess::{Color, Position};
    use rand::RngExt;
    use sprt::openings::random_opening;
    use sprt::random::stream;

    use super::*;
    use crate::positions::Sample;

    /// Positions of random play, every fifth with an old halfmove clock, that endgame knowledge does
    /// not answer.
    fn positions(count: u32, weights: &Weights) -> Vec<Position> {
        let mut traced = Trace::new();
        (0..count)
            .map(|game| {
                let position = random_opening(&mut stream(11, u64::from(game)), 20..=110);
                let fen = position.to_fen(false);
                let mut fields: Vec<&str> = fen.split(' ').collect();
                if game % 5 == 0 && fields[3] == "-" {
                    fields[4] = "60";
                }
                Position::from_fen(&fields.join(" ")).expect("a legal position")
            })
            .filter(|position| {
                trace(position.board(), weights, &mut traced);
                traced.exact.is_none()
            })
            .collect()
    }

    fn store(positions: &[Position], weights: &Weights) -> TraceStore {
        let samples: Vec<Sample> = (0..)
            .zip(positions)
            .map(|(game, position)| {
                let points = [0.0, 0.5, 1.0][game as usize % 3];
                Sample::new(position, game, 0, None, points).expect("few pieces")
            })
            .collect();
        let store = TraceStore::build(&samples, weights).expect("few positions");
        assert_eq!(store.len(), positions.len());
        store
    }

    /// The values of the embedded parameters, each a little off its integer: then no sum lies just
    /// where the formula has an edge.
    fn lively_values(weights: &Weights) -> Values {
        let mut values = Values::of(weights);
        let mut random = stream(12, 0);
        for info in Weights::INFO {
            if weights::SHAPE_GROUPS.contains(&info.group) {
                continue;
            }
            for value in &mut values.0[info.first_cell..info.first_cell + info.length] {
                value[1] += random.random_range(-0.4..0.4);
                if info.kind == CellKind::Score {
                    value[0] += random.random_range(-0.4..0.4);
                }
            }
        }
        values
    }

    /// Which numbers, by cell and half, exist: a cell without phases has no middlegame half.
    fn halves_of(kind: CellKind) -> Range<usize> {
        if kind == CellKind::Score { 0..2 } else { 1..2 }
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences_in_both_halves_of_every_cell() {
        let weights = Parameters::embedded().weights;
        let store = store(&positions(150, &weights), &weights);
        let objective = Objective::new(&store, 1.0, 0.0);
        let order: Vec<u32> = (0..store.len() as u32).collect();
        let mut values = lively_values(&weights);
        let (mean, gradient) = objective.gradient(&values, &order);
        assert!((mean - objective.error(&values)).abs() < 1e-12, "{mean}");
        let seen = store.occurrences(values.0.len());
        let mut compared = std::collections::BTreeMap::<(&str, usize), u32>::new();
        for info in Weights::INFO {
            for cell in info.first_cell..info.first_cell + info.length {
                for half in halves_of(info.kind).filter(|_| seen[cell] > 0) {
                    let step = 1e-3;
                    let value = values.0[cell][half];
                    let mut error = |changed: f64| {
                        values.0[cell][half] = changed;
                        objective.error(&values)
                    };
                    let slope = (error(value + step) - error(value - step)) / (2.0 * step);
                    values.0[cell][half] = value;
                    let found = gradient[cell][half];
                    let tolerance = 1e-11 + 1e-4 * slope.abs();
                    let name = (info.group, info.name, cell - info.first_cell, half);
                    assert!((slope - found).abs() < tolerance, "{name:?}: {slope} {found}");
                    if found.abs() > 1e-8 {
                        *compared.entry((info.group, half)).or_default() += 1;
                    }
                }
            }
        }
        // Nothing was compared with zero alone: squared danger (middlegame) least of all.
        for (group, half, least) in [
            ("danger", 0, 40),
            ("danger", 1, 40),
            ("material", 0, 8),
            ("mobility", 1, 40),
            ("initiative", 1, 6),
            ("scale", 1, 6),
        ] {
            let found = compared.get(&(group, half)).copied().unwrap_or(0);
            assert!(found >= least, "{group}, half {half}: {found} slopes of {least}");
        }
    }

    /// Each entry of the store against the position's own counts, written out for every cell.
    #[test]
    fn sparse_and_dense_sums_agree() {
        let weights = Parameters::embedded().weights;
        let positions = positions(200, &weights);
        let store = store(&positions, &weights);
        let values = lively_values(&weights);
        let mut traced = Trace::new();
        for (index, position) in positions.iter().enumerate() {
            trace(position.board(), &weights, &mut traced);
            let mut counts = vec![[0i32; SUMS]; values.0.len()];
            for entry in &traced.entries {
                counts[usize::from(entry.cell)][usize::from(entry.sum)] += i32::from(entry.times);
            }
            let mut dense = [[0.0; 2]; SUMS];
            for (counts, value) in counts.iter().zip(&values.0) {
                for (sum, &times) in dense.iter_mut().zip(counts) {
                    sum[0] += f64::from(times) * value[0];
                    sum[1] += f64::from(times) * value[1];
                }
            }
            let sparse = sums(&store.position(index), &values);
            for (sparse, dense) in sparse.0.iter().flatten().zip(dense.iter().flatten()) {
                let text = position.to_fen(false);
                assert!((sparse - dense).abs() < 1e-8, "{text}: {sparse} {dense}");
            }
        }
    }

    /// Entries merged, split and sorted give what the engine adds up term by term, in the sums
    /// exactly and in the value but for its integer divisions.
    #[test]
    fn folded_traces_evaluate_as_the_engine_does_unfolded() {
        let weights = Parameters::embedded().weights;
        let positions = positions(300, &weights);
        let store = store(&positions, &weights);
        let values = Values::of(&weights);
        let mut evaluator = Evaluator::new();
        let mut traced = Trace::new();
        for (index, position) in positions.iter().enumerate() {
            trace(position.board(), &weights, &mut traced);
            let unfolded = traced.sums::<i32>(&weights).0.map(|sum| sum.map(f64::from));
            assert_eq!(sums(&store.position(index), &values).0, unfolded);
            let played = evaluator.evaluate(position.board(), &weights);
            let played = if position.side_to_move() == Color::White { played } else { -played };
            let found = evaluate(&store.position(index), &values);
            let text = position.to_fen(false);
            assert!((found - f64::from(played)).abs() < 4.0, "{text}: {found} {played}");
        }
    }

    /// A change of one sum moves the evaluation by the slope that is said, whatever the channel.
    #[test]
    fn slopes_are_by_the_sum_and_half_they_say() {
        let weights = Parameters::embedded().weights;
        let store = store(&positions(60, &weights), &weights);
        let values = lively_values(&weights);
        let mut steep = [[0; 2]; SUMS];
        for index in 0..store.len() {
            let position = store.position(index);
            let (value, slopes) = differentiate(&position, &values);
            assert!((value - evaluate(&position, &values)).abs() < 1e-9);
            for (sum, half) in (0..SUMS).flat_map(|sum| [(sum, 0), (sum, 1)]) {
                let at = |change: f64| {
                    let mut sums = sums(&position, &values);
                    sums.0[sum][half] += change;
                    close(&sums, position.context, &values.closing())
                };
                let slope = (at(1e-4) - at(-1e-4)) / 2e-4;
                let found = slopes[sum][half];
                assert!((slope - found).abs() < 1e-5, "{sum}, half {half}: {slope} {found}");
                steep[sum][half] += u32::from(found.abs() > 1e-4);
            }
        }
        for (sum, halves) in steep.into_iter().enumerate() {
            for half in halves_of(Channel::of_sum(sum).0.kind) {
                assert!(halves[half] > 5, "sum {sum}, half {half}: {steep:?}");
            }
        }
    }

    /// The formula's own numbers are the values', not the engine's defaults; no trace speaks of
    /// them, so that they take no memory and a fit has nothing to move them by.
    #[test]
    fn numbers_of_the_formula_count_and_are_never_traced() {
        let mut weights = Parameters::embedded().weights;
        let store = store(&positions(60, &weights), &weights);
        let seen = store.occurrences(weights.cells().len());
        let shapes =
            |info: &&engine::parameters::Declaration| weights::SHAPE_GROUPS.contains(&info.group);
        for info in Weights::INFO.iter().filter(shapes) {
            assert_eq!(seen[info.first_cell..info.first_cell + info.length].iter().max(), Some(&0));
        }
        let before = Values::of(&weights);
        weights.closing.danger_square_divisor.0 /= 2;
        let after = Values::of(&weights);
        assert_eq!(after.closing(), weights.closing);
        let moved = (0..store.len()).filter(|&index| {
            let position = store.position(index);
            evaluate(&position, &before) != evaluate(&position, &after)
        });
        assert!(moved.count() > 20);
    }

    /// The error told with K is the mean over the positions, and least at that K.
    #[test]
    fn the_error_of_the_fitted_k_is_the_least_mean() {
        let weights = Parameters::embedded().weights;
        let values = Values::of(&weights);
        let positions = positions(600, &weights);
        let unlabelled = store(&positions, &weights);
        let samples: Vec<Sample> = (0..)
            .zip(&positions)
            .map(|(game, position)| {
                // Who is ahead wins, but for every fourth game.
                let value = evaluate(&unlabelled.position(game as usize), &values);
                let points = if (value > 0.0) == (game % 4 != 0) { 1.0 } else { 0.0 };
                Sample::new(position, game, 0, None, points).expect("few pieces")
            })
            .collect();
        let store = TraceStore::build(&samples, &weights).expect("few positions");
        let (k, error) = fit_k(&store, &values);
        let at = |k: f64| Objective::new(&store, k, 0.0).error(&values);
        assert!((error - at(k)).abs() < 1e-12, "{error}, not {}", at(k));
        for other in [0.9 * k, 1.1 * k] {
            assert!(error < at(other), "{error} at {k}, {} at {other}", at(other));
        }
    }

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
