//! Threads of this process that do units.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use system::threads::{CancelOnPanic, ThreadError, start_in};

use super::{Executor, Failure, Received, Unit, UnitFailure, UnitKind};

/// Units for each thread: one that is done, and others that wait so that the thread never does, however
/// long the coordinator writes a page.
const UNITS_A_THREAD: usize = 8;

/// A unit's number, and what came of it.
type Found<A> = (u64, Result<A, UnitFailure>);

/// Threads at work.
#[derive(Debug)]
pub struct Threads<O, A> {
    units: Sender<Unit<O>>,
    found: Receiver<Found<A>>,
    count: usize,
}

impl<O: Clone + Send, A: Send> Threads<O, A> {
    /// Starts so many threads, at least one, for as long as `body` runs; units still in work are
    /// cancelled then. What a thread needs lives as long as it: a program over pipes ends with the
    /// thread that started it.
    ///
    /// # Errors
    /// The system starts no more.
    pub fn scope<K, R>(
        kind: &K,
        threads: usize,
        body: impl FnOnce(&mut Threads<O, A>) -> R,
    ) -> Result<R, ThreadError>
    where
        K: UnitKind<Order = O, Answer = A>,
    {
        let count = threads.max(1);
        let cancel = AtomicBool::new(false);
        let (units, waiting) = channel();
        let (sender, found) = channel();
        let waiting = Mutex::new(waiting);
        std::thread::scope(|scope| {
            // Told to end however this scope is left.
            let _cancel = CancelAtEnd(&cancel);
            let mut threads = Threads { units, found, count };
            for index in 0..count {
                let (waiting, sender, cancel) = (&waiting, sender.clone(), &cancel);
                start_in(scope, "worker", move || {
                    let _guard = CancelOnPanic(cancel);
                    work(kind, index, waiting, &sender, cancel);
                })?;
            }
            drop(sender);
            Ok(body(&mut threads))
        })
    }
}

/// Does units until there can be no more.
fn work<K: UnitKind>(
    kind: &K,
    index: usize,
    waiting: &Mutex<Receiver<Unit<K::Order>>>,
    found: &Sender<Found<K::Answer>>,
    cancel: &AtomicBool,
) {
    let mut work = kind.worker(index);
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(unit) = next else { return };
        if cancel.load(Ordering::Relaxed) {
            return;
        }
        let number = unit.number;
        // Without the catch the unit would be waited for without end.
        let answer = match catch_unwind(AssertUnwindSafe(|| work(&unit, cancel))) {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(Failure::Cancelled)) => return,
            Ok(Err(Failure::Reason(reason))) => Err(UnitFailure::Failed { unit: number, reason }),
            Err(_) => Err(UnitFailure::Panicked { unit: number }),
        };
        // The tools of this thread may be broken.
        let has_failed = answer.is_err();
        if found.send((number, answer)).is_err() || has_failed {
            return;
        }
    }
}

impl<O: Clone, A> Executor<O, A> for Threads<O, A> {
    fn capacity(&self) -> usize {
        UNITS_A_THREAD * self.count
    }

    fn send(&mut self, unit: &Unit<O>) {
        // Where no thread is left, nothing is received either, and that is told.
        let _ = self.units.send(unit.clone());
    }

    fn receive(&mut self, patience: Duration) -> Received<A> {
        match self.found.recv_timeout(patience) {
            Ok((number, answer)) => Received::Answer(number, answer),
            Err(RecvTimeoutError::Timeout) => Received::Nothing,
            Err(RecvTimeoutError::Disconnected) => Received::Gone,
        }
    }
}

/// Tells threads to end.
struct CancelAtEnd<'a>(&'a AtomicBool);

impl Drop for CancelAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
