//! The fit: from samples and starting values to tuned values and a report.

mod adamw;
mod command;
pub mod gauge;
mod levenberg_marquardt;
pub mod report;
mod rounding;
mod settings;
mod system;
mod task;

use std::collections::HashSet;
use std::iter::zip;

use anyhow::ensure;
use engine::chess::evaluation::Evaluator;
use engine::parameters::{Half, Number};
use engine::{Parameters, Weights};
use rand::seq::SliceRandom;
use rayon::prelude::*;

use crate::model::normal_equations::{is_silent, slope_squares};
use crate::model::trace::TraceStore;
use crate::model::{K_RANGE, Objective, Values, evaluate, fit_k};
use crate::positions::{Sample, Split, split};

pub use adamw::adamw;
pub use command::{FitArguments, notes, run};
pub use levenberg_marquardt::levenberg_marquardt;
pub use rounding::{balanced, nearest, round};
pub use settings::{FitSettings, Optimizer};
pub use task::{Bounds, Iteration, Solution, Stop, Task};

use report::{Change, Errors, Report, Unseen};

/// Takes the lines that a fit says about its progress.
pub type ProgressLines<'a> = &'a mut (dyn FnMut(&str) + Send);

/// A fit's result.
pub struct Fit {
    /// The starting parameters with fitted weights.
    pub parameters: Parameters,
    /// What was done.
    pub report: Report,
}

/// The positions do not determine the values: nothing is fitted.
#[derive(Debug, thiserror::Error)]
pub enum Singular {
    /// No number may change, or none changes any evaluation.
    #[error(
        "nothing is determined: of {numbers} numbers, {rare} occur in too few positions \
         (--seen-min), and no training position says anything about the others"
    )]
    Nothing {
        /// All numbers of the evaluation.
        numbers: usize,
        /// Those that --seen-min fixes.
        rare: usize,
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
/// Stream of random numbers that shuffles the positions; the passes of AdamW have those from 0 on.
const SHUFFLE: u64 = u64::MAX;
/// Samples evaluated in one parallel task.
const TASK_SAMPLES: usize = 1024;

/// Fits the weights of `start` to the samples, on the threads of the current pool.
///
/// # Errors
/// When there are too few positions, or too many to index, and [`Singular`] when they do not
/// determine the values.
pub fn fit(
    samples: Vec<Sample>,
    start: &Parameters,
    settings: &FitSettings,
    seed: u64,
    progress: ProgressLines<'_>,
) -> anyhow::Result<Fit> {
    let sets = Sets::new(samples, settings, seed, start)?;
    let before = Values::of(&start.weights);
    let k = scale(&sets, &before, settings.k)?;
    progress(&format!("K = {k:.4}: expected result 1 / (1 + 10^(-K * centipawns / 400))"));
    let seen = sets.training.store.occurrences(before.0.len());
    let bounds = bounds(&before, &seen, settings.seen_min);
    let [training, validation, held_out] =
        sets.all().map(|set| Objective::new(&set.store, k, settings.lambda));
    progress(&sets.describe([&training, &validation, &held_out]));
    let silent_at_start = silent(&training, &before, &bounds);
    let free = numbers().filter(|&(_, cell, half)| bounds.is_free(cell, half)).count();
    if silent_at_start.len() == free {
        let numbers = numbers().count();
        return Err(Singular::Nothing { numbers, rare: numbers - free }.into());
    }
    let task = Task {
        training: &training,
        validation: &validation,
        start: &before,
        bounds: &bounds,
        regularization: settings.regularization,
        iterations: settings.iterations(),
        seed,
    };
    let solution = solve(&task, settings.optimizer, progress)?;
    let mut values = round(&task, &solution.values);
    let gauges = gauge::find(&sets.training.store);
    let folded = gauge::fold(&gauges, &before, &mut values, &bounds, &seen);
    let parameters = Parameters { weights: values.rounded(), margins: start.margins };
    // What has an effect only at other values than these may have been moved.
    let names: HashSet<String> = silent_at_start.iter().map(Number::name).collect();
    let mut silent = silent(&training, &values, &bounds);
    silent.retain(|number| {
        names.contains(&number.name()) && number.value(start) == number.value(&parameters)
    });
    let objectives = [&training, &validation, &held_out];
    let mut report = Report {
        folded: folded.iter().map(gauge::Gauge::describe).collect(),
        changes: changes(start, &parameters, &seen),
        unseen: unseen(&seen, settings.seen_min),
        silent: silent.iter().map(Number::name).collect(),
        ..summary(settings, seed, k, &solution, &sets, objectives)
    };
    for (weights, errors) in
        [(&start.weights, &mut report.before), (&parameters.weights, &mut report.after)]
    {
        let (found, disagreement) = sets.engine_errors(objectives, weights);
        *errors = found;
        report.disagreement = report.disagreement.max(disagreement);
    }
    progress(&report.errors_line());
    Ok(Fit { parameters, report })
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
        Optimizer::LevenbergMarquardt => levenberg_marquardt(task, &mut observer),
        Optimizer::Adamw => adamw(task, &mut observer),
    };
    match solution.stop {
        Stop::Singular => Err(Singular::Equations { iteration: solution.iterations.len() }),
        Stop::Validation | Stop::Converged | Stop::Iterations => Ok(solution),
    }
}

