//! The fit: from samples and starting values to tuned values and a report.

mod adamw;
mod assessment;
pub mod attribution;
mod blending;
pub mod collinear;
mod command;
pub mod diagnosis;
pub mod gauge;
mod levenberg_marquardt;
pub mod page;
pub mod report;
mod rounding;
mod selection;
mod settings;
mod symmetric;
mod system;
mod task;
mod ties;
pub mod uncertainty;

use std::collections::HashSet;

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
pub use ties::Ties;

use report::{Report, Unseen};

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
        "nothing is determined: of {numbers} numbers, {held} occur in too few positions \
         (--seen-min) or are held (--only, --freeze), and no training position says anything about \
         the others"
    )]
    Nothing {
        /// All numbers of the evaluation.
        numbers: usize,
        /// Those that may not change.
        held: usize,
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
/// When there are too few positions, or too many to index, [`Singular`] when they do not determine
/// the values, and [`crate::command_line::WrongUse`] for words that name no number.
pub fn fit(
    samples: Vec<Sample>,
    start: &Parameters,
    settings: &FitSettings,
    seed: u64,
    progress: ProgressLines<'_>,
) -> anyhow::Result<Fit> {
    let held = selection::held(&settings.only, &settings.freeze)?;
    let sets = Sets::new(samples, settings, seed, start)?;
    let before = Values::of(&start.weights);
    let k = scale(&sets, &before, settings.k)?;
    progress(&format!("K = {k:.4}: expected result 1 / (1 + 10^(-K * centipawns / 400))"));
    let seen = sets.training.store.occurrences(before.0.len());
    let mut bounds = bounds(&before, &seen, settings.seen_min);
    bounds.hold(&before, &held);
    let ties = Ties::of_squares(settings.tie_squares);
    let gauges = gauge::find(&sets.training.store);
    let problem = Problem { sets: &sets, start: &before, settings, seed, k, seen, ties, gauges };
    progress(&sets.describe());
    let silent_at_start = silent(&problem.objective(&sets.training, 0.0), &before, &bounds);
    let free = numbers().filter(|&(_, cell, half)| bounds.is_free(cell, half)).count();
    if silent_at_start.len() == free {
        let numbers = numbers().count();
        return Err(Singular::Nothing { numbers, held: numbers - free }.into());
    }
    let (lambda, mut attempt, blending) = match settings.lambda {
        Some(lambda) => (lambda, problem.attempt(lambda, &bounds, progress)?, None),
        None => blending::choose(&problem, &bounds, progress)?,
    };
    let mut insignificant = HashSet::new();
    if let Some(least) = settings.shrink {
        insignificant = problem.insignificant(lambda, &attempt, &bounds, least);
        progress(&format!(
            "{} numbers changed by less than {least} standard errors: again, with them held",
            insignificant.len()
        ));
        bounds.hold(&before, &insignificant);
        attempt = problem.attempt(lambda, &bounds, progress)?;
    }
    let parameters = Parameters { weights: attempt.values.rounded(), margins: start.margins };
    // What has an effect only at other values than these may have been moved.
    let names: HashSet<String> = silent_at_start.iter().map(Number::name).collect();
    let training = problem.objective(&sets.training, lambda);
    let mut silent = silent(&training, &attempt.values, &bounds);
    silent.retain(|number| {
        names.contains(&number.name()) && number.value(start) == number.value(&parameters)
    });
    let mut report = Report {
        folded: attempt.folded.iter().map(gauge::Gauge::describe).collect(),
        unseen: unseen(&problem.seen, settings.seen_min),
        silent: silent.iter().map(Number::name).collect(),
        frozen: sorted(held),
        insignificant: sorted(insignificant),
        blending,
        ..problem.summary(lambda, &attempt.solution)
    };
    assessment::assess(&problem, &bounds, lambda, (start, &parameters), &mut report);
    progress(&report.errors_line());
    Ok(Fit { parameters, report })
}

/// Names in their order.
fn sorted(names: HashSet<String>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort();
    names
}

/// All that is the same for each fit of a call: it may take several to find what to fit to.
struct Problem<'a> {
    sets: &'a Sets,
    start: &'a Values,
    settings: &'a FitSettings,
    seed: u64,
    k: f64,
    /// Training positions in which each cell occurs.
    seen: Vec<u32>,
    ties: Ties,
    gauges: Vec<gauge::Gauge>,
}

