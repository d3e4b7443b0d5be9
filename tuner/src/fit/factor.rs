//! Cholesky's factors of a matrix, in blocks: the products of blocks run ten times as fast as the
//! columns one by one of the library that they come from.

use nalgebra::{DMatrix, DVector};

/// Rows of a block: three blocks lie in a core's cache.
const BLOCK: usize = 96;

/// The lower factor of a symmetric, positive definite matrix.
pub struct Factor {
    /// The factor; what stands above the diagonal means nothing.
    lower: DMatrix<f64>,
}

impl Factor {
    /// Factors a matrix, of which the lower triangle is looked at; none if it is not positive definite.
    pub fn new(mut matrix: DMatrix<f64>) -> Option<Factor> {
        let size = matrix.nrows();
        for start in (0..size).step_by(BLOCK) {
            let width = BLOCK.min(size - start);
            let end = start + width;
            let corner = matrix.view((start, start), (width, width)).clone_owned();
            let corner = corner.cholesky()?.unpack();
            matrix.view_mut((start, start), (width, width)).copy_from(&corner);
            if end == size {
                break;
            }
            // The panel below, X with X · cornerᵀ = panel, as corner · Xᵀ = panelᵀ.
            let mut panel = matrix.view((end, start), (size - end, width)).transpose();
            corner.solve_lower_triangular_mut(&mut panel);
            let columns = panel.transpose();
            matrix.view_mut((end, start), (size - end, width)).copy_from(&columns);
            // What is left, a strip of columns at a time: above the diagonal nothing is needed.
            for strip in (end..size).step_by(BLOCK) {
                let strip_width = BLOCK.min(size - strip);
                let rows = columns.rows(strip - end, size - strip);
                let across = panel.columns(strip - end, strip_width);
                matrix
                    .view_mut((strip, strip), (size - strip, strip_width))
                    .gemm(-1.0, &rows, &across, 1.0);
            }
        }
        Some(Factor { lower: matrix })
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.lower.nrows()
    }

    /// The factor's element in a row and a column that is not greater.
    pub fn element(&self, row: usize, column: usize) -> f64 {
        self.lower[(row, column)]
    }

    /// The vector that the matrix turns into `vector`.
    pub fn solve(&self, vector: &DVector<f64>) -> DVector<f64> {
        let mut solution = vector.clone();
        self.lower.solve_lower_triangular_mut(&mut solution);
        self.lower.tr_solve_lower_triangular_mut(&mut solution);
        solution
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use sprt::random::stream;

    use super::*;

    #[test]
    fn factors_solve_what_they_are_of() {
        let mut random = stream(3, 0);
        for size in [1, 5, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 17] {
            let root = DMatrix::from_fn(size, size, |_, _| random.random_range(-1.0..1.0));
            let matrix = &root * root.transpose() + DMatrix::identity(size, size);
            let expected = DVector::from_fn(size, |row, _| row as f64 - 3.0);
            let factor = Factor::new(matrix.clone()).expect("positive definite");
            let found = factor.solve(&(&matrix * &expected));
            assert!((found - expected).amax() < 1e-6, "{size}");
            for row in 0..size {
                let squares = (0..=row).map(|column| factor.element(row, column).powi(2));
                assert!((squares.sum::<f64>() - matrix[(row, row)]).abs() < 1e-9);
            }
            let mut indefinite = matrix;
            indefinite[(size - 1, size - 1)] = -1.0;
            assert!(Factor::new(indefinite).is_none());
        }
    }
}
