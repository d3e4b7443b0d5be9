//! The share of each change in the fall of the error.

use crate::model::{Objective, Values};

/// Points of the path from start to end at which the slopes are taken.
const POINTS: u32 = 12;

/// The part of each number, by cell and half, in the fall of the mean loss from `start` to `end`:
/// its slope along the straight way from one to the other times its change.
///
/// The parts add up to the fall exactly, but for what a sum over a few points differs from an
/// integral by. Numbers that only together lower the error share what they do; one that raises it
/// has a negative part.
///
/// CITE: Aumann and Shapley, Values of Non-Atomic Games (1974); Sundararajan, Taly and Yan, Axiomatic
/// Attribution for Deep Networks (2017): integrated gradients.
pub fn parts_of_fall(objective: &Objective<'_>, start: &Values, end: &Values) -> Vec<[f64; 2]> {
    let order: Vec<u32> = (0..objective.store.blocks() as u32).collect();
    let mut parts = vec![[0.0; 2]; start.0.len()];
    for point in 0..POINTS {
        let way = (f64::from(point) + 0.5) / f64::from(POINTS);
        let mut values = start.clone();
        for (value, to) in values.0.iter_mut().flatten().zip(end.0.iter().flatten()) {
            *value += way * (to - *value);
        }
        let (_, slopes) = objective.gradient(&values, &order);
        for (cell, (part, slopes)) in parts.iter_mut().zip(slopes).enumerate() {
            for half in 0..2 {
                let change = end.0[cell][half] - start.0[cell][half];
                part[half] -= slopes[half] * change / f64::from(POINTS);
            }
        }
    }
    parts
}
