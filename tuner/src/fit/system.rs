//! The linear system of one second-order step: the normal equations with the pull, less the numbers
//! that stay.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::task::Task;
use crate::model::Values;
use crate::model::normal_equations::{ActiveCells, NormalEquations, is_silent, normal_equations};

/// (JᵀJ + pull) step = Jᵀr − pull · distance. A number that stays has a row of its own, whose
/// solution is 0.
pub(super) struct System {
    matrix: DMatrix<f64>,
    vector: DVector<f64>,
}

impl System {
    /// The system at `values`.
    ///
    /// Numbers stay that no training position says anything about at these values (with them the
    /// matrix would be singular), and those that are pushed against a bound they are at.
    pub fn new(task: &Task<'_>, values: &Values, active: &ActiveCells) -> System {
        let NormalEquations { mut matrix, mut vector, .. } =
            normal_equations(task.training, values, active);
        let greatest = matrix.diagonal().max();
        let pull = task.pull();
        for number in 0..vector.len() {
            let (cell, half) = (active.cells[number / 2], number % 2);
            let value = values.0[cell][half];
            let silent = is_silent(matrix[(number, number)], greatest);
            vector[number] -= pull * (value - task.start.0[cell][half]);
            matrix[(number, number)] += pull;
            let (low, high) = (task.bounds.low[cell][half], task.bounds.high[cell][half]);
            let pushed =
                (value <= low && vector[number] <= 0.0) || (value >= high && vector[number] >= 0.0);
            if silent || pushed {
                matrix.row_mut(number).fill(0.0);
                matrix.column_mut(number).fill(0.0);
                matrix[(number, number)] = 1.0;
                vector[number] = 0.0;
            }
        }
        System { matrix, vector }
    }

    /// The step at a damping relative to each diagonal element; none if the matrix is not positive
    /// definite even so.
    pub fn solve(&self, damping: f64) -> Option<DVector<f64>> {
        Some(self.factor(damping)?.solve(&self.vector))
    }

    /// The factors of the matrix at a damping relative to each diagonal element.
    pub fn factor(&self, damping: f64) -> Option<Cholesky<f64, Dyn>> {
        let mut matrix = self.matrix.clone();
        for number in 0..self.vector.len() {
            matrix[(number, number)] *= 1.0 + damping;
        }
        Cholesky::new(matrix)
    }
}
