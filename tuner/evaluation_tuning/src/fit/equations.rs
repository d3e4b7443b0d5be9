//! The linear system of one second-order step: the normal equations with the pull, less the numbers
//! that stay.

use nalgebra::DVector;

use super::factor::Factor;
use super::task::Task;
use crate::model::Values;
use crate::model::normal_equations::{
    ActiveCells, NormalEquations, is_silent, normal_equations_of,
};
use crate::model::symmetric::Symmetric;

/// (JᵀJ + pull) step = Jᵀr − pull · distance. A number that stays has a row of its own, whose
/// solution is 0.
pub(super) struct System {
    matrix: Symmetric,
    vector: DVector<f64>,
}

impl System {
    /// The system at `values`, of all positions.
    ///
    /// Numbers stay that no training position says anything about at these values (with them the
    /// matrix would be singular), and those that are pushed against a bound they are at.
    pub fn new(task: &Task<'_>, values: &Values, active: &ActiveCells) -> System {
        System::of_blocks(task, values, active, task.training.store.blocks())
    }

    /// The same of at most so many blocks of positions, evenly spread, which count for all.
    pub fn of_blocks(
        task: &Task<'_>,
        values: &Values,
        active: &ActiveCells,
        most: usize,
    ) -> System {
        let all = task.training.store.blocks();
        let count = most.min(all);
        let blocks: Vec<usize> = (0..count).map(|block| block * all / count).collect();
        let NormalEquations { mut matrix, mut vector, .. } =
            normal_equations_of(task.training, values, active, &blocks);
        if count < all {
            let factor = all as f64 / count as f64;
            matrix *= factor;
            vector *= factor;
        }
        let slopes = matrix.diagonal();
        let greatest = slopes.max();
        let pull = task.pull();
        let both = (&mut matrix, &mut vector);
        task.ties.add_to(both, (task.start, values), active);
        for number in 0..vector.len() {
            let (cell, half) = (active.cells[number / 2], number % 2);
            let value = values.0[cell][half];
            let silent = is_silent(slopes[number], greatest);
            vector[number] -= pull * (value - task.start.0[cell][half]);
            matrix[(number, number)] += pull;
            let (low, high) = (task.bounds.low[cell][half], task.bounds.high[cell][half]);
            let pushed =
                (value <= low && vector[number] <= 0.0) || (value >= high && vector[number] >= 0.0);
            if silent || pushed {
                matrix.isolate(number);
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
    pub fn factor(&self, damping: f64) -> Option<Factor> {
        Factor::new(damped(self.matrix.clone(), damping))
    }

    /// The same without room for a second matrix.
    pub fn into_factor(self, damping: f64) -> Option<Factor> {
        Factor::new(damped(self.matrix, damping))
    }
}

fn damped(mut matrix: Symmetric, damping: f64) -> Symmetric {
    (0..matrix.size()).for_each(|number| matrix[(number, number)] *= 1.0 + damping);
    matrix
}

#[cfg(test)]
mod tests {
    use chess::Parameters;
    use matches::openings::random_opening;
    use positions::Sample;
    use random::stream;

    use super::super::task::Bounds;
    use super::super::ties::Ties;
    use super::*;
    use crate::model::Objective;
    use crate::model::trace::TraceStore;

    /// The embedded weights as the start, and values that are off by −4 to 4 in each number.
    fn start_and_values() -> (Values, Values) {
        let start = Values::of(&Parameters::embedded().weights);
        let mut values = start.clone();
        for (number, value) in values.0.iter_mut().flatten().enumerate() {
            *value += (number * 7 % 9) as f64 - 4.0;
        }
        (start, values)
    }

    /// Calls `check` with the systems at `values` without a pull and with one of the strength.
    fn with_systems(
        bounds: &Bounds,
        regularization: f64,
        check: impl FnOnce(&ActiveCells, &System, &System),
    ) {
        let (start, values) = start_and_values();
        let samples: Vec<Sample> = (0..60)
            .map(|game| {
                let position =
                    random_opening(chess::GAME, &mut stream(31, u64::from(game)), 30..=90);
                Sample::new(&position, game, 0, None, 1.0).expect("few pieces")
            })
            .collect();
        let weights = Parameters::embedded().weights;
        let store = TraceStore::build(&samples, &weights).expect("few positions");
        let objective = Objective::new(&store, 1.0, 0.0);
        let active = bounds.active();
        let [without, with] = [0.0, regularization].map(|regularization| {
            let task = Task {
                training: &objective,
                validation: None,
                start: &start,
                bounds,
                regularization,
                ties: &Ties::default(),
                iterations: 1,
                seed: 1,
            };
            System::new(&task, &values, &active)
        });
        check(&active, &without, &with);
    }

    /// Bounds that no value is at.
    fn wide() -> Bounds {
        let values = start_and_values().1;
        Bounds {
            low: values.0.iter().map(|halves| halves.map(|value| value - 1000.0)).collect(),
            high: values.0.iter().map(|halves| halves.map(|value| value + 1000.0)).collect(),
        }
    }

    /// True for a number whose row fixes it and nothing else.
    fn stays(system: &System, number: usize) -> bool {
        let row = system.matrix.columns(number..number + 1);
        row[number] == 1.0 && row.sum() == 1.0 && system.vector[number] == 0.0
    }

    /// The pull adds its strength to the diagonal and, times the way back to the start, to the right
    /// side; with a great pull the step is that way.
    #[test]
    fn the_pull_leads_back_to_the_start() {
        let (start, values) = start_and_values();
        let regularization = 3e4;
        let pull = 3.0;
        with_systems(&wide(), regularization, |active, without, with| {
            let mut pulled = 0;
            for number in 0..with.vector.len() {
                let (cell, half) = (active.cells[number / 2], number % 2);
                if stays(without, number) {
                    assert!(stays(with, number), "{number}");
                    continue;
                }
                let way = start.0[cell][half] - values.0[cell][half];
                let found = with.vector[number] - without.vector[number];
                assert!((found - pull * way).abs() < 1e-9, "{number}: {found} for a way of {way}");
                let found = with.matrix[(number, number)] - without.matrix[(number, number)];
                assert!((found - pull).abs() < 1e-9, "{number}: {found} on the diagonal");
                pulled += usize::from(way != 0.0);
            }
            assert!(pulled > 100, "{pulled} numbers");
        });
        with_systems(&wide(), 1e12, |active, without, with| {
            let step = with.solve(1e-9).expect("positive definite");
            for number in (0..step.len()).filter(|&number| !stays(without, number)) {
                let (cell, half) = (active.cells[number / 2], number % 2);
                let way = start.0[cell][half] - values.0[cell][half];
                assert!((step[number] - way).abs() < 1e-4, "{number}: {} {way}", step[number]);
            }
        });
    }

    /// A number at a bound stays if it is pushed against it, and moves if it is pushed away.
    #[test]
    fn numbers_stay_at_the_bound_they_are_pushed_against() {
        let values = start_and_values().1;
        let mut free = DVector::zeros(0);
        with_systems(&wide(), 1.0, |_, _, with| free = with.vector.clone());
        for at_low in [true, false] {
            let mut bounds = wide();
            let side = if at_low { &mut bounds.low } else { &mut bounds.high };
            side.clone_from(&values.0);
            with_systems(&bounds, 1.0, |_, _, with| {
                let (mut against, mut away) = (0, 0);
                for (number, &push) in free.iter().enumerate().filter(|&(_, &push)| push != 0.0) {
                    let is_against = (push < 0.0) == at_low;
                    assert_eq!(stays(with, number), is_against, "{number}: {push}");
                    *(if is_against { &mut against } else { &mut away }) += 1;
                }
                assert!(against > 50 && away > 50, "{against} {away}");
            });
        }
    }
}
