//! Numbers that no data of this kind can tell apart: directions in which all of them change and
//! hardly any evaluation does.

use nalgebra::{DMatrix, SymmetricEigen};
use rand::RngExt;

use crate::model::symmetric::Symmetric;

/// Directions looked for at most, and steps of the iteration that finds them.
const DIRECTIONS: usize = 48;
const STEPS: usize = 12;
/// Squared slopes along a direction below which, as a share of those of its numbers one by one,
/// they count as collinear: what they have in common is then thirty times surer than the
/// difference.
pub const COLLINEAR: f64 = 1e-3;
/// Least part of a number in the directions, and least tie of two that belong together.
const MEMBER: f64 = 0.05;
const TIED: f64 = 0.25;

/// Numbers that can hardly be told apart, as indices of the matrix, the most involved first.
pub fn groups(inverse: &Symmetric) -> Vec<Vec<usize>> {
    let size = inverse.size();
    if size == 0 {
        return Vec::new();
    }
    let directions = near_null(inverse);
    if directions.ncols() == 0 {
        return Vec::new();
    }
    // The projection does not depend on which directions of a space were found.
    let projection = |one: usize, other: usize| directions.row(one).dot(&directions.row(other));
    let mut members: Vec<(usize, f64)> = (0..size)
        .map(|number| (number, projection(number, number)))
        .filter(|&(_, part)| part >= MEMBER)
        .collect();
    members.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut left = members;
    while let Some(&first) = left.first() {
        let mut group = vec![first];
        left.remove(0);
        let mut next = 0;
        while next < group.len() {
            let (number, part) = group[next];
            let (tied, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|&(other, parts)| {
                projection(number, other).abs() >= TIED * (part * parts).sqrt()
            });
            group.extend(tied);
            left = others;
            next += 1;
        }
        group.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        if group.len() > 1 {
            groups.push(group.into_iter().map(|(number, _)| number).collect());
        }
    }
    groups
}

/// Directions of unit length in which the matrix is all but 0, by its inverse: as columns.
fn near_null(inverse: &Symmetric) -> DMatrix<f64> {
    let size = inverse.size();
    let count = DIRECTIONS.min(size);
    let mut random = random::stream(1, 0);
    let mut space = DMatrix::from_fn(size, count, |_, _| random.random_range(-1.0..1.0));
    for _ in 0..STEPS {
        space = inverse.times(&space).qr().q();
    }
    let small = space.transpose() * inverse.times(&space);
    let eigen = SymmetricEigen::new(small);
    let chosen: Vec<usize> =
        (0..count).filter(|&index| eigen.eigenvalues[index] * COLLINEAR > 1.0).collect();
    space * eigen.eigenvectors.select_columns(&chosen)
}

#[cfg(test)]
mod tests {
    use random::stream;

    use super::super::factor::Factor;
    use super::*;

    /// Of seventy numbers two are alike, and of three others one is the sum of two.
    #[test]
    fn numbers_that_look_alike_are_named() {
        let mut random = stream(8, 0);
        let mut rows = DMatrix::from_fn(900, 70, |_, _| random.random_range(-1.0f64..1.0));
        for row in 0..900 {
            rows[(row, 33)] = 2.0 * rows[(row, 4)] + 1e-3 * rows[(row, 5)];
            rows[(row, 60)] = rows[(row, 20)] - rows[(row, 41)];
        }
        for mut column in rows.column_iter_mut() {
            column /= column.norm();
        }
        let mut matrix =
            Symmetric::from_fn(70, |row, column| rows.column(row).dot(&rows.column(column)));
        (0..70).for_each(|number| matrix[(number, number)] += 1e-9);
        let mut groups = groups(&Factor::new(matrix).expect("positive definite").inverse());
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups.sort();
        assert_eq!(groups, [vec![4, 33], vec![20, 41, 60]]);
        assert!(super::groups(&Symmetric::zeros(0)).is_empty());
    }
}
