//! K: how steeply results follow evaluations.

use positions::logistic::{expected, least_k};
use rayon::prelude::*;

use super::traced::{BLOCK, Positions, TASK_BLOCKS, Values, Work, in_blocks};
use super::{NATURAL, Objective};

/// The K that minimizes the error of the results at the given values, and that error.
pub fn fit_k(store: &dyn Positions, values: &Values) -> (f64, f64) {
    let tables = store.tables(values);
    let tasks = in_blocks(store.blocks(), TASK_BLOCKS, Work::default, |work, blocks| {
        let mut pairs = Vec::with_capacity(BLOCK * blocks.len());
        for block in blocks {
            store.evaluate(block, &tables, work);
            let evaluations = work.evaluations.iter().map(|&evaluation| evaluation as f32);
            pairs.extend(evaluations.zip(work.labels.results.iter().copied()));
        }
        pairs
    });
    let k = least_k(|k| {
        let scale = k * NATURAL;
        let square = |&(evaluation, result): &(f32, f32)| {
            (f64::from(result) - expected(scale, f64::from(evaluation))).powi(2)
        };
        let sums: Vec<f64> =
            tasks.par_iter().map(|pairs| pairs.iter().map(square).sum::<f64>()).collect();
        sums.iter().sum::<f64>() / store.len() as f64
    });
    (k, Objective::new(store, k, 0.0).error(values))
}

/// The K that minimizes the error of results, 0 to 1, at evaluations in centipawns, both from
/// White's view, and that error.
pub fn fit_k_to(evaluations: &[f64], result: impl Fn(usize) -> f64 + Sync) -> (f64, f64) {
    let error = |k: f64| {
        let scale = k * NATURAL;
        let square = |index: usize| (result(index) - expected(scale, evaluations[index])).powi(2);
        let sums = in_blocks(evaluations.len(), BLOCK, || (), |(), it| it.map(square).sum::<f64>());
        sums.iter().sum::<f64>() / evaluations.len() as f64
    };
    let k = least_k(error);
    (k, error(k))
}
