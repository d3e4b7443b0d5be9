//! The sequential test as it runs: pair by pair in schedule order, batches, overshoot.
//!
//! The test is a function of the pairs alone, so that a resumed run says the same.
//!
//! The test errs as it promises. `sprt simulate --elo0 0 --elo1 20`, 100,000 tests each (± 0.14 %):
//!
//! | batch | correction | α | β | mean pairs at elo0 |
//! |---|---|---|---|---|
//! | 1 | no | 4.76 % | 4.78 % | 818 |
//! | 1 | yes | 4.99 % | 5.01 % | 800 |
//! | 16 | no | 4.20 % | 4.21 % | 870 |
//! | 16 | yes | 5.04 % | 5.03 % | 801 |

use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GameOutcome, Hypotheses, PairCounts, Verdict};

/// When a sequential test looks at the pairs, and how it stops.
///
/// The default looks at every pair, corrects nothing and stays undecided at the limit of pairs.
/// That errs a little less often than α and β say, because a pair carries the ratio beyond the
/// bound that it crosses; the correction gives the difference back as a shorter test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Design {
    /// Pairs between two looks at the log-likelihood ratio. Pairs of the last, incomplete batch
    /// are counted, but decide nothing.
    pub batch_pairs: NonZeroU64,
    /// Move the bounds inwards by the mean overshoot seen so far.
    pub overshoot_correction: bool,
    /// At the limit of pairs, decide by the sign of the log-likelihood ratio.
    pub decide_at_limit: bool,
}

impl Default for Design {
    fn default() -> Design {
        Design { batch_pairs: NonZeroU64::MIN, overshoot_correction: false, decide_at_limit: false }
    }
}

/// By how much the log-likelihood ratio leaps over levels, estimated from its own records.
///
/// Where the ratio stops beyond a bound, it has just set a record, and by the renewal theorem the
/// mean excess over a distant level is E δ² / (2 E δ) for records δ beyond the record before.
///
/// CITE: D. Siegmund, "Sequential Analysis", corollary 8.33; fishtest by M. Van den Bergh corrects
/// its bounds in the same way.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Records {
    /// Greatest value so far, at least 0: the walk starts there.
    greatest: f64,
    /// Sum of the steps from record to record.
    steps: f64,
    /// Sum of their squares.
    squares: f64,
}

impl Records {
    fn update(&mut self, value: f64) {
        if value > self.greatest {
            let step = value - self.greatest;
            self.steps += step;
            self.squares += step * step;
            self.greatest = value;
        }
    }

    /// Mean excess over a level; 0 before the first record.
    fn overshoot(&self) -> f64 {
        if self.steps > 0.0 { self.squares / (2.0 * self.steps) } else { 0.0 }
    }
}

/// Bounds of the log-likelihood ratio, corrected for overshoot or not, and what they decide.
///
/// One update a batch: a value left out, or given twice, would spoil the estimate of the overshoot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    lower: f64,
    upper: f64,
    /// Records upwards and, of the negated ratio, downwards; `None` without correction.
    records: Option<[Records; 2]>,
}

impl Bounds {
    /// The bounds before the first batch.
    pub fn new(hypotheses: &Hypotheses, overshoot_correction: bool) -> Bounds {
        Bounds {
            lower: hypotheses.lower_bound(),
            upper: hypotheses.upper_bound(),
            records: overshoot_correction.then(Default::default),
        }
    }

    /// Lower and upper bound as they are now.
    ///
    /// While a test is undecided, they stay on either side of 0: to move a bound so far, a step
    /// from record to record would have to be twice as long as the bound is far, and that step
    /// would have decided the test.
    pub fn now(&self) -> (f64, f64) {
        let [up, down] = self.records.map_or([0.0; 2], |records| records.map(|r| r.overshoot()));
        (self.lower + down, self.upper - up)
    }

    /// Takes in the log-likelihood ratio after one more batch and says what it decides.
    pub fn update(&mut self, log_likelihood_ratio: f64) -> Verdict {
        if let Some([up, down]) = &mut self.records {
            up.update(log_likelihood_ratio);
            down.update(-log_likelihood_ratio);
        }
        let (lower, upper) = self.now();
        if log_likelihood_ratio >= upper {
            Verdict::Accepted
        } else if log_likelihood_ratio <= lower {
            Verdict::Rejected
        } else {
            Verdict::Undecided
        }
    }
}

