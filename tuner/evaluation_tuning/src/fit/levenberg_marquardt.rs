//! The second-order optimizer: damped Gauss–Newton steps over all positions.

use nalgebra::DVector;

use super::equations::System;
use super::task::{Bounds, Iteration, Progress, Solution, Stop, Task, largest_change};
use crate::model::Values;
use crate::model::normal_equations::ActiveCells;

/// First damping, and its change after a step taken or refused.
const DAMPING_START: f64 = 1e-3;
const DAMPING_FALL: f64 = 0.2;
const DAMPING_RISE: f64 = 6.0;
/// Steps that lower nothing, each shorter than the one before, after which there is none.
const REFUSALS_MAX: u32 = 8;
/// Systems without a solution, each more damped than the one before, after which damping is no
/// remedy: the last would be damped 10¹⁰-fold even from the least damping that 100 steps lead to.
const UNSOLVED_MAX: u32 = 110;
/// Iterations without a fall of the validation error after which it stops.
const PATIENCE: usize = 3;
/// Relative fall of the training error below which it has converged.
const CONVERGED: f64 = 1e-6;

/// The result of a search for a step.
enum StepSearch {
    /// A step that lowers the error: the values after it, their error, and that with the pull.
    Step(Values, f64, f64),
    /// No step lowers the error.
    None,
    /// No system has a solution.
    Singular,
}

/// Levenberg–Marquardt: each step is taken only if it lowers the training error with its pull.
///
/// CITE: Levenberg (1944), Marquardt (1963).
pub fn levenberg_marquardt(task: &Task<'_>, observer: &mut dyn FnMut(&Iteration)) -> Solution {
    let active = task.bounds.active();
    let mut progress = Progress::new(task, PATIENCE, observer);
    let mut values = task.start.clone();
    let mut total = task.errors(&values).1;
    let mut damping = DAMPING_START;
    for _ in 0..task.iterations {
        let (candidate, error, candidate_total) =
            match find_step(task, &values, total, &active, &mut damping) {
                StepSearch::Step(candidate, error, total) => (candidate, error, total),
                StepSearch::None => return progress.end(Stop::Converged),
                StepSearch::Singular => return progress.end(Stop::Singular),
            };
        damping *= DAMPING_FALL;
        let step = largest_change(&values, &candidate);
        let converged = total - candidate_total < CONVERGED * total;
        (values, total) = (candidate, candidate_total);
        if !progress.note(task, &values, error, step) {
            return progress.end(Stop::Validation);
        }
        if converged {
            return progress.end(Stop::Converged);
        }
    }
    progress.end(Stop::Iterations)
}

/// Looks for a step from `values`, whose error with its pull is `total`; `damping` rises as it must.
fn find_step(
    task: &Task<'_>,
    values: &Values,
    total: f64,
    active: &ActiveCells,
    damping: &mut f64,
) -> StepSearch {
    let system = System::new(task, values, active);
    let (mut refusals, mut unsolved) = (0, 0);
    loop {
        match system.solve(*damping) {
            Some(step) => {
                let candidate = moved(task.bounds, values, active, &step);
                let (error, candidate_total) = task.errors(&candidate);
                if candidate_total < total {
                    return StepSearch::Step(candidate, error, candidate_total);
                }
                refusals += 1;
                if refusals == REFUSALS_MAX {
                    return StepSearch::None;
                }
            }
            None => {
                unsolved += 1;
                if unsolved == UNSOLVED_MAX {
                    return StepSearch::Singular;
                }
            }
        }
        *damping *= DAMPING_RISE;
    }
}

/// `values` moved by `step`, within the bounds.
fn moved(bounds: &Bounds, values: &Values, active: &ActiveCells, step: &DVector<f64>) -> Values {
    let mut moved = values.clone();
    for (number, change) in step.iter().enumerate() {
        let (cell, half) = (active.cells[number / 2], number % 2);
        moved.0[cell][half] = bounds.clamp(cell, half, values.0[cell][half] + change);
    }
    moved
}
