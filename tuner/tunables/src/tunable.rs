//! A number that is tuned by playing.

use parameters::Number;
use playable::Numbers;
use serde::{Deserialize, Serialize};

/// SPSA's gain unless a file says otherwise: what fishtest proposes.
pub const RATE: f64 = 0.002;

/// One number that can be tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tunable {
    /// Name as the engine knows it.
    pub name: String,
    /// Whether only whole numbers can be set.
    pub is_whole: bool,
    /// The value it starts from.
    pub value: f64,
    /// Smallest allowed value.
    pub low: f64,
    /// Largest allowed value.
    pub high: f64,
    /// A change of it that shows in play: SPSA's perturbation at the end of a run.
    pub step: f64,
    /// SPSA's gain at the end of a run, in squared steps.
    pub rate: f64,
}

impl Tunable {
    /// Decimals by which a change of the number can be seen, where it is not whole.
    pub fn decimals(&self) -> usize {
        let wanted = 1.0 - self.step.log10().floor();
        wanted.clamp(1.0, 8.0) as usize
    }

    /// A number of our own engine, as it is declared, with its value in `start`.
    pub fn of_number(number: &Number, start: &Numbers) -> Tunable {
        let (low, high) = number.range();
        Tunable {
            name: number.name(),
            is_whole: true,
            value: f64::from(start.value(number)),
            low: f64::from(low),
            high: f64::from(high),
            step: f64::from(number.step()),
            rate: RATE,
        }
    }

    /// The allowed value nearest to `value`.
    pub fn clamp(&self, value: f64) -> f64 {
        let value = if self.is_whole { value.round() } else { value };
        value.clamp(self.low, self.high)
    }

    /// The end of its range that it starts from, if it does: it can move one way only.
    pub fn start_end(&self) -> Option<&'static str> {
        if self.value == self.low {
            Some("lowest")
        } else if self.value == self.high {
            Some("highest")
        } else {
            None
        }
    }

    /// Whether it is a decision rather than a measure: a whole number from 0 to 1.
    pub(super) fn is_switch(&self) -> bool {
        self.is_whole && self.low == 0.0 && self.high == 1.0
    }

    /// A value as an engine is told it and files show it.
    pub fn text(&self, value: f64) -> String {
        // Adding zero turns a negative zero into zero.
        if self.is_whole { format!("{:.0}", value.round() + 0.0) } else { format!("{value}") }
    }

    /// Whether it can be tuned: its range, and whether value, step and rate make sense.
    ///
    /// # Errors
    /// What is wrong, without the name.
    pub fn check(&self) -> Result<(), String> {
        let Tunable { value, low, high, step, rate, .. } = *self;
        let is_finite = [value, low, high, step, rate].iter().all(|number| number.is_finite());
        if !is_finite {
            return Err("its numbers must be finite".to_string());
        }
        if low >= high {
            return Err(format!("its lowest value {low} is not below its highest, {high}"));
        }
        if !(low..=high).contains(&value) {
            return Err(format!("its value {value} is not from {low} to {high}"));
        }
        if self.is_whole && [low, high].iter().any(|end| end.fract() != 0.0) {
            return Err(format!("a whole number lies between whole numbers, not {low} and {high}"));
        }
        for (what, number) in [("step", step), ("rate", rate)] {
            if number <= 0.0 {
                return Err(format!("its {what} {number} is not above 0: it would never move"));
            }
        }
        Ok(())
    }
}