/// Where the ratio first reached a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crossing {
    /// Pairs that were counted then.
    pub pairs: u64,
    /// The decision of a test that stops there.
    pub verdict: Verdict,
}

/// A sequential test that is told one pair at a time, in schedule order.
///
/// All it says is a function of the pairs pushed so far: a test resumed by pushing the pairs of its
/// journal again goes on as if it had never been interrupted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Monitor {
    hypotheses: Hypotheses,
    design: Design,
    /// It ends where it first reaches a bound; otherwise all pairs decide.
    stops: bool,
    counts: PairCounts,
    bounds: Bounds,
    log_likelihood_ratio: f64,
    first_crossing: Option<Crossing>,
}

impl Monitor {
    /// A test before its first pair, which ends where it first reaches a bound.
    pub fn new(hypotheses: Hypotheses, design: Design) -> Monitor {
        Monitor {
            bounds: Bounds::new(&hypotheses, design.overshoot_correction),
            hypotheses,
            design,
            stops: true,
            counts: PairCounts::default(),
            log_likelihood_ratio: 0.0,
            first_crossing: None,
        }
    }

    /// A test of all pairs that it is told, whatever bound was reached on the way.
    pub fn without_stop(hypotheses: Hypotheses, design: Design) -> Monitor {
        Monitor { stops: false, ..Monitor::new(hypotheses, design) }
    }

    /// Counts one more pair and looks at the ratio if that fills a batch. Returns the verdict.
    pub fn push(&mut self, first: GameOutcome, second: GameOutcome) -> Verdict {
        self.counts.add(first, second);
        let is_look = self.counts.pairs().is_multiple_of(self.design.batch_pairs.get());
        if is_look || !self.stops {
            self.log_likelihood_ratio = self
                .hypotheses
                .log_likelihood_ratio(&self.counts.sample(), &self.counts.game_sample());
        }
        if is_look && self.first_crossing.is_none() {
            let verdict = self.bounds.update(self.log_likelihood_ratio);
            let crossing = Crossing { pairs: self.counts.pairs(), verdict };
            self.first_crossing = Some(crossing).filter(|_| verdict != Verdict::Undecided);
        }
        self.verdict()
    }

    /// The pairs counted so far.
    pub fn counts(&self) -> PairCounts {
        self.counts
    }

    /// The hypotheses between which it decides.
    pub fn hypotheses(&self) -> &Hypotheses {
        &self.hypotheses
    }

    /// The design by which it looks and stops.
    pub fn design(&self) -> Design {
        self.design
    }

    /// True if it ends where it first reaches a bound.
    pub fn stops(&self) -> bool {
        self.stops
    }

    /// Log-likelihood ratio after the last full batch, 0 before the first; without a stop that of all
    /// pairs.
    pub fn log_likelihood_ratio(&self) -> f64 {
        self.log_likelihood_ratio
    }

    /// Lower and upper bound of the ratio as they are now, overshoot correction included. Without a
    /// stop nothing overshoots, and they are those of α and β.
    pub fn bounds(&self) -> (f64, f64) {
        match self.stops {
            true => self.bounds.now(),
            false => (self.hypotheses.lower_bound(), self.hypotheses.upper_bound()),
        }
    }

    /// Where the ratio first reached a bound at a look, if it did.
    pub fn first_crossing(&self) -> Option<Crossing> {
        self.first_crossing
    }

    /// The verdict so far. For a test which stops it is the first decision: pairs pushed after it
    /// change the ratio, but neither bounds nor verdict. Without a stop all pairs decide.
    pub fn verdict(&self) -> Verdict {
        match self.stops {
            true => self.first_crossing.map_or(Verdict::Undecided, |it| it.verdict),
            false => self.hypotheses.verdict(self.log_likelihood_ratio),
        }
    }

    /// The verdict if no more pairs are played: the sign of the ratio decides where nothing else
    /// did, if the design says so. A ratio of exactly 0 stays undecided.
    pub fn verdict_at_limit(&self) -> Verdict {
        match self.verdict() {
            Verdict::Undecided if self.design.decide_at_limit => {
                verdict_by_sign(self.log_likelihood_ratio)
            }
            verdict => verdict,
        }
    }
}

