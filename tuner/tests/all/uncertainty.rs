//! Intervals against a known truth: results drawn from the chances that known weights give, and how
//! often what the fit says of each number is true.

use std::collections::BTreeMap;
use std::sync::Arc;

use chess::Parameters;
use evaluation_tuning::fit::gauge;
use evaluation_tuning::fit::uncertainty::{Constraint, Uncertainty, estimate};
use evaluation_tuning::fit::{Bounds, Task, Ties, levenberg_marquardt};
use evaluation_tuning::model::trace::{TraceStore, terms};
use evaluation_tuning::model::{NATURAL, Objective, Positions, Values, expected};
use matches::openings::random_opening;
use positions::{Filter, Sample, expand};
use rand::RngExt;
use random::stream;
use statistics::CONFIDENCE;

use crate::fit::{numbers, textbook};
use crate::lanes::{assert_mean_share, repetitions};

/// Positions of each game of random play.
const PER_GAME: u32 = 4;
/// Flat enough that the great leads of random play do not decide everything.
const K: f64 = 0.4;
/// How much of the smaller chance is a draw.
const DRAWN: f64 = 0.6;

/// The numbers that are fitted, with what the truth adds to the textbook: values that are added up,
/// square tables, danger (squared), initiative and scale (products).
const FREE: [(&str, i64); 24] = [
    ("material.knight.middlegame", 60),
    ("material.knight.endgame", -50),
    ("material.rook.endgame", 40),
    ("material.queen.middlegame", 0),
    ("material.tempo.middlegame", 0),
    ("material.bishop_pair.endgame", 30),
    ("pawns.islands.endgame", 0),
    ("squares.pawn[18].middlegame", 30),
    ("squares.pawn[19].endgame", -25),
    ("squares.pawn[27].middlegame", 0),
    ("squares.king[1].middlegame", 40),
    ("squares.king[8].endgame", 0),
    ("squares.rook[7].middlegame", -30),
    ("danger.attacker[0].middlegame", 60),
    ("danger.attacker[1].middlegame", 45),
    ("danger.attacker[2].middlegame", 50),
    ("danger.ring_attacks[3].middlegame", 20),
    ("danger.weak_ring.middlegame", 15),
    ("initiative.pawns", 8),
    ("initiative.passed", 15),
    ("initiative.king_entered", 0),
    ("scale.pawns_left[1]", -40),
    ("scale.pawns_left[2]", -30),
    ("scale.pawns_left[4]", 0),
];

/// Positions whose results are drawn.
struct World {
    samples: Vec<Sample>,
    store: TraceStore,
    games: Vec<u32>,
    truth: Values,
    scale: f64,
}

impl World {
    fn new(samples: &[Sample], truth: &Parameters, k: f64) -> World {
        let store = TraceStore::build(samples, &truth.weights).expect("few positions");
        let mut exact = store.exact().iter().copied().peekable();
        let kept = samples.iter().enumerate();
        let kept = kept.filter(|(index, _)| exact.next_if_eq(index).is_none());
        let samples: Vec<Sample> = kept.map(|(_, sample)| *sample).collect();
        let games = store.games().to_vec();
        World { samples, store, games, truth: Values::of(&truth.weights), scale: k * NATURAL }
    }

    /// Results of all positions: those of a game come from one draw, so that they go together as
    /// far as its positions allow, and each is won, drawn and lost as often as its chances say.
    fn results(&self, seed: u64) -> Vec<f32> {
        let mut draws = BTreeMap::new();
        let evaluations = self.store.evaluations(&self.truth);
        let result = |(index, &game): (usize, &u32)| {
            let chance = expected(self.scale, evaluations[index]);
            let draw: f64 = *draws
                .entry(game)
                .or_insert_with(|| stream(seed, u64::from(game)).random_range(0.0..1.0));
            let drawn = DRAWN * chance.min(1.0 - chance);
            match draw {
                draw if draw < chance - drawn => 1.0,
                draw if draw < chance + drawn => 0.5,
                _ => 0.0,
            }
        };
        self.games.iter().enumerate().map(result).collect()
    }

