//! Simulated tests: how often a design errs and how long it takes.

use std::num::NonZeroU64;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Bounds, CONFIDENCE, Estimate, Hypotheses, Limit, PairCounts, PairDistribution, Verdict,
    verdict_by_sign,
};

/// A design to simulate, and how often.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Simulation {
    /// The hypotheses between which the tests decide.
    pub hypotheses: Hypotheses,
    /// Pairs between two looks at the log-likelihood ratio.
    pub batch_pairs: NonZeroU64,
    /// Where tests end that decide nothing; `None` lets them run.
    pub limit: Option<Limit>,
    /// Number of tests to simulate.
    pub runs: u64,
}

/// What came out of the simulated tests of one strength, with one treatment of overshoot.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize)]
pub struct SimulatedErrors {
    /// Share of tests that accepted the candidate, with its binomial error (95 %).
    pub accepted: Estimate,
    /// Share of tests that rejected the candidate, with its binomial error (95 %).
    pub rejected: Estimate,
    /// Share of tests that ended undecided, with its binomial error (95 %).
    pub undecided: Estimate,
    /// Mean number of pairs with its error (95 %).
    pub mean_pairs: Estimate,
    /// Half of the tests ended by this number of pairs.
    pub median_pairs: u64,
    /// Nine tests in ten ended by this number of pairs.
    pub pairs_90: u64,
    /// 19 tests in 20 ended by this number of pairs.
    pub pairs_95: u64,
    /// 99 tests in 100 ended by this number of pairs.
    pub pairs_99: u64,
}

/// The same simulated pairs judged without and with overshoot correction.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize)]
pub struct Comparison {
    /// With the bounds as they stand, which overshoot makes too strict.
    pub plain: SimulatedErrors,
    /// With bounds moved by the mean overshoot seen so far.
    pub corrected: SimulatedErrors,
    /// Share of the pairs that the correction saves, 0 to 1.
    pub saved: f64,
}

#[derive(Clone, Copy)]
struct End {
    verdict: Verdict,
    pairs: u64,
}

impl Simulation {
    /// Simulates all tests with pairs of this distribution. `draws` gives each test, by its number
    /// from 0, its uniform 32-bit numbers: statistics have none of their own, and where the numbers
    /// of a test depend on nothing but its number, threads do not matter. `on_run` is called after
    /// each test; once it returns false, the rest is skipped and `None` returned.
    pub fn run<D: FnMut() -> u32>(
        &self,
        truth: &PairDistribution,
        draws: impl Fn(u64) -> D + Sync,
        on_run: impl Fn() -> bool + Sync,
    ) -> Option<Comparison> {
        let ends: Option<Vec<[End; 2]>> = (0..self.runs)
            .into_par_iter()
            .map(|run| {
                let ends = self.test(truth, draws(run));
                on_run().then_some(ends)
            })
            .collect();
        let ends = ends?;
        let [plain, corrected] =
            [0, 1].map(|which| SimulatedErrors::of(ends.iter().map(|ends| ends[which]).collect()));
        let saved = 1.0 - corrected.mean_pairs.value / plain.mean_pairs.value;
        Some(Comparison { plain, corrected, saved })
    }

    /// Simulates one test until it has ended without and with correction.
    fn test(&self, truth: &PairDistribution, mut draw: impl FnMut() -> u32) -> [End; 2] {
        let thresholds = Thresholds::new(truth);
        let mut bounds = [false, true].map(|corrected| Bounds::new(&self.hypotheses, corrected));
        let mut ends: [Option<End>; 2] = [None; 2];
        let mut outcomes = [0u64; 6];
        let mut pairs = 0;
        let mut ratio = 0.0;
        while ends.iter().any(Option::is_none) {
            let at_limit = self.limit.is_some_and(|limit| pairs >= limit.pairs);
            if at_limit {
                for end in &mut ends {
                    let decide = self.limit.is_some_and(|limit| limit.decide);
                    let verdict = if decide { verdict_by_sign(ratio) } else { Verdict::Undecided };
                    end.get_or_insert(End { verdict, pairs });
                }
                break;
            }
            outcomes[thresholds.class(draw())] += 1;
            pairs += 1;
            if !pairs.is_multiple_of(self.batch_pairs.get()) {
                continue;
            }
            ratio = self.ratio(outcomes);
            for (bounds, end) in bounds.iter_mut().zip(&mut ends) {
                if end.is_none() {
                    let verdict = bounds.update(ratio);
                    *end = (verdict != Verdict::Undecided).then_some(End { verdict, pairs });
                }
            }
        }
        ends.map(|end| end.expect("the loop ends with both"))
    }

    fn ratio(&self, outcomes: [u64; 6]) -> f64 {
        let [loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win] = outcomes;
        let counts = PairCounts { loss_loss, loss_draw, win_loss, draw_draw, win_draw, win_win };
        self.hypotheses.log_likelihood_ratio(&counts.sample(), &counts.game_sample())
    }
}

/// Cumulative probabilities on the scale of 32-bit numbers: one comparison an outcome.
struct Thresholds([u32; 5]);

impl Thresholds {
    fn new(distribution: &PairDistribution) -> Thresholds {
        let shares = distribution.shares();
        let mut sum = 0.0;
        Thresholds(std::array::from_fn(|class| {
            sum += shares[class];
            (sum * 2f64.powi(32)) as u32
        }))
    }

    fn class(&self, number: u32) -> usize {
        self.0.iter().filter(|&&threshold| number >= threshold).count()
    }
}

