//! The model against the engine; the optimizers against known weights.

use std::sync::Arc;

use chess::evaluation::weights::SHAPE_GROUPS;
use chess::{Parameters, PieceType, Position, Weights};
use clap::Parser;
use evaluation_tuning::fit::{
    Bounds, Fit, FitSettings, Iteration, Optimizer, Singular, Solution, Stop, Task, Ties, adamw,
    fit, levenberg_marquardt, quasi_newton,
};
use evaluation_tuning::model::trace::TraceStore;
use evaluation_tuning::model::{NATURAL, Objective, Positions, Values, expected};
use matches::openings::random_opening;
use parameters::{CellKind, Declaration, Half, Number, Score};
use positions::{Filter, Purpose, Sample, expand, purpose_of};
use random::stream;

use crate::shared_data::shared_data;

/// The settings as the command line makes them.
#[derive(Parser)]
#[command(allow_negative_numbers = true)]
struct CommandLine {
    #[command(flatten)]
    settings: FitSettings,
}

pub(crate) fn settings(arguments: &[&str]) -> FitSettings {
    CommandLine::parse_from(["test"].iter().chain(arguments)).settings
}

pub(crate) fn textbook() -> Parameters {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/parameters/textbook.toml");
    Parameters::load(path.as_ref()).expect("a correct file")
}

/// The numbers in which the truth differs from the textbook.
const CHANGED: [&str; 4] = [
    "material.knight.middlegame",
    "material.knight.endgame",
    "material.rook.endgame",
    "material.queen.middlegame",
];

/// The truth that labels are made by: other values of the pieces, each far from the textbook's.
pub(crate) fn truth() -> Parameters {
    let mut parameters = textbook();
    for (name, change) in CHANGED.into_iter().zip([100, -90, 110, -150]) {
        let value = parameters.get(name).expect("a known name") + change;
        parameters.set(name, i64::from(value)).expect("in range");
    }
    parameters
}

/// Positions of random play whose results are the expected ones at the true weights.
pub(crate) fn samples(count: u32) -> Vec<Sample> {
    labelled(count, &truth(), NATURAL)
}

/// Positions of random play whose results are the expected ones at the given weights and scale, in
/// natural units for one centipawn.
pub(crate) fn labelled(count: u32, truth: &Parameters, scale: f64) -> Vec<Sample> {
    let unlabelled = (0..count).map(|game| {
        let position = random_opening(chess::GAME, &mut stream(5, u64::from(game)), 30..=90);
        Sample::new(&position, game, 0, None, 0.5).expect("few pieces")
    });
    label(unlabelled.collect(), truth, scale)
}

/// The positions that are not answered by endgame knowledge, with their expected results.
fn label(unlabelled: Vec<Sample>, truth: &Parameters, scale: f64) -> Vec<Sample> {
    let store = TraceStore::build(&unlabelled, &truth.weights).expect("few positions");
    let evaluations = store.evaluations(&Values::of(&truth.weights));
    let mut next = 0;
    let mut exact = store.exact().iter().peekable();
    unlabelled
        .iter()
        .enumerate()
        .filter(|(index, _)| exact.next_if_eq(&index).is_none())
        .map(|(_, sample)| {
            let value = evaluations[next];
            next += 1;
            let result = expected(scale, value) as f32;
            Sample::new(&sample.position(), sample.game(), 0, None, result).expect("few pieces")
        })
        .collect()
}

pub(crate) fn try_fit(
    samples: &[Sample],
    settings: &FitSettings,
    threads: usize,
) -> anyhow::Result<Fit> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| fit(samples.to_vec(), &Arc::new(textbook()).into(), settings, 1, &mut |_| ()))
}

pub(crate) fn fitted(samples: &[Sample], settings: &FitSettings, threads: usize) -> Fit {
    try_fit(samples, settings, threads).expect("enough positions")
}

