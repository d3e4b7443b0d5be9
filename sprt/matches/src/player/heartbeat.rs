//! Whether this process stood still: stopped, as by Ctrl-Z, frozen with its container, or asleep with
//! the machine. Times of games from then on say nothing of the players.
//!
//! A thread of our own beats a few times a second. A beat that comes late although the thread has not
//! waited for a processor, nor the host of a virtual machine taken one, shows that nothing of this process
//! ran. The clock of games stands still while the machine sleeps; how long that was is told by the one
//! since boot.

use std::fs::File;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use system::paint;
use system::processes::asleep;
use system::threads;

use super::stall::counts;
use super::steal::Stolen;

/// Time between two beats.
const NAP: Duration = Duration::from_millis(50);
/// A shorter standstill is one of those that any machine has.
const LEAST: Duration = Duration::from_millis(100);
/// The same where nobody tells what a thread waits for a processor.
const LEAST_UNTOLD: Duration = Duration::from_secs(1);
/// How long a beat is waited for that is overdue.
const PATIENCE: Duration = Duration::from_secs(1);

/// Tells how long this process stood still since something began.
#[derive(Clone, Copy, Debug)]
pub struct Heartbeat {
    /// The standstill counted by then.
    stood: Duration,
    asleep: Duration,
}

impl Heartbeat {
    /// A span of time that begins now.
    pub fn now() -> Heartbeat {
        let stood = heart().map_or(Duration::ZERO, Heart::stood_so_far);
        Heartbeat { stood, asleep: asleep() }
    }

    /// How long the process stood still since then, if it did.
    pub fn stood_still(&self) -> Option<Duration> {
        let now = Heartbeat::now();
        let still = now.stood.saturating_sub(self.stood) + now.asleep.saturating_sub(self.asleep);
        (still >= LEAST).then_some(still)
    }
}

/// The count that the thread keeps.
#[derive(Debug)]
struct Heart {
    started: Instant,
    /// Nanoseconds from there to the last beat.
    last: AtomicU64,
    /// Nanoseconds that the process stood still before it.
    stood: AtomicU64,
}

/// The heart of this process, which begins to beat; none where the system starts no thread.
fn heart() -> Option<&'static Heart> {
    static HEART: OnceLock<Option<&'static Heart>> = OnceLock::new();
    *HEART.get_or_init(|| {
        let heart: &Heart = Box::leak(Box::new(Heart {
            started: Instant::now(),
            last: AtomicU64::new(0),
            stood: AtomicU64::new(0),
        }));
        match threads::start("heartbeat", None, || heart.beat()) {
            Ok(_) => Some(heart),
            Err(error) => {
                paint::tell_warning(format_args!(
                    "{error}: should this process be stopped, players may lose on time"
                ));
                None
            }
        }
    })
}

impl Heart {
    fn beat(&self) {
        let own = File::open("/proc/thread-self/schedstat").ok();
        let waited = || Some(Duration::from_nanos(counts(own.as_ref()?)?.waited));
        let (mut last, mut before, mut stolen) = (self.started, waited(), Stolen::last());
        loop {
            std::thread::sleep(NAP);
            let (now, so_far) = (Instant::now(), waited());
            let since = so_far.zip(before).map(|(now, before)| now.saturating_sub(before));
            let mut still = standstill(now - last, since);
            if !still.is_zero() {
                let taken = stolen.map_or(Duration::ZERO, |it| Stolen::now().most_since(&it));
                still = still.saturating_sub(taken);
            }
            stolen = Stolen::last();
            self.stood.fetch_add(still.as_nanos() as u64, Ordering::Relaxed);
            let beat = (now - self.started).as_nanos() as u64;
            // Who sees this beat sees what it found.
            self.last.store(beat, Ordering::Release);
            (last, before) = (now, so_far);
        }
    }

    /// How long the process stood still so far, also if that ended only now.
    fn stood_so_far(&self) -> Duration {
        let begin = Instant::now();
        let is_overdue = || {
            let last = Duration::from_nanos(self.last.load(Ordering::Acquire));
            self.started.elapsed().saturating_sub(last) > NAP + LEAST
        };
        while is_overdue() && begin.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        Duration::from_nanos(self.stood.load(Ordering::Relaxed))
    }
}

/// How long the process stood still between two beats, during which the thread waited so long for a
/// processor, where that is told.
fn standstill(between: Duration, waited: Option<Duration>) -> Duration {
    let still = between.saturating_sub(NAP + waited.unwrap_or_default());
    let least = if waited.is_some() { LEAST } else { LEAST_UNTOLD };
    if still >= least { still } else { Duration::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beat_is_late_by_what_the_thread_neither_slept_nor_waited() {
        let milliseconds = Duration::from_millis;
        let found = |between, waited: Option<u64>| {
            standstill(milliseconds(between), waited.map(milliseconds)).as_millis()
        };
        assert_eq!(found(20_050, Some(0)), 20_000);
        assert_eq!(found(51, Some(0)), 0);
        // A busy machine, on which it waited.
        assert_eq!(found(900, Some(840)), 0);
        assert_eq!(found(900, Some(600)), 250);
        // Not all systems tell how long a thread waits.
        assert_eq!(found(900, None), 0);
        assert_eq!(found(1_100, None), 1_050);
    }

    #[test]
    fn a_process_that_runs_does_not_stand_still() {
        let heartbeat = Heartbeat::now();
        assert!(heart().is_some());
        std::thread::sleep(3 * NAP);
        if counts_are_told() {
            assert_eq!(heartbeat.stood_still(), None);
        }
    }

    fn counts_are_told() -> bool {
        File::open("/proc/thread-self/schedstat").is_ok_and(|own| counts(&own).is_some())
    }
}
