//! Symmetric matrices of a thousand rows and more, of which half is stored: a few of them are as
//! large as a good part of the positions of a fit.
//!
//! A fit of all terms needs 65 MB beside the positions, mostly for these matrices.

use std::ops::{Index, IndexMut, MulAssign, Range};

use nalgebra::{DMatrix, DMatrixView, DMatrixViewMut, DVector};

/// Columns of a strip: three blocks of so many rows lie in a core's cache.
const COLUMNS: usize = 96;

/// A symmetric matrix; `(row, column)` is an element with a row not less than its column.
///
/// It is stored in strips of columns, each a dense matrix from the row of its first column on.
/// Elements of a strip above the diagonal mean nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetric {
    size: usize,
    elements: Vec<f64>,
}

impl Symmetric {
    /// A matrix of zeros.
    pub fn zeros(size: usize) -> Symmetric {
        let length = strips(size).into_iter().map(|strip| (size - strip.start) * strip.len()).sum();
        Symmetric { size, elements: vec![0.0; length] }
    }

    /// A matrix by its elements, of which the lower triangle is asked for, column by column.
    pub fn from_fn(size: usize, mut element: impl FnMut(usize, usize) -> f64) -> Symmetric {
        let mut matrix = Symmetric::zeros(size);
        for column in 0..size {
            (column..size).for_each(|row| matrix[(row, column)] = element(row, column));
        }
        matrix
    }

    /// Number of rows, and of columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The elements of the diagonal.
    pub fn diagonal(&self) -> DVector<f64> {
        DVector::from_fn(self.size, |number, _| self[(number, number)])
    }

    /// Makes all elements of a row and a column 0 but that on the diagonal, which is then 1.
    pub fn isolate(&mut self, number: usize) {
        (0..number).for_each(|column| self[(number, column)] = 0.0);
        (number..self.size).for_each(|row| self[(row, number)] = 0.0);
        self[(number, number)] = 1.0;
    }

    /// Whole columns.
    pub fn columns(&self, columns: Range<usize>) -> DMatrix<f64> {
        DMatrix::from_fn(self.size, columns.len(), |row, place| {
            let column = columns.start + place;
            self[(row.max(column), row.min(column))]
        })
    }

    /// The product with a matrix of few columns.
    pub fn times(&self, right: &DMatrix<f64>) -> DMatrix<f64> {
        let mut product = DMatrix::zeros(self.size, right.ncols());
        for columns in strips(self.size) {
            let Range { start, end } = columns;
            let (strip, width) = (self.strip(start), end - start);
            let (corner, panel) = (strip.rows(0, width), strip.rows_range(width..));
            let mut corner = corner.clone_owned();
            corner.fill_upper_triangle_with_lower_triangle();
            let mut rows = product.rows_mut(start, width);
            rows.gemm(1.0, &corner, &right.rows(start, width), 1.0);
            rows.gemm(1.0, &panel.transpose(), &right.rows_range(end..), 1.0);
            let mut below = product.rows_range_mut(end..);
            below.gemm(1.0, &panel, &right.rows(start, width), 1.0);
        }
        product
    }

    /// The strip whose first column this is.
    pub fn strip(&self, first: usize) -> DMatrixView<'_, f64> {
        let (rows, width) = (self.size - first, COLUMNS.min(self.size - first));
        DMatrixView::from_slice(&self.elements[place(self.size, first, first)..], rows, width)
    }

    /// All strips, to write.
    pub fn strips_mut(&mut self) -> Vec<DMatrixViewMut<'_, f64>> {
        let size = self.size;
        let mut left = self.elements.as_mut_slice();
        let strip = |columns: Range<usize>| {
            let (rows, width) = (size - columns.start, columns.len());
            let elements = left.split_off_mut(..rows * width).expect("they are there");
            DMatrixViewMut::from_slice(elements, rows, width)
        };
        strips(size).into_iter().map(strip).collect()
    }
}

impl Index<(usize, usize)> for Symmetric {
    type Output = f64;

    #[inline]
    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.elements[place(self.size, row, column)]
    }
}

impl IndexMut<(usize, usize)> for Symmetric {
    #[inline]
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.elements[place(self.size, row, column)]
    }
}

impl MulAssign<f64> for Symmetric {
    fn mul_assign(&mut self, factor: f64) {
        self.elements.iter_mut().for_each(|element| *element *= factor);
    }
}

/// Where an element of the lower triangle is stored.
#[inline]
fn place(size: usize, row: usize, column: usize) -> usize {
    debug_assert!(column <= row && row < size);
    let strip = column / COLUMNS;
    let first = strip * COLUMNS;
    // The strips before it lack 0, 1, 2 … times a strip's width in height.
    let start = first * size - COLUMNS * COLUMNS * (strip * strip.saturating_sub(1) / 2);
    start + (column - first) * (size - first) + row - first
}

/// The columns of each strip of a matrix.
pub fn strips(size: usize) -> Vec<Range<usize>> {
    let firsts = (0..size).step_by(COLUMNS);
    firsts.map(|first| first..(first + COLUMNS).min(size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(row: usize, column: usize) -> f64 {
        (row * row + 3 * column) as f64
    }

    #[test]
    fn half_of_the_elements_makes_the_whole_matrix() {
        for size in [1, 2, 7, COLUMNS, 2 * COLUMNS + 3] {
            let mut half = Symmetric::from_fn(size, element);
            let whole = DMatrix::from_fn(size, size, |row, column| {
                element(row.max(column), row.min(column))
            });
            assert_eq!(half.columns(0..size), whole);
            assert_eq!(half.diagonal(), whole.diagonal());
            for (strip, columns) in half.clone().strips_mut().into_iter().zip(strips(size)) {
                assert_eq!(strip, half.strip(columns.start));
                for (index, found) in strip.lower_triangle().iter().enumerate() {
                    let (row, column) = (index % strip.nrows(), index / strip.nrows());
                    let place = (columns.start + row, columns.start + column);
                    assert!(row < column || *found == whole[place], "{place:?}");
                }
            }
            let right = DMatrix::from_fn(size, 3, |row, column| (row % 5) as f64 - column as f64);
            assert_eq!(half.times(&right), &whole * &right);
            half *= 2.0;
            assert_eq!(half.columns(0..size), 2.0 * &whole);
        }
        assert_eq!(Symmetric::zeros(0).columns(0..0).len(), 0);
    }

    #[test]
    fn an_isolated_number_has_its_own_row() {
        let mut matrix = Symmetric::from_fn(9, |_, _| 5.0);
        matrix.isolate(4);
        let whole = matrix.columns(0..9);
        let one = DVector::from_fn(9, |row, _| f64::from(u8::from(row == 4)));
        assert_eq!(whole.column(4), one);
        assert_eq!(whole.row(4).transpose(), one);
        assert_eq!(whole.sum(), 64.0 * 5.0 + 1.0);
    }
}