/// The verdict by the sign of a log-likelihood ratio; undecided if it is 0.
pub fn verdict_by_sign(log_likelihood_ratio: f64) -> Verdict {
    if log_likelihood_ratio > 0.0 {
        Verdict::Accepted
    } else if log_likelihood_ratio < 0.0 {
        Verdict::Rejected
    } else {
        Verdict::Undecided
    }
}

#[cfg(test)]
mod tests {
    use GameOutcome::{Draw, Loss, Win};

    use super::*;

    #[test]
    fn records_give_the_mean_excess() {
        let mut bounds = Bounds::new(&Hypotheses::default(), true);
        let (lower, upper) = bounds.now();
        for value in [0.5, 0.25, 0.75, -0.5, -0.25] {
            assert_eq!(bounds.update(value), Verdict::Undecided);
        }
        let (corrected_lower, corrected_upper) = bounds.now();
        // Records upwards: steps of 0.5 and 0.25; downwards: one of 0.5.
        let mean = (0.25 + 0.0625) / (2.0 * 0.75);
        assert!((upper - corrected_upper - mean).abs() < 1e-12);
        assert!((corrected_lower - lower - 0.25).abs() < 1e-12);
        // 2.7 is below the bound of 2.944, but not below the corrected one.
        assert_eq!(bounds.update(2.7), Verdict::Accepted);
    }

    #[test]
    fn only_full_batches_end_a_test_that_stops() {
        let hypotheses = Hypotheses { elo1: 200.0, ..Hypotheses::default() };
        let batch_pairs = NonZeroU64::new(16).expect("not 0");
        let design = Design { batch_pairs, overshoot_correction: true, ..Design::default() };
        let mut monitor = Monitor::new(hypotheses, design);
        for pair in 1..=200 {
            let before = monitor;
            let outcome = if pair % 3 == 0 { Draw } else { Win };
            monitor.push(outcome, Win);
            if pair % 16 != 0 {
                assert_eq!(monitor.log_likelihood_ratio(), before.log_likelihood_ratio());
                assert_eq!(monitor.verdict(), before.verdict());
            }
        }
        assert_eq!(monitor.verdict(), Verdict::Accepted);
        let bounds = monitor.bounds();
        monitor.push(Loss, Loss);
        assert_eq!((monitor.verdict(), monitor.bounds()), (Verdict::Accepted, bounds));
        assert_eq!(monitor.counts().pairs(), 201);
    }

    #[test]
    fn without_a_stop_all_pairs_decide() {
        let hypotheses = Hypotheses { elo1: 200.0, ..Hypotheses::default() };
        let batch_pairs = NonZeroU64::new(16).expect("not 0");
        let design = Design { batch_pairs, overshoot_correction: true, ..Design::default() };
        let mut monitor = Monitor::without_stop(hypotheses, design);
        for _ in 0..100 {
            monitor.push(Win, Draw);
        }
        assert_eq!(monitor.verdict(), Verdict::Accepted);
        let crossing = monitor.first_crossing().expect("an early acceptance");
        assert_eq!((crossing.verdict, crossing.pairs % 16), (Verdict::Accepted, 0));
        assert!(crossing.pairs < 100);
        // As many losses as wins: even, which is elo0. The last pair ends no batch.
        for _ in 0..101 {
            monitor.push(Loss, Draw);
        }
        let all = monitor.counts();
        let ratio = hypotheses.log_likelihood_ratio(&all.sample(), &all.game_sample());
        assert_eq!(monitor.log_likelihood_ratio(), ratio);
        assert_eq!(monitor.bounds(), (hypotheses.lower_bound(), hypotheses.upper_bound()));
        assert_eq!(monitor.verdict(), Verdict::Rejected);
        assert_eq!(monitor.verdict_at_limit(), Verdict::Rejected);
        assert_eq!(monitor.first_crossing(), Some(crossing));
    }

    #[test]
    fn the_sign_decides_at_the_limit_if_asked_to() {
        let mut design = Design::default();
        for decide_at_limit in [false, true] {
            design.decide_at_limit = decide_at_limit;
            let mut monitor = Monitor::new(Hypotheses::default(), design);
            assert_eq!(monitor.verdict_at_limit(), Verdict::Undecided);
            monitor.push(Win, Draw);
            assert_eq!(monitor.verdict(), Verdict::Undecided);
            let expected = if decide_at_limit { Verdict::Accepted } else { Verdict::Undecided };
            assert_eq!(monitor.verdict_at_limit(), expected);
        }
    }
}
