//! `tuner fit`: from recorded positions and a starting file to a tuned file and a report.

pub mod gauge;
pub mod optimize;
pub mod report;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::ensure;
use clap::{Args, ValueEnum};
use engine::chess::evaluation::Evaluator;
use engine::parameters::{Half, Number};
use engine::{Parameters, Weights};
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sprt::files;

use self::optimize::{Bounds, Iteration, Solution, Task};
use self::report::{Change, Errors, Report, Unseen};
use crate::WrongUse;
use crate::model::trace::TraceStore;
use crate::model::{K_RANGE, Objective, Values, evaluate, fit_k};
use crate::positions::{self, Filter, Sample, is_held_out};

/// Fit the evaluation terms to recorded positions (Texel's method).
///
/// The error is the mean over positions of (result − p)², result 0, ½ or 1 from White's view and p
/// the expected result, 1 / (1 + 10^(−K·evaluation/400)) with the evaluation in centipawns: at K =
/// 1 an advantage of 400 wins ten times as often as it loses. K is fitted first, with the starting
/// values, and then kept, so that values keep their scale. Whole games are held out; their error
/// decides when to stop.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct FitArguments {
    /// Recorded games, or EPD and CSV files with results.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub positions: Vec<PathBuf>,
    /// Parameter file to start from, and towards which the fit is pulled.
    #[arg(long, value_name = "FILE")]
    pub start: PathBuf,
    /// Tuned parameter file to write.
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Folder for the report: report.md, report.json, loss.svg.
    #[arg(long, value_name = "FOLDER")]
    pub report: Option<PathBuf>,
    /// What decides the result.
    #[command(flatten)]
    pub settings: FitSettings,
    /// Which of the positions to use.
    #[command(flatten)]
    pub filter: Filter,
    /// Seed of the split by games and of the order of mini-batches.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads to use; 0 means all cores. The result does not depend on it.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub threads: usize,
}

/// What decides the result of a fit, besides positions and starting values.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitSettings {
    /// How to minimize the error.
    #[arg(long, value_enum, default_value_t = Optimizer::LevenbergMarquardt)]
    pub optimizer: Optimizer,
    /// Iterations at most [default: 30 for levenberg-marquardt, 100 passes for adamw].
    #[arg(long, value_name = "N")]
    pub epochs: Option<u32>,
    /// Share of games held out.
    #[arg(long, default_value_t = 0.1, value_name = "SHARE")]
    pub held_out: f64,
    /// Share of the search score in the target, 0 (results only) to 1 (scores only).
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    pub lambda: f64,
    /// Pull towards the starting values: the summed error grows by this much for a term one pawn
    /// away from its start.
    #[arg(long, default_value_t = 20.0, value_name = "STRENGTH")]
    pub regularization: f64,
    /// Positions a term must occur in; rarer terms stay as they are and are listed.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub seen_min: u32,
    /// Use this K instead of fitting it.
    #[arg(long, value_name = "K")]
    pub k: Option<f64>,
}

/// How the error is minimized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Optimizer {
    /// Second order, few iterations: damped Gauss–Newton steps over all positions.
    #[value(alias = "lm")]
    LevenbergMarquardt,
    /// First order, many passes: adaptive steps over mini-batches.
    Adamw,
}

