//! The choice of the cuts of a search that are looked into: a few of each rule at each depth.

use crate::Rule;
use crate::audit::{DEPTHS, Tally};

/// One rule at one depth.
#[derive(Clone, Default)]
struct Stratum {
    tally: Tally,
    /// Numbers of those to look into, the last first, each with a number for further choices.
    wanted: Vec<(u64, u32)>,
    /// How many cuts each of them stands for.
    weight: f64,
}

/// A cut that is to be looked into.
pub(crate) struct Wanted {
    /// How many cuts it stands for.
    pub(crate) weight: f64,
    /// A random number for whatever else must be chosen.
    pub(crate) random: u32,
}

/// Counts the cuts of a search and says which of them are looked into.
pub(crate) struct SamplingPlan {
    strata: Vec<[Stratum; DEPTHS]>,
}

impl Default for SamplingPlan {
    /// Only counts.
    fn default() -> SamplingPlan {
        SamplingPlan { strata: vec![Default::default(); Rule::ALL.len()] }
    }
}

impl SamplingPlan {
    /// Draws as many cuts of each rule and depth of a search, without preference and no cut twice.
    pub(crate) fn draw(
        tallies: &[[Tally; DEPTHS]; Rule::ALL.len()],
        samples: usize,
        random: &mut dyn FnMut() -> u32,
    ) -> SamplingPlan {
        let mut plan = SamplingPlan::default();
        for (strata, tallies) in plan.strata.iter_mut().zip(tallies) {
            for (stratum, tally) in strata.iter_mut().zip(tallies) {
                let count = tally.cuts.min(samples as u64);
                // CITE: Robert W. Floyd in Jon Bentley, "Programming Pearls: A Sample of
                // Brilliance" (1987).
                let mut chosen: Vec<u64> = Vec::new();
                for last in tally.cuts - count..tally.cuts {
                    let number = u64::from(random()) << 32 | u64::from(random());
                    let number = ((u128::from(number) * u128::from(last + 1)) >> 64) as u64;
                    chosen.push(if chosen.contains(&number) { last } else { number });
                }
                chosen.sort_unstable_by(|a, b| b.cmp(a));
                stratum.weight = tally.cuts as f64 / count.max(1) as f64;
                stratum.wanted = chosen.into_iter().map(|number| (number, random())).collect();
            }
        }
        plan
    }

    /// Counts a cut; something if it is one to look into.
    pub(crate) fn count(&mut self, rule: Rule, depth: i32) -> Option<Wanted> {
        let stratum = self.stratum(rule, depth);
        let number = stratum.tally.cuts;
        stratum.tally.cuts += 1;
        let weight = stratum.weight;
        let (_, random) = stratum.wanted.pop_if(|(wanted, _)| *wanted == number)?;
        Some(Wanted { weight, random })
    }

    /// Counts nodes that a rule spent without a cut.
    pub(crate) fn count_in_vain(&mut self, rule: Rule, depth: i32, nodes: u64) {
        self.stratum(rule, depth).tally.in_vain += nodes;
    }

    /// The counts so far.
    pub(crate) fn tallies(&self) -> [[Tally; DEPTHS]; Rule::ALL.len()] {
        std::array::from_fn(|rule| std::array::from_fn(|depth| self.strata[rule][depth].tally))
    }

    fn stratum(&mut self, rule: Rule, depth: i32) -> &mut Stratum {
        &mut self.strata[rule as usize][(depth.max(0) as usize).min(DEPTHS - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_is_drawn_as_often_as_any_other() {
        let mut tallies = [[Tally::default(); DEPTHS]; Rule::ALL.len()];
        tallies[Rule::Futility as usize][3].cuts = 10;
        tallies[Rule::Razoring as usize][1].cuts = 2;
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 32) as u32
        };
        let mut times = [0; 10];
        for _ in 0..10_000 {
            let mut plan = SamplingPlan::draw(&tallies, 3, &mut random);
            for time in &mut times {
                if let Some(wanted) = plan.count(Rule::Futility, 3) {
                    assert!((wanted.weight - 10.0 / 3.0).abs() < 1e-12);
                    *time += 1;
                }
            }
            // Where there are no more than are wanted, all of them are taken.
            for _ in 0..2 {
                assert_eq!(plan.count(Rule::Razoring, 1).map(|wanted| wanted.weight), Some(1.0));
            }
            assert!(plan.count(Rule::Futility, 3).is_none());
            assert_eq!(plan.tallies()[Rule::Futility as usize][3].cuts, 11);
        }
        assert_eq!(times.iter().sum::<u32>(), 30_000);
        // Binomial, with a standard deviation of 46.
        assert!(times.iter().all(|time| time.abs_diff(3000) < 250), "{times:?}");
    }
}
