//! The schedule: opening and players of each pair.

use rand::seq::SliceRandom;
use random::stream;

use crate::openings::{OpeningOrder, OpeningSettings};
use crate::playing::ScheduledPair;

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