    /// Fits to drawn results and estimates what is sure.
    fn fitted(
        &self,
        seed: u64,
        start: &Values,
        bounds: &Bounds,
        regularization: f64,
        constraints: &[Constraint],
    ) -> (Values, Uncertainty) {
        let drawn = self.samples.iter().zip(self.results(seed));
        let samples: Vec<Sample> = drawn.map(|(sample, it)| sample.with_result(it)).collect();
        let store = TraceStore::build(&samples, &textbook().weights).expect("few positions");
        let objective = Objective::new(&store, self.scale / NATURAL, 0.0);
        let task = Task {
            training: &objective,
            validation: None,
            start,
            bounds,
            regularization,
            ties: &Ties::default(),
            iterations: 30,
            seed: 1,
        };
        let solution = levenberg_marquardt(&task, &mut |_| ());
        let found = estimate(&task, &solution.values, &self.games, constraints);
        (solution.values, found.expect("an inverse"))
    }
}

/// Random play with the truth of [`FREE`].
fn random_world(games: u32) -> (World, Values, Bounds, BTreeMap<(usize, usize), &'static str>) {
    let samples: Vec<Sample> = (0..games * PER_GAME)
        .map(|index| {
            let position = random_opening(chess::GAME, &mut stream(51, u64::from(index)), 20..=240);
            Sample::new(&position, index / PER_GAME, 0, None, 0.5).expect("few pieces")
        })
        .collect();
    let mut truth = textbook();
    let mut names = BTreeMap::new();
    let start = Values::of(&truth.weights);
    let mut bounds = Bounds { low: start.0.clone(), high: start.0.clone() };
    for (name, change) in FREE {
        let value = i64::from(truth.get(name).expect("a known name")) + change;
        truth.set(name, value).expect("in range");
        let number = numbers().find(|(number, ..)| number.name() == name);
        let (_, cell, half) = number.expect("a known name");
        names.insert((cell, half), name);
        bounds.low[cell][half] -= 2000.0;
        bounds.high[cell][half] += 2000.0;
    }
    (World::new(&samples, &truth, K), start, bounds, names)
}

/// Intervals of 95 % hold the truth so often, for numbers of every kind; and a number that is as it was
/// has moved significantly five times in a hundred.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let (world, start, bounds, names) = random_world(2000);
    let mut held: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    let mut false_alarms = [0; 2];
    let mut silent = 0;
    for seed in 0..repetitions(96) {
        let (values, found) = world.fitted(seed, &start, &bounds, 1e-3, &[]);
        // Danger below its bound has no slope. A fit to few games may end there, and then says nothing.
        silent += (names.len() - found.estimates.len()) as u64;
        for it in &found.estimates {
            let (cell, half) = (it.cell, it.half);
            let truth = world.truth.0[cell][half];
            let name = names[&(cell, half)];
            let kind = held.entry(name.split('.').next().expect("a group")).or_default();
            let (value, error) = it.alone.expect("told from all others");
            kind[0] += u64::from((value - truth).abs() <= CONFIDENCE * error);
            kind[1] += 1;
            if truth == start.0[cell][half] {
                let t = (values.0[cell][half] - truth) / it.scatter;
                false_alarms[0] += u64::from(t.abs() > CONFIDENCE);
                false_alarms[1] += 1;
            }
        }
    }
    // Numbers of one fit hang together, and count as if they were half as many.
    let is = |[hits, all]: [u64; 2], chance, what| {
        assert_mean_share(hits, all, 2.0, chance..=chance, what);
    };
    let all = held.values().fold([0, 0], |sum, it| [sum[0] + it[0], sum[1] + it[1]]);
    is(all, 0.95, "intervals");
    assert!(100 * silent <= all[1], "{silent} of {} numbers have no interval", all[1]);
    for (kind, &counts) in &held {
        is(counts, 0.95, kind);
    }
    is(false_alarms, 0.05, "false alarms");
}

