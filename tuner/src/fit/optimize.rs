//! The optimizers: Levenberg–Marquardt and AdamW, with bounds, a pull towards the start, and early
//! stopping on the held-out error.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::model::normal_equations::{ActiveCells, NormalEquations, normal_equations};
use crate::model::{Objective, Values};

/// What is minimized, from where, and within which limits.
pub struct Task<'a> {
    /// Positions fitted to.
    pub training: &'a Objective<'a>,
    /// Positions of other games, whose error decides when to stop.
    pub held_out: &'a Objective<'a>,
    /// Starting values.
    pub start: &'a Values,
    /// Allowed values of each number; equal bounds fix it.
    pub bounds: &'a Bounds,
    /// How much the summed squared error grows for a number 100 centipawns from its start.
    pub regularization: f64,
    /// Iterations (passes over all training positions) at most.
    pub iterations: u32,
    /// Seed of the order of mini-batches.
    pub seed: u64,
}

/// Least and greatest value of each number, by cell and half.
pub struct Bounds {
    /// Least values.
    pub low: Vec<[f64; 2]>,
    /// Greatest values.
    pub high: Vec<[f64; 2]>,
}

/// The state after one iteration; iteration 0 is the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Its number.
    pub iteration: u32,
    /// Mean squared error of the training positions.
    pub training: f64,
    /// Mean squared error of the held-out positions.
    pub held_out: f64,
    /// Greatest change of a number in this iteration, in centipawns.
    pub step: f64,
}

/// Why an optimizer stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The held-out error did not fall any more.
    HeldOut,
    /// No step lowers the training error by a noticeable amount.
    Converged,
    /// The iterations were used up.
    Iterations,
}

/// What an optimizer found.
pub struct Solution {
    /// The values with the least held-out error.
    pub values: Values,
    /// Every iteration's errors, the start's first.
    pub iterations: Vec<Iteration>,
    /// The iteration whose values these are.
    pub best: usize,
    /// Why it ended.
    pub stop: Stop,
}

/// Unit of the regularization: one pawn, in centipawns.
const PAWN: f64 = 100.0;

impl Bounds {
    /// The cells with a number that may change.
    pub fn active(&self) -> ActiveCells {
        let free = |cell: usize| (0..2).any(|half| self.low[cell][half] < self.high[cell][half]);
        ActiveCells::new(&(0..self.low.len()).map(free).collect::<Vec<_>>())
    }

    fn clamp(&self, cell: usize, half: usize, value: f64) -> f64 {
        value.clamp(self.low[cell][half], self.high[cell][half])
    }
}

impl Task<'_> {
    /// Weight of a squared distance from the start, in centipawns, against a squared residual.
    fn pull(&self) -> f64 {
        self.regularization / (PAWN * PAWN)
    }

    /// Mean squared training error, and the same with the pull towards the start.
    fn errors(&self, values: &Values) -> (f64, f64) {
        let error = self.training.error(values);
        let distance: f64 = values
            .0
            .iter()
            .zip(&self.start.0)
            .map(|(now, start)| (now[0] - start[0]).powi(2) + (now[1] - start[1]).powi(2))
            .sum();
        (error, error + self.pull() * distance / self.training.store.len() as f64)
    }
}

/// Keeps the best values by held-out error.
struct Progress<'a> {
    solution: Solution,
    observer: &'a mut dyn FnMut(&Iteration),
    patience: usize,
}

impl<'a> Progress<'a> {
    fn new(
        task: &Task<'_>,
        patience: usize,
        observer: &'a mut dyn FnMut(&Iteration),
    ) -> Progress<'a> {
        let solution = Solution {
            values: task.start.clone(),
            iterations: Vec::new(),
            best: 0,
            stop: Stop::Iterations,
        };
        let mut progress = Progress { solution, observer, patience };
        let training = task.training.error(task.start);
        progress.note(task, task.start, training, 0.0);
        progress
    }

    /// Records an iteration; false when the held-out error has not fallen for too long.
    fn note(&mut self, task: &Task<'_>, values: &Values, training: f64, step: f64) -> bool {
        let held_out = task.held_out.error(values);
        let iterations = &mut self.solution.iterations;
        let iteration = Iteration { iteration: iterations.len() as u32, training, held_out, step };
        (self.observer)(&iteration);
        iterations.push(iteration);
        if held_out < iterations[self.solution.best].held_out {
            self.solution.best = iterations.len() - 1;
            self.solution.values = values.clone();
        }
        iterations.len() - 1 - self.solution.best < self.patience
    }

    fn end(mut self, stop: Stop) -> Solution {
        self.solution.stop = stop;
        self.solution
    }
}

