//! A candidate, and what its fit says of it.

use std::collections::BTreeMap;

use evaluation_tuning::fit::report::Errors;

use super::ledger::RegretFall;

/// A candidate, and what its fit says of it.
pub(super) struct FittedCandidate {
    /// Positions it was fitted to, without those held out.
    pub positions: usize,
    /// Scale of the expected result.
    pub k: f64,
    /// Errors of the champion and of the candidate; none where margins were fitted.
    pub errors: Option<(Errors, Errors)>,
    /// The gain of margins on other positions; none where terms were fitted.
    pub regret_fall: Option<RegretFall>,
    /// The gain expected in games.
    pub expected_elo: f64,
    /// The part of each group in that by the fit, in units that add up.
    pub worth: BTreeMap<String, f64>,
}

/// The sums of what single numbers are worth, by their groups.
pub(super) fn worth_of<'a>(numbers: impl Iterator<Item = (&'a str, f64)>) -> BTreeMap<String, f64> {
    let mut groups = BTreeMap::new();
    for (name, worth) in numbers {
        let group = name.split('.').next().unwrap_or(name);
        *groups.entry(group.to_string()).or_default() += worth;
    }
    groups
}
