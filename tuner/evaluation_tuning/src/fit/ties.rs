//! Ties between neighboring squares: a penalty on how differently they change.
//!
//! Few positions have a knight on h6, many one on g6, and what makes the one good mostly makes the
//! other good: tied, the rare square moves with those around it. Changes are tied and not the values,
//! so that the starting tables keep their shape.

use chess::Weights;
use nalgebra::DVector;
use parameters::Declaration;

use crate::model::Values;
use crate::model::normal_equations::ActiveCells;
use crate::model::symmetric::Symmetric;

/// Group of the square tables.
pub const SQUARES: &str = "squares";

/// One pawn, in centipawns: the unit of ties and of the pull towards the start.
pub(super) const PAWN: f64 = 100.0;

/// Pairs of cells whose changes should be alike, and how much.
#[derive(Clone, Debug, Default)]
pub struct Ties {
    /// Cells of neighboring squares.
    pairs: Vec<(usize, usize)>,
    /// Weight of a squared difference, in centipawns, against a squared residual.
    strength: f64,
    /// The strength as it was asked for: for changes that differ by one pawn.
    asked: f64,
}

/// Files of a square table: the king's has those of its own wing.
pub fn files_of(table: &Declaration) -> usize {
    if table.length == 32 { 4 } else { 8 }
}

impl Ties {
    /// Ties each square of a table to those beside, before and behind it; `strength` is the growth
    /// of the summed loss for changes that differ by one pawn.
    pub fn of_squares(strength: f64) -> Ties {
        if strength == 0.0 {
            return Ties::default();
        }
        let pairs = Weights::INFO.iter().filter(|info| info.group == SQUARES).flat_map(|table| {
            let (first, length, files) = (table.first_cell, table.length, files_of(table));
            (0..length).flat_map(move |square| {
                let beside = (square % files + 1 < files).then_some(square + 1);
                let before = (square + files < length).then_some(square + files);
                beside.into_iter().chain(before).map(move |other| (first + square, first + other))
            })
        });
        Ties { pairs: pairs.collect(), strength: strength / (PAWN * PAWN), asked: strength }
    }

    /// Growth of the summed loss for changes that differ by one pawn; 0 where nothing is tied.
    pub fn asked(&self) -> f64 {
        self.asked
    }

    /// The penalty at `values`, in units of summed squared residuals.
    pub fn penalty(&self, start: &Values, values: &Values) -> f64 {
        let differences = self
            .pairs
            .iter()
            .flat_map(|&pair| [0, 1].map(|half| difference(start, values, pair, half).powi(2)));
        self.strength * differences.sum::<f64>()
    }

    /// Adds half of the penalty's curvature to the normal equations, and half of how it falls to
    /// their right side, both in the order of `active`.
    pub fn add_to(
        &self,
        (matrix, vector): (&mut Symmetric, &mut DVector<f64>),
        (start, values): (&Values, &Values),
        active: &ActiveCells,
    ) {
        for &(one, other) in &self.pairs {
            let places = [one, other].map(|cell| active.place(cell));
            for half in 0..2 {
                let fall = self.strength * difference(start, values, (one, other), half);
                for (place, sign) in std::iter::zip(places, [-1.0, 1.0]) {
                    if let Some(place) = place {
                        let number = 2 * place + half;
                        vector[number] += sign * fall;
                        matrix[(number, number)] += self.strength;
                    }
                }
                if let [Some(one), Some(other)] = places {
                    let (across, down) = (one.min(other), one.max(other));
                    matrix[(2 * down + half, 2 * across + half)] -= self.strength;
                }
            }
        }
    }

    /// Adds the slope of the penalty over the number of `positions` to a gradient by cell and half.
    pub fn add_slopes(
        &self,
        start: &Values,
        values: &Values,
        positions: usize,
        slopes: &mut [[f64; 2]],
    ) {
        let factor = 2.0 * self.strength / positions as f64;
        for &(one, other) in &self.pairs {
            let both = [0, 1].map(|half| factor * difference(start, values, (one, other), half));
            slopes[one] = [slopes[one][0] + both[0], slopes[one][1] + both[1]];
            slopes[other] = [slopes[other][0] - both[0], slopes[other][1] - both[1]];
        }
    }
}

/// By how much the first of two numbers has changed more than the second.
fn difference(start: &Values, values: &Values, (one, other): (usize, usize), half: usize) -> f64 {
    let change = |cell: usize| values.0[cell][half] - start.0[cell][half];
    change(one) - change(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every table of 8 by n squares has 7n ties along its ranks and 8(n − 1) along its files.
    #[test]
    fn every_square_is_tied_to_its_neighbors() {
        let ties = Ties::of_squares(3.0);
        let whole = 5 * (7 * 8 + 8 * 7);
        assert_eq!(ties.pairs.len(), whole + (7 * 6 + 8 * 5) + (3 * 8 + 4 * 7));
        let knight = Weights::INFO.iter().find(|info| info.path() == "squares.knight");
        let first = knight.expect("a table").first_cell;
        let with =
            |cell: usize| ties.pairs.iter().filter(|it| it.0 == cell || it.1 == cell).count();
        assert_eq!([0, 1, 9, 63].map(|square| with(first + square)), [2, 3, 4, 2]);
    }

    /// Matrix, right side and slopes are those of the penalty.
    #[test]
    fn equations_and_slopes_are_those_of_the_penalty() {
        let ties = Ties { pairs: vec![(0, 1), (1, 2)], strength: 0.7, asked: 7_000.0 };
        let start = Values(vec![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
        let values = Values(vec![[4.0, 2.0], [3.0, -1.0], [9.0, 6.5]]);
        let active = ActiveCells::new(&[true; 3]);
        let (mut matrix, mut vector) = (Symmetric::zeros(6), DVector::zeros(6));
        ties.add_to((&mut matrix, &mut vector), (&start, &values), &active);
        let mut slopes = vec![[0.0; 2]; 3];
        ties.add_slopes(&start, &values, 10, &mut slopes);
        let penalty = |moved: &[f64; 6]| {
            let mut values = values.clone();
            values.0.iter_mut().flatten().zip(moved).for_each(|(value, by)| *value += by);
            ties.penalty(&start, &values)
        };
        // Strength 0.7: (3² + 5²) + (−4² + … ) as changes 3, 0, 4 and 0, −5, 0.5 differ.
        let expected = 0.7 * (9.0 + 16.0 + 25.0 + 5.5 * 5.5);
        assert!((penalty(&[0.0; 6]) - expected).abs() < 1e-12);
        for number in 0..6 {
            let at = |by: f64| {
                let mut moved = [0.0; 6];
                moved[number] = by;
                penalty(&moved)
            };
            let derivative = (at(0.5) - at(-0.5)) / 1.0;
            assert!((vector[number] + derivative / 2.0).abs() < 1e-12, "{number}");
            assert!((slopes[number / 2][number % 2] - derivative / 10.0).abs() < 1e-12);
            let curvature = (at(1.0) - 2.0 * at(0.0) + at(-1.0)) / 2.0;
            assert!((matrix[(number, number)] - curvature).abs() < 1e-12, "{number}");
        }
        assert_eq!((matrix[(2, 0)], matrix[(4, 2)], matrix[(4, 0)]), (-0.7, -0.7, 0.0));
    }
}