/// First damping, its change after a step taken or refused, and refusals before giving up.
const DAMPING_START: f64 = 1e-3;
const DAMPING_FALL: f64 = 0.2;
const DAMPING_RISE: f64 = 6.0;
const REFUSALS_MAX: u32 = 8;
/// Iterations without a fall of the held-out error after which Levenberg–Marquardt stops.
const NEWTON_PATIENCE: usize = 3;
/// Relative fall of the training error below which it has converged.
const CONVERGED: f64 = 1e-6;

/// Levenberg–Marquardt: damped Gauss–Newton steps, each taken only if it lowers the training error
/// with its pull.
///
/// CITE: Levenberg (1944), Marquardt (1963).
pub fn levenberg_marquardt(task: &Task<'_>, observer: &mut dyn FnMut(&Iteration)) -> Solution {
    let active = task.bounds.active();
    let mut progress = Progress::new(task, NEWTON_PATIENCE, observer);
    let mut values = task.start.clone();
    let mut total = task.errors(&values).1;
    let mut damping = DAMPING_START;
    for _ in 0..task.iterations {
        let system = System::new(task, &values, &active);
        let mut refusals = 0;
        let (candidate, error, candidate_total) = loop {
            if let Some(step) = system.solve(damping) {
                let candidate = moved(task.bounds, &values, &active, &step);
                let (error, candidate_total) = task.errors(&candidate);
                if candidate_total < total {
                    break (candidate, error, candidate_total);
                }
            }
            refusals += 1;
            if refusals == REFUSALS_MAX {
                return progress.end(Stop::Converged);
            }
            damping *= DAMPING_RISE;
        };
        damping *= DAMPING_FALL;
        let step = largest_change(&values, &candidate);
        let converged = total - candidate_total < CONVERGED * total;
        (values, total) = (candidate, candidate_total);
        if !progress.note(task, &values, error, step) {
            return progress.end(Stop::HeldOut);
        }
        if converged {
            return progress.end(Stop::Converged);
        }
    }
    progress.end(Stop::Iterations)
}

/// The linear system of one iteration: (JᵀJ + pull) step = Jᵀr − pull · distance, without the
/// numbers that are fixed.
struct System {
    matrix: DMatrix<f64>,
    vector: DVector<f64>,
}

impl System {
    fn new(task: &Task<'_>, values: &Values, active: &ActiveCells) -> System {
        let NormalEquations { mut matrix, mut vector, .. } =
            normal_equations(task.training, values, active);
        let pull = task.pull();
        for number in 0..vector.len() {
            let (cell, half) = (active.cells[number / 2], number % 2);
            let value = values.0[cell][half];
            vector[number] -= pull * (value - task.start.0[cell][half]);
            matrix[(number, number)] += pull;
            let (low, high) = (task.bounds.low[cell][half], task.bounds.high[cell][half]);
            // At a bound, and pushed against it: the number stays, and the others are solved
            // without it.
            let stays =
                (value <= low && vector[number] <= 0.0) || (value >= high && vector[number] >= 0.0);
            if stays {
                matrix.row_mut(number).fill(0.0);
                matrix.column_mut(number).fill(0.0);
                matrix[(number, number)] = 1.0;
                vector[number] = 0.0;
            }
        }
        System { matrix, vector }
    }

