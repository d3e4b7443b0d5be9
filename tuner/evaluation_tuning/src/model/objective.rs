//! How wrong the expected results of positions are: what a fit minimizes the mean of.

use super::loss::Loss;
use super::traced::{BLOCK, Labels, Positions, TASK_BLOCKS, Values, Work, in_blocks};
use super::{NATURAL, expected};

/// Positions with their targets: what an optimizer minimizes the error of.
#[derive(Clone, Copy)]
pub struct Objective<'a> {
    /// The positions whose results are to be predicted.
    pub store: &'a dyn Positions,
    /// Natural units for one centipawn.
    pub scale: f64,
    /// Share of the search score in the target.
    lambda: f64,
    /// How wrong an expected result is.
    pub loss: Loss,
}

impl<'a> Objective<'a> {
    /// Targets are results, blended with the expected result at the recorded search score by the
    /// share `lambda`; `k` is in units of [`NATURAL`]. The loss is that of squares.
    pub fn new(store: &'a dyn Positions, k: f64, lambda: f64) -> Objective<'a> {
        Objective { store, scale: k * NATURAL, lambda, loss: Loss::Squares }
    }

    /// The same positions and targets with another loss.
    pub fn with_loss(self, loss: Loss) -> Objective<'a> {
        Objective { loss, ..self }
    }

    /// The result that the position at `index` of a block should predict: 0 to 1, White's view.
    #[inline]
    pub fn target(&self, labels: &Labels, index: usize) -> f64 {
        let result = f64::from(labels.results[index]);
        if self.lambda == 0.0 {
            return result;
        }
        match labels.scores.get(index) {
            Some(Some(score)) => {
                let by_score = expected(self.scale, f64::from(*score));
                (1.0 - self.lambda) * result + self.lambda * by_score
            }
            _ => result,
        }
    }

    /// Mean loss: with [`Loss::Squares`] the mean squared error.
    pub fn error(&self, values: &Values) -> f64 {
        let tables = self.store.tables(values);
        let tasks = in_blocks(self.store.blocks(), TASK_BLOCKS, Work::default, |work, blocks| {
            let mut error = 0.0;
            for block in blocks {
                self.store.evaluate(block, &tables, work);
                for (index, &evaluation) in work.evaluations.iter().enumerate() {
                    let target = self.target(&work.labels, index);
                    error += match self.loss {
                        Loss::Squares => (target - expected(self.scale, evaluation)).powi(2),
                        Loss::CrossEntropy => self.loss.of(target, self.scale * evaluation),
                    };
                }
            }
            error
        });
        tasks.iter().sum::<f64>() / self.store.len() as f64
    }

    /// Target minus expected result at an evaluation, and the slope of the expected result by the
    /// evaluation; with another loss than that of squares what takes their place, see
    /// [`Loss::least_squares`].
    #[inline]
    pub fn residual(&self, labels: &Labels, index: usize, evaluation: f64) -> (f64, f64) {
        let expected = expected(self.scale, evaluation);
        let residual = self.target(labels, index) - expected;
        self.loss.least_squares(self.scale, expected, residual)
    }

    /// Sets `pulls` to residual times slope of the expected results at the evaluations of a block;
    /// returns the sum of their losses.
    fn pulls(&self, labels: &Labels, evaluations: &[f64], pulls: &mut Vec<f64>) -> f64 {
        pulls.clear();
        pulls.extend(evaluations.iter().map(|&evaluation| expected(self.scale, evaluation)));
        let mut losses = 0.0;
        for (index, pull) in pulls.iter_mut().enumerate() {
            let target = self.target(labels, index);
            let residual = target - *pull;
            match self.loss {
                Loss::Squares => {
                    losses += residual * residual;
                    *pull = residual * self.scale * *pull * (1.0 - *pull);
                }
                Loss::CrossEntropy => {
                    losses += self.loss.of(target, self.scale * evaluations[index]);
                    *pull = 0.25 * residual * self.scale;
                }
            }
        }
        losses
    }

    /// Mean loss over the positions of `blocks`, and its gradient by cell and half.
    pub fn gradient(&self, values: &Values, blocks: &[u32]) -> (f64, Vec<[f64; 2]>) {
        let tables = self.store.tables(values);
        let pulls = |labels: &Labels, evaluations: &[f64], pulls: &mut Vec<f64>| {
            self.pulls(labels, evaluations, pulls)
        };
        let tasks = in_blocks(blocks.len(), TASK_BLOCKS, Work::default, |work, places| {
            let mut gradient = vec![[0.0; 2]; self.store.codes()];
            let (mut error, mut count) = (0.0, 0);
            for &block in &blocks[places] {
                let block = block as usize;
                error += self.store.add_gradient(block, &tables, &pulls, work, &mut gradient);
                count += self.store.len().min((block + 1) * BLOCK) - block * BLOCK;
            }
            (error, count, gradient)
        });
        let (mut error, mut count) = (0.0, 0);
        let mut gradient = vec![[0.0; 2]; self.store.codes()];
        for (part_error, part_count, part) in tasks {
            error += part_error;
            count += part_count;
            for (sum, part) in gradient.iter_mut().zip(part) {
                sum[0] += part[0];
                sum[1] += part[1];
            }
        }
        let mut gradient = self.store.by_cell(&gradient);
        let factor = -2.0 / count as f64;
        for sum in &mut gradient {
            *sum = sum.map(|value| value * factor);
        }
        (error / count as f64, gradient)
    }
}