/// One fit.
struct Attempt {
    solution: Solution,
    /// Its values, rounded and folded.
    values: Values,
    folded: Vec<gauge::Gauge>,
}

impl Problem<'_> {
    /// A set with the targets of this share of the search score.
    fn objective<'s>(&self, set: &'s Set, lambda: f64) -> Objective<'s> {
        Objective::new(&set.store, self.k, lambda).with_loss(self.settings.loss)
    }

    /// The task, but for its positions.
    fn task<'t>(
        &'t self,
        bounds: &'t Bounds,
        [training, validation]: [&'t Objective<'t>; 2],
    ) -> Task<'t> {
        Task {
            training,
            validation,
            start: self.start,
            bounds,
            regularization: self.settings.regularization,
            ties: &self.ties,
            iterations: self.settings.iterations(),
            seed: self.seed,
        }
    }

    /// Fits, rounds and folds.
    fn attempt(
        &self,
        lambda: f64,
        bounds: &Bounds,
        progress: ProgressLines<'_>,
    ) -> Result<Attempt, Singular> {
        let objectives =
            [&self.sets.training, &self.sets.validation].map(|set| self.objective(set, lambda));
        let task = self.task(bounds, objectives.each_ref());
        let solution = solve(&task, self.settings.optimizer, progress)?;
        let mut values = round(&task, &solution.values);
        let foldable = bounds.of_whole_rows(&self.gauges, &self.seen, self.settings.seen_min);
        let folded = gauge::fold(&self.gauges, self.start, &mut values, &foldable, &self.seen);
        Ok(Attempt { solution, values, folded })
    }

    /// The part of the report that is known before the engine has evaluated the positions.
    fn summary(&self, lambda: f64, solution: &Solution) -> Report {
        let (sets, settings) = (self.sets, self.settings);
        let positions = sets.total(|set| set.store.len()) as f64;
        let guessed = |set: &Set| set.samples.iter().filter(|it| it.game_is_guessed()).count();
        Report {
            optimizer: settings.optimizer.name(),
            loss: settings.loss,
            seed: self.seed,
            lambda,
            regularization: settings.regularization,
            tie_squares: settings.tie_squares,
            shrink: settings.shrink,
            training_positions: sets.training.store.len(),
            validation_positions: sets.validation.store.len(),
            held_out_positions: sets.held_out.store.len(),
            guessed_positions: sets.total(guessed),
            exact_positions: sets.total(|set| set.store.exact().len()),
            entries_per_position: sets.total(|set| set.store.entries()) as f64 / positions,
            bytes_per_position: sets.bytes_per_position(),
            k: self.k,
            iterations: solution.iterations.clone(),
            best: solution.best,
            stop: solution.stop,
            ..Report::default()
        }
    }
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
    fn bytes_per_position(&self) -> f64 {
        let samples = self.total(|set| set.samples.capacity() * size_of::<Sample>());
        let traces = self.total(|set| set.store.bytes());
        let targets = self.total(|set| set.store.len() * size_of::<f32>());
        (samples + traces + targets) as f64 / self.total(|set| set.store.len()) as f64
    }

    /// What is fitted to, in a line.
    fn describe(&self) -> String {
        format!(
            "{} positions to fit, {} to stop by, {} held out; {:.0} bytes each in memory",
            self.training.store.len(),
            self.validation.store.len(),
            self.held_out.store.len(),
            self.bytes_per_position(),
        )
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

/// The cells seen in fewer positions than asked for.
fn unseen(seen: &[u32], seen_min: u32) -> Vec<Unseen> {
    seen.iter()
        .enumerate()
        .filter(|&(_, &seen)| seen < seen_min.max(1))
        .filter_map(|(cell, &seen)| Some(Unseen { name: gauge::cell_name(cell)?, seen }))
        .collect()
}
