//! Answers in the order of their units: the one ordered buffer.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::time::Duration;

use super::{Executor, Received, Unit, UnitFailure};

/// How long to wait for an answer before asking whether the work is interrupted.
const POLL: Duration = Duration::from_millis(100);
/// Units handed out whose answers were not taken, for each that an executor takes. An answer that comes
/// early waits for those before it.
const WINDOW: usize = 64;

/// Gives units out and takes their answers.
pub trait Coordinator {
    /// The task of a unit.
    type Order;
    /// The result of a unit.
    type Answer;
    /// Why the work ends.
    type Error: From<UnitFailure>;

    /// The next unit; none if there is none before another answer was taken, or none at all.
    fn next(&mut self) -> Option<Unit<Self::Order>>;

    /// Takes the answer to a unit. Answers come in the order in which [`Coordinator::next`] gave the
    /// units out.
    ///
    /// # Errors
    /// The reason to end the work.
    fn take(
        &mut self,
        unit: Unit<Self::Order>,
        answer: Self::Answer,
    ) -> Result<ControlFlow<()>, Self::Error>;

    /// Whether the work is to end. Asked a few times a second.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Why [`in_order`] returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// All units were answered.
    Finished,
    /// The coordinator broke off.
    Broken,
    /// The work was interrupted.
    Interrupted,
}

