//! Choices of a fit: numbers to move by words and significance, losses, ties and the search score.

use chess::Parameters;
use evaluation_tuning::fit::report::Report;
use evaluation_tuning::model::trace::TraceStore;
use evaluation_tuning::model::{NATURAL, Positions, Values, expected};
use matches::openings::random_opening;
use positions::Sample;
use rand::RngExt;
use random::stream;

use crate::fit::{fitted, samples, settings, textbook, truth};

/// Flat enough that the great leads of random play do not decide everything.
const K: f64 = 0.4;
/// The same as an option, and numbers that so few results tell something of.
const FEW: [&str; 4] = ["--k", "0.4", "--only", "material,mobility"];

/// Draws, for each sample, a result with its expected result as chance, and gives it the score that
/// `score` makes of its true evaluation.
fn drawn(samples: &[Sample], score: impl Fn(f64) -> Option<i16>) -> Vec<Sample> {
    let truth = truth();
    let store = TraceStore::build(samples, &truth.weights).expect("few positions");
    assert_eq!(store.len(), samples.len());
    let evaluations = store.evaluations(&Values::of(&truth.weights));
    let sample = |(index, sample): (usize, &Sample)| {
        let evaluation = evaluations[index];
        let chance = expected(K * NATURAL, evaluation);
        let mut random = stream(61, u64::from(sample.game()));
        let result = f32::from(u8::from(random.random_range(0.0..1.0) < chance));
        let position = sample.position();
        Sample::new(&position, sample.game(), 0, score(evaluation), result).expect("few pieces")
    };
    samples.iter().enumerate().map(sample).collect()
}

/// Numbers that words hold stay, and all that moved is below a word of `--only`.
#[test]
fn words_say_what_moves() {
    let samples = samples(1600);
    let words = ["--only", "material,squares.rook", "--freeze", "material.knight"];
    let found = fitted(&samples, &settings(&words), 0);
    assert!(found.report.changes.len() >= 5, "{:?}", found.report.changes);
    for change in &found.report.changes {
        let name = &change.name;
        assert!(name.starts_with("material.") || name.starts_with("squares.rook["), "{name}");
        assert!(!name.starts_with("material.knight."), "{name}");
    }
    assert!(found.report.frozen.contains(&"material.knight.endgame".to_string()));
    // Nothing is folded into a number that is held, nor out of a row with one.
    assert!(found.report.folded.iter().all(|row| !row.contains("knight")));
    assert!(settings(&["--only", "materiel"]).check().is_err());
    assert!(settings(&["--freeze", "null_move"]).check().is_err());
}

/// With `--shrink` what moves is significant, nothing where nothing can be, and the error is hardly
/// the worse for it.
#[test]
fn only_what_is_significant_moves() {
    let samples = drawn(&samples(10_000), |_| None);
    let with = |arguments: &[&str]| fitted(&samples, &settings(&[&FEW, arguments].concat()), 0);
    let (plain, shrunk) = (with(&[]).report, with(&["--shrink", "2.5"]).report);
    let [many, few] = [&plain, &shrunk].map(|report| report.changes.len());
    assert!(few > 0 && few * 2 < many, "{few} of {many}");
    assert!(shrunk.insignificant.len() > 50);
    for change in &shrunk.changes {
        assert!(!shrunk.insignificant.contains(&change.name), "{change:?}");
    }
    assert!(shrunk.after.held_out < plain.before.held_out, "{:?}", shrunk.after);
    assert!(shrunk.after.held_out < 1.02 * plain.after.held_out, "{:?}", shrunk.after);
    assert_eq!(*with(&["--shrink", "100"]).numbers.typed::<Parameters>(), textbook());
}

/// The parts of the changes add up to the fall of the held-out error.
#[test]
fn parts_add_up_to_the_fall() {
    let report = fitted(&samples(3000), &settings(&[]), 0).report;
    let sum: f64 = report.changes.iter().map(|change| change.part).sum();
    assert!(report.fall() > 0.0);
    assert!((sum / report.fall() - 1.0).abs() < 0.03, "{sum} of {}", report.fall());
    assert!(report.changes.is_sorted_by(|one, other| one.part >= other.part));
    assert!(report.unmoved.iter().all(|it| it.part == 0.0 && it.t.is_some()));
}

