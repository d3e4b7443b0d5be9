//! A linear tapered evaluation: what any engine can have fitted.
//!
//! With counts c, middlegame values m, endgame values e and single values v, a position is worth
//! constant + phase · Σ c·m + (1 − phase) · scale · Σ c·e + Σ c·v, in centipawns from White's view.
//! The numbers are named in a [`ParameterFile`]; the positions come as text (`text.rs`) or packed
//! (`packed.rs`). A game with such an evaluation traces its positions itself.

mod arrays;
mod packed;
mod parameters;
mod read;
mod text;

pub use arrays::Language;
pub use parameters::ParameterFile;
pub use read::read;

use std::collections::BTreeMap;

use playable::LinearTrace;
use positions::Sample;

use super::Values;
use super::dictionary::Entry;
use super::packing::{Builder, Head};
use super::store::{Closing, Store};
use super::terms::Terms;

/// Greatest constant part, of either sign (centipawns): no position is worth more.
const CONSTANT_MAX: f32 = 1e6;

/// The sum of terms with phases, and that of single numbers.
const TAPERED: u8 = 0;
const SINGLE: u8 = 1;

/// The closing formula of a linear evaluation.
pub struct Tapered;

/// The traces of positions in a linear evaluation.
pub type LinearStore = Store<Tapered>;

impl Closing for Tapered {
    type Sums = [[f64; 2]; 2];
    /// Shares of the middlegame and endgame half, and the constant part.
    type Context = [f32; 3];
    type Numbers = ();
    type Beside = ();
    const SUMS: usize = 2;
    const LINEAR_SUMS: u8 = 2;
    const HAS_DENSE: bool = false;
    const IS_SORTED: bool = true;

    fn numbers(_: &Values) {}

    #[inline(always)]
    fn evaluate(sums: &Self::Sums, context: &[f32; 3], (): &()) -> f64 {
        let [middlegame, endgame, constant] = context.map(f64::from);
        constant + middlegame * sums[0][0] + endgame * sums[0][1] + sums[1][1]
    }

    #[inline(always)]
    fn differentiate(sums: &Self::Sums, context: &[f32; 3], numbers: &()) -> (f64, Self::Sums) {
        let [middlegame, endgame, _] = context.map(f64::from);
        (Tapered::evaluate(sums, context, numbers), [[middlegame, endgame], [0.0, 1.0]])
    }
}

/// One position as a file tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearPosition {
    /// White's points: 0 to 1.
    pub result: f32,
    /// Share of the middlegame: 1 at the start, 0 with kings and pawns.
    pub phase: f32,
    /// The factor of the endgame half, 0 to 1.
    pub scale: f32,
    /// Number of the game in its file, if it is told.
    pub game: Option<u32>,
    /// The part of the evaluation that is not fitted: centipawns, White's view.
    pub constant: f32,
    /// Search score: centipawns, White's view.
    pub score: Option<i16>,
    /// Indices of cells, and how often each counts: White's less Black's.
    pub entries: Vec<(u16, i16)>,
}

impl Default for LinearPosition {
    fn default() -> LinearPosition {
        LinearPosition {
            result: 0.5,
            phase: 1.0,
            scale: 1.0,
            game: None,
            constant: 0.0,
            score: None,
            entries: Vec::new(),
        }
    }
}

impl LinearPosition {
    /// A sample as it was traced.
    pub fn of(sample: &Sample, trace: LinearTrace) -> LinearPosition {
        LinearPosition {
            result: sample.result() as f32,
            phase: trace.phase,
            scale: trace.scale,
            game: Some(sample.game()),
            constant: trace.constant,
            score: sample.score(),
            entries: trace.counts,
        }
    }

    /// Its evaluation: centipawns, White's view.
    pub fn evaluate(&self, terms: &Terms, values: &Values) -> f64 {
        let [phase, scale, constant] = [self.phase, self.scale, self.constant].map(f64::from);
        let worth = |&(cell, count): &(u16, i16)| {
            let cell = usize::from(cell);
            let [middlegame, endgame] = values.0[cell];
            let value = match terms.of_cell(cell).has_phases {
                true => phase * middlegame + (1.0 - phase) * scale * endgame,
                false => endgame,
            };
            f64::from(count) * value
        };
        constant + self.entries.iter().map(worth).sum::<f64>()
    }

    /// Says what is wrong with it, for an evaluation of so many cells.
    ///
    /// # Errors
    /// When a number lies outside its range.
    fn check(&self, cells: usize) -> Result<(), String> {
        for (name, value) in [("result", self.result), ("phase", self.phase), ("scale", self.scale)]
        {
            if !(0.0..=1.0).contains(&value) {
                return Err(format!("the {name} must be from 0 to 1, not {value}"));
            }
        }
        if !(-CONSTANT_MAX..=CONSTANT_MAX).contains(&self.constant) {
            return Err(format!(
                "the constant part must be from -{CONSTANT_MAX} to {CONSTANT_MAX} centipawns, not {}",
                self.constant
            ));
        }
        match self.entries.iter().find(|(index, _)| usize::from(*index) >= cells) {
            Some((index, _)) => Err(format!(
                "index {index}, but the parameter file names the indices 0 to {}",
                cells - 1
            )),
            None => Ok(()),
        }
    }

    /// Appends it to a store.
    ///
    /// # Errors
    /// When the store cannot take it, or the counts of an index add up to too much.
    pub fn append(&self, terms: &Terms, store: &mut Builder<Tapered>) -> anyhow::Result<()> {
        let mut counts: BTreeMap<u16, i32> = BTreeMap::new();
        for &(index, count) in &self.entries {
            *counts.entry(index).or_default() += i32::from(count);
        }
        let entries = counts
            .into_iter()
            .map(|(cell, count)| {
                let sum =
                    if terms.of_cell(usize::from(cell)).has_phases { TAPERED } else { SINGLE };
                let times = i16::try_from(count)
                    .map_err(|_| anyhow::anyhow!("index {cell} counts {count} times"))?;
                Ok(Entry { cell, sum, times })
            })
            .collect::<anyhow::Result<Vec<Entry>>>()?;
        let head = Head {
            context: [self.phase, (1.0 - self.phase) * self.scale, self.constant],
            result: self.result,
            score: self.score,
        };
        store.push(head, &entries)
    }
}
