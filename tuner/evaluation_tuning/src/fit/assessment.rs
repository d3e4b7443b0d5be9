//! The assessment of a fit: its errors, how sure each number is, and which changes count.

use std::collections::HashMap;

use chess::Parameters;

use super::fitted::Fitted;
use super::problem::Problem;
use super::report::{Change, Errors, Report};
use super::sets::{Sets, engine_evaluations};
use super::uncertainty::{Estimate, Uncertainty};
use super::{FitSettings, attribution, diagnosis};
use crate::model::loss::{Loss, cross_entropy};
use crate::model::{NATURAL, Objective, Values, expected, fit_k};

/// Fills in what the engine's own evaluations say of the two files.
pub(super) fn assess(
    sets: &Sets,
    k: f64,
    settings: &FitSettings,
    (start, tuned): (&Parameters, &Parameters),
    report: &mut Report,
) {
    let evaluations = [start, tuned].map(|parameters| {
        sets.all().map(|set| {
            let (found, difference) = engine_evaluations(set, &parameters.weights);
            report.disagreement = Some(report.disagreement.unwrap_or(0.0).max(difference));
            found
        })
    });
    let [before, after] = &evaluations;
    let results = sets.all().map(|set| set.results());
    let errors = |evaluations: &[Vec<i32>; 3], loss: fn(f64, f64) -> f64| {
        let [training, validation, held_out] =
            std::array::from_fn(|set| mean_loss(&results[set], &evaluations[set], k, loss));
        Errors { training, validation, held_out }
    };
    let square = |result: f64, logit: f64| (result - expected(1.0, logit)).powi(2);
    report.before = errors(before, square);
    report.after = errors(after, square);
    report.cross_entropy_before = errors(before, cross_entropy);
    report.cross_entropy_after = errors(after, cross_entropy);
    let held_out = sets.all()[2].samples();
    report.diagnosis = diagnosis::diagnose(&held_out, [&before[2][..], &after[2][..]], k);
    // K at the tuned values: for all, and by phase where that was asked for.
    let known = after[0].iter().zip(&results[0]);
    let k =
        fit_k(&known.map(|(&evaluation, &result)| (evaluation as f32, result)).collect::<Vec<_>>());
    report.k_after = k;
    report.held_out_at_k_after = diagnosis::error_by_phase(&held_out, &after[2], k, &[]);
    if settings.k_by_material {
        report.k_by_phase = diagnosis::scales_by_phase(&sets.training.samples(), &after[0]);
        let error = diagnosis::error_by_phase(&held_out, &after[2], k, &report.k_by_phase);
        report.held_out_at_k_by_phase = Some(error);
    }
}

/// Fills in the errors of the model itself, for want of an engine.
pub(super) fn assess_model(problem: &Problem<'_>, fitted: &Fitted, report: &mut Report) {
    let errors = |values: &Values, loss: Loss| {
        let [training, validation, held_out] =
            [problem.training, problem.validation, problem.held_out]
                .map(|set| Objective::new(set, fitted.k, 0.0).with_loss(loss).error(values));
        Errors { training, validation, held_out }
    };
    // The loss is half of the cross-entropy.
    let entropy = |values: &Values| {
        let Errors { training, validation, held_out } = errors(values, Loss::CrossEntropy);
        Errors { training: 2.0 * training, validation: 2.0 * validation, held_out: 2.0 * held_out }
    };
    report.before = errors(problem.start, Loss::Squares);
    report.after = errors(&fitted.values, Loss::Squares);
    report.cross_entropy_before = entropy(problem.start);
    report.cross_entropy_after = entropy(&fitted.values);
    let k = problem.training.fit_k(&fitted.values);
    report.k_after = k;
    report.held_out_at_k_after = Objective::new(problem.held_out, k, 0.0).error(&fitted.values);
}

