//! From round to round: try values around a center, fit the surface, move the center to its peak.

use statistics::CONFIDENCE;

use super::ELO_PER_WORTH;
use super::bench::{Bench, Question};
use super::design::Space;
use super::journal::{Entry, Journal};
use super::places::Passage;
use super::surface::{Doubts, Parabolas, Surface};

/// Passages between two entries into the journal: what a kill can lose.
const CHUNK: usize = 25;
/// How far the center moves in a round at most (spreads).
const STRIDE: f64 = 0.7;

/// The finding about one number.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The number's full name.
    pub name: String,
    /// Its value at the start.
    pub start: f64,
    /// The value that was found, as it is set.
    pub value: f64,
    /// Between these the best value lies with a probability of 95 %; an end of the range stands for all
    /// values beyond. The value may lie outside, as a round moves it by no more than a stride.
    pub interval: (f64, f64),
    /// Nothing is said of the best value: every one may be it.
    pub is_open: bool,
    /// No choice depended on it.
    pub is_blind: bool,
    /// Expected gain of the change (Elo).
    pub gain: f64,
    /// Standard error of that (Elo).
    pub gain_error: f64,
    /// Loss of a value that is off by a spread (Elo).
    pub curvature: f64,
    /// Standard error of that (Elo).
    pub curvature_error: f64,
    /// A spread: a third or so of the number.
    pub spread: f64,
    /// Slope of the parabola at the start (Elo by spread).
    pub slope: f64,
    /// Decimals by which a change of the number can be seen.
    pub decimals: usize,
}

impl Finding {
    /// A value, or how far one is from another, as it is shown.
    pub fn shown(&self, value: f64) -> String {
        format!("{value:.*}", self.decimals)
    }

    /// Expected gain of a value over the start (Elo).
    pub fn gain_of(&self, value: f64) -> f64 {
        let place = (value - self.start) / self.spread;
        place * (self.slope - self.curvature * place)
    }

    /// The finding in a few words: whether values within a spread of the best one are as good, as
    /// far as can be told, or whether nothing can be told.
    pub fn verdict(&self) -> &'static str {
        /// Less is not worth a line in a log (Elo).
        const LITTLE: f64 = 1.5;
        let at_most = |value: f64, error: f64| value.abs() + CONFIDENCE * error;
        if self.is_blind {
            "no choice differed"
        } else if at_most(self.curvature, self.curvature_error) < LITTLE
            && at_most(self.gain, self.gain_error) < LITTLE
        {
            "does not matter"
        } else if self.is_open {
            "not told"
        } else {
            ""
        }
    }
}

pub(super) struct Tuning<'a, 't> {
    pub bench: &'a mut Bench<'t>,
    pub journal: &'a mut Journal,
    pub passages: &'a [Passage],
    pub space: &'a Space,
    pub seed: u64,
}

/// Hears how a run goes on, and may end it.
pub trait Listener {
    /// The run begins with this.
    fn began(&mut self, _text: &str) {}
    /// So many searches of a round have been made, of which the journal had all but `fresh`.
    fn searched(&mut self, round: usize, searches: usize, fresh: usize, judgements: usize);
    /// A round is over, and this was found so far.
    fn round_ended(&mut self, round: usize, findings: &[Finding]);
    /// So many searches were made to compare start and result.
    fn compared(&mut self, _searches: usize) {}
    /// Whether another round may begin, after at least one.
    fn may_begin(&self) -> bool {
        true
    }
    /// Whether the run is to end before its time.
    fn is_interrupted(&self) -> bool {
        false
    }
}

impl Tuning<'_, '_> {
    /// Goes through so many rounds, each of which asks twice about every passage, or fewer if the
    /// listener ends it. Returns the findings after each whole round.
    ///
    /// # Errors
    /// If an engine over pipes fails, or journal or judgements cannot be written.
    pub fn run(
        &mut self,
        rounds: usize,
        listener: &mut dyn Listener,
    ) -> anyhow::Result<Vec<Vec<Finding>>> {
        let numbers = self.space.tunables().len();
        let mut surface = Surface::new(numbers, self.passages.len());
        let mut center = vec![0.0; numbers];
        let mut history = Vec::new();
        for round in 0..rounds {
            let may_begin = round == 0 || listener.may_begin();
            if !may_begin || !self.round(round, &center, &mut surface, listener)? {
                break;
            }
            let (parabolas, doubts) = surface.parabolas();
            let next = next_center(self.space, &parabolas, &center);
            let findings = self.findings(&parabolas, &doubts, &next);
            center = next;
            listener.round_ended(round, &findings);
            history.push(findings);
        }
        Ok(history)
    }

