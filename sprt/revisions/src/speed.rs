//! The speed of two builds that play the same moves, by benches run in turn.
//!
//! Machines drift: they grow warm, and other programs come and go, for a burst or for minutes. So
//! the builds run their benches in turn and change who begins each time (base, candidate;
//! candidate, base; …), and the ratio of each turn's two times is one observation. If the builds
//! are equally fast, an observation is as likely to be off in one direction as in the other,
//! whatever the machine does; so the signed-rank test of Wilcoxon is exact, and its inverse, the
//! estimate of Hodges and Lehmann with its interval, is hardly moved by a few turns that something
//! disturbed. Times are of the processor where the system tells them.
//!
//! The comparison ends when its interval is narrow, and an interval that is looked at after every
//! turn until it pleases promises more than it holds. So it is looked at only when the number of
//! turns has doubled, and the 5 % that it may be wrong are shared out evenly among all looks that
//! there may be: whichever look is the last, the chance that it was any of them that erred is at
//! most their sum.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statistics::Verdict;

use super::bench::{Bench, BenchError, BenchSettings};
use super::built::Built;
use super::process::{Control, Halt};

/// How speeds are compared.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedSettings {
    /// A candidate that is surely slower by more than this share of the base's speed is rejected.
    #[schemars(range(min = 0))]
    pub tolerance: f64,
    /// The comparison ends when the half-width of its interval is at most this share at a look.
    #[schemars(range(min = 0))]
    pub precision: f64,
    /// Or after so many turns, each a bench of both.
    pub most_turns: usize,
}

impl Default for SpeedSettings {
    fn default() -> SpeedSettings {
        SpeedSettings { tolerance: 0.02, precision: 0.01, most_turns: 60 }
    }
}

impl SpeedSettings {
    /// Turns before which an interval is not trusted to be narrow: those of the first look.
    pub const FEWEST_TURNS: usize = 10;

    /// Turns after which the interval is looked at: twice as many each time, and the most there are.
    pub fn looks(&self) -> Vec<usize> {
        let doubled = |turns: &usize| turns.checked_mul(2);
        let mut looks: Vec<usize> =
            std::iter::successors(Some(SpeedSettings::FEWEST_TURNS), doubled)
                .take_while(|&turns| turns < self.most_turns)
                .collect();
        looks.push(self.most_turns);
        looks
    }

    /// The ratio by the turns so far, with an interval that holds as it would at the next look;
    /// `None` while they are too few for any.
    ///
    /// The interval may be relied on at a look, or where something ends the comparison that has
    /// nothing to do with the times, as a budget does.
    pub fn ratio(&self, turns: &[SpeedTurn]) -> Option<SpeedRatio> {
        SpeedRatio::of_turns(turns, ERROR / self.looks().len() as f64)
    }

    /// Whether the comparison ends with these turns.
    fn is_over(&self, turns: usize, ratio: Option<SpeedRatio>) -> bool {
        let is_narrow = ratio.is_some_and(|it| it.half_width() <= self.precision);
        turns >= self.most_turns || (is_narrow && self.looks().contains(&turns))
    }
}

/// How often the interval of a comparison does not hold the ratio, at most.
const ERROR: f64 = 0.05;

/// Times of the two benches of a turn (seconds).
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedTurn {
    /// The base's.
    #[schemars(range(min = 0))]
    pub base: f64,
    /// The candidate's.
    #[schemars(range(min = 0))]
    pub candidate: f64,
}

impl SpeedTurn {
    /// The candidate's speed over the base's.
    pub fn ratio(&self) -> f64 {
        self.base.max(1e-6) / self.candidate.max(1e-6)
    }
}

/// The candidate's speed over the base's, with an interval of at least 95 % confidence where the
/// comparison ended.
#[derive(Clone, Copy, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedRatio {
    /// The ratio: above 1 if the candidate is faster.
    #[schemars(range(min = 0))]
    pub value: f64,
    /// Lower end of the interval.
    #[schemars(range(min = 0))]
    pub lower: f64,
    /// Upper end of the interval.
    #[schemars(range(min = 0))]
    pub upper: f64,
}