impl Optimizer {
    /// The name, as the option takes it.
    pub fn name(self) -> &'static str {
        match self {
            Optimizer::LevenbergMarquardt => "levenberg-marquardt",
            Optimizer::Adamw => "adamw",
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  tuner fit --positions games.kgames --start data/parameters/textbook.toml --output tuned.toml
  tuner fit --positions a.epd b.csv --start champion.toml --output tuned.toml --optimizer adamw \\
      --epochs 200 --report report";

/// Takes the lines a long task says about its progress.
pub type Say<'a> = &'a mut (dyn FnMut(&str) + Send);

/// A fit's result.
pub struct Fit {
    /// The starting parameters with fitted weights.
    pub parameters: Parameters,
    /// What was done.
    pub report: Report,
}

/// Fewest positions in either set: with fewer, errors say nothing.
const POSITIONS_MIN: usize = 100;
/// Iterations at most, if none are asked for.
const NEWTON_ITERATIONS: u32 = 30;
const PASSES: u32 = 100;
/// Stream of random numbers that shuffles the positions; the passes of AdamW have those from 0 on.
const SHUFFLE: u64 = u64::MAX;
/// Samples evaluated in one parallel task.
const TASK_SAMPLES: usize = 1024;

/// Runs `tuner fit`.
///
/// # Errors
/// On unusable arguments, files or data; nothing is written then.
pub fn run(arguments: &FitArguments) -> anyhow::Result<()> {
    arguments.settings.check()?;
    eprintln!("repeat with: {} (seed {})", crate::invocation(), arguments.seed);
    let start = Parameters::load(&arguments.start)?;
    if let Some(folder) = arguments.output.parent().filter(|folder| *folder != "") {
        ensure!(folder.is_dir(), "no folder {} to write to", folder.display());
    }
    let start = Arc::new(start);
    let found =
        positions::expand(&arguments.positions, &arguments.filter, &start, arguments.threads)?;
    eprint!("{}", found.counts);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build()?;
    let fit = pool.install(|| {
        fit(&found.samples, &start, &arguments.settings, arguments.seed, &mut |line| {
            eprintln!("{line}")
        })
    })?;
    let sources: Vec<String> =
        arguments.positions.iter().map(|path| path.display().to_string()).collect();
    let notes = notes(&fit.report, &start, &arguments.start.display().to_string(), &sources);
    let text = fit.parameters.to_toml_with_notes(&notes);
    if let Some(folder) = &arguments.report {
        fit.report.write(folder)?;
    }
    files::write_atomically(&arguments.output, |file| file.write_all(text.as_bytes()))?;
    print!("{}", fit.report.to_markdown());
    println!("\nTuned parameters: {}", arguments.output.display());
    Ok(())
}

/// The comment at the top of a tuned file: where it comes from.
pub fn notes(report: &Report, start: &Parameters, start_name: &str, sources: &[String]) -> String {
    format!(
        "Fitted by `tuner fit` from {start_name} ({}) to {} positions of {} ({} held out): {}, \
         seed {}, lambda {}, regularization {}, K {:.4}. Mean squared error of the held-out \
         positions: {:.6} before, {:.6} after.",
        start.fingerprint(),
        report.training_positions,
        sources.join(", "),
        report.held_out_positions,
        report.optimizer,
        report.seed,
        report.lambda,
        report.regularization,
        report.k,
        report.before.held_out,
        report.after.held_out,
    )
}

impl FitSettings {
    /// Checks what the types do not.
    ///
    /// # Errors
    /// [`WrongUse`], naming the option.
    pub fn check(&self) -> Result<(), WrongUse> {
        let share = |name: &str, value: f64, high: f64| {
            let message = format!("--{name} must be from 0 to {high}, not {value}");
            if (0.0..=high).contains(&value) { Ok(()) } else { Err(WrongUse(message)) }
        };
        share("held-out", self.held_out, 0.9)?;
        share("lambda", self.lambda, 1.0)?;
        share("regularization", self.regularization, 1e9)?;
        match self.k {
            Some(k) if !(k > 0.0 && k.is_finite()) => {
                Err(WrongUse(format!("--k must be above 0, not {k}")))
            }
            _ => Ok(()),
        }
    }

    fn iterations(&self) -> u32 {
        self.epochs.unwrap_or(match self.optimizer {
            Optimizer::LevenbergMarquardt => NEWTON_ITERATIONS,
            Optimizer::Adamw => PASSES,
        })
    }
}

/// One of the two sets of positions.
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

/// Fits the weights of `start` to the samples, on the threads of the current pool.
///
/// # Errors
/// When there are too few positions, or too many to index.
pub fn fit(
    samples: &[Sample],
    start: &Parameters,
    settings: &FitSettings,
    seed: u64,
    say: Say<'_>,
) -> anyhow::Result<Fit> {
    let (held_out, mut training): (Vec<Sample>, Vec<Sample>) =
        samples.iter().partition(|sample| is_held_out(sample.game(), settings.held_out, seed));
    ensure!(
        training.len() >= POSITIONS_MIN && held_out.len() >= POSITIONS_MIN,
        "too few positions to fit: {} for training and {} held out, {POSITIONS_MIN} of each needed",
        training.len(),
        held_out.len(),
    );
    // Shuffled once for all: mini-batches can then be made of neighbors in memory.
    training.shuffle(&mut sprt::random::stream(seed, SHUFFLE));
    let training = Set::new(training, &start.weights)?;
    let held_out = Set::new(held_out, &start.weights)?;
    say(&format!(
        "{} positions to fit, {} held out; {:.0} bytes each in memory",
        training.store.len(),
        held_out.store.len(),
        training.store.bytes() as f64 / training.store.len() as f64,
    ));
    let before = Values::of(&start.weights);
    let k = settings.k.unwrap_or_else(|| fit_k(&training.store, &before).0);
    ensure!(
        settings.k.is_some() || (k > 1.01 * K_RANGE.0 && k < 0.99 * K_RANGE.1),
        "the starting values do not predict the results: start from values in centipawns that \
         know at least material, or give --k"
    );
    say(&format!("K = {k:.4}: expected result 1 / (1 + 10^(-K * centipawns / 400))"));
    let seen = training.store.occurrences(before.0.len());
    let bounds = bounds(&before, &seen, settings.seen_min);
    let training_objective = Objective::new(&training.store, k, settings.lambda);
    let held_out_objective = Objective::new(&held_out.store, k, settings.lambda);
    let task = Task {
        training: &training_objective,
        held_out: &held_out_objective,
        start: &before,
        bounds: &bounds,
        regularization: settings.regularization,
        iterations: settings.iterations(),
        seed,
    };
    say("iteration   training   held out   largest step");
    let mut observer = |i: &Iteration| {
        let Iteration { iteration, training, held_out, step } = i;
        say(&format!("{iteration:>9}   {training:.6}   {held_out:.6}   {step:>12.2}"));
    };
    let solution = match settings.optimizer {
        Optimizer::LevenbergMarquardt => optimize::levenberg_marquardt(&task, &mut observer),
        Optimizer::Adamw => optimize::adamw(&task, &mut observer),
    };
    let mut values = optimize::round(&task, &solution.values);
    let gauges = gauge::find(&training.store);
    let folded = gauge::fold(&gauges, &before, &mut values, &bounds, &seen);
    let parameters = Parameters { weights: values.rounded(), margins: start.margins };
    let mut report = Report {
        folded: folded.iter().map(gauge::Gauge::describe).collect(),
        changes: changes(start, &parameters, &seen),
        unseen: unseen(&seen, settings.seen_min),
        ..summary(settings, seed, k, &solution, [&training, &held_out])
    };
    for (weights, errors) in
        [(&start.weights, &mut report.before), (&parameters.weights, &mut report.after)]
    {
        let values = Values::of(weights);
        for (set, objective, error) in [
            (&training, &training_objective, &mut errors.training),
            (&held_out, &held_out_objective, &mut errors.held_out),
        ] {
            let evaluations = set.engine_evaluations(weights);
            *error = engine_error(objective, &evaluations);
            report.disagreement =
                report.disagreement.max(disagreement(&set.store, &values, &evaluations));
        }
    }
    say(&format!(
        "rounded     {:.6}   {:.6}   (start: {:.6}, {:.6})",
        report.after.training,
        report.after.held_out,
        report.before.training,
        report.before.held_out
    ));
    Ok(Fit { parameters, report })
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
    sets: [&Set; 2],
) -> Report {
    let total = |count: fn(&TraceStore) -> usize| -> usize {
        sets.iter().map(|set| count(&set.store)).sum()
    };
    let positions = total(TraceStore::len) as f64;
    let none = Errors { training: 0.0, held_out: 0.0 };
    Report {
        optimizer: settings.optimizer.name().to_string(),
        seed,
        lambda: settings.lambda,
        regularization: settings.regularization,
        training_positions: sets[0].store.len(),
        held_out_positions: sets[1].store.len(),
        exact_positions: total(|store| store.exact().len()),
        entries_per_position: total(TraceStore::entries) as f64 / positions,
        bytes_per_position: total(TraceStore::bytes) as f64 / positions,
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
