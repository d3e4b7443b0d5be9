//! The model of a set of positions: expected results, their error and its gradient.
//!
//! A fit needs of an evaluation the trait [`Positions`]: traces that give evaluations, slopes and
//! sparse rows at any values. Its users are the optimizers, the gauge, the rounding; those who
//! implement it are Kamerton's evaluation of chess ([`trace`]) and any linear one, from files or of
//! another game ([`linear`]). Both keep their positions in a [`store`], and differ in the closing formula.
//!
//! CITE: Peter Österlund, Texel's Tuning Method.
//!
//! All sums are taken over fixed blocks of positions and joined in their order, so results do not
//! depend on the number of threads.

mod blocks;
mod columns;
pub mod dictionary;
pub mod dual;
pub mod linear;
pub mod lists;
pub mod loss;
pub mod normal_equations;
mod objective;
pub mod packing;
pub mod store;
pub mod symmetric;
pub mod terms;
pub mod trace;
mod traced;

pub use self::objective::Objective;
pub use self::traced::{
    BLOCK, Labels, Positions, Pulls, Row, Single, Tables, Values, Work, in_blocks,
};
pub use positions::logistic::{K_RANGE, NATURAL, expected, fit_k};

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use chess::evaluation::{Channel, Evaluator, SUMS, Sums, Trace, trace, weights};
    use chess::{Color, Position};
    use chess::{Parameters, Weights};
    use matches::openings::random_opening;
    use parameters::{CellKind, Score};
    use positions::Sample;
    use rand::RngExt;
    use random::stream;

    use super::store::Closing;
    use super::trace::{Chess, TraceStore};
    use super::*;

    /// The sums of a position, entry by entry.
    fn sums(store: &TraceStore, index: usize, values: &Values) -> Sums<f64> {
        let mut sums = Sums([[0.0; 2]; SUMS]);
        for entry in store.position(index).0 {
            let [middlegame, endgame] = values.0[usize::from(entry.cell)];
            let sum = &mut sums.0[usize::from(entry.sum)];
            sum[0] += f64::from(entry.times) * middlegame;
            sum[1] += f64::from(entry.times) * endgame;
        }
        sums
    }

    /// The closing formula's value of the sums of a position.
    fn closed(store: &TraceStore, index: usize, sums: &Sums<f64>, values: &Values) -> f64 {
        Chess::evaluate(&sums.0, &store.position(index).1, &Chess::numbers(values))
    }

    /// Positions of random play, every fifth with an old halfmove clock, that endgame knowledge does
    /// not answer.
    fn positions(count: u32, weights: &Weights) -> Vec<Position> {
        let mut traced = Trace::new();
        (0..count)
            .map(|game| {
                let position =
                    random_opening(chess::GAME, &mut stream(11, u64::from(game)), 20..=110);
                let fen = position.to_fen();
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
                Sample::new(&position.clone().into(), game, 0, None, points).expect("few pieces")
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

    /// Range of the halves that a cell has: one without phases has no middlegame half.
    fn halves_of(kind: CellKind) -> Range<usize> {
        if kind == CellKind::Score { 0..2 } else { 1..2 }
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences_in_both_halves_of_every_cell() {
        let weights = Parameters::embedded().weights;
        let store = store(&positions(300, &weights), &weights);
        let objective = Objective::new(&store, 1.0, 0.0);
        let order: Vec<u32> = (0..store.blocks() as u32).collect();
        let mut values = lively_values(&weights);
        let (mean, gradient) = objective.gradient(&values, &order);
        assert!((mean - objective.error(&values)).abs() < 1e-12, "{mean}");
        let seen = store.occurrences();
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
            let sparse = sums(&store, index, &values);
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
        let evaluations = store.evaluations(&values);
        for (index, position) in positions.iter().enumerate() {
            trace(position.board(), &weights, &mut traced);
            let unfolded = traced.sums::<i32>(&weights).0.map(|sum| sum.map(f64::from));
            assert_eq!(sums(&store, index, &values).0, unfolded);
            let played = evaluator.evaluate(position.board(), &weights);
            let played = if position.side_to_move() == Color::White { played } else { -played };
            let found = evaluations[index];
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
        let evaluations = store.evaluations(&values);
        let mut work = Work::default();
        assert_eq!(store.blocks(), 1);
        store.differentiate(0, &store.tables(&values), &mut work);
        for (index, slopes) in work.slopes.chunks_exact(SUMS).enumerate() {
            assert!((work.evaluations[index] - evaluations[index]).abs() < 1e-9);
            for (sum, half) in (0..SUMS).flat_map(|sum| [(sum, 0), (sum, 1)]) {
                let at = |change: f64| {
                    let mut sums = sums(&store, index, &values);
                    sums.0[sum][half] += change;
                    closed(&store, index, &sums, &values)
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
        let seen = store.occurrences();
        let shapes = |info: &&parameters::Declaration| weights::SHAPE_GROUPS.contains(&info.group);
        for info in Weights::INFO.iter().filter(shapes) {
            assert_eq!(seen[info.first_cell..info.first_cell + info.length].iter().max(), Some(&0));
        }
        let before = Values::of(&weights);
        weights.closing.danger_square_divisor.0 /= 2;
        let after = Values::of(&weights);
        assert_eq!(Chess::numbers(&after), weights.closing);
        let pairs = store.evaluations(&before).into_iter().zip(store.evaluations(&after));
        assert!(pairs.filter(|(before, after)| before != after).count() > 20);
    }

    /// The error told with K is the mean over the positions, and least at that K.
    #[test]
    fn the_error_of_the_fitted_k_is_the_least_mean() {
        let weights = Parameters::embedded().weights;
        let values = Values::of(&weights);
        let positions = positions(600, &weights);
        let evaluations = store(&positions, &weights).evaluations(&values);
        let samples: Vec<Sample> = (0..)
            .zip(&positions)
            .map(|(game, position)| {
                // Who is ahead wins, but for every fourth game.
                let value = evaluations[game as usize];
                let points = if (value > 0.0) == (game % 4 != 0) { 1.0 } else { 0.0 };
                Sample::new(&position.clone().into(), game, 0, None, points).expect("few pieces")
            })
            .collect();
        let store = TraceStore::build(&samples, &weights).expect("few positions");
        let k = store.fit_k(&values);
        let at = |k: f64| Objective::new(&store, k, 0.0).error(&values);
        let error = at(k);
        for other in [0.9 * k, 1.1 * k] {
            assert!(error < at(other), "{error} at {k}, {} at {other}", at(other));
        }
    }

    #[test]
    fn blocks_cover_everything_in_order() {
        let blocks = in_blocks(1000, 300, || (), |(), range| range);
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