/// Many games tell the truth of every kind of number, each within four standard errors, and most of
/// what differs from the start beyond doubt.
#[test]
fn truth_of_every_kind_is_recovered() {
    let (world, start, bounds, names) = random_world(8000);
    let (_, found) = world.fitted(7, &start, &bounds, 1e-3, &[]);
    for it in &found.estimates {
        let truth = world.truth.0[it.cell][it.half];
        let name = names[&(it.cell, it.half)];
        let (value, error) = it.alone.expect("told from all others");
        let off = (value - truth).abs();
        assert!(off < 4.0 * error, "{name}: {value} ± {error}, truth {truth}");
    }
    let mut beyond_doubt: Vec<&str> = Vec::new();
    for it in &found.estimates {
        let (truth, begin) = (world.truth.0[it.cell][it.half], start.0[it.cell][it.half]);
        let (value, error) = it.alone.expect("told from all others");
        if truth != begin && (value - begin).abs() > 2.0 * error {
            beyond_doubt.push(names[&(it.cell, it.half)]);
        }
    }
    assert!(beyond_doubt.len() >= 10, "{beyond_doubt:?}");
    for kind in ["material.", "squares.", "danger.", "initiative.", "scale."] {
        assert!(beyond_doubt.iter().any(|name| name.starts_with(kind)), "{beyond_doubt:?}");
    }
}

/// The same for all numbers at once on the recorded positions of the repository, with their games:
/// a few minutes, by `cargo test --release -p tuner --test all -- --ignored --nocapture intervals`.
#[test]
#[ignore = "minutes: all numbers on all recorded positions"]
fn intervals_of_all_numbers_hold_the_truth() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/positions/sample.kgames");
    let judge = Arc::new(textbook()).into();
    let found = expand(&[path.into()], &Filter::default(), &judge, 0).expect("a store");
    let truth = Parameters::embedded();
    let world = World::new(&found.samples, truth, 1.0);
    let start = Values::of(&textbook().weights);
    let seen = world.store.occurrences();
    let mut bounds = Bounds { low: start.0.clone(), high: start.0.clone() };
    for (_, cell, half) in numbers().filter(|it| seen[it.1] >= 20) {
        bounds.low[cell][half] -= 2000.0;
        bounds.high[cell][half] += 2000.0;
    }
    let gauges = gauge::find(&world.store, &terms());
    // The truth in the gauge of the estimates: the mean change of each row is 0.
    let mut folded = world.truth.clone();
    let mut constraints = Vec::new();
    for (gauge, half) in gauges.iter().flat_map(|gauge| [(gauge, 0), (gauge, 1)]) {
        let free = gauge.row.clone().filter(|&cell| bounds.is_free(cell, half));
        let terms: Vec<(usize, usize, f64)> =
            free.map(|cell| (cell, half, f64::from(seen[cell]))).collect();
        let weight: f64 = terms.iter().map(|it| it.2).sum();
        let change = |cell: usize| world.truth.0[cell][half] - start.0[cell][half];
        let mean = terms.iter().map(|it| it.2 * change(it.0)).sum::<f64>() / weight;
        terms.iter().for_each(|it| folded.0[it.0][half] -= mean);
        if let Some(anchor) = gauge.anchor {
            folded.0[anchor][half] += mean;
        }
        constraints.push(Constraint { terms });
    }
    // A number that is seen too rarely is fixed at the start, and must be there in truth.
    let mut world = world;
    for (_, cell, half) in numbers().filter(|it| seen[it.1] < 20) {
        world.truth.0[cell][half] = start.0[cell][half];
        folded.0[cell][half] = start.0[cell][half];
    }
    for regularization in [0.1, 20.0] {
        let (values, found) = world.fitted(3, &start, &bounds, regularization, &constraints);
        let mut by_seen: BTreeMap<u32, [u32; 3]> = BTreeMap::new();
        for it in &found.estimates {
            let Some((value, error)) = it.alone else { continue };
            let truth = folded.0[it.cell][it.half];
            let counts = by_seen.entry(seen[it.cell].ilog10()).or_default();
            counts[0] += u32::from((value - truth).abs() <= CONFIDENCE * error);
            counts[1] +=
                u32::from((values.0[it.cell][it.half] - truth).abs() <= CONFIDENCE * it.scatter);
            counts[2] += 1;
        }
        for (power, [held, with_pull, all]) in by_seen {
            println!(
                "regularization {regularization}, seen 10^{power} times: {:.3} of {all} hold the \
                 truth; {:.3} of the values with their scatter do",
                f64::from(held) / f64::from(all),
                f64::from(with_pull) / f64::from(all)
            );
        }
    }
}
