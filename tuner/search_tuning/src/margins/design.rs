//! The design of values to try: around a center, each passage with values of its own.

use rand::RngExt;
use random::stream;
use tunables::Tunable;

/// Number of the way in which values are chosen to be tried: journals of runs that tried others do
/// not fit.
pub(super) const DESIGN: u32 = 2;
/// Share of its spread by which a number is moved where nothing is to change but the tree.
const NULL_SHARE: f64 = 1.0 / 6.0;
/// A spread as a share of a number's value.
const SHARE: f64 = 0.3;
/// A spread as a share of a number's range, at most.
const RANGE_SHARE: f64 = 0.25;
/// How far a number is moved (spreads): nearly half of it. The error of a slope falls with the way
/// over which it is measured, and what bold moves cost both sides pay.
const REACH: f64 = 1.5;
/// How often a number stays where it is.
const STAYS: f64 = 0.2;

/// The values that are allowed, and how far they are moved.
#[derive(Clone, Debug)]
pub(super) struct Space {
    tunables: Vec<Tunable>,
    spread: Vec<f64>,
}

impl Space {
    /// The space around the start values: a spread is a third or so of a number, at least its step.
    pub fn new(tunables: &[Tunable]) -> Space {
        let spread = |tunable: &Tunable| {
            let least = if tunable.is_whole { 1.0 } else { 0.0 };
            let most = (RANGE_SHARE * (tunable.high - tunable.low)).max(least);
            (SHARE * tunable.value.abs()).max(tunable.step).min(most).max(least)
        };
        Space { tunables: tunables.to_vec(), spread: tunables.iter().map(spread).collect() }
    }

    /// The numbers, in the order of coordinates.
    pub fn tunables(&self) -> &[Tunable] {
        &self.tunables
    }

    /// The unit of places.
    pub fn spread(&self) -> &[f64] {
        &self.spread
    }

    /// The range of a number as places: spreads from its start.
    pub fn range(&self, number: usize) -> (f64, f64) {
        let tunable = &self.tunables[number];
        let place = |value| (value - tunable.value) / self.spread[number];
        (place(tunable.low), place(tunable.high))
    }

    /// The values at a place.
    pub fn values(&self, place: &[f64]) -> Vec<f64> {
        let at = |((tunable, spread), u): ((&Tunable, &f64), &f64)| tunable.value + u * spread;
        self.tunables.iter().zip(&self.spread).zip(place).map(at).collect()
    }

    /// The place of values.
    pub fn place(&self, values: &[f64]) -> Vec<f64> {
        let of = |((tunable, spread), x): ((&Tunable, &f64), &f64)| (x - tunable.value) / spread;
        self.tunables.iter().zip(&self.spread).zip(values).map(of).collect()
    }

    /// A null change: values so near that they are as strong, while the tree that is searched is
    /// another. Where a comparison owes something to luck, other null changes have other luck.
    ///
    /// Depends on seed and index alone.
    pub fn null_change(&self, values: &[f64], seed: u64, index: u64) -> Vec<f64> {
        let mut random = stream(seed, index);
        let mut nearby = values.to_vec();
        for ((value, tunable), spread) in nearby.iter_mut().zip(&self.tunables).zip(&self.spread) {
            let mut way = NULL_SHARE * spread * random.random_range(-1.0..=1.0);
            if tunable.is_whole {
                // Towards zero: a step of a number that counts few would be a change.
                way = way.trunc();
            }
            *value = (*value + way).clamp(tunable.low, tunable.high);
        }
        nearby
    }

    /// Two opposite sets of values around a center: every number is moved to one side, to the
    /// other, or not at all, and what the first set does the second undoes. So the level of a
    /// passage cancels, and three heights of each number tell of its curvature. Whole numbers are
    /// rounded up or down by chance, so that on the average they are where they should be.
    ///
    /// Depends on seed, round and passage alone.
    pub fn opposites(
        &self,
        center: &[f64],
        seed: u64,
        round: usize,
        passage: usize,
    ) -> [Vec<f64>; 2] {
        let mut random = stream(seed, ((round as u64) << 32) | passage as u64);
        let mut sides = [center.to_vec(), center.to_vec()];
        for (number, tunable) in self.tunables.iter().enumerate() {
            let chance = random.random::<f64>();
            let direction = match chance {
                _ if chance < STAYS => 0.0,
                _ if chance < 0.5 * (1.0 + STAYS) => -1.0,
                _ => 1.0,
            };
            let way = direction * REACH * self.spread[number];
            for (side, sign) in sides.iter_mut().zip([1.0, -1.0]) {
                let mut value = center[number] + sign * way;
                if tunable.is_whole {
                    value = (value + random.random::<f64>()).floor();
                }
                side[number] = value.clamp(tunable.low, tunable.high);
            }
        }
        sides
    }
}

#[cfg(test)]
mod tests {
    use tunables;

    use super::*;

    #[test]
    fn sides_lie_around_the_center_and_within_ranges() {
        let space = Space::new(&tunables::margins(&chess::GAME.embedded()));
        let center: Vec<f64> = space.tunables().iter().map(|it| it.value + 0.25).collect();
        let count = 3000;
        let mut sums = vec![0.0; center.len()];
        for passage in 0..count {
            let sides = space.opposites(&center, 9, 1, passage);
            assert_eq!(sides, space.opposites(&center, 9, 1, passage));
            for (number, tunable) in space.tunables().iter().enumerate() {
                for side in &sides {
                    assert!((tunable.low..=tunable.high).contains(&side[number]));
                    assert_eq!(side[number].fract(), 0.0);
                    sums[number] += side[number];
                }
            }
        }
        for (number, tunable) in space.tunables().iter().enumerate() {
            let way = REACH * space.spread()[number];
            let is_inside =
                center[number] - way > tunable.low && center[number] + way < tunable.high;
            let mean = sums[number] / (2 * count) as f64;
            let off = (mean - center[number]).abs();
            assert!(!is_inside || off < 0.1, "{}: {mean}", tunable.name);
        }
    }

    #[test]
    fn null_changes_are_small_and_many() {
        let space = Space::new(&tunables::margins(&chess::GAME.embedded()));
        let start: Vec<f64> = space.tunables().iter().map(|tunable| tunable.value).collect();
        let changed = space.null_change(&start, 1, 1);
        assert_eq!(changed, space.null_change(&start, 1, 1));
        assert_ne!(changed, space.null_change(&start, 1, 2));
        let place = space.place(&changed);
        assert!(place.iter().all(|u| u.abs() <= NULL_SHARE), "{place:?}");
        assert!(place.iter().filter(|u| **u != 0.0).count() > 15, "{place:?}");
    }

    #[test]
    fn places_and_values_are_each_others_opposite() {
        let space = Space::new(&tunables::margins(&chess::GAME.embedded()));
        let place: Vec<f64> = (0..space.tunables().len()).map(|u| u as f64 / 50.0 - 0.5).collect();
        let again = space.place(&space.values(&place));
        assert!(place.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-12));
        for (number, spread) in space.spread().iter().enumerate() {
            let (low, high) = space.range(number);
            assert!(low <= 0.0 && high >= 0.0 && *spread >= 1.0);
        }
    }
}
