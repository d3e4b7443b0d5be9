//! How much of the search score goes into the target: chosen by games that are not fitted to.
//!
//! A result is true and says little of one position; a score says much and errs with the engine that
//! gave it. The mixture that teaches most is the one with the least error of *results* in games
//! that the fit has not seen. Near a fit to results alone, the values move in proportion to the
//! share, because the target does: one step leads to all shares, and only the best of them is
//! fitted.

use serde::{Deserialize, Serialize};

use super::ProgressLines;
use super::equations::System;
use super::fitting::{Attempt, Fitting};
use super::problem::Singular;
use super::task::Bounds;
use crate::model::Values;

/// Shares that are tried, in hundredths.
const SHARES: [u32; 11] = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
/// Damping of the step from results to scores.
const DAMPING: f64 = 1e-3;

/// How the share was chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blending {
    /// Shares tried, with the error of the validation games' results foretold for each.
    pub tried: Vec<(f64, f64)>,
    /// Error of the validation games' results after a fit to results alone.
    pub results_alone: f64,
    /// The same after a fit with the best of the shares that were tried.
    pub blended: Option<f64>,
}

/// Fits to results alone, looks where the share of the score should be, and fits there. Returns the
/// share, the fit, and how it was chosen.
pub(super) fn choose(
    fitting: &Fitting<'_>,
    bounds: &Bounds,
    progress: ProgressLines<'_>,
) -> Result<(f64, Attempt, Option<Blending>), Singular> {
    let first = fitting.attempt(0.0, bounds, progress)?;
    if !fitting.problem.training.has_scores() {
        return Ok((0.0, first, None));
    }
    let results = fitting.objective(fitting.problem.validation, 0.0);
    let results_alone = results.error(&first.values);
    let way = towards_scores(fitting, bounds, &first.values);
    let tried: Vec<(f64, f64)> = SHARES
        .iter()
        .map(|&hundredths| {
            let share = f64::from(hundredths) / 100.0;
            (share, results.error(&moved(bounds, &first.values, &way, share)))
        })
        .collect();
    let best = tried.iter().copied().min_by(|one, other| one.1.total_cmp(&other.1));
    let lambda = best.map_or(0.0, |(share, _)| share);
    let blending = Blending { tried, results_alone, blended: None };
    if lambda == 0.0 {
        progress("lambda = 0: scores would not lower the error of the validation games' results");
        return Ok((0.0, first, Some(blending)));
    }
    progress(&format!("lambda = {lambda}: again, with this share of the score in the target"));
    let second = fitting.attempt(lambda, bounds, progress)?;
    let blended = results.error(&second.values);
    let blending = Blending { blended: Some(blended), ..blending };
    if blended < results_alone {
        Ok((lambda, second, Some(blending)))
    } else {
        progress("lambda = 0 after all: the error of the validation games' results is less there");
        Ok((0.0, first, Some(blending)))
    }
}

/// Where the values go as the target goes from results to scores: the step of Gauss and Newton to
/// scores alone. The part of the fit to results that early stopping left undone stays undone.
fn towards_scores(fitting: &Fitting<'_>, bounds: &Bounds, values: &Values) -> Vec<[f64; 2]> {
    let active = bounds.active();
    let objective = fitting.objective(fitting.problem.training, 1.0);
    let task = fitting.task(bounds, [&objective; 2]);
    let mut way = vec![[0.0; 2]; values.0.len()];
    if let Some(step) = System::new(&task, values, &active).solve(DAMPING) {
        for (number, &change) in step.iter().enumerate() {
            way[active.cells[number / 2]][number % 2] = change;
        }
    }
    way
}

fn moved(bounds: &Bounds, values: &Values, way: &[[f64; 2]], share: f64) -> Values {
    let mut moved = values.clone();
    for (cell, (halves, way)) in moved.0.iter_mut().zip(way).enumerate() {
        for (half, (value, change)) in halves.iter_mut().zip(way).enumerate() {
            *value = bounds.clamp(cell, half, *value + share * change);
        }
    }
    moved
}
