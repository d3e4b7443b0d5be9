//! The model against the engine and finite differences; the optimizers against known weights.

use std::sync::Arc;

use clap::Parser;
use engine::parameters::{Parameters, Score, Weights};
use sprt::openings::random_opening;
use sprt::random::stream;
use tuner::fit::{Fit, FitSettings, Optimizer, fit};
use tuner::model::{Objective, Values, evaluate, expected, fit_k};
use tuner::positions::{Filter, Sample, expand};
use tuner::trace::TraceStore;

use crate::shared_data::shared_data;

/// The settings as the command line makes them.
#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    settings: FitSettings,
}

fn settings(arguments: &[&str]) -> FitSettings {
    CommandLine::parse_from(["test"].iter().chain(arguments)).settings
}

fn textbook() -> Parameters {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/parameters/textbook.toml");
    Parameters::load(path.as_ref()).expect("a correct file")
}

/// The truth that labels are made by: other pieces, a better bishop pair, useful mobility.
fn truth() -> Parameters {
    let mut parameters = textbook();
    for (name, value) in [
        ("material.knight.middlegame", 340),
        ("material.knight.endgame", 280),
        ("material.queen.endgame", 960),
        ("material.bishop_pair.middlegame", 40),
        ("material.bishop_pair.endgame", 55),
    ] {
        parameters.set(name, value).expect("a known name");
    }
    parameters
}

/// Positions of random play whose results are the expected ones at the true weights, to 1 %.
fn samples(count: u32) -> Vec<Sample> {
    let unlabelled: Vec<Sample> = (0..count)
        .map(|game| {
            let position = random_opening(&mut stream(5, u64::from(game)), 30..=90);
            Sample::new(&position, game, 0, None, 50).expect("few pieces")
        })
        .collect();
    let weights = truth().weights;
    let store = TraceStore::build(&unlabelled, &weights).expect("few positions");
    let values = Values::of(&weights);
    let mut next = 0;
    let mut exact = store.exact().iter().peekable();
    unlabelled
        .iter()
        .enumerate()
        .filter(|(index, _)| exact.next_if_eq(&index).is_none())
        .map(|(_, sample)| {
            let value = evaluate(&store.position(next), &values);
            next += 1;
            let percent = (100.0 * expected(tuner::model::NATURAL, value)).round() as u8;
            Sample::new(&sample.position(), sample.game(), 0, None, percent).expect("few pieces")
        })
        .collect()
}

fn fitted(samples: &[Sample], settings: &FitSettings, threads: usize) -> Fit {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| fit(samples, &textbook(), settings, 1, &mut |_| ())).expect("enough positions")
}

#[test]
fn the_model_is_the_engine_within_rounding() {
    let samples = samples(1300);
    let found = fitted(&samples, &settings(&["--epochs", "1"]), 1);
    assert!(found.report.disagreement < 6.0, "{} centipawns", found.report.disagreement);
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    let samples = samples(300);
    let mut weights = truth().weights;
    // Danger and scales at work: their slopes are those of products and squares.
    for (cell, value) in weights.cells_mut().iter_mut().zip((1..).map(|n| n * 7919 % 13)) {
        let score: Score = bytemuck::cast(*cell);
        if score.middlegame() == 0 {
            *cell = bytemuck::cast(score + Score::new(value, value));
        }
    }
    let store = TraceStore::build(&samples, &weights).expect("few positions");
    let objective = Objective::new(&store, 1.0, 0.0);
    let order: Vec<u32> = (0..store.len() as u32).collect();
    let values = Values::of(&weights);
    let (_, gradient) = objective.gradient(&values, &order);
    let seen = store.occurrences(values.0.len());
    let mut compared = 0;
    for info in Weights::INFO {
        for cell in info.first_cell..info.first_cell + info.length {
            if seen[cell] == 0 || cell % 3 != 0 {
                continue;
            }
            let half = 1;
            let step = 1e-3;
            let error = |change: f64| {
                let mut values = values.clone();
                values.0[cell][half] += change;
                objective.error(&values)
            };
            let slope = (error(step) - error(-step)) / (2.0 * step);
            let difference = (slope - gradient[cell][half]).abs();
            let tolerance = 1e-9 + 1e-3 * slope.abs();
            assert!(difference < tolerance, "{}: {slope} {}", info.name, gradient[cell][half]);
            compared += 1;
        }
    }
    assert!(compared > 50, "only {compared} weights compared");
}

#[test]
fn k_is_that_of_the_labels() {
    let samples = samples(500);
    let weights = truth().weights;
    let store = TraceStore::build(&samples, &weights).expect("few positions");
    let (k, error) = fit_k(&store, &Values::of(&weights));
    assert!((k - 1.0).abs() < 0.01 && error < 1e-4, "K {k}, error {error}");
}