impl SpeedRatio {
    /// The ratio that the turns tell, with an interval that misses it with a probability of `error`
    /// at most if the number of turns was fixed; `None` while they are too few for any interval.
    ///
    /// CITE: J. L. Hodges and E. L. Lehmann, "Estimates of location based on rank tests".
    pub fn of_turns(turns: &[SpeedTurn], error: f64) -> Option<SpeedRatio> {
        let beyond = walsh_averages_beyond(turns.len(), error)?;
        let logs: Vec<f64> = turns.iter().map(|turn| turn.ratio().ln()).collect();
        let mut averages: Vec<f64> = (0..logs.len())
            .flat_map(|first| (first..logs.len()).map(move |second| (first, second)))
            .map(|(first, second)| (logs[first] + logs[second]) / 2.0)
            .collect();
        averages.sort_unstable_by(f64::total_cmp);
        let count = averages.len();
        let median = (averages[(count - 1) / 2] + averages[count / 2]) / 2.0;
        Some(SpeedRatio {
            value: median.exp(),
            lower: averages[beyond].exp(),
            upper: averages[count - 1 - beyond].exp(),
        })
    }

    /// Half the width of the interval.
    pub fn half_width(&self) -> f64 {
        (self.upper - self.lower) / 2.0
    }

    /// The verdict on the candidate: rejected if it is surely slower than tolerated; undecided if
    /// it may be and the interval is wider than the tolerance.
    pub fn verdict(&self, tolerance: f64) -> Verdict {
        let least = 1.0 - tolerance;
        if self.upper < least {
            Verdict::Rejected
        } else if self.lower < least && self.half_width() > tolerance {
            Verdict::Undecided
        } else {
            Verdict::Accepted
        }
    }
}

/// How many averages of two of `count` observations lie beyond each end of the interval that errs so
/// often: the greatest number that the signed-rank statistic falls below with a probability of half
/// the error at most. `None` if there is no such number.
fn walsh_averages_beyond(count: usize, error: f64) -> Option<usize> {
    // Probabilities of the sum of a random subset of the ranks 1 to `count`.
    let mut probabilities = vec![1.0];
    for rank in 1..=count {
        let mut next = vec![0.0; probabilities.len() + rank];
        for (sum, probability) in probabilities.iter().enumerate() {
            next[sum] += probability / 2.0;
            next[sum + rank] += probability / 2.0;
        }
        probabilities = next;
    }
    let mut below = 0.0;
    let within = probabilities.iter().position(|probability| {
        below += probability;
        below > error / 2.0
    });
    within.and_then(|sum| sum.checked_sub(1))
}

/// A comparison of speeds.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedReport {
    /// What was asked.
    pub settings: SpeedSettings,
    /// True if both programs are the same bytes, so that nothing had to be measured.
    pub same_program: bool,
    /// True if times are of the processor, false if from start to end.
    pub processor_time: bool,
    /// What was measured.
    pub turns: Vec<SpeedTurn>,
    /// The ratio; none if the budget left no time for an interval.
    pub ratio: Option<SpeedRatio>,
    /// What it says of the candidate.
    pub verdict: Verdict,
}