#[test]
fn the_model_is_the_engine_within_rounding() {
    let samples = samples(1600);
    let found = fitted(&samples, &settings(&["--epochs", "1"]), 1);
    let disagreement = found.report.disagreement.expect("the engine was asked");
    assert!(disagreement < 6.0, "{disagreement} centipawns");
}

/// Weights with danger, initiative and scales at work: their slopes are those of products and
/// squares.
pub(crate) fn curved_weights() -> Weights {
    let mut weights = truth().weights;
    for (cell, value) in weights.cells_mut().iter_mut().zip((1..).map(|n| n * 7919 % 13)) {
        let score: Score = bytemuck::cast(*cell);
        if score.middlegame() == 0 {
            *cell = bytemuck::cast(score + Score::new(value, value));
        }
    }
    let added =
        |info: &&Declaration| info.kind == CellKind::Scalar && !SHAPE_GROUPS.contains(&info.group);
    for info in Weights::INFO.iter().filter(added) {
        weights.cells_mut()[info.first_cell..info.first_cell + info.length].fill(2);
    }
    weights
}

/// Every number with its cell and half.
pub(crate) fn numbers() -> impl Iterator<Item = (Number, usize, usize)> {
    Weights::numbers().map(|number| {
        let half = usize::from(number.half != Some(Half::Middlegame));
        (number, number.cell(), half)
    })
}

#[test]
fn k_is_that_of_the_labels() {
    let samples = samples(500);
    let weights = truth().weights;
    let store = TraceStore::build(&samples, &weights).expect("few positions");
    let values = Values::of(&weights);
    let k = store.fit_k(&values);
    let error = Objective::new(&store, k, 0.0).error(&values);
    assert!((k - 1.0).abs() < 0.01 && error < 1e-4, "K {k}, error {error}");
}

/// The weights that made the labels are found again, though they begin far away.
#[test]
fn known_weights_are_recovered() {
    // Imbalance and space trade with the values of pieces, and were not changed.
    let arguments = ["--k", "1", "--regularization", "0.0001", "--freeze", "imbalance,space"];
    let found = fitted(&samples(5000), &settings(&arguments), 0);
    let report = &found.report;
    assert!(report.after.held_out < 0.02 * report.before.held_out, "{:?}", report.after);
    let truth = truth();
    for name in CHANGED {
        let value = |parameters: &Parameters| parameters.get(name).expect("a known name");
        let start = value(&textbook()).abs_diff(value(&truth));
        let left = value(&found.numbers.typed()).abs_diff(value(&truth));
        assert!(start >= 90 && left <= 3, "{name}: {start} before, {left} after");
    }
}

/// The first-order optimizer finds what has the same effect; one step a pass is too few to settle
/// which of the values that trade with each other has it.
#[test]
fn mini_batches_find_the_effect_of_known_weights() {
    let arguments = ["--k", "1", "--regularization", "0.0001", "--seen-min", "1500"];
    let adamw = ["--optimizer", "adamw", "--epochs", "300"];
    let found = fitted(&samples(5000), &settings(&[&arguments[..], &adamw].concat()), 0);
    let report = &found.report;
    assert!(report.after.held_out < 0.1 * report.before.held_out, "{:?}", report.after);
}

