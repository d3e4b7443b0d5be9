//! Gauge freedoms and rounding: what changes no evaluation, and what changes it least.

use chess::{Color, Parameters, PieceType, Position};
use evaluation_tuning::fit::gauge::{Gauge, find, fold};
use evaluation_tuning::fit::{Bounds, Task, Ties, balanced, levenberg_marquardt, nearest, round};
use evaluation_tuning::model::trace::{TraceStore, terms};
use evaluation_tuning::model::{NATURAL, Objective, Positions, Values};
use positions::Sample;
use rand::RngExt;
use random::stream;

use crate::fit::{curved_weights, labelled, numbers, textbook, truth};

/// Positions, and others that the gauges were not found in.
fn stores() -> [TraceStore; 2] {
    let samples = labelled(3000, &truth(), NATURAL);
    let (found_in, others) = samples.split_at(2400);
    [found_in, others]
        .map(|part| TraceStore::build(part, &textbook().weights).expect("few positions"))
}

/// Whole random values around those of the curved weights, and bounds far from them.
fn random_values() -> (Values, Values, Bounds) {
    let mut random = stream(23, 0);
    let start = Values::of(&curved_weights());
    let mut bounds = Bounds { low: start.0.clone(), high: start.0.clone() };
    let mut values = start.clone();
    for (_, cell, half) in numbers() {
        bounds.low[cell][half] -= 500.0;
        bounds.high[cell][half] += 500.0;
        values.0[cell][half] += f64::from(random.random_range(0..=40));
    }
    (start, values, bounds)
}

fn assert_same(before: &[f64], after: &[f64], what: &str) {
    for (index, (before, after)) in before.iter().zip(after).enumerate() {
        assert!((before - after).abs() < 1e-6, "{what}: position {index}: {before}, {after}");
    }
}

#[test]
fn rows_trade_with_the_values_they_are_against() {
    let [found_in, _] = stores();
    let gauges = find(&found_in, &terms());
    let anchor_of = |row: &str| {
        let is_row = |gauge: &&Gauge| terms().cell_name(gauge.row.start) == row;
        let gauge = gauges.iter().find(is_row).unwrap_or_else(|| panic!("no gauge of {row}"));
        gauge.anchor.map(|cell| terms().cell_name(cell))
    };
    for piece in ["knight", "bishop", "rook", "queen"] {
        for group in ["squares", "mobility"] {
            let anchor = anchor_of(&format!("{group}.{piece}[0]"));
            assert_eq!(anchor, Some(format!("material.{piece}")), "{group}.{piece}");
        }
    }
    // Each side has one king, so that his squares trade with nothing.
    assert_eq!(anchor_of("squares.king[0]"), None);
    // A row whose sums differ from the anchor's in one position only is none.
    for gauge in &gauges {
        assert!(gauge.row.len() > 1, "{}", gauge.describe(&terms()));
    }
}

/// A relation that holds by chance in the positions that candidates come from, and in all others
/// but the last, is no freedom.
#[test]
fn a_single_late_position_refutes_a_gauge() {
    let pool = labelled(800, &truth(), NATURAL);
    let (balanced, unbalanced): (Vec<_>, Vec<_>) = pool.into_iter().partition(|sample| {
        let position = sample.position();
        let position = position.typed::<Position>();
        let knights = |color| position.pieces(color, PieceType::Knight).count();
        knights(Color::White) == knights(Color::Black)
    });
    assert!(balanced.len() > 100 && !unbalanced.is_empty());
    let rows_of_knights = |samples: &[Sample]| {
        let store = TraceStore::build(samples, &textbook().weights).expect("few positions");
        let gauges = find(&store, &terms());
        let found =
            gauges.iter().find(|gauge| terms().cell_name(gauge.row.start) == "squares.knight[0]");
        found.map(|gauge| gauge.anchor)
    };
    // More than candidates are looked for in.
    let mut samples: Vec<Sample> = balanced.iter().copied().cycle().take(2500).collect();
    assert_eq!(rows_of_knights(&samples), Some(None));
    samples.push(unbalanced[0]);
    assert_eq!(rows_of_knights(&samples), None);
}

/// Moving a row against its anchor changes no evaluation, not even where it was not looked for.
#[test]
fn gauges_change_no_evaluation() {
    let [found_in, others] = stores();
    let (_, values, _) = random_values();
    let before = others.evaluations(&values);
    for gauge in find(&found_in, &terms()) {
        let mut moved = values.clone();
        for half in 0..2 {
            gauge.row.clone().for_each(|cell| moved.0[cell][half] -= 7.0);
            if let Some(anchor) = gauge.anchor {
                moved.0[anchor][half] += 7.0;
            }
        }
        assert_same(&before, &others.evaluations(&moved), &gauge.describe(&terms()));
    }
}

