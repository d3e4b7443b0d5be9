//! A transport within this process that does all that one may do, for tests.

use std::time::Duration;

use super::{Transport, UnitName};

/// Bytes on their way, with the unit that they are of.
type Parcel = (UnitName, Vec<u8>);

/// Shuffles, delays, repeats, damages and drops orders and answers, as the random numbers of `draws` have
/// it, and brings answers under other cards. `work` does units, see [`super::answer_bytes`].
pub struct Faulty<D, W> {
    draws: D,
    work: W,
    orders: Vec<Parcel>,
    answers: Vec<Parcel>,
}

impl<D: FnMut() -> u32, W: FnMut(&UnitName, &[u8]) -> Option<Vec<u8>>> Faulty<D, W> {
    /// Units on their way at once.
    const CAPACITY: usize = 7;

    /// A transport to one worker.
    pub fn new(draws: D, work: W) -> Faulty<D, W> {
        Faulty { draws, work, orders: Vec::new(), answers: Vec::new() }
    }

    /// True once in so many times.
    fn one_in(&mut self, times: u32) -> bool {
        (self.draws)().is_multiple_of(times)
    }

    /// Carries a parcel, or does something worse to it.
    fn carry(&mut self, (mut unit, mut bytes): Parcel, to: fn(&mut Self) -> &mut Vec<Parcel>) {
        if self.one_in(4) {
            return;
        }
        if self.one_in(4) {
            to(self).push((unit.clone(), bytes.clone()));
        }
        if self.one_in(8) {
            unit.card += "?";
        }
        if self.one_in(8) && !bytes.is_empty() {
            let place = (self.draws)() as usize % bytes.len();
            bytes[place] ^= 1;
        }
        to(self).push((unit, bytes));
    }

    /// One of the parcels, but not always.
    fn any(&mut self, of: fn(&mut Self) -> &mut Vec<Parcel>) -> Option<Parcel> {
        let count = of(self).len();
        if count == 0 || self.one_in(4) {
            return None;
        }
        let index = (self.draws)() as usize % count;
        Some(of(self).swap_remove(index))
    }
}

impl<D: FnMut() -> u32, W: FnMut(&UnitName, &[u8]) -> Option<Vec<u8>>> Transport for Faulty<D, W> {
    fn capacity(&self) -> usize {
        Self::CAPACITY
    }

    fn send(&mut self, unit: &UnitName, order: &[u8]) {
        self.carry((unit.clone(), order.to_vec()), |it| &mut it.orders);
    }

    fn receive(&mut self, _: Duration) -> Option<(UnitName, Vec<u8>)> {
        if let Some((unit, order)) = self.any(|it| &mut it.orders)
            && let Some(answer) = (self.work)(&unit, &order)
        {
            self.carry((unit, answer), |it| &mut it.answers);
        }
        self.any(|it| &mut it.answers)
    }
}
