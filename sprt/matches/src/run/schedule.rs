//! The schedule: opening and players of each pair, and the order in which results are taken.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use rand::seq::SliceRandom;
use system::threads::{self, CancelOnPanic};

use crate::openings::{OpeningOrder, OpeningSettings};
use crate::playing::DamagedTable;
use crate::playing::{PlayedPair, ScheduledPair};
use random::stream;

/// Streams for shuffling count down from here, so that they never meet those of pairs.
const SHUFFLE_STREAM: u64 = u64::MAX;

/// The pairs of a run and their openings; that of a pair depends on its number, the seed and the
/// settings alone.
#[derive(Debug)]
pub struct Schedule {
    seed: u64,
    settings: OpeningSettings,
    next: u64,
    end: u64,
    round: Option<u64>,
    order: Vec<usize>,
    pairings: Vec<[usize; 2]>,
}

impl Schedule {
    /// A schedule over `openings` openings that hands out the pairs `start..end`.
    ///
    /// # Panics
    /// If there is no opening.
    pub fn new(
        seed: u64,
        settings: OpeningSettings,
        openings: usize,
        start: u64,
        end: u64,
    ) -> Schedule {
        assert!(openings > 0, "a schedule needs an opening");
        let order = (0..openings).collect();
        Schedule { seed, settings, next: start, end, round: None, order, pairings: vec![[0, 1]] }
    }

    /// The same with each opening played by all of these pairings, one after the other.
    ///
    /// # Panics
    /// If there is no pairing.
    pub fn with_pairings(self, pairings: Vec<[usize; 2]>) -> Schedule {
        assert!(!pairings.is_empty(), "a schedule needs a pairing");
        Schedule { pairings, ..self }
    }

    /// The opening at a place of the order.
    fn opening(&mut self, place: u64) -> usize {
        let place = place.saturating_add(self.settings.start.saturating_sub(1));
        let length = self.order.len() as u64;
        let round = place / length;
        if self.settings.order == OpeningOrder::Random && self.round != Some(round) {
            self.round = Some(round);
            self.order.sort_unstable();
            self.order.shuffle(&mut stream(self.seed, SHUFFLE_STREAM - round));
        }
        self.order[(place % length) as usize]
    }
}

impl Iterator for Schedule {
    type Item = ScheduledPair;

    fn next(&mut self) -> Option<ScheduledPair> {
        if self.next >= self.end {
            return None;
        }
        let number = self.next;
        self.next += 1;
        let pairings = self.pairings.len() as u64;
        let opening = self.opening(number / pairings);
        Some(ScheduledPair {
            number,
            opening,
            players: self.pairings[(number % pairings) as usize],
        })
    }
}

/// A pair that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PairFailure {
    /// The thread that played it panicked.
    Panicked {
        /// Number of the pair, from 0.
        pair: u64,
    },
    /// The machine stalled again and again.
    Stalled {
        /// Number of the pair, from 0.
        pair: u64,
        /// The times of each late move, in words.
        reasons: Vec<String>,
    },
    /// An endgame table that the referee has to ask is damaged.
    Damaged(DamagedTable),
    /// The threads cannot be started.
    Threads(String),
}

/// Why [`play_in_order`] returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// All pairs of the schedule were taken.
    Finished,
    /// `take` broke off.
    Broken,
    /// The run was interrupted.
    Interrupted,
}