/// Has units done until there are none, or until the coordinator breaks off. Answers are taken in the
/// order of the units, whatever order they come in; those that come later are not taken.
///
/// # Errors
/// The coordinator's, or that a unit has no answer. Units before that one are taken first: they may yet
/// decide.
pub fn in_order<C: Coordinator>(
    executor: &mut impl Executor<C::Order, C::Answer>,
    coordinator: &mut C,
) -> Result<Stop, C::Error> {
    let mut open: VecDeque<Unit<C::Order>> = VecDeque::new();
    let mut arrived: BTreeMap<u64, Result<C::Answer, UnitFailure>> = BTreeMap::new();
    let capacity = executor.capacity().max(1);
    loop {
        if coordinator.is_interrupted() {
            return Ok(Stop::Interrupted);
        }
        while open.len() - arrived.len() < capacity && open.len() < WINDOW * capacity {
            let Some(unit) = coordinator.next() else { break };
            executor.send(&unit);
            open.push_back(unit);
        }
        if open.is_empty() {
            return Ok(Stop::Finished);
        }
        match executor.receive(POLL) {
            Received::Answer(number, found) => {
                // Answers to others, or once more to the same, are dropped.
                if open.iter().any(|unit| unit.number == number) {
                    arrived.entry(number).or_insert(found);
                }
            }
            Received::Nothing => continue,
            Received::Gone => return Err(UnitFailure::Gone.into()),
        }
        while let Some(found) = open.front().and_then(|unit| arrived.remove(&unit.number)) {
            let unit = open.pop_front().expect("it is the first");
            if let ControlFlow::Break(()) = coordinator.take(unit, found?)? {
                return Ok(Stop::Broken);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::{Card, Failure, Faulty, Remote, Threads, UnitKind, answer_bytes};

    /// Squares of numbers; each thread keeps some of them for longer than others.
    struct Squares {
        /// The unit of this number has no answer.
        fails: Option<u64>,
        /// The thread of the unit of this number panics.
        panics: Option<u64>,
    }

    const SOUND: Squares = Squares { fails: None, panics: None };

    impl UnitKind for Squares {
        type Order = u64;
        type Answer = u64;

        fn card(&self) -> Card {
            Card::new("squares", &())
        }

        fn worker(&self, _: usize) -> impl FnMut(&Unit<u64>, &AtomicBool) -> Result<u64, Failure> {
            |unit, cancel| {
                for _ in 0..unit.number * 7919 % 50 {
                    std::thread::yield_now();
                }
                assert_ne!(self.panics, Some(unit.number));
                if self.fails == Some(unit.number) {
                    return Err(Failure::Reason(format!("{} is no good", unit.order)));
                }
                match cancel.load(Ordering::Relaxed) {
                    true => Err(Failure::Cancelled),
                    false => Ok(unit.order * unit.order),
                }
            }
        }

        fn write_answer(&self, answer: &u64) -> Vec<u8> {
            answer.to_le_bytes().to_vec()
        }

        fn read_answer(&self, _: &Unit<u64>, bytes: &[u8]) -> Result<u64, String> {
            bytes.try_into().map(u64::from_le_bytes).map_err(|_| "not eight bytes".to_owned())
        }
    }

    /// Takes the squares of 10, 11, … in this order, and gives no unit out before the one that comes
    /// `ahead` of it was taken.
    struct Taking {
        given: u64,
        end: u64,
        ahead: u64,
        taken: Vec<u64>,
        break_after: Option<usize>,
    }

    impl Taking {
        fn new(end: u64, ahead: u64) -> Taking {
            Taking { given: 0, end, ahead, taken: Vec::new(), break_after: None }
        }
    }

    impl Coordinator for Taking {
        type Order = u64;
        type Answer = u64;
        type Error = UnitFailure;

        fn next(&mut self) -> Option<Unit<u64>> {
            let may = self.given < self.end && self.given < self.taken.len() as u64 + self.ahead;
            may.then(|| {
                self.given += 1;
                Unit { number: self.given, order: self.given + 9 }
            })
        }

        fn take(&mut self, unit: Unit<u64>, answer: u64) -> Result<ControlFlow<()>, UnitFailure> {
            assert_eq!(unit.order * unit.order, answer);
            self.taken.push(unit.number);
            Ok(match self.break_after == Some(self.taken.len()) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        }

        fn is_interrupted(&self) -> bool {
            self.end == 0
        }
    }

    fn by_threads(
        kind: &Squares,
        threads: usize,
        taking: &mut Taking,
    ) -> Result<Stop, UnitFailure> {
        Threads::scope(kind, threads, |threads| in_order(threads, taking)).expect("threads")
    }

    #[test]
    fn answers_come_in_the_order_of_their_units() {
        for threads in [1, 2, 5] {
            for ahead in [1, 3, 1000] {
                let mut taking = Taking::new(300, ahead);
                assert_eq!(by_threads(&SOUND, threads, &mut taking), Ok(Stop::Finished));
                assert!(taking.taken.iter().copied().eq(1..=300), "{threads} threads, {ahead}");
            }
        }
        assert_eq!(by_threads(&SOUND, 2, &mut Taking::new(0, 1)), Ok(Stop::Interrupted));
        let mut taking = Taking { break_after: Some(7), ..Taking::new(300, 50) };
        assert_eq!(by_threads(&SOUND, 2, &mut taking), Ok(Stop::Broken));
        assert_eq!(taking.taken.len(), 7);
    }

    #[test]
    fn units_before_one_that_fails_are_taken() {
        let failing = Squares { fails: Some(40), ..SOUND };
        let panicking = Squares { panics: Some(40), ..SOUND };
        let reason = "49 is no good".to_owned();
        for (kind, failure) in [
            (failing, UnitFailure::Failed { unit: 40, reason }),
            (panicking, UnitFailure::Panicked { unit: 40 }),
        ] {
            for threads in [1, 3] {
                let mut taking = Taking::new(300, 100);
                assert_eq!(by_threads(&kind, threads, &mut taking), Err(failure.clone()));
                assert!(taking.taken.iter().copied().eq(1..40));
            }
        }
    }

    #[test]
    fn a_faulty_transport_changes_nothing() {
        for seed in 0..20 {
            let mut work = SOUND.worker(0);
            let mut done = HashSet::new();
            let transport = Faulty::new(random::draws(seed, 0), |unit, order| {
                done.insert(unit.number);
                answer_bytes(&SOUND, &mut work, unit, order, &AtomicBool::new(false))
            });
            let mut remote = Remote::new(&SOUND, transport, Duration::from_micros(50));
            let mut taking = Taking::new(60, 1 + seed);
            assert_eq!(in_order(&mut remote, &mut taking), Ok(Stop::Finished), "seed {seed}");
            assert!(taking.taken.iter().copied().eq(1..=60), "seed {seed}");
            drop(remote);
            assert_eq!(done.len(), 60);
        }
    }

    #[test]
    fn a_reason_travels_too() {
        let failing = Squares { fails: Some(5), ..SOUND };
        let mut work = failing.worker(0);
        let transport = Faulty::new(random::draws(3, 0), |unit, order| {
            answer_bytes(&failing, &mut work, unit, order, &AtomicBool::new(false))
        });
        let mut remote = Remote::new(&failing, transport, Duration::from_micros(50));
        let reason = "14 is no good".to_owned();
        let mut taking = Taking::new(60, 10);
        let stop = in_order(&mut remote, &mut taking);
        assert_eq!(stop, Err(UnitFailure::Failed { unit: 5, reason }));
        assert_eq!(taking.taken, [1, 2, 3, 4]);
    }
}