/// Compares the speed of two builds whose benches count the same nodes. A budget that ends ends the
/// comparison too, with what is known by then.
///
/// # Errors
/// A bench fails or counts differently from before, or the user interrupts.
pub fn compare(
    builds: [&Built; 2],
    bench_settings: &BenchSettings,
    settings: SpeedSettings,
    control: &Control,
    on_turn: &dyn Fn(usize, Option<SpeedRatio>),
) -> Result<SpeedReport, BenchError> {
    let mut report = SpeedReport {
        settings,
        same_program: builds[0].sha256 == builds[1].sha256,
        processor_time: true,
        turns: Vec::new(),
        ratio: None,
        verdict: Verdict::Undecided,
    };
    if report.same_program {
        report.ratio = Some(SpeedRatio { value: 1.0, lower: 1.0, upper: 1.0 });
    }
    let mut known = builds.map(|built| built.known_bench(bench_settings).map(|it| it.nodes));
    let mut is_over = report.same_program || settings.most_turns == 0;
    while !is_over {
        let benches = match take_turn(builds, report.turns.len(), bench_settings, control) {
            Ok(benches) => benches,
            Err(error) if error.halt() == Some(Halt::BudgetOver) => break,
            Err(error) => return Err(error),
        };
        for ((built, known), found) in builds.into_iter().zip(&mut known).zip(&benches) {
            let (first, second) = (*known.get_or_insert(found.nodes), found.nodes);
            if first != second {
                let revision = built.revision.clone();
                return Err(BenchError::Unsteady { revision, first, second });
            }
        }
        let [base, candidate] = benches.map(|found| found.nodes);
        if base != candidate {
            return Err(BenchError::Unlike { base, candidate });
        }
        report.processor_time &= benches.iter().all(|found| found.processor_time);
        let [base, candidate] = benches.map(|found| found.seconds);
        report.turns.push(SpeedTurn { base, candidate });
        report.ratio = settings.ratio(&report.turns);
        on_turn(report.turns.len(), report.ratio);
        is_over = settings.is_over(report.turns.len(), report.ratio);
    }
    if let Some(ratio) = report.ratio {
        report.verdict = ratio.verdict(settings.tolerance);
    }
    Ok(report)
}

