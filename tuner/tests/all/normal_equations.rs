//! The normal equations: sums over sparse rows against a dense Jacobian of finite differences.

use chess::Weights;
use evaluation_tuning::model::normal_equations::{
    ActiveCells, is_silent, normal_equations, slope_squares,
};
use evaluation_tuning::model::trace::TraceStore;
use evaluation_tuning::model::{Objective, Positions, Values, Work, expected};
use nalgebra::{DMatrix, DVector};

use crate::fit::{curved_weights, labelled, truth};

/// The slopes of every position's expected result by the numbers of the cells, by finite
/// differences, and the residuals.
fn dense(
    objective: &Objective<'_>,
    values: &Values,
    cells: &[usize],
) -> (DMatrix<f64>, DVector<f64>) {
    let step = 1e-3;
    let positions = objective.store.len();
    let results = |values: &Values| -> Vec<f64> {
        let evaluations = objective.store.evaluations(values);
        evaluations.into_iter().map(|value| expected(objective.scale, value)).collect()
    };
    let mut jacobian = DMatrix::zeros(positions, 2 * cells.len());
    for number in 0..2 * cells.len() {
        let [mut less, mut more] = [values.clone(), values.clone()];
        less.0[cells[number / 2]][number % 2] -= step;
        more.0[cells[number / 2]][number % 2] += step;
        let (less, more) = (results(&less), results(&more));
        for index in 0..positions {
            jacobian[(index, number)] = (more[index] - less[index]) / (2.0 * step);
        }
    }
    let mut targets = Vec::new();
    let mut work = Work::default();
    for block in 0..objective.store.blocks() {
        objective.store.evaluate(block, &objective.store.tables(values), &mut work);
        targets
            .extend((0..work.evaluations.len()).map(|index| objective.target(&work.labels, index)));
    }
    let predicted = results(values);
    let residuals = DVector::from_fn(positions, |index, _| targets[index] - predicted[index]);
    (jacobian, residuals)
}

/// Compares the sums over `count` positions for the cells that `chosen` takes of those seen.
fn compare(count: u32, chosen: impl Fn(usize) -> bool) -> usize {
    // Other results than the values predict: residuals are not zero.
    let samples = labelled(count, &truth(), 0.004);
    let weights = curved_weights();
    let store = TraceStore::build(&samples, &weights).expect("few positions");
    let objective = Objective::new(&store, 1.0, 0.0);
    let values = Values::of(&weights);
    let seen = store.occurrences();
    let marks: Vec<bool> =
        seen.iter().enumerate().map(|(cell, &seen)| seen > 0 && chosen(cell)).collect();
    let active = ActiveCells::new(&marks);
    let found = normal_equations(&objective, &values, &active);
    let (jacobian, residuals) = dense(&objective, &values, &active.cells);
    let (matrix, vector) = (jacobian.transpose() * &jacobian, jacobian.transpose() * &residuals);
    let (greatest, steepest) = (matrix.amax(), vector.amax());
    assert!(greatest > 0.0 && steepest > 0.0);
    for number in 0..vector.len() {
        let difference = (vector[number] - found.vector[number]).abs();
        assert!(difference < 1e-6 * steepest, "number {number} of Jᵀr is off by {difference}");
        for other in 0..=number {
            let sums = [matrix[(number, other)], found.matrix[(number, other)]];
            let scale = (matrix[(number, number)] * matrix[(other, other)]).sqrt();
            let tolerance = 1e-4 * scale + 1e-12 * greatest;
            assert!((sums[0] - sums[1]).abs() < tolerance, "({number}, {other}): {sums:?}");
        }
    }
    assert!((found.squares - residuals.norm_squared()).abs() < 1e-9 * found.squares);
    let diagonal = slope_squares(&objective, &values, &active);
    for (number, &square) in diagonal.iter().enumerate() {
        let sum = found.matrix[(number, number)];
        assert!((square - sum).abs() <= 1e-12 * greatest, "{number}: {square}, not {sum}");
    }
    active.cells.len()
}

/// All cells: the triangle is cut into many bands.
#[test]
fn sparse_sums_are_the_dense_ones_for_all_cells() {
    let cells = compare(150, |_| true);
    assert!(cells > 400, "{cells} cells");
}

/// Some cells, which the others must not leak into, and more positions than one chunk.
#[test]
fn sparse_sums_are_the_dense_ones_for_many_positions() {
    let cells = compare(4600, |cell| cell % 29 == 0);
    assert!((10..60).contains(&cells), "{cells} cells");
}

#[test]
fn sums_do_not_depend_on_the_number_of_threads() {
    let samples = labelled(600, &truth(), 0.004);
    let weights = curved_weights();
    let store = TraceStore::build(&samples, &weights).expect("few positions");
    let objective = Objective::new(&store, 1.0, 0.0);
    let values = Values::of(&weights);
    let active = ActiveCells::new(&vec![true; values.0.len()]);
    let [one, three] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| normal_equations(&objective, &values, &active))
    });
    assert!(one.matrix == three.matrix && one.vector == three.vector);
}

#[test]
fn silence_is_told_from_the_rarest_term() {
    assert!(is_silent(0.0, 0.0) && is_silent(0.0, 5.0) && is_silent(1e-31, 5.0));
    assert!(!is_silent(1e-14, 5.0) && !is_silent(f64::NAN, 5.0) && !is_silent(5.0, 5.0));
    assert!(Weights::INFO.len() > 50);
}
