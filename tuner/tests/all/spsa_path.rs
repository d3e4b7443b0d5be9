//! The path of SPSA without chess: players whose strength is a known function of their numbers.

use rand::RngExt;
use random::stream;
use search_tuning::spsa::{Gains, Path, SpsaPath};
use tunables::Tunable;

use crate::lanes::{assert_share, repetitions};

fn number(name: &str, is_whole: bool, value: f64, step: f64) -> Tunable {
    let name = name.to_string();
    Tunable { name, is_whole, value, low: 0.0, high: 300.0, step, rate: 0.004 }
}

/// Plays a path to its end, each iteration a pair of games between players of this strength (Elo).
fn tune(
    tunables: Vec<Tunable>,
    pairs: u64,
    seed: u64,
    strength: &dyn Fn(&[f64]) -> f64,
) -> SpsaPath {
    const DRAWN: f64 = 0.4;
    let gains = Gains::usual(pairs);
    let mut path = Path::new(tunables.clone(), gains, seed, 16);
    let mut course = SpsaPath::new(tunables, gains, 1);
    for pair in 0..pairs {
        let trial = path.trial(pair + 1).expect("it may be played").clone();
        let elo = strength(&trial.plus) - strength(&trial.minus);
        let won = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)) - DRAWN / 2.0;
        let mut random = stream(seed + 1000, pair);
        let score: i64 = (0..2)
            .map(|_| match random.random::<f64>() {
                luck if luck < won => 1,
                luck if luck < won + DRAWN => 0,
                _ => -1,
            })
            .sum();
        path.count(score);
        course.take(&trial, score, &path);
    }
    course
}

#[test]
fn two_numbers_that_are_wrong_are_found() {
    // 50 and 80 Elo are lost at the start; a step is worth two Elo where it hurts.
    let strength = |values: &[f64]| {
        -50.0 * ((values[0] - 90.0) / 60.0).powi(2) - 80.0 * ((values[1] - 75.0) / 105.0).powi(2)
    };
    let numbers = vec![number("one", true, 30.0, 10.0), number("other", false, 180.0, 12.0)];
    let start = [30.0, 180.0];
    for seed in 0..repetitions(40) {
        let course = tune(numbers.clone(), 20_000, seed, &strength);
        let found = &course.last().values;
        let left = -strength(found);
        assert!(left < 12.0, "{found:?} of seed {seed} lacks {left} Elo");
        for drift in course.drifts() {
            assert!(drift.ratio().abs() > 3.0, "{drift:?}");
        }
        let gain = strength(found) - strength(&start);
        let (_, worth) = course.worth().pop().expect("games were played");
        // Twice the interval, since five are looked at.
        assert!((worth.value - gain).abs() < 2.0 * worth.error, "{worth:?}, not {gain}");
    }
}

#[test]
fn luck_is_not_taken_for_gain() {
    let numbers: Vec<Tunable> =
        (0..6).map(|index| number(&index.to_string(), true, 150.0, 8.0)).collect();
    let (mut sum, mut squares, mut covered, mut far) = (0.0, 0.0, 0, 0);
    let runs = repetitions(3200);
    for seed in 0..runs {
        let course = tune(numbers.clone(), 400, seed, &|_| 0.0);
        let (_, worth) = course.worth().pop().expect("games were played");
        sum += worth.value;
        squares += worth.value * worth.value;
        covered += u64::from(worth.value.abs() < worth.error);
        far += course.drifts().iter().filter(|drift| drift.ratio().abs() > 1.96).count() as u64;
    }
    let (mean, deviation) = (sum / runs as f64, (squares / runs as f64).sqrt());
    let error = deviation / (runs as f64).sqrt();
    assert!(mean.abs() < 4.0 * error, "{mean} ± {error} where nothing is to be gained");
    assert_share(covered, runs, 0.95..=0.95, "intervals");
    // A twentieth of the numbers goes further than 1.96 times what chance does.
    assert_share(far, 6 * runs, 0.05..=0.05, "numbers that went far");
}

#[test]
fn what_lies_beyond_the_plan_leaves_the_plan_as_it_is() {
    let numbers = vec![number("one", true, 30.0, 10.0)];
    let strength = |values: &[f64]| -((values[0] - 90.0) / 10.0).powi(2);
    let run = |pairs: u64| {
        let gains = Gains::usual(300);
        let mut path = Path::new(numbers.clone(), gains, 7, 4);
        let mut values = Vec::new();
        for pair in 0..pairs {
            let trial = path.trial(pair + 1).expect("it may be played").clone();
            path.count((strength(&trial.plus) - strength(&trial.minus)).signum() as i64);
            values.push(path.values()[0]);
        }
        values
    };
    let (planned, extended) = (run(300), run(500));
    assert_eq!(planned, extended[..300]);
    assert!(extended[300..].iter().any(|value| *value != planned[299]));
}
