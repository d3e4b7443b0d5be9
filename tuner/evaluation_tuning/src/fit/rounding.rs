//! Rounding to integers as part of the fit.

use super::equations::System;
use super::factor::Factor;
use super::task::{Bounds, Task};
use crate::model::Values;
use crate::model::normal_equations::ActiveCells;

/// Dampings of the curvature, tried in turn. Without one, values that trade with each other without
/// any effect could go any distance to make up for an error of one half, further than the
/// curvature at hand holds good: measured, that costs eight times as much as plain rounding.
const DAMPINGS: [f64; 3] = [1e-3, 1e-2, 1e-1];

/// Blocks of positions whose curvature stands for that of all: 65,536 positions.
const CURVATURE_BLOCKS: usize = 128;

/// The better of [`balanced`] and [`nearest`] by training error with its pull.
pub fn round(task: &Task<'_>, values: &Values) -> Values {
    let plain = nearest(task.bounds, values);
    match balanced(task, values) {
        Some(balanced) if task.errors(&balanced).1 < task.errors(&plain).1 => balanced,
        _ => plain,
    }
}

/// Every number at its nearest integer; bounds are integers.
pub fn nearest(bounds: &Bounds, values: &Values) -> Values {
    let mut rounded = values.clone();
    for (cell, halves) in rounded.0.iter_mut().enumerate() {
        for (half, value) in halves.iter_mut().enumerate() {
            *value = bounds.clamp(cell, half, value.round());
        }
    }
    rounded
}

/// Each number in turn at its nearest integer, the rounding errors made so far balanced by those
/// that are still free, as far as the curvature at `values` tells; none if it tells nothing.
///
/// CITE: Babai, On Lovász' lattice reduction and the nearest lattice point problem (1986): the
/// nearest plane.
pub fn balanced(task: &Task<'_>, values: &Values) -> Option<Values> {
    let active = task.bounds.active();
    let factor = DAMPINGS.into_iter().find_map(|damping| {
        System::of_blocks(task, values, &active, CURVATURE_BLOCKS).into_factor(damping)
    })?;
    Some(balance(task.bounds, values, &active, &factor))
}

/// Sequential rounding along the rows of the transposed factor, from the last number to the first.
fn balance(bounds: &Bounds, values: &Values, active: &ActiveCells, factor: &Factor) -> Values {
    let mut balanced = values.clone();
    let mut errors = vec![0.0; factor.size()];
    for number in (0..factor.size()).rev() {
        let (cell, half) = (active.cells[number / 2], number % 2);
        let made: f64 =
            (number + 1..factor.size()).map(|row| factor.element(row, number) * errors[row]).sum();
        let center = values.0[cell][half] - made / factor.element(number, number);
        let integer = bounds.clamp(cell, half, center.round());
        errors[number] = integer - values.0[cell][half];
        balanced.0[cell][half] = integer;
    }
    balanced
}

#[cfg(test)]
mod tests {
    use nalgebra::DVector;

    use super::*;
    use crate::model::symmetric::Symmetric;

    /// The cost of a change where `matrix` is the curvature.
    fn cost(matrix: &Symmetric, values: &Values, rounded: &Values) -> f64 {
        let changes = values.0.iter().flatten().zip(rounded.0.iter().flatten());
        let change = DVector::from_iterator(4, changes.map(|(value, integer)| integer - value));
        (change.transpose() * matrix.columns(0..4) * &change)[(0, 0)]
    }

    /// The curvature of four numbers that all but trade with each other; what the unit of the error
    /// is makes no difference.
    fn trading() -> Symmetric {
        Symmetric::from_fn(4, |row, column| if row == column { 40.0 } else { 38.0 })
    }

    /// Rounded each for itself, all errors add up.
    #[test]
    fn errors_of_rounding_balance_each_other() {
        let matrix = trading();
        let factor = Factor::new(matrix.clone()).expect("positive definite");
        let bounds = Bounds { low: vec![[-9.0; 2]; 2], high: vec![[9.0; 2]; 2] };
        let active = bounds.active();
        let values = Values(vec![[0.5, 1.5], [2.5, 3.5]]);
        let balanced = balance(&bounds, &values, &active, &factor);
        let plain = nearest(&bounds, &values);
        assert_eq!(plain, Values(vec![[1.0, 2.0], [3.0, 4.0]]));
        assert_eq!(balanced.0.iter().flatten().sum::<f64>(), 8.0, "{balanced:?}");
        assert!(cost(&matrix, &values, &balanced) < 0.1 * cost(&matrix, &values, &plain));
    }

    /// Other numbers make up for the part that a bound takes away.
    #[test]
    fn bounds_hold_while_errors_are_balanced() {
        let matrix = trading();
        let factor = Factor::new(matrix).expect("positive definite");
        let mut bounds = Bounds { low: vec![[-9.0; 2]; 2], high: vec![[9.0; 2]; 2] };
        bounds.high[1] = [2.0, 3.0];
        let values = Values(vec![[0.5, 1.5], [2.4, 3.4]]);
        let balanced = balance(&bounds, &values, &bounds.active(), &factor);
        assert_eq!(balanced, Values(vec![[1.0, 2.0], [2.0, 3.0]]));
    }
}