/// Cross-entropy is minimized by both optimizers, to the same.
#[test]
fn cross_entropy_is_minimized() {
    let samples = drawn(&samples(10_000), |_| None);
    let report = |optimizer: &str| -> Report {
        let arguments = ["--loss", "cross-entropy", "--optimizer", optimizer];
        fitted(&samples, &settings(&[&FEW[..], &arguments].concat()), 0).report
    };
    let reports = ["levenberg-marquardt", "adamw"].map(report);
    for found in &reports {
        let [before, after] = [found.cross_entropy_before, found.cross_entropy_after];
        assert!(after.training < before.training, "{before:?} {after:?}");
        // Iterations tell the minimized error: half of the cross-entropy.
        let last = found.iterations[found.best].training;
        assert!((last - after.training / 2.0).abs() < 1e-3, "{last} {after:?}");
    }
    let [one, other] = reports.map(|found| found.cross_entropy_after.training);
    assert!((one - other).abs() < 2e-3, "{one} {other}");
}

#[test]
fn tied_squares_change_alike() {
    let samples = samples(3000);
    let roughness = |tie: &str, optimizer: &str| {
        let arguments =
            ["--only", "squares.knight", "--optimizer", optimizer, "--tie-squares", tie];
        let always = ["--regularization", "1", "--seen-min", "1"];
        let found = fitted(&samples, &settings(&[&arguments[..], &always].concat()), 0);
        let change = |square: usize| {
            let name = format!("squares.knight[{square}].middlegame");
            let value = |set: &Parameters| set.get(&name).expect("a known name");
            f64::from(value(&found.numbers.typed()) - value(&textbook()))
        };
        let pairs = (0..64).filter(|square| square % 8 < 7);
        let differences: f64 = pairs.map(|it| (change(it) - change(it + 1)).abs()).sum();
        let moved: f64 = (0..64).map(|square| change(square).abs()).sum();
        differences / moved.max(1.0)
    };
    for optimizer in ["levenberg-marquardt", "adamw"] {
        let (loose, tied) = (roughness("0", optimizer), roughness("300", optimizer));
        assert!(tied < 0.8 * loose, "{optimizer}: {tied} {loose}");
    }
}

/// Scores that know the truth better than single results are taken up, and the held-out results are
/// foretold better for it; scores that are wrong are not.
#[test]
fn the_share_of_the_score_is_chosen() {
    let unlabelled: Vec<Sample> = (0..10_000u32)
        .map(|game| {
            let position = random_opening(chess::GAME, &mut stream(5, u64::from(game)), 30..=90);
            Sample::new(&position, game, 0, None, 0.5).expect("few pieces")
        })
        .collect();
    let answered = TraceStore::build(&unlabelled, &textbook().weights).expect("few positions");
    assert!(answered.exact().is_empty());
    // So many numbers for so few results that single results mislead.
    let many = ["--k", "0.4", "--only", "material,mobility,squares", "--regularization", "1"];
    let many = [&many[..], &["--validation", "0.4"]].concat();
    let chosen = |score: &dyn Fn(f64) -> Option<i16>| {
        fitted(&drawn(&unlabelled, score), &settings(&many), 0).report
    };
    let wise = chosen(&|evaluation| Some(evaluation as i16));
    let blending = wise.blending.as_ref().expect("there are scores");
    assert!(wise.lambda >= 0.3, "{blending:?}");
    assert!(blending.blended.is_some_and(|error| error < blending.results_alone));
    let without = [&many[..], &["--lambda", "0"]].concat();
    let alone = fitted(&drawn(&unlabelled, |_| None), &settings(&without), 0).report;
    assert!(wise.after.held_out < alone.after.held_out, "{:?} {:?}", wise.after, alone.after);
    let misled = chosen(&|evaluation| Some(-evaluation as i16));
    assert!(misled.lambda <= 0.1, "{:?}", misled.blending);
    assert!(chosen(&|_| None).blending.is_none());
}

/// Nothing of all this depends on the number of threads.
#[test]
fn choices_do_not_depend_on_the_number_of_threads() {
    let samples = drawn(&samples(1600), |evaluation| Some(evaluation as i16));
    let arguments =
        ["--shrink", "1", "--tie-squares", "5", "--loss", "cross-entropy", "--k-by-material"];
    let settings = settings(&arguments);
    let (one, two) = (fitted(&samples, &settings, 1), fitted(&samples, &settings, 2));
    assert_eq!(one.report, two.report);
    assert_eq!(one.numbers, two.numbers);
}