/// Adds each number's change, interval and share of the fall to the report.
pub(super) fn numbers(problem: &Problem<'_>, fitted: &Fitted, report: &mut Report) {
    let Fitted { values, seen, uncertainty, .. } = fitted;
    let results = Objective::new(problem.held_out, fitted.k, 0.0);
    let parts = attribution::parts_of_fall(&results, problem.start, values);
    let estimates = uncertainty.as_ref().map(by_number).unwrap_or_default();
    let change = |(cell, half, _): (usize, usize, (i32, i32))| {
        let estimate = estimates.get(&(cell, half));
        let (before, after) = (problem.start.whole(cell, half), values.whole(cell, half));
        Change {
            name: problem.terms.number_name(cell, half),
            before,
            after,
            seen: seen[cell],
            estimate: estimate.and_then(|it| it.alone).map(|it| it.0),
            error: estimate.and_then(|it| it.alone).map(|it| it.1),
            t: estimate
                .filter(|it| it.scatter > 0.0)
                .map(|it| f64::from(after - before) / it.scatter),
            part: parts[cell][half],
        }
    };
    let (mut changes, unmoved): (Vec<Change>, Vec<Change>) = problem
        .terms
        .numbers()
        .map(change)
        .filter(|it| it.before != it.after || it.t.is_some())
        .partition(|it| it.before != it.after);
    changes.sort_by(|one, other| other.part.total_cmp(&one.part));
    report.unchanged = changes.is_empty().then(|| why_unchanged(problem, fitted, report));
    report.changes = changes;
    report.unmoved = unmoved;
    report.errors_by_games = uncertainty.as_ref().is_none_or(|it| it.by_games);
    report.has_intervals = problem.games.is_some();
    report.collinear =
        uncertainty.as_ref().map(|found| collinear_names(problem, found)).unwrap_or_default();
    if let Some(games) = problem.games {
        let mut games = games.to_vec();
        games.sort_unstable();
        games.dedup();
        report.training_games = games.len();
    }
}

fn why_unchanged(problem: &Problem<'_>, fitted: &Fitted, report: &Report) -> String {
    if let Some(least) = report.shrink.filter(|_| !fitted.insignificant.is_empty()) {
        return format!("no number changed by {least} standard errors or more (--shrink)");
    }
    let way = |&(cell, half, _): &(usize, usize, (i32, i32))| {
        (fitted.solution.values.0[cell][half] - problem.start.0[cell][half]).abs()
    };
    let furthest = problem.terms.numbers().max_by(|one, other| way(one).total_cmp(&way(other)));
    match furthest.filter(|it| way(it) > 0.0) {
        None => format!(
            "too few positions: with {} to fit to, no step lowered the error of those kept to stop by",
            report.training_positions
        ),
        Some(it) => format!(
            "too few positions: with {} to fit to, {} would move furthest, by {:.2}, and rounding to \
             whole numbers takes that back",
            report.training_positions,
            problem.terms.number_name(it.0, it.1),
            way(&it)
        ),
    }
}

/// Mean loss of results at the engine's evaluations.
fn mean_loss(results: &[f32], evaluations: &[i32], k: f64, loss: fn(f64, f64) -> f64) -> f64 {
    let scale = k * NATURAL;
    let losses = results
        .iter()
        .zip(evaluations)
        .map(|(&result, &evaluation)| loss(f64::from(result), scale * f64::from(evaluation)));
    losses.sum::<f64>() / evaluations.len() as f64
}

pub(super) fn by_number(found: &Uncertainty) -> HashMap<(usize, usize), Estimate> {
    found.estimates.iter().map(|&it| ((it.cell, it.half), it)).collect()
}

/// The groups of numbers that can hardly be told apart, by name.
fn collinear_names(problem: &Problem<'_>, found: &Uncertainty) -> Vec<Vec<String>> {
    let name = |index: usize| {
        let Estimate { cell, half, .. } = found.estimates[index];
        problem.terms.number_name(cell, half)
    };
    let names = |group: &Vec<usize>| group.iter().copied().map(name).collect();
    found.collinear.iter().map(names).collect()
}
