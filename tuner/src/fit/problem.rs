//! The core of every fit: from traced positions, whatever evaluation they are of, to tuned values.

use std::collections::HashSet;

use anyhow::ensure;

use super::report::{Change, Unseen};
use super::settings::{FitSettings, Optimizer};
use super::task::{Bounds, Iteration, Solution, Stop, Task};
use super::{ProgressLines, adamw, gauge, levenberg_marquardt, quasi_newton, rounding};
use crate::model::normal_equations::{is_silent, slope_squares};
use crate::model::terms::Terms;
use crate::model::{K_RANGE, Objective, Positions, Values, fit_k};

/// What is fitted: the numbers of an evaluation to positions in three sets that share no game.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// Positions fitted to.
    pub training: &'a dyn Positions,
    /// Positions whose error decides when to stop.
    pub validation: &'a dyn Positions,
    /// Positions held out, which decide nothing.
    pub held_out: &'a dyn Positions,
    /// Values to start from.
    pub start: &'a Values,
    /// Names and ranges of the numbers.
    pub terms: &'a Terms,
}

/// The outcome of a fit.
pub struct Fitted {
    /// Tuned values, whole.
    pub values: Values,
    /// Scale of the expected result, see [`NATURAL`](crate::model::NATURAL).
    pub k: f64,
    /// How the optimizer came there.
    pub solution: Solution,
    /// In how many training positions each cell occurs.
    pub seen: Vec<u32>,
    /// Rows of values whose mean change was folded into the value they trade with.
    pub folded: Vec<String>,
    /// Numbers that changed nothing in any training position, before the fit or after it.
    pub silent: Vec<String>,
}

/// The positions do not determine the values: nothing is fitted.
#[derive(Debug, thiserror::Error)]
pub enum Singular {
    /// No number may change, or none changes any evaluation.
    #[error(
        "nothing is determined: of {numbers} numbers, {rare} occur in too few positions \
         (--seen-min), and no training position says anything about the others"
    )]
    Nothing {
        /// All numbers of the evaluation.
        numbers: usize,
        /// Those that --seen-min fixes.
        rare: usize,
    },
    /// The equations of a step have no solution.
    #[error(
        "the equations of iteration {iteration} are singular, however damped: the positions do not \
         determine the values; raise --regularization or --seen-min"
    )]
    Equations {
        /// The iteration that could not be made.
        iteration: usize,
    },
}

/// Fewest positions in any of the sets: with fewer, errors say nothing.
const POSITIONS_MIN: usize = 100;

/// Refuses sets of so many positions (for training, to stop by, held out) that errors say nothing.
///
/// # Errors
/// When one of them is too small.
pub fn check_sizes(sizes: [usize; 3]) -> anyhow::Result<()> {
    ensure!(
        sizes.iter().all(|&size| size >= POSITIONS_MIN),
        "too few positions to fit: {} for training, {} to stop by and {} held out, {POSITIONS_MIN} \
         of each needed",
        sizes[0],
        sizes[1],
        sizes[2],
    );
    Ok(())
}

impl<'a> Problem<'a> {
    /// Fits the numbers, on the threads of the current pool.
    ///
    /// # Errors
    /// When the starting values predict nothing, and [`Singular`] when the positions do not
    /// determine the values.
    pub fn fit(
        &self,
        settings: &FitSettings,
        seed: u64,
        progress: ProgressLines<'_>,
    ) -> anyhow::Result<Fitted> {
        let Problem { start, terms, .. } = *self;
        let k = scale(self.training, start, settings.k)?;
        progress(&format!("K = {k:.4}: expected result 1 / (1 + 10^(-K * centipawns / 400))"));
        let seen = self.training.occurrences();
        let bounds = bounds(terms, start, &seen, settings.seen_min);
        let [training, validation, _] = self.objectives(k, settings.lambda);
        let silent_at_start = silent(&training, start, &bounds, terms);
        let free = terms.numbers().filter(|&(cell, half, _)| bounds.is_free(cell, half)).count();
        if silent_at_start.len() == free {
            let numbers = terms.numbers().count();
            return Err(Singular::Nothing { numbers, rare: numbers - free }.into());
        }
        let task = Task {
            training: &training,
            validation: Some(&validation),
            start,
            bounds: &bounds,
            regularization: settings.regularization,
            iterations: settings.iterations(),
            seed,
        };
        let solution = solve(&task, settings.optimizer, progress)?;
        let mut values = rounding::round(&task, &solution.values);
        let gauges = gauge::find(self.training, terms);
        let folded = gauge::fold(&gauges, start, &mut values, &bounds, &seen, terms);
        // What has an effect only at other values than these may have been moved.
        let at_start: HashSet<(usize, usize)> = silent_at_start.into_iter().collect();
        let mut silent = silent(&training, &values, &bounds, terms);
        silent.retain(|&(cell, half)| {
            at_start.contains(&(cell, half)) && start.0[cell][half] == values.0[cell][half]
        });
        Ok(Fitted {
            values,
            k,
            solution,
            seen,
            folded: folded.iter().map(|gauge| gauge.describe(terms)).collect(),
            silent: silent.iter().map(|&(cell, half)| terms.number_name(cell, half)).collect(),
        })
    }

