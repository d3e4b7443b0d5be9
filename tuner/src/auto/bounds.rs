//! The hypotheses of a generation's tests.

use evaluation_tuning::fit::report::Errors;
use search_tuning::margins::ELO_PER_WORTH;
use statistics::{Hypotheses, Model};

/// Least alternative to no gain (normalized Elo): what a smaller one finds is not worth its games.
const LEAST: f64 = 10.0;
/// Greatest: a test of some twenty pairs, below which errors are not what they should be.
const MOST: f64 = 100.0;
/// Elo for a fall of the held-out error by one percent.
const ELO_OF_PERCENT: f64 = 86.0;
/// How Elo grows with the fall: less than in proportion.
const POWER: f64 = 0.7;

/// How often all tests of a generation together may accept what is no gain, and how often one of them
/// may reject what gains as much as it asks for.
const ERROR: f64 = 0.05;

/// The gain in Elo that a fall of the held-out error lets expect: 86 for one percent, and otherwise
/// by the power of .7. For the generations of terms in data/parameters/ledger.csv that is 310, 83 and
/// 57 Elo, where games said 601, 83 and 50.
pub(super) fn gain_of_terms(before: &Errors, after: &Errors) -> f64 {
    let percent = 100.0 * (1.0 - after.held_out / before.held_out);
    percent.signum() * ELO_OF_PERCENT * percent.abs().powf(POWER)
}

/// The gain in Elo that a fall in regret (expected score a move) lets expect.
pub(super) fn gain_of_margins(regret_fall: f64) -> f64 {
    ELO_PER_WORTH * regret_fall
}

/// No gain against half of the expected one (normalized Elo, which at few nodes is about as much as
/// Elo). A candidate whose parts are tried where all of it is not accepted has half of the
/// generation's error; they have the other half.
///
/// A test is shortest if the alternative is the truth. With half of what is expected it takes a third
/// longer than that where the expectation is right, and still finds the gain where it is half as much.
pub(super) fn of_gain(expected_elo: f64, has_parts: bool) -> Hypotheses {
    let elo1 = (0.5 * expected_elo).round().clamp(LEAST, MOST);
    let alpha = if has_parts { ERROR / 2.0 } else { ERROR };
    Hypotheses { model: Model::Normalized, elo0: 0.0, elo1, alpha, beta: ERROR }
}

/// The same for a part of a candidate, of which several are tried: together they have half of the
/// generation's error.
pub(super) fn of_part(expected_elo: f64, parts: u32) -> Hypotheses {
    let whole = of_gain(expected_elo, true);
    Hypotheses { alpha: whole.alpha / f64::from(parts.max(1)), ..whole }
}

/// The check at a longer budget: a loss of 40 normalized Elo against none, errors of 5 %.
///
/// It is to find what is right for few nodes alone, as margins can be. A candidate that is 60 better
/// there, too, takes some 50 pairs, one that is 20 better 110, one that is equal 200, each at several
/// times the nodes: a narrower question would cost more than all other tests together.
pub(super) fn of_check() -> Hypotheses {
    Hypotheses { model: Model::Normalized, elo0: -40.0, elo1: 0.0, alpha: ERROR, beta: ERROR }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn errors(held_out: f64) -> Errors {
        Errors { training: held_out, validation: held_out, held_out }
    }

    #[test]
    fn the_ledger_s_gains_are_about_those_of_games() {
        let ledger = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/parameters/ledger.csv");
        let mut ledger = csv::Reader::from_path(ledger).expect("a ledger");
        let mut told = 0;
        for row in ledger.deserialize::<HashMap<String, String>>() {
            let row = row.expect("a row");
            if row["step"] != "terms" {
                continue;
            }
            let number = |name: &str| row[name].parse::<f64>().expect("a number");
            let held_out = ["held_out_before", "held_out_after"].map(|name| errors(number(name)));
            let gain = gain_of_terms(&held_out[0], &held_out[1]);
            let (elo, error) = (number("elo"), number("elo_error"));
            assert!((gain - elo).abs() < error, "{gain} for {elo}");
            assert!((gain - number("expected_elo")).abs() < 0.1, "{gain}");
            told += 1;
        }
        assert!(told >= 3);
        assert!(gain_of_terms(&errors(0.14), &errors(0.141)) < 0.0);
    }

    #[test]
    fn what_is_asked_follows_what_is_expected() {
        let elo1 = |gain| of_gain(gain, true).elo1;
        assert_eq!([-50.0, 0.0, 21.0, 80.0, 314.0].map(elo1), [10.0, 10.0, 11.0, 40.0, 100.0]);
    }
    /// However many tests a generation has, it accepts what is no gain in 5 % of cases at most.
    #[test]
    fn all_tests_of_a_generation_share_one_error() {
        assert_eq!(of_gain(30.0, false).alpha, 0.05);
        for parts in 1..=3 {
            let of_parts = f64::from(parts) * of_part(30.0, parts).alpha;
            let all = of_gain(30.0, true).alpha + of_parts;
            assert!((all - 0.05).abs() < 1e-12, "{all} with {parts} parts");
        }
        assert_eq!(of_gain(30.0, true).beta, 0.05);
    }
}