/// The K that was asked for, or the one that fits the starting values.
fn scale(sets: &Sets, start: &Values, asked: Option<f64>) -> anyhow::Result<f64> {
    let k = asked.unwrap_or_else(|| fit_k(&sets.training.store, start).0);
    ensure!(
        asked.is_some() || (k > 1.01 * K_RANGE.0 && k < 0.99 * K_RANGE.1),
        "the starting values do not predict the results: start from values in centipawns that \
         know at least material, or give --k"
    );
    Ok(k)
}

/// One of the sets of positions.
struct Set {
    samples: Vec<Sample>,
    store: TraceStore,
}

impl Set {
    /// Traces the samples and leaves out those that endgame knowledge answers.
    fn new(mut samples: Vec<Sample>, weights: &Weights) -> anyhow::Result<Set> {
        let store = TraceStore::build(&samples, weights)?;
        let mut exact = store.exact().iter().copied().peekable();
        let mut index = 0;
        samples.retain(|_| {
            index += 1;
            exact.next_if_eq(&(index - 1)).is_none()
        });
        samples.shrink_to_fit();
        Ok(Set { samples, store })
    }

    /// The engine's own evaluations: centipawns, White's view.
    fn engine_evaluations(&self, weights: &Weights) -> Vec<i32> {
        let tasks: Vec<Vec<i32>> = self
            .samples
            .par_chunks(TASK_SAMPLES)
            .map_init(Evaluator::new, |evaluator, samples| {
                samples.iter().map(|sample| white_view(evaluator, sample, weights)).collect()
            })
            .collect();
        tasks.concat()
    }
}

/// The engine's evaluation of a sample in centipawns from White's view.
fn white_view(evaluator: &mut Evaluator, sample: &Sample, weights: &Weights) -> i32 {
    let position = sample.position();
    let value = evaluator.evaluate(position.board(), weights);
    if position.side_to_move() == engine::chess::Color::White { value } else { -value }
}

/// The positions of a fit, by what they are for; no game is in two sets.
struct Sets {
    /// To fit to.
    training: Set,
    /// To stop by.
    validation: Set,
    /// To report the error of: they decide nothing.
    held_out: Set,
}

impl Sets {
    fn new(
        samples: Vec<Sample>,
        settings: &FitSettings,
        seed: u64,
        start: &Parameters,
    ) -> anyhow::Result<Sets> {
        let Split { mut training, validation, held_out } = split(samples, settings.shares(), seed);
        let sizes = [training.len(), validation.len(), held_out.len()];
        ensure!(
            sizes.iter().all(|&size| size >= POSITIONS_MIN),
            "too few positions to fit: {} for training, {} to stop by and {} held out, \
             {POSITIONS_MIN} of each needed",
            sizes[0],
            sizes[1],
            sizes[2],
        );
        // Shuffled once for all: mini-batches can then be made of neighbors in memory.
        training.shuffle(&mut sprt::random::stream(seed, SHUFFLE));
        Ok(Sets {
            training: Set::new(training, &start.weights)?,
            validation: Set::new(validation, &start.weights)?,
            held_out: Set::new(held_out, &start.weights)?,
        })
    }

    fn all(&self) -> [&Set; 3] {
        [&self.training, &self.validation, &self.held_out]
    }

    /// A sum over all sets.
    fn total(&self, count: impl Fn(&Set) -> usize) -> usize {
        self.all().into_iter().map(count).sum()
    }

