//! Designs of tests: what is planned, and what simulated tests do.

use std::num::NonZeroU64;

use random::draws;
use statistics::simulation::{Comparison, Simulation};
use statistics::{Estimate, Hypotheses, Limit, Model, PairDistribution, TestPlan};

use crate::lanes::repetitions;

fn hypotheses(elo0: f64, elo1: f64) -> Hypotheses {
    Hypotheses { elo0, elo1, ..Hypotheses::default() }
}

fn simulation(batch: u64, runs: u64) -> Simulation {
    Simulation {
        hypotheses: hypotheses(0.0, 20.0),
        batch_pairs: NonZeroU64::new(batch).expect("not 0"),
        limit: None,
        runs,
    }
}

fn simulate(simulation: &Simulation, elo: f64) -> Comparison {
    let truth = PairDistribution::default().shifted(Model::Normalized, elo).expect("in reach");
    simulation.run(&truth, |run| draws(1, run), || true).expect("not interrupted")
}

/// Within four standard deviations of the simulation (errors are 1.96 of them), and a little more
/// where the reference was simulated itself.
fn assert_near(found: Estimate, expected: f64, beyond: f64, what: &str) {
    let most = 4.0 / 1.96 * found.error + beyond;
    assert!((found.value - expected).abs() < most, "{what}: {found:?} is not {expected}");
}

#[test]
fn planned_pairs() {
    // Mean pairs at the hypotheses and midway, from the closed form with α = β = 0.05.
    for (width, mean, worst) in [
        (2.0, 79_967.0, 130_817.0),
        (3.0, 35_541.0, 58_140.0),
        (5.0, 12_795.0, 20_931.0),
        (10.0, 3_199.0, 5_233.0),
        (20.0, 800.0, 1_308.0),
    ] {
        let plan = TestPlan::new(hypotheses(-1.0, width - 1.0), PairDistribution::default());
        let plan = plan.expect("in reach");
        let pairs = |elo| plan.outlook(elo, None).expect("in reach").mean_pairs;
        // The source prints whole numbers, cut off, and is up to 5e-5 away from its own closed form
        // 2 · 0.9 · ln 19 · (C / width)² / 2 at the hypotheses.
        let close = |found: f64, expected: f64| (found - expected).abs() < 1.0 + 6e-5 * expected;
        assert!(close(pairs(-1.0), mean), "{width}: {}", pairs(-1.0));
        assert!(close(pairs(width - 1.0), mean), "{width}: {}", pairs(width - 1.0));
        assert!(close(pairs(plan.hardest_elo()), worst), "{width}: {}", pairs(plan.hardest_elo()));
        let exact = 0.9 * 19f64.ln() * (347.435_585_522_601_46 / width).powi(2);
        assert!((pairs(-1.0) / exact - 1.0).abs() < 1e-9, "{width}");
    }
}

#[test]
fn tests_without_a_limit_err_as_promised() {
    let tested = Hypotheses { alpha: 0.1, ..hypotheses(0.0, 5.0) };
    let plan = TestPlan::new(tested, PairDistribution::default()).expect("in reach");
    for (elo, accepted) in [(0.0, 0.1), (5.0, 0.95)] {
        let outlook = plan.outlook(elo, None).expect("in reach");
        assert!((outlook.accepted - accepted).abs() < 1e-9, "{outlook:?}");
        assert!((outlook.rejected - 1.0 + accepted).abs() < 1e-9, "{outlook:?}");
        assert_eq!((outlook.elo, outlook.undecided), (elo, 0.0));
        // So many are left when the test is cut off there.
        for (pairs, left) in [
            (outlook.median_pairs, 0.5),
            (outlook.pairs_90, 0.1),
            (outlook.pairs_95, 0.05),
            (outlook.pairs_99, 0.01),
        ] {
            let limit = Limit { pairs: pairs.round() as u64, decide: false };
            let cut = plan.outlook(elo, Some(limit)).expect("in reach");
            assert!((cut.undecided - left).abs() < 1e-4, "{pairs} {left}: {cut:?}");
            assert!((cut.accepted + cut.rejected + cut.undecided - 1.0).abs() < 1e-9, "{cut:?}");
            assert_eq!(cut.pairs_99, (limit.pairs as f64).min(outlook.pairs_99));
            assert!(cut.mean_pairs < outlook.mean_pairs);
        }
    }
}