/// One of the optimizers.
type Optimize = fn(&Task<'_>, &mut dyn FnMut(&Iteration)) -> Solution;

/// The strength of the pull means the same with both optimizers: they end in the same place, which
/// is neither the start nor where there is no pull.
#[test]
fn optimizers_reach_the_same_penalized_optimum() {
    let samples = samples(800);
    let start = Values::of(&textbook().weights);
    let store = TraceStore::build(&samples, &textbook().weights).expect("few positions");
    let objective = Objective::new(&store, 1.0, 0.0);
    let mut bounds = Bounds { low: start.0.clone(), high: start.0.clone() };
    let free: Vec<(usize, usize)> = numbers()
        .filter(|(number, ..)| {
            let name = number.name();
            ["material.knight.", "material.rook.", "material.queen."]
                .iter()
                .any(|start| name.starts_with(start))
        })
        .map(|(_, cell, half)| (cell, half))
        .collect();
    for &(cell, half) in &free {
        bounds.low[cell][half] -= 500.0;
        bounds.high[cell][half] += 500.0;
    }
    let ties = Ties::default();
    let task = |regularization| Task {
        training: &objective,
        validation: None,
        start: &start,
        bounds: &bounds,
        regularization,
        ties: &ties,
        iterations: 600,
        seed: 1,
    };
    let reach = |optimize: Optimize, pull: f64| {
        let solution = optimize(&task(pull), &mut |_| ());
        free.iter().map(|&(cell, half)| solution.values.0[cell][half]).collect::<Vec<_>>()
    };
    let distance = |one: &[f64], other: &[f64]| {
        one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let begin: Vec<f64> = free.iter().map(|&(cell, half)| start.0[cell][half]).collect();
    let without = reach(levenberg_marquardt, 0.0);
    for pull in [1.0, 3.0] {
        let second = reach(levenberg_marquardt, pull);
        for (optimize, tolerance) in [(adamw as Optimize, 2.0), (quasi_newton, 0.1)] {
            let first = reach(optimize, pull);
            let apart = distance(&second, &first);
            assert!(apart < tolerance, "pull {pull}: {apart} apart: {second:?} {first:?}");
        }
        assert!(distance(&second, &begin) > 10.0, "pull {pull}: {second:?} from {begin:?}");
        assert!(distance(&second, &without) > 10.0, "pull {pull}: {second:?} from {without:?}");
    }
}

/// A number whose slope is 0 at the start makes the equations of the first step singular, if nothing
/// pulls: it is held until it has one, and the others are fitted.
#[test]
fn a_fit_without_pull_begins_from_textbook_values() {
    let samples = samples(3000);
    for optimizer in ["auto", "levenberg-marquardt", "adamw"] {
        let settings = settings(&["--regularization", "0", "--optimizer", optimizer]);
        let report = fitted(&samples, &settings, 0).report;
        assert!(report.changes.len() > 100, "{} changes", report.changes.len());
        assert!(report.after.held_out < 0.9 * report.before.held_out, "{:?}", report.after);
    }
}

/// With all pieces on the board nothing tells what a number is worth in the endgame: those numbers
/// are held and named, and all others fitted as if they were not there.
#[test]
fn numbers_without_effect_are_held_and_named() {
    let all_pieces = (0..20_000)
        .map(|game| (game, random_opening(chess::GAME, &mut stream(5, u64::from(game)), 8..=24)))
        .filter(|(_, position)| {
            let board = position.typed::<Position>().board();
            (board.occupied() & !board.kind(PieceType::Pawn)).count() == 16
        })
        .take(2500)
        .map(|(game, position)| Sample::new(&position, game, 0, None, 0.5).expect("few pieces"));
    // Results as if every value were greater than in the textbook.
    let samples = label(all_pieces.collect(), &textbook(), 1.3 * NATURAL);
    assert!(samples.len() > 2000, "{}", samples.len());
    let settings = settings(&["--regularization", "0.01", "--k", "1"]);
    let found = fitted(&samples, &settings, 0);
    let report = &found.report;
    assert!(report.changes.len() > 50, "{} changes", report.changes.len());
    assert!(report.silent.len() > 100, "{:?}", report.silent);
    let tempo = "material.tempo.endgame";
    assert!(report.silent.iter().any(|silent| silent == tempo), "{:?}", report.silent);
    for name in &report.silent {
        assert_eq!(found.numbers.get(name), textbook().get(name), "{name}");
    }
    assert!(report.changes.iter().all(|change| change.name.ends_with(".middlegame")));
    let text = report.to_text();
    assert!(text.contains("Without effect on any position fitted to"), "{text}");
}

/// Where no number may change the fit says so, instead of calling it converged.
#[test]
fn an_undetermined_fit_says_so() {
    let samples = samples(1600);
    let error = try_fit(&samples, &settings(&["--seen-min", "100000"]), 0).err().expect("nothing");
    assert!(error.is::<Singular>(), "{error}");
    assert!(error.to_string().contains("nothing is determined"), "{error}");
}

/// Equations that no damping makes solvable end the optimizer, and not as converged.
#[test]
fn singular_equations_are_no_convergence() {
    let samples = samples(200);
    let start = Values::of(&textbook().weights);
    let store = TraceStore::build(&samples, &textbook().weights).expect("few positions");
    let mut objective = Objective::new(&store, 1.0, 0.0);
    // No slope is a number any more.
    objective.scale = f64::INFINITY;
    let bounds = Bounds {
        low: start.0.iter().map(|halves| halves.map(|value| value - 10.0)).collect(),
        high: start.0.iter().map(|halves| halves.map(|value| value + 10.0)).collect(),
    };
    let task = Task {
        training: &objective,
        validation: None,
        start: &start,
        bounds: &bounds,
        regularization: 0.0,
        ties: &Ties::default(),
        iterations: 3,
        seed: 1,
    };
    for optimize in [levenberg_marquardt as Optimize, quasi_newton] {
        assert_eq!(optimize(&task, &mut |_| ()).stop, Stop::Singular);
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let samples = samples(1600);
    for optimizer in ["auto", "levenberg-marquardt", "adamw"] {
        let settings = settings(&["--optimizer", optimizer, "--epochs", "3"]);
        let (one, two) = (fitted(&samples, &settings, 1), fitted(&samples, &settings, 2));
        assert_eq!(one.report, two.report, "{optimizer}");
        assert_eq!(one.numbers, two.numbers, "{optimizer}");
    }
}

#[test]
fn values_stay_in_range_and_rare_terms_stay_as_they_were() {
    // Results as if every value were four times as great: more than the ranges allow.
    let samples = labelled(6000, &truth(), 4.0 * NATURAL);
    let settings = settings(&["--regularization", "0", "--seen-min", "60", "--k", "1"]);
    let found = fitted(&samples, &settings, 0);
    let report = &found.report;
    assert!(
        report.after.training < 0.8 * report.before.training,
        "{:?} {:?}",
        report.before,
        report.after
    );
    // The reader refuses what is out of range.
    let text = found.numbers.to_toml();
    assert!(
        Parameters::from_toml(&text, "fitted")
            .is_ok_and(|read| read == *found.numbers.typed::<Parameters>())
    );
    let at_bound = report.changes.iter().filter(|change| {
        let (low, high) = Parameters::find(&change.name).expect("a known name").range();
        change.after == low || change.after == high
    });
    let at_bound = at_bound.count();
    assert!(at_bound >= 5, "only {at_bound} values came to an end of their range");
    assert!(!report.unseen.is_empty());
    for unseen in &report.unseen {
        let moved = report.changes.iter().find(|change| {
            change.name == unseen.name || change.name.starts_with(&format!("{}.", unseen.name))
        });
        // A rare value that others trade with may have taken up their mean change.
        assert!(moved.is_none() || unseen.name.starts_with("material"), "{moved:?}");
    }
}

#[test]
fn values_that_predict_nothing_are_refused() {
    // Who is ahead loses.
    let reversed: Vec<Sample> = samples(1600)
        .iter()
        .map(|sample| {
            let result = 1.0 - sample.result() as f32;
            Sample::new(&sample.position(), sample.game(), 0, None, result).expect("few pieces")
        })
        .collect();
    let message = try_fit(&reversed, &settings(&[]), 0).err().expect("no K fits").to_string();
    assert!(message.contains("do not predict the results"), "{message}");
}

/// On real games the error falls far below that of material alone.
#[test]
fn real_positions_are_learned_from() {
    let Some(path) = shared_data("positions/lichess-big3-48k.book") else { return };
    let filter = Filter { keep_noisy: true, ..Filter::default() };
    let start = Arc::new(textbook()).into();
    let found = expand(&[path], &filter, &start, 0).expect("good data");
    let samples: Vec<Sample> = found.samples.into_iter().step_by(4).collect();
    let mut material = textbook();
    let stays = |group| ["material", "scale"].contains(&group) || SHAPE_GROUPS.contains(&group);
    for info in Weights::INFO.iter().filter(|info| !stays(info.group)) {
        material.weights.cells_mut()[info.first_cell..info.first_cell + info.length].fill(0);
    }
    let error_of = |start: &Parameters, arguments: &[&str]| {
        let found = fit(
            samples.clone(),
            &Arc::new(start.clone()).into(),
            &settings(arguments),
            1,
            &mut |_| (),
        );
        found.expect("enough positions").report.after.held_out
    };
    let by_material = error_of(&material, &["--epochs", "0"]);
    let fitted = error_of(&textbook(), &["--regularization", "3"]);
    assert!(fitted < 0.92 * by_material, "material {by_material}, fitted {fitted}");
}

#[test]
fn wrong_settings_are_named() {
    for (option, value) in [
        ("--held-out", "0.95"),
        ("--validation", "-0.1"),
        ("--lambda", "2"),
        ("--k", "0"),
        ("--k", "1e300"),
        ("--regularization", "nan"),
        ("--regularization", "-1"),
        ("--epochs", "2000000"),
    ] {
        let error = CommandLine::try_parse_from(["test", option, value]).err();
        let message = error.expect("out of range").to_string();
        assert!(message.contains(&format!("invalid value '{value}' for '{option}")), "{message}");
    }
    let both = settings(&["--held-out", "0.5", "--validation", "0.45"]);
    assert!(both.check().expect_err("too much").to_string().contains("together"));
    assert_eq!(settings(&["--optimizer", "lm"]).optimizer, Optimizer::LevenbergMarquardt);
}

/// The fit stops by other positions than those of the reported error: the held-out positions leave
/// no trace in the tuned values.
#[test]
fn held_out_positions_decide_nothing() {
    let samples = samples(1600);
    let settings = settings(&["--epochs", "6", "--seen-min", "5"]);
    let turned: Vec<Sample> = samples
        .iter()
        .map(|sample| {
            let held_out = purpose_of(sample.game(), settings.shares(), 1) == Purpose::HeldOut;
            let result = if held_out { 0.5 } else { sample.result() as f32 };
            Sample::new(&sample.position(), sample.game(), 0, None, result).expect("few pieces")
        })
        .collect();
    let (one, other) = (fitted(&samples, &settings, 0), fitted(&turned, &settings, 0));
    assert_eq!(one.numbers, other.numbers);
    assert_eq!(one.report.iterations, other.report.iterations);
    assert_ne!(one.report.after.held_out, other.report.after.held_out);
    assert!(one.report.best > 0);
}

/// The report's memory is all that is kept of positions: two bytes an entry at most, and tables.
#[test]
fn the_memory_told_is_all_that_is_kept() {
    let samples = samples(1600);
    let report = fitted(&samples, &settings(&["--epochs", "0"]), 0).report;
    let tables = report.bytes_per_position * samples.len() as f64 - 2.0 * 1e6;
    let least = 0.7 * report.entries_per_position;
    assert!(report.bytes_per_position >= least && tables < 0.0, "{report:?}");
}

#[test]
fn too_few_positions_are_refused() {
    let samples = samples(150);
    let message = try_fit(&samples, &settings(&[]), 0).err().expect("too few").to_string();
    assert!(message.contains("too few positions"), "{message}");
}