    /// The step at a damping relative to each diagonal element; none if the matrix is not positive
    /// definite.
    fn solve(&self, damping: f64) -> Option<DVector<f64>> {
        let mut matrix = self.matrix.clone();
        for number in 0..self.vector.len() {
            matrix[(number, number)] *= 1.0 + damping;
        }
        Some(Cholesky::new(matrix)?.solve(&self.vector))
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

/// Greatest change of a number, in centipawns.
fn largest_change(before: &Values, after: &Values) -> f64 {
    let changes = before.0.iter().flatten().zip(after.0.iter().flatten());
    changes.map(|(before, after)| (after - before).abs()).fold(0.0, f64::max)
}

/// Positions in a mini-batch.
const BATCH: usize = 8192;
/// Neighbors that stay together in all passes: reading them one by one from anywhere in memory
/// takes longer than the arithmetic. The positions come shuffled.
const RUN: usize = 32;
/// Step of the first pass in centipawns; it falls along a half cosine to the last share of it.
const RATE_START: f64 = 1.0;
const RATE_END: f64 = 0.02;
/// Decay of the running means of gradient and squared gradient.
const MEAN_DECAY: f64 = 0.9;
const SQUARE_DECAY: f64 = 0.999;
/// Keeps steps finite where no gradient has been seen; gradients are about 10⁻⁶ for a rare term.
const EPSILON: f64 = 1e-9;
/// Pull of AdamW towards the start for a regularization of 1, as a share of the rate for each
/// centipawn of distance.
const DECAY: f64 = 1e-4;
/// Passes without a fall of the held-out error after which AdamW stops.
const PASS_PATIENCE: usize = 12;

/// AdamW: steps of adaptive size over mini-batches, with the pull towards the start apart from the
/// gradient.
///
/// CITE: Kingma and Ba, Adam (2015); Loshchilov and Hutter, Decoupled Weight Decay Regularization
/// (2019).
pub fn adamw(task: &Task<'_>, observer: &mut dyn FnMut(&Iteration)) -> Solution {
    let mut progress = Progress::new(task, PASS_PATIENCE, observer);
    let mut values = task.start.clone();
    let mut means = vec![[0.0; 2]; values.0.len()];
    let mut squares = means.clone();
    let (mut mean_left, mut square_left) = (1.0, 1.0);
    let positions = task.training.store.len();
    let mut runs: Vec<usize> = (0..positions).step_by(RUN).collect();
    for pass in 0..task.iterations {
        runs.shuffle(&mut sprt::random::stream(task.seed, u64::from(pass)));
        let order: Vec<u32> = runs
            .iter()
            .flat_map(|&start| start as u32..(start + RUN).min(positions) as u32)
            .collect();
        let through = f64::from(pass) / f64::from(task.iterations);
        let fall = (1.0 + (through * std::f64::consts::PI).cos()) / 2.0;
        let rate = RATE_START * (RATE_END + (1.0 - RATE_END) * fall);
        let before = values.clone();
        let mut error = 0.0;
        for batch in order.chunks(BATCH) {
            let (batch_error, gradient) = task.training.gradient(&values, batch);
            error += batch_error * batch.len() as f64;
            mean_left *= MEAN_DECAY;
            square_left *= SQUARE_DECAY;
            for (cell, halves) in gradient.iter().enumerate() {
                for (half, &slope) in halves.iter().enumerate() {
                    let mean = &mut means[cell][half];
                    *mean += (1.0 - MEAN_DECAY) * (slope - *mean);
                    let square = &mut squares[cell][half];
                    *square += (1.0 - SQUARE_DECAY) * (slope * slope - *square);
                    let direction = (*mean / (1.0 - mean_left))
                        / ((*square / (1.0 - square_left)).sqrt() + EPSILON);
                    let value = values.0[cell][half];
                    let distance = value - task.start.0[cell][half];
                    let pull = task.regularization * DECAY * distance;
                    values.0[cell][half] =
                        task.bounds.clamp(cell, half, value - rate * (direction + pull));
                }
            }
        }
        // The error of each batch before its step: one pass less than an exact figure, and good
        // enough to watch.
        let error = error / order.len() as f64;
        if !progress.note(task, &values, error, largest_change(&before, &values)) {
            return progress.end(Stop::HeldOut);
        }
    }
    progress.end(Stop::Iterations)
}

/// Rounds to integers: each number in turn to its nearest integer, the rounding errors made so far
/// balanced by those that are still free, as far as the curvature at `values` tells (Babai's
/// nearest plane).
///
/// Returns the better of that and plain rounding, by training error.
pub fn round(task: &Task<'_>, values: &Values) -> Values {
    let plain = rounded(task.bounds, values);
    let active = task.bounds.active();
    let system = System::new(task, values, &active);
    let Some(factor) = Cholesky::new(system.matrix) else { return plain };
    let balanced = balance(task.bounds, values, &active, &factor);
    if task.training.error(&balanced) < task.training.error(&plain) { balanced } else { plain }
}

/// Every number at its nearest integer; bounds are integers.
fn rounded(bounds: &Bounds, values: &Values) -> Values {
    let mut rounded = values.clone();
    for (cell, halves) in rounded.0.iter_mut().enumerate() {
        for (half, value) in halves.iter_mut().enumerate() {
            *value = bounds.clamp(cell, half, value.round());
        }
    }
    rounded
}

/// Sequential rounding along the rows of the transposed factor, from the last number to the first.
fn balance(
    bounds: &Bounds,
    values: &Values,
    active: &ActiveCells,
    factor: &Cholesky<f64, Dyn>,
) -> Values {
    let lower = factor.l_dirty();
    let mut balanced = values.clone();
    let mut errors: DVector<f64> = DVector::zeros(lower.nrows());
    for number in (0..lower.nrows()).rev() {
        let (cell, half) = (active.cells[number / 2], number % 2);
        let made: f64 =
            (number + 1..lower.nrows()).map(|row| lower[(row, number)] * errors[row]).sum();
        let center = values.0[cell][half] - made / lower[(number, number)];
        let integer = bounds.clamp(cell, half, center.round());
        errors[number] = integer - values.0[cell][half];
        balanced.0[cell][half] = integer;
    }
    balanced
}
