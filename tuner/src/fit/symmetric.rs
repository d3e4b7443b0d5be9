//! Inverses of symmetric matrices of a thousand rows and more, on all threads.
//!
//! The library's factorization goes column by column, which for two thousand numbers takes many
//! times as long as products of blocks do.

use std::ops::Range;

use nalgebra::{Cholesky, DMatrix, DMatrixViewMut};
use rayon::prelude::*;

/// Rows up to which a block is factored directly.
const DIRECT: usize = 64;
/// Columns of a product in one parallel task.
const COLUMNS: usize = 128;

/// The inverse of a positive definite matrix; none if it is not that.
pub fn inverse(matrix: DMatrix<f64>) -> Option<DMatrix<f64>> {
    let root = InverseRoot::new(matrix)?;
    let size = root.size();
    let mut inverse = DMatrix::zeros(size, size);
    let tasks = inverse.as_mut_slice().par_chunks_mut((size * COLUMNS).max(1));
    tasks.zip(strips(size)).for_each(|(columns, strip)| {
        columns.copy_from_slice(root.inverse_columns(strip).as_slice());
    });
    Some(inverse)
}

/// W with WᵀW the inverse of a positive definite matrix, lower triangular: the inverse of its
/// Cholesky factor. It takes the place of the matrix, since a few of them are as large as all
/// positions of a fit.
pub struct InverseRoot(DMatrix<f64>);

impl InverseRoot {
    /// That of a matrix; none if it is not positive definite.
    pub fn new(mut matrix: DMatrix<f64>) -> Option<InverseRoot> {
        invert_root(matrix.as_view_mut())?;
        matrix.fill_upper_triangle(0.0, 1);
        Some(InverseRoot(matrix))
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.0.nrows()
    }

    /// Columns of the inverse.
    pub fn inverse_columns(&self, columns: Range<usize>) -> DMatrix<f64> {
        let size = self.size();
        let mut inverse = DMatrix::zeros(size, columns.len());
        for rows in strips(size) {
            // What stands above the diagonal is 0.
            let first = rows.start.max(columns.start);
            let left = self.0.view((first, rows.start), (size - first, rows.len())).transpose();
            let right = self.0.view((first, columns.start), (size - first, columns.len()));
            inverse.rows_mut(rows.start, rows.len()).gemm(1.0, &left, &right, 0.0);
        }
        inverse
    }
}

/// Puts the inverse of its Cholesky factor into the lower triangle of a matrix, by halves. What stands
/// above it means nothing afterwards.
fn invert_root(mut matrix: DMatrixViewMut<'_, f64>) -> Option<()> {
    let size = matrix.nrows();
    if size <= DIRECT {
        let factor = Cholesky::new(matrix.clone_owned())?.unpack();
        let root = factor.solve_lower_triangular(&DMatrix::identity(size, size))?;
        matrix.copy_from(&root);
        return Some(());
    }
    let first = size / 2;
    let rest = size - first;
    invert_root(matrix.view_mut((0, 0), (first, first)))?;
    let mut upper = matrix.view((0, 0), (first, first)).clone_owned();
    upper.fill_upper_triangle(0.0, 1);
    let below = product(&matrix.view((first, 0), (rest, first)).clone_owned(), &upper.transpose());
    let mut corner = matrix.view_mut((first, first), (rest, rest));
    corner -= product(&below, &below.transpose());
    invert_root(corner)?;
    let mut lower = matrix.view((first, first), (rest, rest)).clone_owned();
    lower.fill_upper_triangle(0.0, 1);
    let left = product(&product(&lower, &below), &upper);
    matrix.view_mut((first, 0), (rest, first)).copy_from(&-left);
    Some(())
}

/// All columns of a matrix, cut into those of parallel tasks.
pub fn strips(size: usize) -> Vec<Range<usize>> {
    let firsts = (0..size).step_by(COLUMNS);
    firsts.map(|first| first..(first + COLUMNS).min(size)).collect()
}

/// The product of two matrices; the same whatever the number of threads.
pub fn product(left: &DMatrix<f64>, right: &DMatrix<f64>) -> DMatrix<f64> {
    let rows = left.nrows();
    let mut result = DMatrix::zeros(rows, right.ncols());
    let tasks = result.as_mut_slice().par_chunks_mut((rows * COLUMNS).max(1)).enumerate();
    tasks.for_each(|(task, columns)| {
        let count = columns.len() / rows;
        let right = right.columns(task * COLUMNS, count);
        DMatrixViewMut::from_slice(columns, rows, count).gemm(1.0, left, &right, 0.0);
    });
    result
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use sprt::random::stream;

    use super::*;

    #[test]
    fn an_inverse_times_its_matrix_is_one() {
        for size in [1, 2, DIRECT, DIRECT + 1, 4 * DIRECT + 3] {
            let mut random = stream(3, size as u64);
            let rows = DMatrix::from_fn(size + 5, size, |_, _| random.random_range(-1.0..1.0));
            let matrix = rows.transpose() * &rows;
            let found = product(&inverse(matrix.clone()).expect("positive definite"), &matrix);
            let off = (found - DMatrix::identity(size, size)).amax();
            assert!(off < 1e-6, "{size}: {off}");
            // What stands above the diagonal is not looked at.
            let mut lower = matrix.clone();
            lower.fill_upper_triangle(f64::NAN, 1);
            let again = inverse(lower).expect("positive definite");
            assert_eq!(again, inverse(matrix).expect("positive definite"));
        }
        let indefinite = DMatrix::from_fn(100, 100, |row, column| f64::from(row + column == 99));
        assert!(inverse(indefinite).is_none());
    }
}