/// Plays the pairs of a schedule on `threads` threads and hands them to `take` in schedule order,
/// whatever order they finish in, until it breaks; pairs still in play are then discarded.
///
/// `worker` makes what the thread of a number from 0 needs and returns the function that plays a
/// pair; that ends soon after its flag is set. `is_interrupted` is asked a few times a second.
///
/// # Errors
/// What `take` returns, or that a pair cannot be played.
pub fn play_in_order<T: Send, W, E>(
    schedule: Schedule,
    threads: usize,
    worker: impl Fn(usize) -> W + Sync,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>, E>,
    is_interrupted: impl Fn() -> bool,
) -> Result<Stop, E>
where
    W: FnMut(ScheduledPair, &AtomicBool) -> PlayedPair<T>,
    E: From<PairFailure>,
{
    const POLL: Duration = Duration::from_millis(100);
    let mut next = schedule.next;
    let schedule = Mutex::new(schedule);
    let cancel = AtomicBool::new(false);
    // Threads that are far ahead of a slow disk wait.
    let (sender, receiver) = sync_channel::<(u64, Result<T, PairFailure>)>(4 * threads.max(1));
    std::thread::scope(|scope| {
        for index in 0..threads.max(1) {
            let sender = sender.clone();
            let (schedule, worker, cancel) = (&schedule, &worker, &cancel);
            let started = threads::start_in(scope, "player", move || {
                let _guard = CancelOnPanic(cancel);
                let mut play = worker(index);
                while !cancel.load(Ordering::Relaxed) {
                    let slot = schedule.lock().expect("claiming cannot panic").next();
                    let Some(slot) = slot else { break };
                    // Without the catch the coordinator would wait for this pair for ever.
                    let played = catch_unwind(AssertUnwindSafe(|| play(slot, cancel)));
                    let found = match played {
                        Ok(PlayedPair::Finished(pair)) => Ok(pair),
                        Ok(PlayedPair::Cancelled) => break,
                        Ok(PlayedPair::Stalled(reasons)) => {
                            Err(PairFailure::Stalled { pair: slot.number, reasons })
                        }
                        Ok(PlayedPair::Damaged(table)) => Err(PairFailure::Damaged(table)),
                        Err(_) => Err(PairFailure::Panicked { pair: slot.number }),
                    };
                    // Nothing that this thread might play later counts, and its players may be broken.
                    let has_failed = found.is_err();
                    if sender.send((slot.number, found)).is_err() || has_failed {
                        break;
                    }
                }
            });
            if let Err(error) = started {
                cancel.store(true, Ordering::Relaxed);
                return Err(PairFailure::Threads(error.to_string()).into());
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let outcome = 'run: loop {
            if is_interrupted() {
                break Ok(Stop::Interrupted);
            }
            match receiver.recv_timeout(POLL) {
                Ok((number, found)) => {
                    waiting.insert(number, found);
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break Ok(Stop::Finished),
            }
            while let Some(found) = waiting.remove(&next) {
                next += 1;
                // Pairs before one that cannot be played may yet decide.
                let pair = match found {
                    Ok(pair) => pair,
                    Err(failure) => break 'run Err(failure.into()),
                };
                match take(pair) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(())) => break 'run Ok(Stop::Broken),
                    Err(error) => break 'run Err(error),
                }
            }
        };
        cancel.store(true, Ordering::Relaxed);
        // Threads that wait to hand over a pair end too.
        drop(receiver);
        outcome
    })
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    /// A schedule over seven openings.
    fn schedule(seed: u64, settings: OpeningSettings, pairs: Range<u64>) -> Schedule {
        Schedule::new(seed, settings, 7, pairs.start, pairs.end)
    }

    #[test]
    fn openings_in_the_order_of_the_file_from_any_of_them() {
        let order = OpeningOrder::Sequential;
        let settings = OpeningSettings { order, start: 6, ..OpeningSettings::default() };
        let openings = |pairs| schedule(3, settings, pairs).map(|slot| slot.opening);
        assert!(openings(0..10).eq([5, 6, 0, 1, 2, 3, 4, 5, 6, 0]));
        assert!(openings(8..10).eq([6, 0]));
    }

    #[test]
    fn a_later_start_passes_over_the_first_of_the_random_order() {
        let random = OpeningSettings::default();
        let whole: Vec<usize> = schedule(3, random, 0..30).map(|slot| slot.opening).collect();
        let later = OpeningSettings { start: 11, ..random };
        let slots: Vec<ScheduledPair> = schedule(3, later, 0..20).collect();
        assert_eq!(slots[0].number, 0);
        assert!(slots.iter().map(|slot| slot.opening).eq(whole[10..].iter().copied()));
    }

    #[test]
    fn each_round_takes_every_opening_once() {
        let slots: Vec<ScheduledPair> = schedule(5, OpeningSettings::default(), 0..21).collect();
        let mut rounds = Vec::new();
        for round in slots.chunks(7) {
            let order: Vec<usize> = round.iter().map(|slot| slot.opening).collect();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..7).collect::<Vec<_>>());
            rounds.push(order);
        }
        assert!(rounds[0] != rounds[1] && rounds[1] != rounds[2]);
    }

    #[test]
    fn a_schedule_goes_on_where_it_was_left() {
        let whole: Vec<ScheduledPair> = schedule(5, OpeningSettings::default(), 0..30).collect();
        let rest: Vec<ScheduledPair> = schedule(5, OpeningSettings::default(), 11..30).collect();
        assert_eq!(whole[11..], rest);
        let other: Vec<ScheduledPair> = schedule(6, OpeningSettings::default(), 0..30).collect();
        assert_ne!(whole, other);
    }
}
