//! Cholesky's factors of a matrix, in blocks: the products of blocks run ten times as fast as the
//! columns one by one of the library that they come from.

use std::ops::Range;

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use crate::model::symmetric::{Symmetric, strips};

/// The lower factor of a symmetric, positive definite matrix; it takes the place of the matrix.
pub struct Factor(Symmetric);

impl Factor {
    /// Factors a matrix; none if it is not positive definite.
    pub fn new(mut matrix: Symmetric) -> Option<Factor> {
        let mut left = matrix.strips_mut().into_iter();
        while let Some(mut strip) = left.next() {
            let width = strip.ncols();
            let corner = strip.rows(0, width).clone_owned().cholesky()?.unpack();
            strip.rows_mut(0, width).copy_from(&corner);
            // The panel below, X with X · cornerᵀ = panel, as corner · Xᵀ = panelᵀ.
            let mut across = strip.rows_range(width..).transpose();
            corner.solve_lower_triangular_mut(&mut across);
            let panel = across.transpose();
            strip.rows_range_mut(width..).copy_from(&panel);
            for later in left.as_mut_slice() {
                let first = panel.nrows() - later.nrows();
                let right = across.columns(first, later.ncols());
                later.gemm(-1.0, &panel.rows_range(first..), &right, 1.0);
            }
        }
        Some(Factor(matrix))
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.0.size()
    }

    /// The factor's element in a row and a column that is not greater.
    pub fn element(&self, row: usize, column: usize) -> f64 {
        self.0[(row, column)]
    }

    /// The vector that the matrix turns into `vector`.
    pub fn solve(&self, vector: &DVector<f64>) -> DVector<f64> {
        let mut solution = DMatrix::from_column_slice(vector.len(), 1, vector.as_slice());
        self.solve_from(0, &mut solution);
        solution.column(0).into_owned()
    }

    /// The inverse of the matrix, on all threads.
    pub fn inverse(&self) -> Symmetric {
        let mut inverse = Symmetric::zeros(self.size());
        let strips = inverse.strips_mut().into_par_iter().zip(strips(self.size()));
        strips.for_each(|(mut strip, columns)| {
            let first = columns.start;
            strip.copy_from(&self.inverse_columns(columns).rows_range(first..));
        });
        inverse
    }

    /// Whole columns of the inverse of the matrix.
    pub fn inverse_columns(&self, columns: Range<usize>) -> DMatrix<f64> {
        let mut found = DMatrix::zeros(self.size(), columns.len());
        columns.clone().enumerate().for_each(|(place, row)| found[(row, place)] = 1.0);
        self.solve_from(columns.start, &mut found);
        found
    }

    /// Replaces vectors whose rows before `first` are 0 by those that the matrix turns into them.
    fn solve_from(&self, first: usize, vectors: &mut DMatrix<f64>) {
        let strips = strips(self.size());
        for &Range { start, end } in strips.iter().filter(|strip| strip.end > first) {
            let strip = self.0.strip(start);
            let (mut rows, mut below) = vectors.rows_range_pair_mut(start..end, end..);
            strip.rows(0, end - start).solve_lower_triangular_mut(&mut rows);
            below.gemm(-1.0, &strip.rows_range(end - start..), &rows, 1.0);
        }
        for &Range { start, end } in strips.iter().rev() {
            let strip = self.0.strip(start);
            let (mut rows, below) = vectors.rows_range_pair_mut(start..end, end..);
            rows.gemm(-1.0, &strip.rows_range(end - start..).transpose(), &below, 1.0);
            strip.rows(0, end - start).tr_solve_lower_triangular_mut(&mut rows);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use random::stream;

    use super::*;

    fn half(matrix: &DMatrix<f64>) -> Symmetric {
        Symmetric::from_fn(matrix.nrows(), |row, column| matrix[(row, column)])
    }

    #[test]
    fn factors_solve_what_they_are_of() {
        let mut random = stream(3, 0);
        for size in [1, 5, 95, 96, 97, 209] {
            let root = DMatrix::from_fn(size, size, |_, _| random.random_range(-1.0..1.0));
            let matrix = &root * root.transpose() + DMatrix::identity(size, size);
            let expected = DVector::from_fn(size, |row, _| row as f64 - 3.0);
            let factor = Factor::new(half(&matrix)).expect("positive definite");
            let found = factor.solve(&(&matrix * &expected));
            assert!((found - expected).amax() < 1e-6, "{size}");
            for row in 0..size {
                let squares = (0..=row).map(|column| factor.element(row, column).powi(2));
                assert!((squares.sum::<f64>() - matrix[(row, row)]).abs() < 1e-9);
            }
            let inverse = factor.inverse();
            let off = inverse.times(&matrix) - DMatrix::identity(size, size);
            assert!(off.amax() < 1e-6, "{size}: {off}");
            let last = size - size.min(3)..size;
            let off = factor.inverse_columns(last.clone()) - inverse.columns(last);
            assert!(off.amax() < 1e-6, "{size}: {off}");
            let mut indefinite = matrix;
            indefinite[(size - 1, size - 1)] = -1.0;
            assert!(Factor::new(half(&indefinite)).is_none());
        }
    }
}
