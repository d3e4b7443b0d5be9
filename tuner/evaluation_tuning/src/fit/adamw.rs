//! The first-order optimizer: adaptive steps over mini-batches.

use rand::seq::SliceRandom;

use super::task::{Iteration, Progress, Solution, Stop, Task, largest_change};
use crate::model::Values;

/// Blocks of positions in a mini-batch, which is one of 8192: neighbors stay together in all passes,
/// since reading them one by one from anywhere in memory takes longer than the arithmetic. The
/// positions come shuffled.
const BATCH: usize = 16;
/// Step of the first pass in centipawns; it falls along a half cosine to the last share of it.
const RATE_START: f64 = 1.0;
const RATE_END: f64 = 0.02;
/// Decay of the running means of gradient and squared gradient.
const MEAN_DECAY: f64 = 0.9;
const SQUARE_DECAY: f64 = 0.999;
/// Keeps steps finite where no gradient has been seen; gradients are about 10⁻⁶ for a rare term.
const EPSILON: f64 = 1e-9;
/// Passes without a fall of the validation error after which it stops. Without positions to validate by
/// it goes on to the end: the error of those fitted to rises now and then as long as steps are large.
const PATIENCE: usize = 12;

/// Running means of gradient and squared gradient, by cell and half.
struct Moments {
    means: Vec<[f64; 2]>,
    squares: Vec<[f64; 2]>,
    /// Shares of the zeros they began with that are still in them.
    mean_left: f64,
    square_left: f64,
}

/// AdamW: steps of adaptive size over mini-batches, with the pull towards the start apart from the
/// running means.
///
/// The pull is the slope of the same penalty that Levenberg–Marquardt minimizes, and it is divided
/// by the same root as the gradient, so that steps end where both cancel: in the optimum of error
/// and penalty together. (Decay as the authors have it, in proportion to the rate alone, would end
/// elsewhere, by as much as gradients differ in size.)
///
/// CITE: Kingma and Ba, Adam (2015); Loshchilov and Hutter, Decoupled Weight Decay Regularization
/// (2019).
pub fn adamw(task: &Task<'_>, observer: &mut dyn FnMut(&Iteration)) -> Solution {
    let patience = if task.validation.is_some() { PATIENCE } else { usize::MAX };
    let mut progress = Progress::new(task, patience, observer);
    let mut values = task.start.clone();
    let mut moments = Moments::new(values.0.len());
    let mut order: Vec<u32> = (0..task.training.store.blocks() as u32).collect();
    for pass in 0..task.iterations {
        order.shuffle(&mut random::stream(task.seed, u64::from(pass)));
        let through = f64::from(pass) / f64::from(task.iterations);
        let fall = (1.0 + (through * std::f64::consts::PI).cos()) / 2.0;
        let rate = RATE_START * (RATE_END + (1.0 - RATE_END) * fall);
        let before = values.clone();
        let mut error = 0.0;
        for batch in order.chunks(BATCH) {
            let (batch_error, mut gradient) = task.training.gradient(&values, batch);
            let positions = task.training.store.len();
            task.ties.add_slopes(task.start, &values, positions, &mut gradient);
            error += batch_error * batch.len() as f64;
            moments.step(task, &mut values, &gradient, rate);
        }
        // The error of each batch before its step: one pass less than an exact figure, and good
        // enough to watch, but not to choose by.
        let error = match task.validation {
            Some(_) => error / order.len() as f64,
            None => task.training.error(&values),
        };
        if !progress.note(task, &values, error, largest_change(&before, &values)) {
            return progress.end(Stop::Validation);
        }
    }
    progress.end(Stop::Iterations)
}

impl Moments {
    fn new(cells: usize) -> Moments {
        let zeros = vec![[0.0; 2]; cells];
        Moments { means: zeros.clone(), squares: zeros, mean_left: 1.0, square_left: 1.0 }
    }

    /// Takes in the gradient of a batch and moves `values` by one step, within the bounds.
    fn step(&mut self, task: &Task<'_>, values: &mut Values, gradient: &[[f64; 2]], rate: f64) {
        let pull = 2.0 * task.pull() / task.training.store.len() as f64;
        self.mean_left *= MEAN_DECAY;
        self.square_left *= SQUARE_DECAY;
        for (cell, halves) in gradient.iter().enumerate() {
            for (half, &slope) in halves.iter().enumerate() {
                let mean = &mut self.means[cell][half];
                *mean += (1.0 - MEAN_DECAY) * (slope - *mean);
                let square = &mut self.squares[cell][half];
                *square += (1.0 - SQUARE_DECAY) * (slope * slope - *square);
                let value = values.0[cell][half];
                let pull = pull * (value - task.start.0[cell][half]);
                let root = (*square / (1.0 - self.square_left)).sqrt();
                // With the pull in the divisor too, no step is much longer than the rate, however
                // little the positions say.
                let direction =
                    (*mean / (1.0 - self.mean_left) + pull) / (root + pull.abs() + EPSILON);
                values.0[cell][half] = task.bounds.clamp(cell, half, value - rate * direction);
            }
        }
    }
}
