//! The task and the solution of an optimizer: the error with its pull, the limits, and the stopping
//! by positions that are not fitted to.

use serde::{Deserialize, Serialize};

use super::ties::{PAWN, Ties};
use crate::model::normal_equations::ActiveCells;
use crate::model::{Objective, Values};

/// The error to minimize, the start, and the limits.
///
/// The error that every optimizer minimizes is the mean loss of the training positions plus the
/// pull: [`Task::regularization`] times the squared distances from the start, in pawns, over the
/// number of training positions; and the ties of squares, in the same unit.
pub struct Task<'a> {
    /// The loss of the positions fitted to.
    pub training: &'a Objective<'a>,
    /// Positions of other games, whose error decides when to stop; without them, the training error
    /// with its pull decides.
    pub validation: Option<&'a Objective<'a>>,
    /// Values to start from, towards which the pull goes.
    pub start: &'a Values,
    /// Allowed values of each number; equal bounds fix it.
    pub bounds: &'a Bounds,
    /// How much the summed squared error grows for a number 100 centipawns from its start.
    pub regularization: f64,
    /// Squares that should change alike.
    pub ties: &'a Ties,
    /// Iterations (passes over all training positions) at most.
    pub iterations: u32,
    /// Seed of the order of mini-batches.
    pub seed: u64,
}

/// Least and greatest value of each number, by cell and half.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Least values, in the units of the numbers.
    pub low: Vec<[f64; 2]>,
    /// Greatest values; one that equals the least fixes the number.
    pub high: Vec<[f64; 2]>,
}

/// The state after one iteration; iteration 0 is the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// How many iterations led to it.
    pub iteration: u32,
    /// Mean loss of the training positions: with squares, the mean squared error.
    pub training: f64,
    /// Mean loss of the positions that decide when to stop.
    pub validation: f64,
    /// Greatest change of a number in this iteration, in centipawns.
    pub step: f64,
}

/// Why an optimizer stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The error of the validation positions did not fall any more.
    Validation,
    /// No step lowers the training error by a noticeable amount.
    Converged,
    /// The iterations were used up.
    #[default]
    Iterations,
    /// The equations of a step have no solution: the positions do not determine the values.
    Singular,
}

/// An optimizer's result.
pub struct Solution {
    /// The values with the least validation error.
    pub values: Values,
    /// Every iteration's errors, the start's first.
    pub iterations: Vec<Iteration>,
    /// The iteration whose values these are.
    pub best: usize,
    /// The reason why the optimizer stopped.
    pub stop: Stop,
}

impl Bounds {
    /// The cells with a number that may change.
    pub fn active(&self) -> ActiveCells {
        let free = |cell: usize| (0..2).any(|half| self.is_free(cell, half));
        ActiveCells::new(&(0..self.low.len()).map(free).collect::<Vec<_>>())
    }

    /// True if the bounds leave room for a change.
    pub fn is_free(&self, cell: usize, half: usize) -> bool {
        self.low[cell][half] < self.high[cell][half]
    }

    /// The allowed value nearest to `value`.
    pub fn clamp(&self, cell: usize, half: usize, value: f64) -> f64 {
        value.clamp(self.low[cell][half], self.high[cell][half])
    }
}

impl Task<'_> {
    /// Weight of a squared distance from the start, in centipawns, against a squared residual.
    pub fn pull(&self) -> f64 {
        self.regularization / (PAWN * PAWN)
    }

    /// Mean training loss, and the same with the pull towards the start and the ties.
    pub fn errors(&self, values: &Values) -> (f64, f64) {
        let error = self.training.error(values);
        (error, error + self.penalty(values))
    }

    /// The pull's part of the mean squared error.
    pub fn penalty(&self, values: &Values) -> f64 {
        let distance: f64 = values
            .0
            .iter()
            .zip(&self.start.0)
            .map(|(now, start)| (now[0] - start[0]).powi(2) + (now[1] - start[1]).powi(2))
            .sum();
        let penalty = self.pull() * distance + self.ties.penalty(self.start, values);
        penalty / self.training.store.len() as f64
    }

    /// Mean training loss, and the slopes of it with the pull and the ties.
    pub fn gradient(&self, values: &Values) -> (f64, Vec<[f64; 2]>) {
        let all: Vec<u32> = (0..self.training.store.blocks() as u32).collect();
        let (error, mut gradient) = self.training.gradient(values, &all);
        let pull = 2.0 * self.pull() / self.training.store.len() as f64;
        for ((slopes, now), start) in gradient.iter_mut().zip(&values.0).zip(&self.start.0) {
            slopes[0] += pull * (now[0] - start[0]);
            slopes[1] += pull * (now[1] - start[1]);
        }
        let positions = self.training.store.len();
        self.ties.add_slopes(self.start, values, positions, &mut gradient);
        (error, gradient)
    }
}

/// Keeps the best values by validation error.
pub(super) struct Progress<'a> {
    solution: Solution,
    observer: &'a mut dyn FnMut(&Iteration),
    patience: usize,
}

impl<'a> Progress<'a> {
    /// Begins with the start; `patience` is the number of iterations without a fall of the
    /// validation error after which an optimizer should stop.
    pub fn new(
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

    /// Records an iteration; false when the validation error has not fallen for too long.
    pub fn note(&mut self, task: &Task<'_>, values: &Values, training: f64, step: f64) -> bool {
        let validation = match task.validation {
            Some(validation) => validation.error(values),
            None => training + task.penalty(values),
        };
        let iterations = &mut self.solution.iterations;
        let iteration =
            Iteration { iteration: iterations.len() as u32, training, validation, step };
        (self.observer)(&iteration);
        iterations.push(iteration);
        if validation < iterations[self.solution.best].validation {
            self.solution.best = iterations.len() - 1;
            self.solution.values = values.clone();
        }
        iterations.len() - 1 - self.solution.best < self.patience
    }

    /// The best of the iterations.
    pub fn end(mut self, stop: Stop) -> Solution {
        self.solution.stop = stop;
        self.solution
    }
}

/// Greatest change of a number, in centipawns.
pub(super) fn largest_change(before: &Values, after: &Values) -> f64 {
    let changes = before.0.iter().flatten().zip(after.0.iter().flatten());
    changes.map(|(before, after)| (after - before).abs()).fold(0.0, f64::max)
}
