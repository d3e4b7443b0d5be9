//! What the host of a virtual machine takes from its processors.
//!
//! A processor of a virtual machine stands still while the host runs something else. The scheduler
//! inside knows nothing of it: to it the thread runs all the time. Where the host tells, Linux
//! counts that time for each processor as "steal" in `/proc/stat`, in ticks.

use std::fs;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The unit of the counts, whatever the kernel's own clock is.
const TICK: Duration = Duration::from_millis(10);
/// Counts this old are new enough: reading them costs as much as several moves of a fast game.
const FRESH: Duration = Duration::from_millis(20);

/// Ticks that were taken from each processor so far; empty where nothing is counted.
#[derive(PartialEq, Eq, Default, Debug)]
pub(super) struct Stolen(Vec<u64>);

impl Stolen {
    /// The counts now.
    pub fn now() -> Stolen {
        fs::read_to_string("/proc/stat").map_or_else(|_| Stolen::default(), |text| parse(&text))
    }

    /// The counts now or a moment ago.
    pub fn recently() -> Arc<Stolen> {
        static LAST: Mutex<Option<(Instant, Arc<Stolen>)>> = Mutex::new(None);
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((when, counts)) if when.elapsed() < FRESH => counts.clone(),
            _ => {
                let counts = Arc::new(Stolen::now());
                *last = Some((Instant::now(), counts.clone()));
                counts
            }
        }
    }

    /// The longest that one processor stood still since `before`, the begun tick included: nobody
    /// knows on which of them a thread was, so that this errs on the side of blaming the machine.
    pub fn since(&self, before: &Stolen) -> Duration {
        let taken = self.0.iter().zip(&before.0).map(|(now, before)| now.saturating_sub(*before));
        let ticks = taken.max().unwrap_or(0);
        if ticks == 0 {
            Duration::ZERO
        } else {
            TICK * u32::try_from(ticks + 1).unwrap_or(u32::MAX)
        }
    }
}

/// Reads `cpu0 user nice system idle iowait irq softirq steal …` of each processor.
fn parse(text: &str) -> Stolen {
    let of_processor = |line: &str| line.split_ascii_whitespace().nth(8)?.parse().ok();
    // The first line is the sum of all.
    let lines = text.lines().skip(1).take_while(|line| line.starts_with("cpu"));
    Stolen(lines.map(|line| of_processor(line).unwrap_or(0)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steal_is_that_of_the_processor_that_lost_most() {
        let text = |first: u64, second: u64| {
            format!(
                "cpu  9 9 9 9 9 9 9 {} 0 0\ncpu0 1 2 3 4 5 6 7 {first} 0 0\n\
                 cpu1 1 2 3 4 5 6 7 {second} 0 0\nintr 1 2 3 4 5 6 7 8 9\n",
                first + second
            )
        };
        let before = parse(&text(100, 200));
        assert_eq!(before, Stolen(vec![100, 200]));
        assert_eq!(before.since(&before), Duration::ZERO);
        assert_eq!(parse(&text(101, 204)).since(&before), 5 * TICK);
        assert_eq!(Stolen::default().since(&before), Duration::ZERO);
        assert_eq!(parse(""), Stolen::default());
    }

    #[test]
    fn counts_only_grow() {
        let before = Stolen::recently();
        assert!(Stolen::now().0.iter().zip(&before.0).all(|(now, before)| now >= before));
    }
}
