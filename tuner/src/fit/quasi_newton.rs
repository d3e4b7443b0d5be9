//! The default optimizer: steps along curvature learned from gradients, at one pass each.

use std::collections::VecDeque;

use super::task::{Iteration, Progress, Solution, Stop, Task, largest_change};
use crate::model::Values;
use crate::model::normal_equations::slope_squares;

/// Steps whose change of the gradient is remembered.
const MEMORY: usize = 24;
/// Iterations without a fall of the validation error after which it stops.
const PATIENCE: usize = 6;
/// It has converged when so many iterations lower the error by no more than this share of it.
const CONVERGED: f64 = 1e-7;
const CONVERGED_ITERATIONS: usize = 6;
/// Share of the fall that the slope promises which a step must bring.
const SUFFICIENT_FALL: f64 = 1e-4;
/// Shorter and shorter trials along one direction before it is given up.
const TRIALS_MAX: u32 = 12;
/// Least curvature of a number, as a share of the greatest: below it lie numbers that have no slope
/// yet, which must not run away when they get one.
const CURVATURE_MIN: f64 = 1e-6;

/// A place with its error, pull included, and the slopes there by the free numbers.
struct Place {
    values: Values,
    error: f64,
    total: f64,
    slopes: Vec<f64>,
}

/// A step taken: its length, and how the slopes changed, by number.
struct Step {
    way: Vec<f64>,
    change: Vec<f64>,
    /// 1 / (way · change).
    inverse: f64,
}

/// Limited-memory BFGS, begun from the diagonal of the Gauss–Newton matrix, within the bounds.
///
/// On the way from the start it turns to what the positions say most about first. The validation
/// error therefore stops it before it learns what only the training positions say; a full second
/// order step goes there at once.
///
/// CITE: Liu and Nocedal, On the limited memory BFGS method for large scale optimization (1989).
pub fn quasi_newton(task: &Task<'_>, observer: &mut dyn FnMut(&Iteration)) -> Solution {
    let mut progress = Progress::new(task, PATIENCE, observer);
    let free = free_numbers(task);
    let curvature = curvatures(task, &free);
    let mut place = at(task, &free, task.start.clone());
    let mut steps: VecDeque<Step> = VecDeque::with_capacity(MEMORY);
    let mut totals = vec![place.total];
    for _ in 0..task.iterations {
        let held = held_slopes(task, &free, &place);
        let mut found = line_search(task, &free, &place, &direction(&held, &steps, &curvature));
        if found.is_none() && !steps.is_empty() {
            // What was learned may hold no more: once more without it.
            steps.clear();
            found = line_search(task, &free, &place, &direction(&held, &steps, &curvature));
        }
        let Some(next) = found else {
            let stop = if place.total.is_finite() { Stop::Converged } else { Stop::Singular };
            return progress.end(stop);
        };
        remember(&mut steps, &free, &place, &next);
        let step = largest_change(&place.values, &next.values);
        place = next;
        totals.push(place.total);
        if !progress.note(task, &place.values, place.error, step) {
            return progress.end(Stop::Validation);
        }
        let before = totals.len().checked_sub(1 + CONVERGED_ITERATIONS).map(|index| totals[index]);
        if before.is_some_and(|before| before - place.total < CONVERGED * place.total) {
            return progress.end(Stop::Converged);
        }
    }
    progress.end(Stop::Iterations)
}

/// Cell and half of every number that may change.
fn free_numbers(task: &Task<'_>) -> Vec<(usize, usize)> {
    let all = (0..task.start.0.len()).flat_map(|cell| [(cell, 0), (cell, 1)]);
    all.filter(|&(cell, half)| task.bounds.is_free(cell, half)).collect()
}

/// Curvatures of the error by each number alone, as Gauss and Newton have them.
fn curvatures(task: &Task<'_>, free: &[(usize, usize)]) -> Vec<f64> {
    let active = task.bounds.active();
    let squares = slope_squares(task.training, task.start, &active);
    let mut by_cell = vec![[0.0; 2]; task.start.0.len()];
    for (number, square) in squares.into_iter().enumerate() {
        by_cell[active.cells[number / 2]][number % 2] = square;
    }
    let factor = 2.0 / task.training.store.len() as f64;
    let curvature = |&(cell, half): &(usize, usize)| factor * (by_cell[cell][half] + task.pull());
    let curvatures: Vec<f64> = free.iter().map(curvature).collect();
    let least = CURVATURE_MIN * curvatures.iter().copied().fold(0.0, f64::max);
    curvatures.into_iter().map(|curvature| curvature.max(least)).collect()
}