    /// What is predicted of the three sets.
    pub fn objectives(&self, k: f64, lambda: f64) -> [Objective<'a>; 3] {
        [self.training, self.validation, self.held_out].map(|set| Objective::new(set, k, lambda))
    }

    /// Every number that differs after the fit, the largest change first.
    pub fn changes(&self, fitted: &Fitted) -> Vec<Change> {
        let mut changes: Vec<Change> = self
            .terms
            .numbers()
            .map(|(cell, half, _)| Change {
                name: self.terms.number_name(cell, half),
                before: self.start.whole(cell, half),
                after: fitted.values.whole(cell, half),
                seen: fitted.seen[cell],
            })
            .filter(|change| change.before != change.after)
            .collect();
        changes.sort_by_key(|change| std::cmp::Reverse(change.before.abs_diff(change.after)));
        changes
    }

    /// The cells seen in fewer positions than asked for.
    pub fn unseen(&self, seen: &[u32], seen_min: u32) -> Vec<Unseen> {
        let cells = self.terms.0.iter().flat_map(|term| term.cells());
        cells
            .filter(|&cell| seen[cell] < seen_min.max(1))
            .map(|cell| Unseen { name: self.terms.cell_name(cell), seen: seen[cell] })
            .collect()
    }
}

/// Runs the optimizer and says each iteration's errors.
fn solve(
    task: &Task<'_>,
    optimizer: Optimizer,
    progress: ProgressLines<'_>,
) -> Result<Solution, Singular> {
    progress("iteration   training   validation   largest step");
    let mut observer = |i: &Iteration| {
        let Iteration { iteration, training, validation, step } = i;
        progress(&format!("{iteration:>9}   {training:.6}   {validation:.6}   {step:>14.2}"));
    };
    let solution = match optimizer {
        Optimizer::Auto => quasi_newton(task, &mut observer),
        Optimizer::LevenbergMarquardt => levenberg_marquardt(task, &mut observer),
        Optimizer::Adamw => adamw(task, &mut observer),
    };
    match solution.stop {
        Stop::Singular => Err(Singular::Equations { iteration: solution.iterations.len() }),
        Stop::Validation | Stop::Converged | Stop::Iterations => Ok(solution),
    }
}

/// The K that was asked for, or the one that fits the starting values.
fn scale(training: &dyn Positions, start: &Values, asked: Option<f64>) -> anyhow::Result<f64> {
    let k = asked.unwrap_or_else(|| fit_k(training, start).0);
    ensure!(
        asked.is_some() || (k > 1.01 * K_RANGE.0 && k < 0.99 * K_RANGE.1),
        "the starting values do not predict the results: start from values in centipawns that \
         know at least material, or give --k"
    );
    Ok(k)
}

/// The ranges of the terms; what is seen too rarely is fixed, and so is the half that a cell does not
/// have.
fn bounds(terms: &Terms, start: &Values, seen: &[u32], seen_min: u32) -> Bounds {
    let mut bounds = Bounds { low: start.0.clone(), high: start.0.clone() };
    for (cell, half, (low, high)) in terms.numbers() {
        if seen[cell] >= seen_min.max(1) && !terms.of_cell(cell).is_fixed {
            bounds.low[cell][half] = f64::from(low);
            bounds.high[cell][half] = f64::from(high);
        }
    }
    bounds
}

/// The free numbers, by cell and half, that no training position says anything about at `values`.
fn silent(
    training: &Objective<'_>,
    values: &Values,
    bounds: &Bounds,
    terms: &Terms,
) -> Vec<(usize, usize)> {
    let active = bounds.active();
    let squares = slope_squares(training, values, &active);
    let greatest = squares.iter().copied().fold(0.0, f64::max);
    let mut by_cell = vec![[false; 2]; values.0.len()];
    for (number, &square) in squares.iter().enumerate() {
        by_cell[active.cells[number / 2]][number % 2] = is_silent(square, greatest);
    }
    terms
        .numbers()
        .map(|(cell, half, _)| (cell, half))
        .filter(|&(cell, half)| by_cell[cell][half] && bounds.is_free(cell, half))
        .collect()
}