#[test]
fn logistic_plans_depend_on_the_draws() {
    // 5 normalized Elo are 3.54 logistic Elo at half draws and an unbiased book.
    let base = PairDistribution::of_draw_ratio(0.5, 0.0).expect("possible");
    let logistic = Hypotheses { model: Model::Logistic, ..hypotheses(0.0, 3.5355) };
    let plan = TestPlan::new(logistic, base).expect("in reach");
    let pairs = plan.outlook(0.0, None).expect("in reach").mean_pairs;
    assert!((pairs / 12_795.0 - 1.0).abs() < 2e-3, "{pairs}");
}

#[test]
fn a_limit_changes_the_errors() {
    let plan = TestPlan::new(hypotheses(0.0, 20.0), PairDistribution::default()).expect("in reach");
    let mut simulation = simulation(1, repetitions(4000));
    for decide in [false, true] {
        let limit = Limit { pairs: 600, decide };
        simulation.limit = Some(limit);
        for elo in [0.0, 10.0, 20.0] {
            let planned = plan.outlook(elo, Some(limit)).expect("in reach");
            let found = simulate(&simulation, elo).corrected;
            let what = format!("{elo}, decide: {decide}");
            // Steps of real tests make a difference of about one in a hundred.
            assert_near(found.accepted, planned.accepted, 0.012, &what);
            assert_near(found.rejected, planned.rejected, 0.012, &what);
            assert_near(found.undecided, planned.undecided, 0.012, &what);
            assert_near(found.mean_pairs, planned.mean_pairs, 8.0, &what);
            assert_eq!(found.undecided.value == 0.0, decide, "{what}");
        }
    }
}

#[test]
fn overshoot_correction_keeps_the_errors_and_saves_pairs() {
    // Measured with 100,000 runs: α, power and mean pairs at both hypotheses together. The
    // simulation here, with fewer runs, must agree.
    for (batch, runs, plain, corrected) in [
        (16, 16_000, [0.0410, 0.9595, 871.0], [0.0497, 0.9496, 800.0]),
        (1, 4000, [0.0484, 0.9527, 817.0], [0.0520, 0.9510, 799.0]),
    ] {
        let simulation = simulation(batch, repetitions(runs));
        let (at_elo0, at_elo1) = (simulate(&simulation, 0.0), simulate(&simulation, 20.0));
        for (alpha, power, [expected_alpha, expected_power, pairs]) in [
            (at_elo0.plain, at_elo1.plain, plain),
            (at_elo0.corrected, at_elo1.corrected, corrected),
        ] {
            let what = format!("batch {batch}");
            assert_near(alpha.accepted, expected_alpha, 2e-3, &what);
            assert_near(power.accepted, expected_power, 2e-3, &what);
            assert_near(alpha.mean_pairs, pairs, 15.0, &what);
            assert_near(power.mean_pairs, pairs, 15.0, &what);
        }
        if batch == 16 {
            assert!(at_elo0.saved > 0.06 && at_elo0.saved < 0.10, "{}", at_elo0.saved);
        }
    }
}

#[test]
fn threads_do_not_change_a_simulation() {
    let simulation = simulation(8, 300);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| simulate(&simulation, 10.0))
    };
    assert_eq!(with(1), with(3));
    let truth = PairDistribution::default();
    assert!(simulation.run(&truth, |run| draws(1, run), || false).is_none(), "interrupted");
}
