//! Inverses of symmetric matrices of a thousand rows and more, on all threads.
//!
//! The library's factorization goes column by column, which for two thousand numbers takes many
//! times as long as products of blocks do.

use nalgebra::{Cholesky, DMatrix, DMatrixViewMut};
use rayon::prelude::*;

/// Rows up to which a block is factored directly.
const DIRECT: usize = 64;
/// Columns of a product in one parallel task.
const COLUMNS: usize = 128;

/// The inverse of a positive definite matrix; none if it is not that.
pub fn inverse(matrix: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let root = inverse_root(matrix)?;
    Some(product(&root.transpose(), &root))
}

/// W with WᵀW the inverse of a positive definite matrix, lower triangular: the inverse of its
/// Cholesky factor, by halves.
fn inverse_root(matrix: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let size = matrix.nrows();
    if size <= DIRECT {
        let factor = Cholesky::new(matrix.clone())?.unpack();
        return factor.solve_lower_triangular(&DMatrix::identity(size, size));
    }
    let first = size / 2;
    let rest = size - first;
    let block = |row: usize, column: usize, rows: usize, columns: usize| {
        matrix.view((row, column), (rows, columns)).into_owned()
    };
    let upper = inverse_root(&block(0, 0, first, first))?;
    let below = product(&block(first, 0, rest, first), &upper.transpose());
    let complement = block(first, first, rest, rest) - product(&below, &below.transpose());
    let lower = inverse_root(&complement)?;
    let left = -product(&product(&lower, &below), &upper);
    let mut root = DMatrix::zeros(size, size);
    root.view_mut((0, 0), (first, first)).copy_from(&upper);
    root.view_mut((first, 0), (rest, first)).copy_from(&left);
    root.view_mut((first, first), (rest, rest)).copy_from(&lower);
    Some(root)
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
            let found = product(&inverse(&matrix).expect("positive definite"), &matrix);
            let off = (found - DMatrix::identity(size, size)).amax();
            assert!(off < 1e-6, "{size}: {off}");
        }
        let indefinite = DMatrix::from_fn(100, 100, |row, column| f64::from(row + column == 99));
        assert!(inverse(&indefinite).is_none());
    }
}