fn at(task: &Task<'_>, free: &[(usize, usize)], values: Values) -> Place {
    let (error, gradient) = task.gradient(&values);
    let total = error + task.penalty(&values);
    let slopes = free.iter().map(|&(cell, half)| gradient[cell][half]).collect();
    Place { values, error, total, slopes }
}

/// The slopes, 0 for numbers that are pushed against a bound they are at.
fn held_slopes(task: &Task<'_>, free: &[(usize, usize)], place: &Place) -> Vec<f64> {
    let held = |(&(cell, half), &slope): (&(usize, usize), &f64)| {
        let value = place.values.0[cell][half];
        let pushed = (value <= task.bounds.low[cell][half] && slope > 0.0)
            || (value >= task.bounds.high[cell][half] && slope < 0.0);
        if pushed { 0.0 } else { slope }
    };
    free.iter().zip(&place.slopes).map(held).collect()
}

/// Where the slopes lead, bent by what the steps have shown of the curvature.
fn direction(slopes: &[f64], steps: &VecDeque<Step>, curvature: &[f64]) -> Vec<f64> {
    let mut way: Vec<f64> = slopes.iter().map(|slope| -slope).collect();
    let mut shares = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        let share = step.inverse * dot(&step.way, &way);
        add(&mut way, -share, &step.change);
        shares.push(share);
    }
    let scale = steps.back().map_or(1.0, |step| {
        let squares = step.change.iter().zip(curvature).map(|(change, c)| change * change / c);
        1.0 / (step.inverse * squares.sum::<f64>())
    });
    for (way, curvature) in way.iter_mut().zip(curvature) {
        *way *= scale / curvature;
    }
    for (step, share) in steps.iter().zip(shares.into_iter().rev()) {
        let back = step.inverse * dot(&step.change, &way);
        add(&mut way, share - back, &step.way);
    }
    for (way, slope) in way.iter_mut().zip(slopes) {
        if *slope == 0.0 {
            *way = 0.0;
        }
    }
    way
}

/// The first place along the direction that is lower by enough; none if there is none.
fn line_search(
    task: &Task<'_>,
    free: &[(usize, usize)],
    place: &Place,
    direction: &[f64],
) -> Option<Place> {
    let slope = dot(&place.slopes, direction);
    let mut length = 1.0;
    for _ in 0..TRIALS_MAX {
        let mut values = place.values.clone();
        for (&(cell, half), way) in free.iter().zip(direction) {
            let value = &mut values.0[cell][half];
            *value = task.bounds.clamp(cell, half, *value + length * way);
        }
        let found = at(task, free, values);
        if found.total <= place.total + SUFFICIENT_FALL * length * slope && slope < 0.0 {
            return Some(found);
        }
        // The lowest point of the parabola through what is known.
        let excess = found.total - place.total - length * slope;
        let lowest = -slope * length * length / (2.0 * excess);
        length = lowest.clamp(0.05 * length, 0.5 * length);
        if !length.is_finite() {
            return None;
        }
    }
    None
}

fn remember(
    steps: &mut VecDeque<Step>,
    free: &[(usize, usize)],
    before: &Place,
    after: &Place,
) {
    let way: Vec<f64> = free
        .iter()
        .map(|&(cell, half)| after.values.0[cell][half] - before.values.0[cell][half])
        .collect();
    let change: Vec<f64> =
        after.slopes.iter().zip(&before.slopes).map(|(after, before)| after - before).collect();
    let product = dot(&way, &change);
    // Without positive curvature a step teaches nothing.
    if product > 1e-12 * (dot(&way, &way) * dot(&change, &change)).sqrt() {
        if steps.len() == MEMORY {
            steps.pop_front();
        }
        steps.push_back(Step { way, change, inverse: 1.0 / product });
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    for (sum, value) in to.iter_mut().zip(what) {
        *sum += factor * value;
    }
}