/// The benches of base and candidate; who begins alternates.
fn take_turn(
    builds: [&Built; 2],
    number: usize,
    settings: &BenchSettings,
    control: &Control,
) -> Result<[Bench; 2], BenchError> {
    let [base, candidate] = builds;
    if number.is_multiple_of(2) {
        Ok([base.bench(settings, control)?, candidate.bench(settings, control)?])
    } else {
        let first = candidate.bench(settings, control)?;
        Ok([base.bench(settings, control)?, first])
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use random::stream;

    use super::*;
    use crate::lanes::{assert_share, repetitions};

    /// Turns of a candidate whose speed is `ratio` times the base's, on a machine that slows down
    /// and that something disturbs now and then.
    fn turns(seed: u64, count: usize, ratio: f64) -> Vec<SpeedTurn> {
        turns_with((0.01, 0.1), seed, count, ratio)
    }

    /// The same with so much slowing down at each bench, and so many disturbances.
    fn turns_with(
        (slowing, bursts): (f64, f64),
        seed: u64,
        count: usize,
        ratio: f64,
    ) -> Vec<SpeedTurn> {
        let mut random = stream(seed, 0);
        let mut time = |position: usize, speed: f64| {
            let drift = 1.0 + slowing * position as f64;
            let burst = if random.random_bool(bursts) { 1.3 } else { 1.0 };
            drift * burst * random.random_range(0.98..1.02) / speed
        };
        (0..count)
            .map(|number| {
                let first = number % 2;
                let base = time(2 * number + first, 1.0);
                SpeedTurn { base, candidate: time(2 * number + 1 - first, ratio) }
            })
            .collect()
    }

    const SIMULATED: u64 = 4000;

    #[test]
    fn the_interval_holds_the_ratio_nineteen_times_in_twenty() {
        for (count, ratio) in [(10, 1.0), (20, 0.97)] {
            let simulated = repetitions(SIMULATED);
            let held = (0..simulated)
                .filter_map(|seed| SpeedRatio::of_turns(&turns(seed, count, ratio), ERROR))
                .filter(|found| found.lower <= ratio && ratio <= found.upper)
                .count();
            assert_share(held as u64, simulated, 0.95..=1.0, &format!("{count} turns"));
        }
    }

    #[test]
    fn the_interval_holds_the_ratio_although_it_decides_when_to_stop() {
        // On a quiet machine, whose intervals become narrow while there are turns left.
        let settings = SpeedSettings { precision: 0.008, ..SpeedSettings::default() };
        let holds = |found: SpeedRatio| found.lower <= 1.0 && 1.0 <= found.upper;
        let simulated = repetitions(SIMULATED);
        let (mut held, mut held_if_careless) = (0, 0);
        for seed in 0..simulated {
            let turns = turns_with((0.0, 0.0), seed, settings.most_turns, 1.0);
            let looks = settings.looks();
            let last = looks
                .iter()
                .find(|&&count| settings.is_over(count, settings.ratio(&turns[..count])))
                .expect("the last look ends it");
            let found = settings.ratio(&turns[..*last]).expect("enough turns");
            held += u64::from(holds(found));
            // A look after each turn, as if the number of turns were fixed.
            let found = (SpeedSettings::FEWEST_TURNS..=settings.most_turns)
                .filter_map(|count| SpeedRatio::of_turns(&turns[..count], ERROR).zip(Some(count)))
                .find(|(found, count)| {
                    found.half_width() <= settings.precision || *count == settings.most_turns
                });
            held_if_careless += u64::from(holds(found.expect("enough turns").0));
        }
        // The promise holds with few looks, and would not with a look after each turn.
        assert_share(held, simulated, 0.95..=1.0, "with few looks");
        let promised = simulated * 95 / 100;
        assert!(held_if_careless < promised, "{held_if_careless} of {simulated}");
    }

    #[test]
    fn looks_double_and_share_the_error() {
        let looks = |most_turns| SpeedSettings { most_turns, ..SpeedSettings::default() }.looks();
        assert_eq!(looks(60), [10, 20, 40, 60]);
        assert_eq!(looks(10), [10]);
        assert_eq!(looks(3), [3]);
        assert_eq!(looks(11), [10, 11]);
        let settings = SpeedSettings::default();
        let turns = turns(1, 20, 1.0);
        assert_eq!(settings.ratio(&turns), SpeedRatio::of_turns(&turns, ERROR / 4.0));
        // Narrow enough, but not at a look.
        let narrow = Some(SpeedRatio { value: 1.0, lower: 0.999, upper: 1.001 });
        assert!(settings.is_over(20, narrow) && !settings.is_over(21, narrow));
        assert!(settings.is_over(60, None));
    }

    #[test]
    fn ranks_are_those_of_the_tables() {
        // Wilcoxon's table for 2.5 % on one side: 0 for 6, 2 for 7, 8 for 10, 52 for 20.
        for (count, expected) in [(5, None), (6, Some(0)), (7, Some(2)), (10, Some(8))] {
            assert_eq!(walsh_averages_beyond(count, 0.05), expected, "{count}");
        }
        assert_eq!(walsh_averages_beyond(20, 0.05), Some(52));
        // And for 0.5 %: 3 for 10, 37 for 20.
        assert_eq!(walsh_averages_beyond(10, 0.01), Some(3));
        assert_eq!(walsh_averages_beyond(20, 0.01), Some(37));
    }

    #[test]
    fn verdicts_need_certainty() {
        let ratio = |value: f64, spread: f64| SpeedRatio {
            value,
            lower: value - spread,
            upper: value + spread,
        };
        assert_eq!(ratio(1.0, 0.005).verdict(0.02), Verdict::Accepted);
        assert_eq!(ratio(0.95, 0.01).verdict(0.02), Verdict::Rejected);
        // Perhaps slower than tolerated, but not surely.
        assert_eq!(ratio(0.975, 0.01).verdict(0.02), Verdict::Accepted);
        assert_eq!(ratio(1.0, 0.3).verdict(0.02), Verdict::Undecided);
        // However wide: surely not slower than tolerated.
        assert_eq!(ratio(1.5, 0.3).verdict(0.02), Verdict::Accepted);
        assert_eq!(SpeedRatio::of_turns(&turns(1, 5, 1.0), ERROR), None);
    }
}
