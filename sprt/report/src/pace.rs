//! How fast a run goes and how long it may still take.

use std::time::{Duration, Instant};

use matches::sequential_test::Progress;

/// A stopwatch for the pairs that this process plays.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    started: Instant,
}

/// The stopwatch's reading.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Time since the process began to play.
    pub elapsed: Duration,
    /// Games a second; `None` before the first pair.
    pub games_per_second: Option<f64>,
    /// Time until the test is probably over, and time until the limit of pairs.
    pub left: Option<(Duration, Duration)>,
}

impl Pace {
    /// A stopwatch that starts now.
    pub fn start() -> Pace {
        Pace { started: Instant::now() }
    }

    /// Reads the stopwatch of a test.
    pub fn timing(&self, progress: &Progress) -> Timing {
        self.after(progress.counts.pairs() - progress.resumed_pairs, pairs_left(progress))
    }

    /// Reads the stopwatch after so many pairs in this process, when others are left: probably, and
    /// at most.
    pub fn after(&self, played: u64, (probably, at_most): (f64, f64)) -> Timing {
        let elapsed = self.started.elapsed();
        let mut timing = Timing { elapsed, games_per_second: None, left: None };
        if played > 0 && !elapsed.is_zero() {
            let pairs_per_second = played as f64 / elapsed.as_secs_f64();
            let duration = |pairs: f64| {
                // Beyond a century nobody waits, and the type ends somewhere.
                Duration::from_secs_f64((pairs / pairs_per_second).clamp(0.0, 3.2e9))
            };
            timing.games_per_second = Some(2.0 * pairs_per_second);
            timing.left = Some((duration(probably), duration(at_most)));
        }
        timing
    }
}

/// Pairs that are left: probably, if the log-likelihood ratio goes on towards a bound as it did so
/// far, and until the limit.
fn pairs_left(progress: &Progress) -> (f64, f64) {
    let Progress { counts, log_likelihood_ratio: ratio, rules, copies, .. } = progress;
    let pairs = counts.pairs() as f64;
    let to_limit = (rules.pairs as f64 - pairs - *copies as f64).max(0.0);
    if !rules.early_stop || *ratio == 0.0 {
        return (to_limit, to_limit);
    }
    let hypotheses = rules.hypotheses;
    let bound = if *ratio > 0.0 { hypotheses.upper_bound() } else { hypotheses.lower_bound() };
    ((pairs * (bound / ratio - 1.0)).clamp(0.0, to_limit), to_limit)
}

/// A duration in at most two units, such as "2 h 5 min".
pub fn duration_text(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match () {
        () if days > 9 => format!("{days} days"),
        () if days > 0 => format!("{days} d {} h", hours % 24),
        () if hours > 0 => format!("{hours} h {} min", minutes % 60),
        () if minutes > 9 => format!("{minutes} min"),
        () if minutes > 0 => format!("{minutes} min {} s", seconds % 60),
        () => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        let rows = [
            (0, "0 s"),
            (59, "59 s"),
            (61, "1 min 1 s"),
            (601, "10 min"),
            (7500, "2 h 5 min"),
            (90_000, "1 d 1 h"),
            (3_200_000_000, "37037 days"),
        ];
        for (seconds, expected) in rows {
            assert_eq!(duration_text(Duration::from_secs(seconds)), expected);
        }
    }
}
