//! Single fits: a call may take several to find what to fit to.

use std::collections::HashSet;

use super::gauge::{self, Gauge};
use super::problem::{Problem, Singular};
use super::settings::{FitSettings, Optimizer};
use super::task::{Bounds, Iteration, Solution, Stop, Task};
use super::uncertainty::{self, Constraint, Estimate, Uncertainty};
use super::{ProgressLines, adamw, levenberg_marquardt, quasi_newton, rounding};
use crate::model::{Objective, Positions, Values};

/// All that is the same for each fit of a call: it may take several to find what to fit to.
pub(super) struct Fitting<'a> {
    pub problem: Problem<'a>,
    pub settings: &'a FitSettings,
    pub seed: u64,
    pub k: f64,
    /// Training positions in which each cell occurs.
    pub seen: Vec<u32>,
    pub gauges: Vec<Gauge>,
}

impl Fitting<'_> {
    /// A set with the targets of this share of the search score.
    pub fn objective<'s>(&self, set: &'s dyn Positions, lambda: f64) -> Objective<'s> {
        Objective::new(set, self.k, lambda).with_loss(self.settings.loss)
    }

    /// The task, but for its positions.
    pub fn task<'t>(
        &'t self,
        bounds: &'t Bounds,
        [training, validation]: [&'t Objective<'t>; 2],
    ) -> Task<'t> {
        Task {
            training,
            validation: (self.settings.validation > 0.0).then_some(validation),
            start: self.problem.start,
            bounds,
            regularization: self.settings.pull(),
            ties: self.problem.ties,
            iterations: self.settings.iterations(),
            seed: self.seed,
        }
    }

    /// Fits, rounds and folds.
    pub fn attempt(
        &self,
        lambda: f64,
        bounds: &Bounds,
        progress: ProgressLines<'_>,
    ) -> Result<Attempt, Singular> {
        let Problem { training, validation, start, terms, .. } = self.problem;
        let objectives = [training, validation].map(|set| self.objective(set, lambda));
        let task = self.task(bounds, objectives.each_ref());
        let solution = solve(&task, self.settings.optimizer, progress)?;
        let mut values = rounding::round(&task, &solution.values);
        let foldable = bounds.of_whole_rows(&self.gauges, &self.seen, self.settings.seen_min);
        let folded = gauge::fold(&self.gauges, start, &mut values, &foldable, &self.seen, terms);
        Ok(Attempt { solution, values, folded })
    }

    /// The names of the numbers whose change is less than `least` times what chance makes of it.
    pub fn insignificant(
        &self,
        lambda: f64,
        attempt: &Attempt,
        bounds: &Bounds,
        least: f64,
    ) -> HashSet<String> {
        let Some(found) = self.uncertainty(lambda, &attempt.values, bounds) else {
            return HashSet::new();
        };
        let Problem { start, terms, .. } = self.problem;
        let is_insignificant = |it: &&Estimate| {
            let change = attempt.values.0[it.cell][it.half] - start.0[it.cell][it.half];
            change.abs() < least * it.scatter
        };
        let name = |it: &Estimate| terms.number_name(it.cell, it.half);
        found.estimates.iter().filter(is_insignificant).map(name).collect()
    }

    /// How sure the numbers are; none where no games are known.
    pub fn uncertainty(
        &self,
        lambda: f64,
        values: &Values,
        bounds: &Bounds,
    ) -> Option<Uncertainty> {
        let games = self.problem.games?;
        let training = self.objective(self.problem.training, lambda);
        let task = self.task(bounds, [&training; 2]);
        uncertainty::estimate(&task, values, games, &self.constraints(bounds))
    }

    /// The mean changes that folding makes 0: one a row of a gauge, by how often its cells are
    /// seen.
    fn constraints(&self, bounds: &Bounds) -> Vec<Constraint> {
        let seen_min = self.settings.seen_min;
        let halves = self.gauges.iter().flat_map(|gauge| [(gauge, 0), (gauge, 1)]);
        let whole =
            halves.filter(|(gauge, half)| bounds.is_whole(gauge, *half, &self.seen, seen_min));
        let constraint = |(gauge, half): (&Gauge, usize)| {
            let free = gauge.row.clone().filter(|&cell| bounds.is_free(cell, half));
            let terms = free.map(|cell| (cell, half, f64::from(self.seen[cell])));
            Constraint { terms: terms.collect() }
        };
        whole.map(constraint).collect()
    }
}

pub(super) struct Attempt {
    pub solution: Solution,
    /// Its values, rounded and folded.
    pub values: Values,
    pub folded: Vec<Gauge>,
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
        // To the very bottom sampled curvature crawls, where that of all positions takes few steps.
        Optimizer::Auto if task.validation.is_none() => levenberg_marquardt(task, &mut observer),
        Optimizer::Auto => quasi_newton(task, &mut observer),
        Optimizer::LevenbergMarquardt => levenberg_marquardt(task, &mut observer),
        Optimizer::Adamw => adamw(task, &mut observer),
    };
    match solution.stop {
        Stop::Singular => Err(Singular::Equations { iteration: solution.iterations.len() }),
        Stop::Validation | Stop::Converged | Stop::Iterations => Ok(solution),
    }
}
