//! Processor time that the host takes from a virtual machine.
//!
//! A processor of a virtual machine stands still while the host runs something else. Where the host
//! tells, Linux counts that time for each processor as "steal" in `/proc/stat`, in ticks. A player
//! lost of it what its share of the work on that processor was: the host takes from a processor
//! only while somebody runs there.

use std::fs;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The unit of the counts, whatever the kernel's own clock is.
const TICK: Duration = Duration::from_millis(10);
/// Counts this old are new enough: reading them costs as much as several moves of a fast game.
const FRESH: Duration = Duration::from_millis(20);

/// A processor's counts so far (ticks).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Ticks {
    /// It ran programs or the kernel.
    busy: u64,
    /// It stood still.
    stolen: u64,
}

/// The counts of all processors, by their numbers; none where nothing is counted.
#[derive(Debug)]
pub(super) struct Stolen {
    processors: Vec<Ticks>,
    read: Instant,
}

/// A thread's running time since a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    /// The processor it was seen on last; `None` for a thread that has ended.
    pub processor: Option<usize>,
    /// Its time on a processor.
    pub time: Duration,
    /// How long it was ready to run without a processor.
    pub waited: Duration,
}

/// The last counts anybody has read.
static LAST: Mutex<Option<Arc<Stolen>>> = Mutex::new(None);

impl Stolen {
    pub fn now() -> Arc<Stolen> {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let text = fs::read_to_string("/proc/stat").unwrap_or_default();
        let counts = Arc::new(Stolen { processors: parse(&text), read: Instant::now() });
        // The next question begins with these: no tick may count for two moves.
        *last = Some(counts.clone());
        counts
    }

    /// The counts now or a moment ago.
    pub fn recently() -> Arc<Stolen> {
        match Stolen::last() {
            Some(counts) if counts.read.elapsed() < FRESH => counts,
            _ => Stolen::now(),
        }
    }

    /// The counts that were read last, by any thread.
    pub fn last() -> Option<Arc<Stolen>> {
        LAST.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The most that a processor stood still since `before`.
    pub fn most_since(&self, before: &Stolen) -> Duration {
        let both = self.processors.iter().zip(&before.processors);
        let ticks = both.map(|(now, before)| now.stolen.saturating_sub(before.stolen)).max();
        TICK.saturating_mul(u32::try_from(ticks.unwrap_or(0)).unwrap_or(u32::MAX))
    }

    /// Whether any processor stood still since `before`.
    pub fn is_more_than(&self, before: &Stolen) -> bool {
        let mut both = self.processors.iter().zip(&before.processors);
        both.any(|(now, before)| now.stolen > before.stolen)
    }

    /// Time taken from a player since `before`, by the processors that its threads ran on;
    /// `elapsed` is the time since its question. See [`share`].
    pub fn taken(&self, before: &Stolen, runs: &[Run], elapsed: Duration) -> Duration {
        let since = |(now, before): (&Ticks, &Ticks)| Ticks {
            busy: now.busy.saturating_sub(before.busy),
            stolen: now.stolen.saturating_sub(before.stolen),
        };
        let ticks: Vec<Ticks> = self.processors.iter().zip(&before.processors).map(since).collect();
        share(&ticks, self.read.saturating_duration_since(before.read), runs, elapsed)
    }
}

/// Time taken from a player whose threads ran so, of the ticks that were counted within `window`.
///
/// A thread lost the share of its processor's steal that it had of its processor's work; a thread
/// that has ended lost what the mean processor did. But where all that a thread neither ran nor waited
/// may have been stolen, it never slept, and lost all of that: hosts take processors for longer than
/// others run there by turns. The player lost the mean of its threads by
/// their running times: threads that run side by side are held up side by side. Ticks are counted
/// for a window that may be longer than the move, of which the move has its part, and no more than
/// the move took.
fn share(ticks: &[Ticks], window: Duration, runs: &[Run], elapsed: Duration) -> Duration {
    let tick = TICK.as_secs_f64();
    let ran_on = |processor: usize| -> f64 {
        let there = runs.iter().filter(|run| run.processor == Some(processor));
        there.map(|run| run.time.as_secs_f64()).sum()
    };
    // Work is counted in ticks, too: of less than one nothing may be seen.
    let of_processor = |(number, ticks): (usize, &Ticks)| {
        let ran = ran_on(number);
        let work = ran.max(ticks.busy as f64 * tick);
        (ticks.stolen as f64 * tick, if work > 0.0 { ran / work } else { 0.0 })
    };
    let processors: Vec<(f64, f64)> = ticks.iter().enumerate().map(of_processor).collect();
    let busy: u64 = ticks.iter().map(|ticks| ticks.busy).sum();
    let mean = ticks.iter().map(|it| (it.stolen * it.busy) as f64 * tick).sum::<f64>()
        / busy.max(1) as f64;
    let all: f64 = runs.iter().map(|run| run.time.as_secs_f64()).sum();
    let lost: f64 = runs
        .iter()
        .map(|run| {
            let place = run.processor.and_then(|number| processors.get(number));
            let lost = place.map_or(mean, |(stolen, share)| stolen * share);
            lost * run.time.as_secs_f64() / all.max(f64::MIN_POSITIVE)
        })
        .sum();
    let whole = runs.iter().max_by_key(|run| run.time).map_or(0.0, |run| {
        let missing = elapsed.saturating_sub(run.time + run.waited).as_secs_f64();
        let place = run.processor.and_then(|number| processors.get(number));
        let is_stolen = place.is_some_and(|&(stolen, _)| stolen > 0.0 && missing < stolen + tick);
        if is_stolen { missing } else { 0.0 }
    });
    let part = if window > elapsed { elapsed.div_duration_f64(window) } else { 1.0 };
    elapsed.min(Duration::try_from_secs_f64(whole.max(lost * part)).unwrap_or(elapsed))
}

/// Reads `cpu0 user nice system idle iowait irq softirq steal …` of each processor.
fn parse(text: &str) -> Vec<Ticks> {
    let mut processors = Vec::new();
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        // The first line is the sum of all and has no number.
        let number = words.next().and_then(|word| word.strip_prefix("cpu")?.parse::<usize>().ok());
        let Some(number) = number.filter(|&number| number < 1 << 16) else { continue };
        let counts: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
        let count = |index: usize| counts.get(index).copied().unwrap_or(0);
        if processors.len() <= number {
            processors.resize(number + 1, Ticks::default());
        }
        let busy = count(0) + count(1) + count(2) + count(5) + count(6);
        processors[number] = Ticks { busy, stolen: count(7) };
    }
    processors
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVE: Duration = Duration::from_secs(1);

