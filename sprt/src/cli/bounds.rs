//! Bounds of the numbers on the command line. Others are refused before anything is done.

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::RangeInclusive;
use std::str::FromStr;

use statistics::Hypotheses;

/// Nodes of a search: more take a month.
pub const NODES: RangeInclusive<u64> = 1..=1_000_000_000_000;
/// Pairs of games that are played.
pub const PAIRS: RangeInclusive<u64> = 1..=1_000_000_000;
/// Pairs of games that are only thought of.
pub const PLANNED_PAIRS: RangeInclusive<u64> = 1..=1_000_000_000_000;
/// A wait in milliseconds, up to an hour.
pub const WAIT: RangeInclusive<u64> = 0..=3_600_000;
/// Faults or games lost on time that a run may have.
pub const TROUBLES: RangeInclusive<u64> = 0..=1_000_000_000;
/// A transposition table in megabytes (2²⁰ bytes).
pub const HASH: RangeInclusive<u64> = 1..=65_536;

/// Threads: more than the largest machines have are a slip of the pen.
pub fn threads(text: &str) -> Result<NonZeroUsize, String> {
    whole(text, 1, 1024)
}

/// Pairs between two looks at the likelihood ratio.
pub fn batch(text: &str) -> Result<NonZeroU64, String> {
    whole(text, 1, 1_000_000)
}

/// An advantage in Elo of any scale.
pub fn elo(text: &str) -> Result<f64, String> {
    number(text, -Hypotheses::MOST_ELO..=Hypotheses::MOST_ELO)
}

/// A rating (logistic Elo).
pub fn rating(text: &str) -> Result<f64, String> {
    number(text, -10_000.0..=10_000.0)
}

/// The probability of an error.
pub fn probability(text: &str) -> Result<f64, String> {
    number(text, Hypotheses::LEAST_ERROR..=Hypotheses::MOST_ERRORS)
}

/// A share of games.
pub fn share(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1.0)
}

/// The advantage that openings give to a side (logistic Elo).
pub fn bias(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1000.0)
}

/// Games in a unit of time.
pub fn speed(text: &str) -> Result<f64, String> {
    number(text, 1e-6..=1e9)
}

/// A percentage of a speed, with or without its sign.
pub fn percent(text: &str) -> Result<f64, String> {
    number(text.trim_end_matches('%').trim(), 0.001..=99.0)
}

/// A count of games or pairs between commas, with or without spaces.
pub fn count(text: &str) -> Result<u64, String> {
    /// So many games nobody plays, and their sums fit their types.
    const MOST: u64 = 1 << 50;
    let wrong = || format!("not a whole number from 0 to {MOST}");
    text.trim().parse().ok().filter(|count| *count <= MOST).ok_or_else(wrong)
}

/// A player's name and its rating, between them an equal sign; the name may hold one, too.
pub fn anchor(text: &str) -> Result<(String, f64), String> {
    let wrong = || "the name of a player and its rating, as in old=3000".to_owned();
    let (name, elo) =
        text.rsplit_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(wrong)?;
    Ok((name.to_owned(), rating(elo)?))
}

fn whole<T: FromStr>(text: &str, least: u64, most: u64) -> Result<T, String> {
    let text = text.trim();
    let is_within = text.parse().is_ok_and(|number| (least..=most).contains(&number));
    let number = text.parse().ok().filter(|_| is_within);
    number.ok_or_else(|| format!("a whole number from {least} to {most} is expected"))
}

fn number(text: &str, bounds: RangeInclusive<f64>) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number| bounds.contains(number));
    number
        .ok_or_else(|| format!("a number from {} to {} is expected", bounds.start(), bounds.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_held_to_their_bounds() {
        assert_eq!(threads("1024").map(NonZeroUsize::get), Ok(1024));
        assert!(threads("0").is_err() && threads("1025").is_err());
        assert_eq!(elo("-2000"), Ok(-2000.0));
        for text in ["nan", "inf", "2000.1", "1e300", ""] {
            let error = elo(text).expect_err("refused");
            assert_eq!(error, "a number from -2000 to 2000 is expected");
        }
        assert_eq!(percent("2%"), Ok(2.0));
        assert_eq!(anchor("a=b=-10"), Ok(("a=b".to_owned(), -10.0)));
        assert!(anchor("a=NaN").is_err() && anchor("=10").is_err());
        assert_eq!(count(" 7"), Ok(7));
        assert!(count("1125899906842625").is_err());
    }
}
