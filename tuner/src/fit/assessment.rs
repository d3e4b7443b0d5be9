//! What a fit is worth: its errors, how sure each number is, and which changes count.

use std::collections::{HashMap, HashSet};

use engine::Parameters;
use engine::parameters::Number;

use super::report::{Change, Errors, Report};
use super::task::Bounds;
use super::uncertainty::{Constraint, Estimate, Uncertainty};
use super::{Attempt, Problem, Set, attribution, collinear, diagnosis, disagreement, numbers};
use crate::model::loss::cross_entropy;
use crate::model::{NATURAL, Objective, Values, expected, fit_k_to};
use crate::positions::Sample;

impl Problem<'_> {
    /// The names of the numbers whose change is less than `least` times what chance makes of it.
    pub(super) fn insignificant(
        &self,
        lambda: f64,
        attempt: &Attempt,
        bounds: &Bounds,
        least: f64,
    ) -> HashSet<String> {
        let Some(found) = self.uncertainty(lambda, &attempt.values, bounds) else {
            return HashSet::new();
        };
        let estimates = by_number(&found);
        let is_insignificant = |&(_, cell, half): &(Number, usize, usize)| {
            let change = attempt.values.0[cell][half] - self.start.0[cell][half];
            let estimate = estimates.get(&(cell, half));
            estimate.is_some_and(|estimate| change.abs() < least * estimate.scatter)
        };
        numbers().filter(is_insignificant).map(|(number, ..)| number.name()).collect()
    }

    fn uncertainty(&self, lambda: f64, values: &Values, bounds: &Bounds) -> Option<Uncertainty> {
        let training = self.objective(&self.sets.training, lambda);
        let games: Vec<u32> = self.sets.training.samples.iter().map(Sample::game).collect();
        let task = self.task(bounds, [&training; 2]);
        super::uncertainty::estimate(&task, values, &games, &self.constraints(bounds))
    }

    /// What the folding of gauges makes 0: the mean change of each row, by how often its cells are
    /// seen.
    fn constraints(&self, bounds: &Bounds) -> Vec<Constraint> {
        let seen_min = self.settings.seen_min;
        let halves = self.gauges.iter().flat_map(|gauge| [(gauge, 0), (gauge, 1)]);
        let whole =
            halves.filter(|(gauge, half)| bounds.is_whole(gauge, *half, &self.seen, seen_min));
        let constraint = |(gauge, half): (&super::gauge::Gauge, usize)| {
            let free = gauge.row.clone().filter(|&cell| bounds.is_free(cell, half));
            let terms = free.map(|cell| (cell, half, f64::from(self.seen[cell])));
            Constraint { terms: terms.collect() }
        };
        whole.map(constraint).collect()
    }
}