    fn run(processor: impl Into<Option<usize>>, milliseconds: u64) -> Run {
        let (processor, time) = (processor.into(), Duration::from_millis(milliseconds));
        Run { processor, time, waited: Duration::ZERO }
    }

    /// Milliseconds taken in a move of a second; of each processor its ticks of work and of steal.
    fn taken(processors: &[(u64, u64)], runs: &[Run]) -> u128 {
        let ticks: Vec<Ticks> =
            processors.iter().map(|&(busy, stolen)| Ticks { busy, stolen }).collect();
        share(&ticks, MOVE, runs, MOVE).as_millis()
    }

    #[test]
    fn a_player_loses_what_the_processors_it_used_lose() {
        // It ran on a processor that lost 200 ms; another lost 900 ms, which was not its own.
        assert_eq!(taken(&[(80, 20), (10, 90)], &[run(0, 800)]), 200);
        // It had a quarter of the work there.
        assert_eq!(taken(&[(80, 20), (10, 90)], &[run(0, 200)]), 50);
        // It was alone there for a moment: whatever was taken, was taken from it.
        assert_eq!(taken(&[(5, 20)], &[run(0, 50)]), 200);
        // It slept.
        assert_eq!(taken(&[(80, 20), (10, 90)], &[run(0, 0), run(1, 0)]), 0);
        assert_eq!(taken(&[(80, 20), (10, 90)], &[]), 0);
        // A launcher that hardly ran beside it changes nothing.
        assert_eq!(taken(&[(80, 20), (10, 90)], &[run(0, 800), run(1, 0)]), 200);
        // Two threads side by side; and one that has ended, of which nobody knows where it was.
        assert_eq!(taken(&[(80, 20), (90, 10)], &[run(0, 800), run(1, 900)]), 147);
        assert_eq!(taken(&[(80, 20), (80, 10)], &[run(None, 800)]), 150);
        // No steal, no ticks to round up.
        assert_eq!(taken(&[(80, 0), (10, 0)], &[run(0, 800)]), 0);
        assert_eq!(taken(&[], &[run(0, 800)]), 0);
    }

    /// Others had most of the work on the processor that was taken while it ran.
    #[test]
    fn a_player_that_never_slept_loses_all_that_it_neither_ran_nor_waited() {
        let waited =
            |milliseconds| Run { waited: Duration::from_millis(milliseconds), ..run(0, 25) };
        assert_eq!(taken(&[(30, 70)], &[waited(275)]), 700);
        // Here it slept for a while: nobody knows whose loss it was.
        assert_eq!(taken(&[(30, 70)], &[waited(175)]), 58);
        assert_eq!(taken(&[(30, 0)], &[waited(975)]), 0);
    }

    #[test]
    fn nothing_exceeds_the_move() {
        let lost = [Ticks { busy: 1, stolen: 1000 }];
        assert_eq!(share(&lost, MOVE, &[run(0, 1000)], MOVE), MOVE);
        // Counts of 40 ms for a move of 10: a quarter of them is the move's.
        let lost = [Ticks { busy: 3, stolen: 2 }];
        let milliseconds = Duration::from_millis;
        let found = share(&lost, milliseconds(40), &[run(0, 30)], milliseconds(10));
        assert_eq!(found, milliseconds(5));
    }

    /// The share of a player in a long game on a machine that takes a little all the time.
    #[test]
    fn ticks_do_not_add_up_to_more_than_there_are() {
        // Sixty moves of 100 ms; every tenth of them sees a tick.
        let milliseconds = Duration::from_millis;
        let of_move = |number: u64| {
            let ticks = [Ticks { busy: 9, stolen: u64::from(number.is_multiple_of(10)) }];
            share(&ticks, milliseconds(100), &[run(0, 90)], milliseconds(100))
        };
        let all: Duration = (0..60).map(of_move).sum();
        assert_eq!(all, milliseconds(60));
    }

    #[test]
    fn counts_are_read_by_the_numbers_of_processors() {
        let text = "cpu  9 9 9 9 9 9 9 304 0 0\ncpu0 1 2 3 4 5 6 7 100 0 0\n\
                    cpu2 1 2 3 4 5 6 7 204 0 0\nintr 1 2 3 4 5 6 7 8 9\n";
        let counted = |stolen| Ticks { busy: 19, stolen };
        assert_eq!(parse(text), [counted(100), Ticks::default(), counted(204)]);
        assert_eq!(parse(""), []);
        assert_eq!(parse("cpu7\n").len(), 8);
    }

    #[test]
    fn counts_only_grow() {
        let before = Stolen::recently();
        let now = Stolen::now();
        let mut both = now.processors.iter().zip(&before.processors);
        assert!(both.all(|(now, before)| now.stolen >= before.stolen));
        assert!(now.taken(&before, &[run(0, 1000)], MOVE) <= MOVE);
    }
}
