//! The course of a test in bounded room.

use statistics::PairCounts;

/// What happened during some successive pairs.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// Log-likelihood ratio at its lowest and at its highest, each with the number of pairs then.
    lowest: (u64, f64),
    highest: (u64, f64),
    /// All at the end of the stretch.
    last: (u64, f64),
    counts: PairCounts,
}

impl Stretch {
    fn then(self, next: Stretch) -> Stretch {
        let lowest = if next.lowest.1 < self.lowest.1 { next.lowest } else { self.lowest };
        let highest = if next.highest.1 > self.highest.1 { next.highest } else { self.highest };
        Stretch { lowest, highest, ..next }
    }
}

/// The path of the log-likelihood ratio and the counts on the way, thinned out as it grows: the
/// extremes stay, so that a path that touched a bound is seen to do so.
#[derive(Clone, Debug)]
pub struct RatioPath {
    stretches: Vec<Stretch>,
    /// Pairs of a full stretch.
    length: u64,
    /// Pairs in the last stretch.
    filled: u64,
}

impl RatioPath {
    /// Stretches kept at most.
    const MOST: usize = 400;

    /// A path that did not begin.
    pub fn new() -> RatioPath {
        RatioPath { stretches: Vec::new(), length: 1, filled: 0 }
    }

    /// Takes in one more pair.
    pub fn push(&mut self, counts: PairCounts, log_likelihood_ratio: f64) {
        let point = (counts.pairs(), log_likelihood_ratio);
        let next = Stretch { lowest: point, highest: point, last: point, counts };
        match self.stretches.last_mut() {
            Some(last) if self.filled < self.length => {
                *last = last.then(next);
                self.filled += 1;
                return;
            }
            _ => {}
        }
        if self.stretches.len() == Self::MOST {
            let halved = self.stretches.chunks(2).map(|pair| pair[0].then(pair[pair.len() - 1]));
            self.stretches = halved.collect();
            self.length *= 2;
        }
        self.stretches.push(next);
        self.filled = 1;
    }

    /// Points of the ratio in order: number of pairs, ratio.
    pub fn ratios(&self) -> Vec<(f64, f64)> {
        let mut points = vec![(0, 0.0)];
        for stretch in &self.stretches {
            let mut three = [stretch.lowest, stretch.highest, stretch.last];
            three.sort_by_key(|point| point.0);
            points.extend(three);
        }
        points.dedup();
        points.into_iter().map(|(pairs, ratio)| (pairs as f64, ratio)).collect()
    }

    /// Counts on the way, the last ones last.
    pub fn counts(&self) -> impl Iterator<Item = PairCounts> {
        self.stretches.iter().map(|stretch| stretch.counts)
    }
}

#[cfg(test)]
mod tests {
    use statistics::GameOutcome;

    use super::*;

    #[test]
    fn a_long_path_keeps_its_ends_and_extremes() {
        let mut path = RatioPath::new();
        let mut counts = PairCounts::default();
        for pair in 1..=100_003_u64 {
            counts.add(GameOutcome::Win, GameOutcome::Draw);
            let ratio = match pair {
                77_777 => 5.0,
                31_234 => -4.0,
                _ => (pair as f64 / 9000.0).sin(),
            };
            path.push(counts, ratio);
        }
        let points = path.ratios();
        assert!(points.len() <= 3 * RatioPath::MOST + 1);
        assert!(points.len() > RatioPath::MOST);
        assert!(points.is_sorted_by(|one, other| one.0 <= other.0));
        assert!(points.contains(&(77_777.0, 5.0)) && points.contains(&(31_234.0, -4.0)));
        assert_eq!((points[0], points[points.len() - 1].0), ((0.0, 0.0), 100_003.0));
        assert_eq!(path.counts().last().map(|counts| counts.pairs()), Some(100_003));
    }
}