    /// Observes every passage twice, with opposite values; false if the listener ended it.
    fn round(
        &mut self,
        round: usize,
        center: &[f64],
        surface: &mut Surface,
        listener: &mut dyn Listener,
    ) -> anyhow::Result<bool> {
        let values = self.space.values(center);
        let sides = |passage: usize| self.space.opposites(&values, self.seed, round, passage);
        let passages: Vec<usize> = (0..self.passages.len()).collect();
        for chunk in passages.chunks(CHUNK) {
            let mut known = Vec::with_capacity(chunk.len());
            for &passage in chunk {
                known.extend(self.journal.next(round, passage)?);
            }
            let asked = &chunk[known.len()..];
            let questions: Vec<Question<'_>> = asked
                .iter()
                .flat_map(|&passage| sides(passage).map(|values| (passage, values)))
                .map(|(passage, values)| Question { passage: &self.passages[passage], values })
                .collect();
            let found = self.bench.ask(&questions)?;
            let new: Vec<Entry> = asked
                .iter()
                .zip(found.chunks_exact(2))
                .map(|(&passage, two)| Entry { round, passage, worths: [two[0], two[1]] })
                .collect();
            self.journal.append(&new)?;
            let all = known.into_iter().chain(new.into_iter().map(|entry| entry.worths));
            for (&passage, worths) in chunk.iter().zip(all) {
                for (values, worth) in sides(passage).iter().zip(worths) {
                    surface.observe(passage, &self.space.place(values), worth);
                }
            }
            let searches = |passages: &[usize]| {
                2 * passages.iter().map(|&it| self.passages[it].places.len()).sum::<usize>()
            };
            let judgements = self.bench.judgements();
            listener.searched(round, searches(chunk), searches(asked), judgements);
            if listener.is_interrupted() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn findings(&self, parabolas: &Parabolas, doubts: &Doubts, next: &[f64]) -> Vec<Finding> {
        let of_number = |number: usize| {
            let tunable = &self.space.tunables()[number];
            let spread = self.space.spread()[number];
            let place = next[number];
            let range = self.space.range(number);
            let best = doubts.best_places(parabolas, number, range);
            let value = |place: f64| tunable.value + place * spread;
            Finding {
                name: tunable.name.clone(),
                start: tunable.value,
                value: tunable.clamp(value(place)),
                interval: (value(best.0).max(tunable.low), value(best.1).min(tunable.high)),
                is_open: best == range,
                is_blind: doubts.are_blind(number),
                gain: ELO_PER_WORTH * parabolas.gain(number, 0.0, place),
                gain_error: ELO_PER_WORTH * doubts.deviation(number, [place, 0.5 * place * place]),
                curvature: -0.5 * ELO_PER_WORTH * parabolas.curvature[number],
                slope: ELO_PER_WORTH * parabolas.slope[number],
                curvature_error: 0.5 * ELO_PER_WORTH * doubts.deviation(number, [0.0, 1.0]),
                spread,
                decimals: if tunable.is_whole { 0 } else { tunable.decimals() },
            }
        };
        (0..next.len()).map(of_number).collect()
    }
}

/// The peak of the surface, as far as it lies within a stride of the center.
fn next_center(space: &Space, parabolas: &Parabolas, center: &[f64]) -> Vec<f64> {
    let peak = |number: usize| {
        let (low, high) = reach(space, center, number);
        parabolas.peak(number, low, high)
    };
    (0..center.len()).map(peak).collect()
}

/// Where a number's center may go from where it is: a stride to each side, within its range.
fn reach(space: &Space, center: &[f64], number: usize) -> (f64, f64) {
    let (low, high) = space.range(number);
    ((center[number] - STRIDE).max(low), (center[number] + STRIDE).min(high))
}