#[test]
fn folding_changes_values_but_no_evaluation() {
    let [store, others] = stores();
    let gauges = find(&store, &terms());
    let seen = store.occurrences();
    let (start, values, bounds) = random_values();
    let mut folded = values.clone();
    let moved = fold(&gauges, &start, &mut folded, &bounds, &seen, &terms());
    // Values rose by 20 in the mean: every row had something to fold.
    assert_eq!(moved, gauges);
    for store in [&store, &others] {
        assert_same(&store.evaluations(&values), &store.evaluations(&folded), "folded");
    }
    for gauge in &gauges {
        let weight: f64 = gauge.row.clone().map(|cell| f64::from(seen[cell])).sum();
        for half in 0..2 {
            let change = |values: &Values| {
                let changes = gauge.row.clone().map(|cell| {
                    f64::from(seen[cell]) * (values.0[cell][half] - start.0[cell][half])
                });
                changes.sum::<f64>() / weight
            };
            assert!(change(&values) > 5.0, "{}", gauge.describe(&terms()));
            assert!(
                change(&folded).abs() <= 0.5,
                "{}: {}",
                gauge.describe(&terms()),
                change(&folded)
            );
        }
    }
    // Folded once, there is nothing left to fold.
    assert_eq!(fold(&gauges, &start, &mut folded, &bounds, &seen, &terms()), []);
}

#[test]
fn folding_stops_at_bounds_and_leaves_fixed_cells() {
    let [store, _] = stores();
    let gauges = find(&store, &terms());
    let seen = store.occurrences();
    let (start, values, mut bounds) = random_values();
    // The anchors may rise by three, and one cell of each row is fixed.
    for gauge in &gauges {
        let fixed = gauge.row.start + 1;
        for half in 0..2 {
            if let Some(anchor) = gauge.anchor {
                bounds.high[anchor][half] = values.0[anchor][half] + 3.0;
            }
            bounds.low[fixed][half] = values.0[fixed][half];
            bounds.high[fixed][half] = values.0[fixed][half];
        }
    }
    let mut folded = values.clone();
    assert!(!fold(&gauges, &start, &mut folded, &bounds, &seen, &terms()).is_empty());
    for (cell, halves) in folded.0.iter().enumerate() {
        for (half, &value) in halves.iter().enumerate() {
            let range = bounds.low[cell][half]..=bounds.high[cell][half];
            assert!(range.contains(&value), "{}: {value}", terms().cell_name(cell));
            assert_eq!(value.fract(), 0.0);
        }
    }
    for gauge in &gauges {
        assert_eq!(folded.0[gauge.row.start + 1], values.0[gauge.row.start + 1]);
    }
}

/// Rounding costs much less when errors balance each other.
#[test]
fn balanced_rounding_costs_less_than_plain_rounding() {
    // The best values are not whole numbers: the labels are made at another scale.
    let truth = Parameters { weights: curved_weights(), ..textbook() };
    let samples = labelled(1500, &truth, 1.037 * NATURAL);
    let start = Values::of(&truth.weights);
    let store = TraceStore::build(&samples, &textbook().weights).expect("few positions");
    let objective = Objective::new(&store, 1.0, 0.0);
    let seen = store.occurrences();
    let mut bounds = Bounds { low: start.0.clone(), high: start.0.clone() };
    for (number, cell, half) in numbers() {
        if seen[cell] >= 20 {
            let (low, high) = number.range();
            (bounds.low[cell][half], bounds.high[cell][half]) = (f64::from(low), f64::from(high));
        }
    }
    for regularization in [0.0, 0.01] {
        let task = Task {
            training: &objective,
            validation: None,
            start: &start,
            bounds: &bounds,
            regularization,
            ties: &Ties::default(),
            iterations: 12,
            seed: 1,
        };
        let values = levenberg_marquardt(&task, &mut |_| ()).values;
        let [exact, plain, balanced, chosen] = [
            values.clone(),
            nearest(&bounds, &values),
            balanced(&task, &values).expect("the curvature has factors"),
            round(&task, &values),
        ]
        .map(|values| task.errors(&values).1);
        assert!(plain > exact, "{plain} {exact}");
        assert!(
            balanced - exact < 0.75 * (plain - exact),
            "rounding costs {} balanced and {} plain",
            balanced - exact,
            plain - exact
        );
        assert_eq!(chosen, balanced);
    }
}
