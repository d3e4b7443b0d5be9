//! The default optimizer: the curvature of a sample of the positions, corrected by what gradients of
//! all of them show, at one pass a step.
//!
//! It is limited-memory BFGS that begins with the Gauss–Newton matrix of at most 32,768 positions.
//! Few positions make it the method of Gauss and Newton. Many make a step as cheap as a pass of
//! gradients.

use std::collections::VecDeque;

use nalgebra::DVector;

use super::equations::System;
use super::factor::Factor;
use super::task::{Iteration, Progress, Solution, Stop, Task, largest_change};
use crate::model::Values;
use crate::model::normal_equations::ActiveCells;

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
/// Blocks of positions whose curvature stands for that of all: 32,768 positions.
const CURVATURE_BLOCKS: usize = 64;
/// Iterations before which the curvature is made again: where slopes have turned, or numbers that
/// had none have one.
const RENEWALS: [u32; 3] = [2, 6, 18];
/// Damping of the curvature, and its rise until it has factors.
const DAMPING_START: f64 = 1e-3;
const DAMPING_RISE: f64 = 10.0;
const DAMPING_MAX: f64 = 1e6;

/// A place with its error, pull included, and the slopes there by the free numbers.
struct Point {
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

/// Limited-memory BFGS, begun from the Gauss–Newton matrix of a sample of the positions, within the
/// bounds.
///
/// Where the sample is all there is, this is Gauss and Newton's method; where positions are many, the
/// matrix costs no more, and each step only a pass of gradients.
///
/// CITE: Liu and Nocedal, On the limited memory BFGS method for large scale optimization (1989); Byrd,
/// Chin, Neveitt and Nocedal, On the use of stochastic Hessian information (2011).
pub fn quasi_newton(task: &Task<'_>, observer: &mut dyn FnMut(&Iteration)) -> Solution {
    let mut progress = Progress::new(task, PATIENCE, observer);
    let active = task.bounds.active();
    let free = free_numbers(task, &active);
    let mut curvature = Curvature::new(task, task.start, &active, &free);
    let mut place = at(task, &free, task.start.clone());
    let mut steps: VecDeque<Step> = VecDeque::with_capacity(MEMORY);
    let mut totals = vec![place.total];
    for iteration in 0..task.iterations {
        if RENEWALS.contains(&iteration) {
            // The old one makes room first: there is no memory for two.
            drop(curvature.take());
            curvature = Curvature::new(task, &place.values, &active, &free);
        }
        let Some(curvature) = &curvature else { return progress.end(Stop::Singular) };
        let held = held_slopes(task, &free, &place);
        let mut found = line_search(task, &free, &place, &direction(&held, &steps, curvature));
        if found.is_none() && !steps.is_empty() {
            // The curvature of earlier steps may hold no more: once more without it.
            steps.clear();
            found = line_search(task, &free, &place, &direction(&held, &steps, curvature));
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

/// A number that may change: its cell and half, and its place in the normal equations.
struct FreeNumber {
    cell: usize,
    half: usize,
    number: usize,
}

fn free_numbers(task: &Task<'_>, active: &ActiveCells) -> Vec<FreeNumber> {
    (0..2 * active.cells.len())
        .map(|number| FreeNumber { cell: active.cells[number / 2], half: number % 2, number })
        .filter(|it| task.bounds.is_free(it.cell, it.half))
        .collect()
}

/// The curvature of the mean squared error with the pull.
struct Curvature {
    factor: Factor,
    /// Places of the free numbers in the equations.
    numbers: Vec<usize>,
    /// The unit of the equations in units of the mean.
    unit: f64,
}

impl Curvature {
    /// The curvature at `values`; none if it has no factors however damped.
    fn new(
        task: &Task<'_>,
        values: &Values,
        active: &ActiveCells,
        free: &[FreeNumber],
    ) -> Option<Curvature> {
        let mut damping = DAMPING_START;
        let numbers = free.iter().map(|it| it.number).collect();
        let unit = task.training.store.len() as f64 / 2.0;
        while damping < DAMPING_MAX {
            let system = System::of_blocks(task, values, active, CURVATURE_BLOCKS);
            if let Some(factor) = system.into_factor(damping) {
                return Some(Curvature { factor, numbers, unit });
            }
            damping *= DAMPING_RISE;
        }
        None
    }

    /// The step that changes slopes by `slopes`.
    fn solve(&self, slopes: &[f64]) -> Vec<f64> {
        let mut vector = DVector::zeros(self.factor.size());
        for (&number, slope) in self.numbers.iter().zip(slopes) {
            vector[number] = self.unit * slope;
        }
        let step = self.factor.solve(&vector);
        self.numbers.iter().map(|&number| step[number]).collect()
    }
}

fn at(task: &Task<'_>, free: &[FreeNumber], values: Values) -> Point {
    let (error, gradient) = task.gradient(&values);
    let total = error + task.penalty(&values);
    let slopes = free.iter().map(|it| gradient[it.cell][it.half]).collect();
    Point { values, error, total, slopes }
}

/// The slopes, 0 for numbers that are pushed against a bound they are at.
fn held_slopes(task: &Task<'_>, free: &[FreeNumber], place: &Point) -> Vec<f64> {
    let held = |(&FreeNumber { cell, half, .. }, &slope): (&FreeNumber, &f64)| {
        let value = place.values.0[cell][half];
        let pushed = (value <= task.bounds.low[cell][half] && slope > 0.0)
            || (value >= task.bounds.high[cell][half] && slope < 0.0);
        if pushed { 0.0 } else { slope }
    };
    free.iter().zip(&place.slopes).map(held).collect()
}

/// Where the slopes lead, bent by what the steps have shown of the curvature.
fn direction(slopes: &[f64], steps: &VecDeque<Step>, curvature: &Curvature) -> Vec<f64> {
    let mut way: Vec<f64> = slopes.iter().map(|slope| -slope).collect();
    let mut shares = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        let share = step.inverse * dot(&step.way, &way);
        add(&mut way, -share, &step.change);
        shares.push(share);
    }
    way = curvature.solve(&way);
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
    free: &[FreeNumber],
    place: &Point,
    direction: &[f64],
) -> Option<Point> {
    let slope = dot(&place.slopes, direction);
    // As where every number is held at a bound: no length helps, and each costs a pass.
    if slope >= 0.0 || slope.is_nan() {
        return None;
    }
    let mut length = 1.0;
    for _ in 0..TRIALS_MAX {
        let mut values = place.values.clone();
        for (&FreeNumber { cell, half, .. }, way) in free.iter().zip(direction) {
            let value = &mut values.0[cell][half];
            *value = task.bounds.clamp(cell, half, *value + length * way);
        }
        let found = at(task, free, values);
        if found.total <= place.total + SUFFICIENT_FALL * length * slope {
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

fn remember(steps: &mut VecDeque<Step>, free: &[FreeNumber], before: &Point, after: &Point) {
    let way: Vec<f64> = free
        .iter()
        .map(|it| after.values.0[it.cell][it.half] - before.values.0[it.cell][it.half])
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
