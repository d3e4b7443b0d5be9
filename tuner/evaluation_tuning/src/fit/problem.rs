//! The core of every fit: from traced positions, whatever evaluation they are of, to tuned values.

use std::collections::HashSet;

use anyhow::ensure;
use command_line::WrongUse;
use positions::Shares;

use super::blending::{self, Blending};
use super::gauge::Gauge;
use super::report::Unseen;
use super::settings::{FitSettings, Optimizer};
use super::task::{Bounds, Iteration, Solution, Stop, Task};
use super::ties::Ties;
use super::uncertainty::{self, Constraint, Estimate, Uncertainty};
use super::{ProgressLines, adamw, gauge, levenberg_marquardt, quasi_newton, rounding};
use crate::model::normal_equations::{is_silent, slope_squares};
use crate::model::terms::Terms;
use crate::model::{K_RANGE, Objective, Positions, Values, fit_k};

/// A fit to make: the numbers of an evaluation, and positions in three sets that share no game.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// Training positions.
    pub training: &'a dyn Positions,
    /// Positions whose error decides when to stop; those fitted to where none are kept for it.
    pub validation: &'a dyn Positions,
    /// Positions held out, which decide nothing; those fitted to where none are kept.
    pub held_out: &'a dyn Positions,
    /// Values to start from.
    pub start: &'a Values,
    /// Names and ranges of the numbers.
    pub terms: &'a Terms,
    /// The game of each training position; without them nothing is said of how sure numbers are.
    pub games: Option<&'a [u32]>,
    /// Numbers that should change alike.
    pub ties: &'a Ties,
    /// Names of numbers that may not change.
    pub held: &'a HashSet<String>,
}

/// The outcome of a fit.
pub struct Fitted {
    /// Tuned values, whole.
    pub values: Values,
    /// Scale of the expected result, see [`NATURAL`](crate::model::NATURAL).
    pub k: f64,
    /// Share of the search score in the target.
    pub lambda: f64,
    /// How that was chosen; none if it was given, or no position has a score.
    pub blending: Option<Blending>,
    /// How the optimizer came there.
    pub solution: Solution,
    /// In how many training positions each cell occurs.
    pub seen: Vec<u32>,
    /// Rows of values whose mean change was folded into the value they trade with.
    pub folded: Vec<String>,
    /// Numbers that changed nothing in any training position, before the fit or after it.
    pub silent: Vec<String>,
    /// Numbers held because their change was not significant.
    pub insignificant: Vec<String>,
    /// How sure each number is, where games are known.
    pub uncertainty: Option<Uncertainty>,
}

/// All that is the same for each fit of a call: it may take several to find what to fit to.
pub(super) struct Fitting<'a> {
    pub problem: Problem<'a>,
    settings: &'a FitSettings,
    seed: u64,
    k: f64,
    /// Training positions in which each cell occurs.
    seen: Vec<u32>,
    gauges: Vec<Gauge>,
}

pub(super) struct Attempt {
    pub solution: Solution,
    /// Its values, rounded and folded.
    pub values: Values,
    pub folded: Vec<Gauge>,
}