impl SimulatedErrors {
    fn of(mut ends: Vec<End>) -> SimulatedErrors {
        let runs = ends.len() as f64;
        let share = |verdict| {
            let value = ends.iter().filter(|end| end.verdict == verdict).count() as f64 / runs;
            Estimate { value, error: CONFIDENCE * (value * (1.0 - value) / runs).sqrt() }
        };
        let shares = [Verdict::Accepted, Verdict::Rejected, Verdict::Undecided].map(share);
        let mean = ends.iter().map(|end| end.pairs as f64).sum::<f64>() / runs;
        let squares: f64 = ends.iter().map(|end| (end.pairs as f64 - mean).powi(2)).sum();
        ends.sort_unstable_by_key(|end| end.pairs);
        let quantile = |share: f64| {
            let index = (share * runs).ceil() as usize;
            ends[index.clamp(1, ends.len()) - 1].pairs
        };
        let [accepted, rejected, undecided] = shares;
        SimulatedErrors {
            accepted,
            rejected,
            undecided,
            mean_pairs: Estimate { value: mean, error: CONFIDENCE * squares.sqrt() / runs },
            median_pairs: quantile(0.5),
            pairs_90: quantile(0.9),
            pairs_95: quantile(0.95),
            pairs_99: quantile(0.99),
        }
    }
}

#[cfg(test)]
mod tests {
    use random::draws;

    use super::super::{Design, GameOutcome, Monitor};
    use super::*;

    /// Shares of an eighth and a quarter.
    fn eighths() -> PairDistribution {
        let counts = PairCounts {
            loss_loss: 1,
            loss_draw: 1,
            win_loss: 2,
            draw_draw: 2,
            win_draw: 1,
            win_win: 1,
        };
        PairDistribution::of_counts(&counts).expect("different scores")
    }

    #[test]
    fn numbers_are_divided_as_the_shares_say() {
        let thresholds = Thresholds::new(&eighths());
        let eighth = 1u32 << 29;
        for (class, first) in [0, 1, 2, 4, 6, 7].into_iter().enumerate() {
            assert_eq!(thresholds.class(first * eighth), class);
            assert!(class == 0 || thresholds.class(first * eighth - 1) == class - 1);
        }
        assert_eq!(thresholds.class(u32::MAX), 5);
    }

    #[test]
    fn figures_by_hand() {
        use Verdict::{Accepted, Rejected, Undecided};
        let ends = [(Accepted, 30), (Rejected, 20), (Undecided, 60), (Accepted, 10)];
        let ends = ends.map(|(verdict, pairs)| End { verdict, pairs });
        let found = SimulatedErrors::of(ends.to_vec());
        let near = |found: Estimate, value: f64, error: f64| {
            assert!((found.value - value).abs() < 1e-12, "{found:?}");
            assert!((found.error - CONFIDENCE * error).abs() < 1e-12, "{found:?}");
        };
        near(found.accepted, 0.5, (0.25f64 / 4.0).sqrt());
        near(found.rejected, 0.25, (0.1875f64 / 4.0).sqrt());
        near(found.undecided, 0.25, (0.1875f64 / 4.0).sqrt());
        near(found.mean_pairs, 30.0, 1400f64.sqrt() / 4.0);
        assert_eq!((found.median_pairs, found.pairs_90), (20, 60));
        let ends = (1..=200).rev().map(|pairs| End { verdict: Accepted, pairs });
        let found = SimulatedErrors::of(ends.collect());
        let quantiles = [found.median_pairs, found.pairs_90, found.pairs_95, found.pairs_99];
        assert_eq!(quantiles, [100, 180, 190, 198]);
    }

    #[test]
    fn simulated_tests_end_as_a_monitor_says() {
        use GameOutcome::{Draw, Loss, Win};
        const OUTCOMES: [[GameOutcome; 2]; 6] =
            [[Loss, Loss], [Loss, Draw], [Win, Loss], [Draw, Draw], [Win, Draw], [Win, Win]];
        let truth = eighths();
        let hypotheses = Hypotheses { elo1: 100.0, ..Hypotheses::default() };
        let mut limited = 0;
        for run in 0..60 {
            let batch_pairs = NonZeroU64::new([1, 5][run as usize % 2]).expect("not 0");
            let limit = [None, Some(false), Some(true)][run as usize % 3]
                .map(|decide| Limit { pairs: 50, decide });
            let simulation = Simulation { hypotheses, batch_pairs, limit, runs: 1 };
            let ends = simulation.test(&truth, draws(4, run));
            for (end, overshoot_correction) in ends.iter().zip([false, true]) {
                let decide_at_limit = limit.is_some_and(|limit| limit.decide);
                let design = Design { batch_pairs, overshoot_correction, decide_at_limit };
                let mut monitor = Monitor::new(hypotheses, design);
                let thresholds = Thresholds::new(&truth);
                let mut draw = draws(4, run);
                let most = limit.map_or(u64::MAX, |limit| limit.pairs);
                while monitor.verdict() == Verdict::Undecided && monitor.counts().pairs() < most {
                    let [first, second] = OUTCOMES[thresholds.class(draw())];
                    monitor.push(first, second);
                }
                limited += u32::from(monitor.verdict() == Verdict::Undecided);
                assert_eq!(end.pairs, monitor.counts().pairs(), "{run}");
                assert_eq!(end.verdict, monitor.verdict_at_limit(), "{run}");
            }
            let all = simulation.run(&truth, |_| draws(4, run), || true).expect("not interrupted");
            assert_eq!(all.plain.mean_pairs.value, ends[0].pairs as f64);
            assert_eq!(all.corrected.mean_pairs.value, ends[1].pairs as f64);
            let saved = 1.0 - ends[1].pairs as f64 / ends[0].pairs as f64;
            assert!((all.saved - saved).abs() < 1e-12, "{run}");
        }
        assert!(limited > 8, "{limited}");
    }
}