/// Fills in what the engine's own evaluations say of the two files, and how sure the numbers are.
pub(super) fn assess(
    problem: &Problem<'_>,
    bounds: &Bounds,
    lambda: f64,
    (start, tuned): (&Parameters, &Parameters),
    report: &mut Report,
) {
    let sets = problem.sets;
    let evaluations = [start, tuned].map(|parameters| {
        let values = Values::of(&parameters.weights);
        sets.all().map(|set| {
            let found = set.engine_evaluations(&parameters.weights);
            let most = disagreement(&set.store, &values, &found);
            report.disagreement = report.disagreement.max(most);
            found
        })
    });
    let [before, after] = &evaluations;
    let errors = |evaluations: &[Vec<i32>; 3], loss: fn(f64, f64) -> f64| {
        let [training, validation, held_out] = std::array::from_fn(|set| {
            mean_loss(sets.all()[set], &evaluations[set], problem.k, loss)
        });
        Errors { training, validation, held_out }
    };
    let square = |result: f64, logit: f64| (result - expected(1.0, logit)).powi(2);
    report.before = errors(before, square);
    report.after = errors(after, square);
    report.cross_entropy_before = errors(before, cross_entropy);
    report.cross_entropy_after = errors(after, cross_entropy);
    let held_out = &sets.held_out.samples;
    let both = [&before[2][..], &after[2][..]];
    report.diagnosis = diagnosis::diagnose(held_out, both, problem.k);
    scales(problem, after, report);
    let values = Values::of(&tuned.weights);
    let found = problem.uncertainty(lambda, &values, bounds);
    let results = Objective::new(&sets.held_out.store, problem.k, 0.0);
    let parts = attribution::parts_of_fall(&results, problem.start, &values);
    let estimates = found.as_ref().map(by_number).unwrap_or_default();
    let mut games: Vec<u32> = sets.training.samples.iter().map(Sample::game).collect();
    games.sort_unstable();
    games.dedup();
    report.training_games = games.len();
    let change = |(number, cell, half): (Number, usize, usize)| {
        let estimate = estimates.get(&(cell, half));
        let (before, after) = (number.value(start), number.value(tuned));
        Change {
            name: number.name(),
            before,
            after,
            seen: problem.seen[cell],
            estimate: estimate.and_then(|it| it.alone).map(|it| it.0),
            error: estimate.and_then(|it| it.alone).map(|it| it.1),
            t: estimate
                .filter(|it| it.scatter > 0.0)
                .map(|it| f64::from(after - before) / it.scatter),
            part: parts[cell][half],
        }
    };
    let all = numbers().map(change);
    let (mut changes, unmoved): (Vec<Change>, Vec<Change>) = all
        .filter(|it| it.before != it.after || it.t.is_some())
        .partition(|it| it.before != it.after);
    changes.sort_by(|one, other| other.part.total_cmp(&one.part));
    report.changes = changes;
    report.unmoved = unmoved;
    report.errors_by_games = found.as_ref().is_none_or(|it| it.by_games);
    report.collinear = found.as_ref().map(collinear_names).unwrap_or_default();
}

/// K at the tuned values: for all, and by phase where that was asked for.
fn scales(problem: &Problem<'_>, evaluations: &[Vec<i32>; 3], report: &mut Report) {
    let (training, held_out) = (&problem.sets.training, &problem.sets.held_out.samples);
    let real: Vec<f64> = evaluations[0].iter().map(|&evaluation| f64::from(evaluation)).collect();
    let (k, _) = fit_k_to(&real, |index| training.store.result(index));
    report.k_after = k;
    report.held_out_at_k_after = diagnosis::error_by_phase(held_out, &evaluations[2], k, &[]);
    if problem.settings.k_by_material {
        report.k_by_phase = diagnosis::scales_by_phase(&training.samples, &evaluations[0]);
        let error = diagnosis::error_by_phase(held_out, &evaluations[2], k, &report.k_by_phase);
        report.held_out_at_k_by_phase = Some(error);
    }
}

/// Mean loss of the results of a set at the engine's evaluations.
fn mean_loss(set: &Set, evaluations: &[i32], k: f64, loss: fn(f64, f64) -> f64) -> f64 {
    let scale = k * NATURAL;
    let losses = evaluations
        .iter()
        .enumerate()
        .map(|(index, &evaluation)| loss(set.store.result(index), scale * f64::from(evaluation)));
    losses.sum::<f64>() / evaluations.len() as f64
}

/// The estimates by cell and half.
fn by_number(found: &Uncertainty) -> HashMap<(usize, usize), Estimate> {
    found.estimates.iter().map(|&it| ((it.cell, it.half), it)).collect()
}

/// The groups of numbers that can hardly be told apart, by name.
fn collinear_names(found: &Uncertainty) -> Vec<Vec<String>> {
    let names: HashMap<(usize, usize), String> =
        numbers().map(|(number, cell, half)| ((cell, half), number.name())).collect();
    let name = |index: usize| {
        let Estimate { cell, half, .. } = found.estimates[index];
        names.get(&(cell, half)).cloned().unwrap_or_default()
    };
    let groups = collinear::groups(&found.inverse);
    groups.into_iter().map(|group| group.into_iter().map(name).collect()).collect()
}