/// The positions do not determine the values: nothing is fitted.
#[derive(Debug, thiserror::Error)]
pub enum Singular {
    /// No number may change, or none changes any evaluation.
    #[error(
        "nothing is determined: of {numbers} numbers, {held} occur in too few positions \
         (--seen-min) or are held (--only, --freeze), and no training position says anything about \
         the others"
    )]
    Nothing {
        /// All numbers of the evaluation.
        numbers: usize,
        /// Numbers that may not change.
        held: usize,
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

/// Refuses sets of so few positions (for training, to stop by, held out) that errors say nothing.
/// Sets of which no share is kept may be empty.
///
/// # Errors
/// When one of them is too small.
pub fn check_sizes(sizes: [usize; 3], shares: Shares) -> anyhow::Result<()> {
    let wanted = [true, shares.validation > 0.0, shares.held_out > 0.0];
    ensure!(
        sizes.iter().zip(wanted).all(|(&size, wanted)| !wanted || size >= POSITIONS_MIN),
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
    /// When the starting values predict nothing, when the settings ask for scores and no position
    /// has one, [`WrongUse`] when no games are kept to choose a share of the scores by, and
    /// [`Singular`] when the positions do not determine the values.
    pub fn fit(
        &self,
        settings: &FitSettings,
        seed: u64,
        progress: ProgressLines<'_>,
    ) -> anyhow::Result<Fitted> {
        let Problem { start, terms, .. } = *self;
        let is_chosen = settings.lambda.is_none() && self.training.has_scores();
        if is_chosen && settings.validation == 0.0 {
            let text = "--validation 0 needs --lambda where positions have scores: their share in \
                        the target is else chosen by the games kept for it";
            return Err(WrongUse(text.to_string()).into());
        }
        ensure!(
            settings.lambda.is_none_or(|lambda| lambda == 0.0) || self.training.has_scores(),
            "--lambda asks for a share of the search score, and no position has one: leave it out, \
             or give positions with scores"
        );
        let k = scale(self.training, start, settings.k)?;
        progress(&format!("K = {k:.4}: expected result 1 / (1 + 10^(-K * centipawns / 400))"));
        let seen = self.training.occurrences();
        let mut bounds = bounds(terms, start, &seen, settings.seen_min);
        bounds.hold(start, terms, self.held);
        let gauges = gauge::find(self.training, terms);
        let fitting = Fitting { problem: *self, settings, seed, k, seen, gauges };
        let training = fitting.objective(self.training, 0.0);
        let silent_at_start = silent(&training, start, &bounds, terms);
        let free = terms.numbers().filter(|&(cell, half, _)| bounds.is_free(cell, half)).count();
        if silent_at_start.len() == free {
            let numbers = terms.numbers().count();
            return Err(Singular::Nothing { numbers, held: numbers - free }.into());
        }
        let (lambda, mut attempt, blending) = match settings.lambda {
            Some(lambda) => (lambda, fitting.attempt(lambda, &bounds, progress)?, None),
            None => blending::choose(&fitting, &bounds, progress)?,
        };
        let mut insignificant = HashSet::new();
        if let Some(least) = settings.shrink {
            insignificant = fitting.insignificant(lambda, &attempt, &bounds, least);
            progress(&format!(
                "{} numbers changed by less than {least} standard errors: again, with them held",
                insignificant.len()
            ));
            bounds.hold(start, terms, &insignificant);
            attempt = fitting.attempt(lambda, &bounds, progress)?;
        }
        // A number that has an effect only at values other than these may have been moved.
        let at_start: HashSet<(usize, usize)> = silent_at_start.into_iter().collect();
        let training = fitting.objective(self.training, lambda);
        let mut silent = silent(&training, &attempt.values, &bounds, terms);
        silent.retain(|&(cell, half)| {
            at_start.contains(&(cell, half)) && start.0[cell][half] == attempt.values.0[cell][half]
        });
        let uncertainty = fitting.uncertainty(lambda, &attempt.values, &bounds);
        let Attempt { solution, values, folded } = attempt;
        Ok(Fitted {
            values,
            k,
            lambda,
            blending,
            solution,
            seen: fitting.seen,
            folded: folded.iter().map(|gauge| gauge.describe(terms)).collect(),
            silent: silent.iter().map(|&(cell, half)| terms.number_name(cell, half)).collect(),
            insignificant: sorted(insignificant),
            uncertainty,
        })
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

pub(super) fn sorted(names: HashSet<String>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort();
    names
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
    fn insignificant(
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
    fn uncertainty(&self, lambda: f64, values: &Values, bounds: &Bounds) -> Option<Uncertainty> {
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

/// The K that was asked for, or the one that fits the starting values.
fn scale(training: &dyn Positions, start: &Values, asked: Option<f64>) -> anyhow::Result<f64> {
    let k = asked.unwrap_or_else(|| fit_k(training, start).0);
    ensure!(
        asked.is_some() || (k > 1.01 * K_RANGE.0 && k < 0.99 * K_RANGE.1),
        "the starting values do not predict the results: either these are all the same, or they \
         must start from values in centipawns that know at least material; or give --k"
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
