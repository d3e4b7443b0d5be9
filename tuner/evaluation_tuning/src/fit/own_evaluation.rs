//! The fit of Kamerton's own evaluation of chess: from samples and starting values to tuned values and a
//! report.

use chess::Parameters;
use chess::evaluation::weights::SHAPE_GROUPS;
use parameters::{Number, Table};
use positions::Sample;

use super::problem::Problem;
use super::report::Report;
use super::sets::Sets;
use super::settings::FitSettings;
use super::{ProgressLines, Ties, assessment, selection};
use crate::model::Values;
use crate::model::trace::{self, TraceStore};

/// The pawn's value where a fit from nothing begins (centipawns).
const PAWN: i64 = 100;

/// Fits the weights of `start` to the samples, as [`super::fit`]: the starting parameters with fitted
/// weights, and the report.
pub(super) fn fit(
    samples: Vec<Sample>,
    start: &Parameters,
    settings: &FitSettings,
    seed: u64,
    progress: ProgressLines<'_>,
) -> anyhow::Result<(Parameters, Report)> {
    let held = selection::held(&settings.only, &settings.freeze)?;
    let (start, settings) = &match says_nothing(start) {
        // Scores of who knows nothing are of another unit, and no good.
        true => (
            in_centipawns(start),
            FitSettings { lambda: settings.lambda.or(Some(0.0)), ..settings.clone() },
        ),
        false => (start.clone(), settings.clone()),
    };
    let sets = Sets::new(samples, settings, seed, start)?;
    progress(&sets.describe());
    let before = Values::of(&start.weights);
    let terms = trace::terms();
    let problem = Problem {
        training: &sets.training,
        validation: sets.all()[1],
        held_out: sets.all()[2],
        start: &before,
        terms: &terms,
        games: Some(sets.training.games()),
        ties: &Ties::of_squares(settings.tie()),
        held: &held,
    };
    let fitted = problem.fit(settings, seed, progress)?;
    let parameters = Parameters { weights: fitted.values.rounded(), ..start.clone() };
    let mut report = Report {
        guessed_positions: sets.total(TraceStore::guessed),
        exact_positions: sets.total(|set| set.exact().len()),
        entries_per_position: sets.total(|set| set.entries()) as f64 / sets.positions(),
        bytes_per_position: sets.bytes_per_position(),
        ..Report::of(&problem, &fitted, settings, seed)
    };
    assessment::assess(&sets, fitted.k, settings, (start, &parameters), &mut report);
    assessment::numbers(&problem, &fitted, &mut report);
    progress(&report.errors_line());
    Ok((parameters, report))
}

/// Whether values say nothing of results but who has more men: every term is 0 or as near to it as
/// its range goes. Neither scales nor where danger begins favor a side by themselves.
pub(super) fn says_nothing(values: &Parameters) -> bool {
    let zero = Parameters::zero();
    let speaks = |number: &Number| {
        let declaration = number.declaration;
        declaration.table == Table::Weights
            && !SHAPE_GROUPS.contains(&declaration.group)
            && declaration.group != "scale"
            && declaration.path() != "danger.start"
    };
    let mut terms = Parameters::numbers().filter(speaks);
    terms.all(|number| number.value(values) == number.value(&zero))
}

/// Values that say nothing but what men are worth at least, in the unit of margins: with a pawn of 100.
/// They predict what they did, at a smaller K.
///
/// The unit has to be right before the fit: K keeps it, and the pull would hold a queen at the least
/// of her range against all but a million positions. A K other than 1 is as it should be: in games
/// of who knows nothing, men decide less.
fn in_centipawns(start: &Parameters) -> Parameters {
    let mut scaled = start.clone();
    let pawn = i64::from(start.get("material.pawn.middlegame").expect("it is declared"));
    for number in Parameters::numbers().filter(|it| it.declaration.group == "material") {
        let (low, high) = number.range();
        let value = i64::from(number.value(start)) * PAWN / pawn;
        let value = value.clamp(i64::from(low), i64::from(high));
        number.set(&mut scaled, value).expect("it was clamped to its range");
    }
    scaled
}