    /// Memory held for the fit, in bytes for each position: samples, traces and targets.
    fn bytes_per_position(&self, objectives: [&Objective<'_>; 3]) -> f64 {
        let samples = self.total(|set| set.samples.capacity() * size_of::<Sample>());
        let traces = self.total(|set| set.store.bytes());
        let targets: usize =
            objectives.iter().map(|it| it.targets.capacity() * size_of::<f32>()).sum();
        (samples + traces + targets) as f64 / self.total(|set| set.store.len()) as f64
    }

    /// What is fitted to, in a line.
    fn describe(&self, objectives: [&Objective<'_>; 3]) -> String {
        format!(
            "{} positions to fit, {} to stop by, {} held out; {:.0} bytes each in memory",
            self.training.store.len(),
            self.validation.store.len(),
            self.held_out.store.len(),
            self.bytes_per_position(objectives),
        )
    }

    /// Errors of the engine's evaluation, and its greatest difference from the model's, in
    /// centipawns.
    fn engine_errors(&self, objectives: [&Objective<'_>; 3], weights: &Weights) -> (Errors, f64) {
        let values = Values::of(weights);
        let mut greatest = 0.0;
        let errors: Vec<f64> = zip(self.all(), objectives)
            .map(|(set, objective)| {
                let evaluations = set.engine_evaluations(weights);
                greatest = f64::max(greatest, disagreement(&set.store, &values, &evaluations));
                engine_error(objective, &evaluations)
            })
            .collect();
        let [training, validation, held_out] = [errors[0], errors[1], errors[2]];
        (Errors { training, validation, held_out }, greatest)
    }
}

/// The ranges of the declarations; what is seen too rarely is fixed, and so is the half that a cell
/// does not have.
fn bounds(start: &Values, seen: &[u32], seen_min: u32) -> Bounds {
    let mut bounds = Bounds { low: start.0.clone(), high: start.0.clone() };
    for (number, cell, half) in numbers() {
        if seen[cell] >= seen_min.max(1) {
            let (low, high) = number.range();
            bounds.low[cell][half] = f64::from(low);
            bounds.high[cell][half] = f64::from(high);
        }
    }
    bounds
}

/// The free numbers that no training position says anything about at `values`.
fn silent(training: &Objective<'_>, values: &Values, bounds: &Bounds) -> Vec<Number> {
    let active = bounds.active();
    let squares = slope_squares(training, values, &active);
    let greatest = squares.iter().copied().fold(0.0, f64::max);
    let mut by_cell = vec![[false; 2]; values.0.len()];
    for (number, &square) in squares.iter().enumerate() {
        by_cell[active.cells[number / 2]][number % 2] = is_silent(square, greatest);
    }
    numbers()
        .filter(|&(_, cell, half)| by_cell[cell][half] && bounds.is_free(cell, half))
        .map(|(number, ..)| number)
        .collect()
}

/// Every number of the weights with its cell and half, as in [`Values`].
fn numbers() -> impl Iterator<Item = (Number, usize, usize)> {
    Weights::numbers().map(|number| {
        let half = usize::from(number.half != Some(Half::Middlegame));
        (number, number.cell(), half)
    })
}

/// The part of the report that is known before the engine has evaluated the positions.
fn summary(
    settings: &FitSettings,
    seed: u64,
    k: f64,
    solution: &Solution,
    sets: &Sets,
    objectives: [&Objective<'_>; 3],
) -> Report {
    let positions = sets.total(|set| set.store.len()) as f64;
    let none = Errors { training: 0.0, validation: 0.0, held_out: 0.0 };
    Report {
        optimizer: settings.optimizer.name(),
        seed,
        lambda: settings.lambda,
        regularization: settings.regularization,
        training_positions: sets.training.store.len(),
        validation_positions: sets.validation.store.len(),
        held_out_positions: sets.held_out.store.len(),
        guessed_positions: sets
            .total(|set| set.samples.iter().filter(|it| it.game_is_guessed()).count()),
        exact_positions: sets.total(|set| set.store.exact().len()),
        entries_per_position: sets.total(|set| set.store.entries()) as f64 / positions,
        bytes_per_position: sets.bytes_per_position(objectives),
        k,
        iterations: solution.iterations.clone(),
        best: solution.best,
        stop: solution.stop,
        before: none,
        after: none,
        disagreement: 0.0,
        folded: Vec::new(),
        changes: Vec::new(),
        unseen: Vec::new(),
        silent: Vec::new(),
    }
}

/// Mean squared error of the engine's evaluations.
fn engine_error(objective: &Objective<'_>, evaluations: &[i32]) -> f64 {
    let squares: f64 = evaluations
        .iter()
        .enumerate()
        .map(|(index, &value)| objective.residual(index, f64::from(value)).0.powi(2))
        .sum();
    squares / evaluations.len() as f64
}

/// Greatest difference between the engine's evaluations and the model's, in centipawns.
fn disagreement(store: &TraceStore, values: &Values, evaluations: &[i32]) -> f64 {
    evaluations
        .par_iter()
        .enumerate()
        .map(|(index, &engine)| {
            (evaluate(&store.position(index), values) - f64::from(engine)).abs()
        })
        .reduce(|| 0.0, f64::max)
}

/// Every number that differs, the largest change first.
fn changes(before: &Parameters, after: &Parameters, seen: &[u32]) -> Vec<Change> {
    let mut changes: Vec<Change> = numbers()
        .map(|(number, cell, _)| Change {
            name: number.name(),
            before: number.value(before),
            after: number.value(after),
            seen: seen[cell],
        })
        .filter(|change| change.before != change.after)
        .collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.before.abs_diff(change.after)));
    changes
}

/// The cells seen in fewer positions than asked for.
fn unseen(seen: &[u32], seen_min: u32) -> Vec<Unseen> {
    seen.iter()
        .enumerate()
        .filter(|&(_, &seen)| seen < seen_min.max(1))
        .filter_map(|(cell, &seen)| Some(Unseen { name: gauge::cell_name(cell)?, seen }))
        .collect()
}
