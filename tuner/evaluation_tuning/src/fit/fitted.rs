//! The core of every fit: from traced positions, whatever evaluation they are of, to tuned values.

use std::collections::HashSet;

use anyhow::ensure;
use command_line::WrongUse;

use super::blending::{self, Blending};
use super::fitting::{Attempt, Fitting};
use super::problem::{Problem, Singular, sorted};
use super::settings::FitSettings;
use super::task::{Bounds, Solution};
use super::uncertainty::Uncertainty;
use super::{ProgressLines, gauge};
use crate::model::normal_equations::{is_silent, slope_squares};
use crate::model::terms::Terms;
use crate::model::{K_RANGE, Objective, Positions, Values};

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
}

/// The K that was asked for, or the one that fits the starting values.
fn scale(training: &dyn Positions, start: &Values, asked: Option<f64>) -> anyhow::Result<f64> {
    let k = asked.unwrap_or_else(|| training.fit_k(start));
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
