//! How long something may take.

use std::time::{Duration, Instant};

/// The time left of a budget; without one there is always time.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    end: Option<Instant>,
}

impl Budget {
    /// A budget that begins now.
    pub fn starting_now(budget: Option<Duration>) -> Budget {
        Budget { end: budget.map(|budget| Instant::now() + budget) }
    }

    /// True if there is an end.
    pub fn is_limited(&self) -> bool {
        self.end.is_some()
    }

    /// The time left, as `4:05 left` after a comma; empty without a budget.
    pub fn left(&self) -> String {
        let Some(end) = self.end else { return String::new() };
        let seconds = end.saturating_duration_since(Instant::now()).as_secs();
        format!(", {}:{:02} left", seconds / 60, seconds % 60)
    }

    /// The time left; none without a budget, zero when it is used up.
    pub fn remaining(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// True if the budget is used up.
    pub fn is_over(&self) -> bool {
        self.remaining().is_some_and(|left| left.is_zero())
    }

    /// True if at least `needed` is left.
    pub fn allows(&self, needed: Duration) -> bool {
        self.end.is_none_or(|end| Instant::now() + needed <= end)
    }
}

/// Reads a time such as `90s`, `5m`, `2h` or `1h30m`.
///
/// # Errors
/// A sentence with what is expected.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let longest = Duration::from_secs(u64::from(u32::MAX));
    let time = humantime::parse_duration(text).ok();
    time.filter(|time| !time.is_zero() && *time < longest)
        .ok_or_else(|| format!("{text:?} is no time; write 90s, 5m, 2h or 1h30m"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_by_unit() {
        for (text, seconds) in [("90s", 90), ("5m", 300), ("2h", 7200), ("1h30m", 5400)] {
            assert_eq!(parse_time(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "5", "m", "5x", "-5m", "0s", "99999999999h", "5m-1s"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn without_a_budget_there_is_always_time() {
        assert!(Budget::starting_now(None).allows(Duration::MAX / 2));
        let short = Budget::starting_now(Some(Duration::from_secs(60)));
        assert!(short.allows(Duration::from_secs(10)) && !short.allows(Duration::from_secs(100)));
        assert!(!short.is_over() && Budget::starting_now(Some(Duration::ZERO)).is_over());
        assert_eq!(Budget::starting_now(None).remaining(), None);
    }
}