/// Both optimizers find the weights that made the labels, in value and in effect.
#[test]
fn optimizers_recover_known_weights() {
    let samples = samples(4000);
    for arguments in [
        &["--k", "1", "--regularization", "0.0001"][..],
        &["--k", "1", "--regularization", "0", "--optimizer", "adamw", "--epochs", "150"],
    ] {
        let found = fitted(&samples, &settings(arguments), 0);
        let report = &found.report;
        assert!(
            report.after.held_out < 0.15 * report.before.held_out,
            "{}: {:?} to {:?}",
            report.optimizer,
            report.before,
            report.after
        );
        for name in ["material.knight.middlegame", "material.knight.endgame"] {
            let (value, wanted) = (found.parameters.get(name), truth().get(name));
            let difference = value.expect("known").abs_diff(wanted.expect("known"));
            assert!(difference <= 20, "{}: {name} is off by {difference}", report.optimizer);
        }
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let samples = samples(1500);
    for optimizer in ["levenberg-marquardt", "adamw"] {
        let settings = settings(&["--optimizer", optimizer, "--epochs", "3"]);
        let (one, two) = (fitted(&samples, &settings, 1), fitted(&samples, &settings, 2));
        assert_eq!(one.report, two.report, "{optimizer}");
        assert_eq!(one.parameters, two.parameters, "{optimizer}");
    }
}

#[test]
fn values_stay_in_range_and_rare_terms_stay_as_they_were() {
    let samples = samples(1200);
    let settings = settings(&["--regularization", "0", "--seen-min", "60"]);
    let found = fitted(&samples, &settings, 0);
    let text = found.parameters.to_toml();
    // The reader refuses what is out of range.
    assert!(Parameters::from_toml(&text, "fitted").is_ok_and(|read| read == found.parameters));
    assert!(!found.report.unseen.is_empty());
    for unseen in &found.report.unseen {
        let moved = found.report.changes.iter().find(|change| {
            change.name == unseen.name || change.name.starts_with(&format!("{}.", unseen.name))
        });
        // A rare value that others trade with may have taken up their mean change.
        assert!(moved.is_none() || unseen.name.starts_with("material"), "{moved:?}");
    }
}

#[test]
fn values_that_predict_nothing_are_refused() {
    // Who is ahead loses.
    let reversed: Vec<Sample> = samples(1300)
        .iter()
        .map(|sample| {
            let percent = 100 - (100.0 * sample.result()).round() as u8;
            Sample::new(&sample.position(), sample.game(), 0, None, percent).expect("few pieces")
        })
        .collect();
    let outcome = fit(&reversed, &textbook(), &settings(&[]), 1, &mut |_| ());
    let message = outcome.err().expect("no K fits").to_string();
    assert!(message.contains("do not predict the results"), "{message}");
}

/// On real games the error falls far below that of material alone.
#[test]
fn real_positions_are_learned_from() {
    let Some(path) = shared_data("positions/lichess-big3-48k.book") else { return };
    let filter = Filter { keep_noisy: true, ..Filter::default() };
    let start = Arc::new(textbook());
    let found = expand(&[path], &filter, &start, 0).expect("good data");
    let samples: Vec<Sample> = found.samples.into_iter().step_by(4).collect();
    let mut material = textbook().weights;
    for (info, value) in Weights::INFO.iter().filter(|info| info.length > 1).flat_map(|info| {
        (0..info.length).map(move |index| (info, index)).filter(|(info, _)| info.group != "scale")
    }) {
        material.cells_mut()[info.first_cell + value] = 0;
    }
    let store = TraceStore::build(&samples, &material).expect("few positions");
    let (_, by_material) = fit_k(&store, &Values::of(&material));
    let found = fitted(&samples, &settings(&["--regularization", "3"]), 0);
    let fitted = found.report.after.held_out;
    assert!(fitted < 0.9 * by_material, "material {by_material}, fitted {fitted}");
}

#[test]
fn wrong_settings_are_named() {
    for (arguments, option) in [
        (["--held-out", "0.95"], "--held-out"),
        (["--lambda", "2"], "--lambda"),
        (["--k", "0"], "--k"),
        (["--regularization", "nan"], "--regularization"),
    ] {
        let message = settings(&arguments).check().expect_err("out of range").to_string();
        assert!(message.starts_with(option), "{message}");
    }
    assert_eq!(settings(&["--optimizer", "lm"]).optimizer, Optimizer::LevenbergMarquardt);
}

#[test]
fn too_few_positions_are_refused() {
    let samples = samples(150);
    let outcome = fit(&samples, &textbook(), &settings(&[]), 1, &mut |_| ());
    let message = outcome.err().expect("too few").to_string();
    assert!(message.contains("too few positions"), "{message}");
}
