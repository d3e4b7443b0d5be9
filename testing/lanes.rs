//! How much a test repeats: an eighth in the lane that every change runs, all of it in the long one.

// Each crate uses a part of it.
#![allow(dead_code)]

use std::ops::RangeInclusive;

/// Standard deviations of chance that a share may be off: one in 16,000 is.
const MOST_DEVIATIONS: f64 = 4.0;

/// Whether the long lane runs: `KAMERTON_LONG` is set, as `.ci/long` does.
pub fn is_long() -> bool {
    std::env::var_os("KAMERTON_LONG").is_some_and(|it| it != "0")
}

/// So many repetitions in the long lane, an eighth of them in the other one.
pub fn repetitions(full: u64) -> u64 {
    if is_long() { full } else { full.div_ceil(8) }
}

/// Fails unless a share of independent trials is that of a chance within `chances`, but for luck.
/// A single chance is written `p..=p`.
pub fn assert_share(hits: u64, trials: u64, chances: RangeInclusive<f64>, what: &str) {
    assert_mean_share(hits, trials, 1.0, chances, what);
}

/// Fails unless a share of trials is that of a chance within `chances`, but for luck, where so many
/// trials hang together as if they were one.
pub fn assert_mean_share(
    hits: u64,
    trials: u64,
    together: f64,
    chances: RangeInclusive<f64>,
    what: &str,
) {
    let share = hits as f64 / trials as f64;
    let off =
        |chance: f64| MOST_DEVIATIONS * (chance * (1.0 - chance) * together / trials as f64).sqrt();
    let (least, most) =
        (chances.start() - off(*chances.start()), chances.end() + off(*chances.end()));
    assert!(
        (least..=most).contains(&share),
        "{what}: {share:.4} of {trials}, not within {least:.4} to {most:.4}"
    );
}
