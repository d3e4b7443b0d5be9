//! Evaluations that are sums of weights, each for two phases of the game.
//!
//! A game's terms know neither sums nor traces: they speak to a [`Sink`]. So what plays and what a fit
//! counts is one text.

use std::fmt::Write;
use std::mem::size_of;

use parameters::{Declaration, Declared, Score};
use search::Value;

use crate::{LinearTrace, Terms};

/// The unit of phases: so many parts are the whole middlegame.
pub const WHOLE: i32 = 256;

/// Takes the terms of a position.
pub trait Sink {
    /// A weight that counts so often, White's less Black's.
    fn add(&mut self, weight: &Score, times: i32);
}

/// The terms of a side.
pub struct Side<'a, S> {
    /// Where they go.
    pub sink: &'a mut S,
    /// 1 for White, -1 for Black.
    pub sign: i32,
}

impl<S: Sink> Side<'_, S> {
    /// A weight that counts so often for this side.
    #[inline]
    pub fn add(&mut self, weight: &Score, times: i32) {
        self.sink.add(weight, self.sign * times);
    }
}

/// The sum of both phases.
#[derive(Default)]
pub struct Sum(Score);

impl Sum {
    /// The value in centipawns from White's view, where so many parts of [`WHOLE`] are middlegame.
    #[inline]
    pub fn value(&self, phase: i32) -> Value {
        tapered(self.0, phase)
    }
}

/// The mean of both phases (centipawns), where so many parts of [`WHOLE`] are middlegame.
#[inline]
pub fn tapered(score: Score, phase: i32) -> Value {
    (score.middlegame() * phase + score.endgame() * (WHOLE - phase)) / WHOLE
}

impl Sink for Sum {
    #[inline]
    fn add(&mut self, weight: &Score, times: i32) {
        self.0 += *weight * times;
    }
}

/// How often each weight counts, by its cell.
pub struct Counts {
    /// The address of the first cell.
    first: usize,
    counts: Vec<i16>,
}

impl Counts {
    /// None of all weights yet. The terms must come from this very set of them.
    pub fn new<W: Declared>(weights: &W) -> Counts {
        let cells = size_of::<W>() / size_of::<Score>();
        Counts { first: std::ptr::from_ref(weights).addr(), counts: vec![0; cells] }
    }

    /// The trace of a position where so many parts of [`WHOLE`] are middlegame.
    pub fn trace(self, phase: i32) -> LinearTrace {
        LinearTrace {
            phase: phase as f32 / WHOLE as f32,
            scale: 1.0,
            constant: 0.0,
            counts: (0..).zip(self.counts).filter(|&(_, count)| count != 0).collect(),
        }
    }
}

impl Sink for Counts {
    fn add(&mut self, weight: &Score, times: i32) {
        let cell = (std::ptr::from_ref(weight).addr() - self.first) / size_of::<Score>();
        self.counts[cell] += times as i16;
    }
}

/// The value in centipawns from White's view, who has this name, and each weight that counts for one
/// side more than for the other: how often, and what it brings in both phases.
pub fn explain<W: Declared>(weights: &W, trace: &LinearTrace, value: Value, white: &str) -> String {
    let phase = trace.phase * WHOLE as f32;
    let mut text = format!(
        "{value:+} centipawns for {white}, {phase} of {WHOLE} parts middlegame\n\n\
         {:<38} {:>6} {:>10} {:>10}\n",
        "weight", "times", "middlegame", "endgame"
    );
    if trace.scale != 1.0 {
        let _ = writeln!(text, "{:.0} % of the sum counts", 100.0 * trace.scale);
    }
    for &(cell, count) in &trace.counts {
        let (info, index) = weight_of::<W>(cell);
        let name = match info.is_array {
            true => format!("{}[{index}]", info.path()),
            false => info.path(),
        };
        let score = share_of(weights, cell, count);
        let (middlegame, endgame) = (score.middlegame(), score.endgame());
        let _ = writeln!(text, "{name:<38} {count:>+6} {middlegame:>+10} {endgame:>+10}");
    }
    text
}

/// The same as the share of each weight in the value.
pub fn shares<W: Declared>(weights: &W, trace: &LinearTrace, value: Value) -> Terms {
    let mut sums: Vec<(String, Score)> = Vec::new();
    for &(cell, count) in &trace.counts {
        let (name, score) = (weight_of::<W>(cell).0.path(), share_of(weights, cell, count));
        match sums.last_mut() {
            Some((known, sum)) if *known == name => *sum += score,
            _ => sums.push((name, score)),
        }
    }
    let phase = (trace.phase * WHOLE as f32) as i32;
    let scaled = |score| (tapered(score, phase) as f32 * trace.scale).round() as Value;
    Terms { value, shares: sums.into_iter().map(|(name, score)| (name, scaled(score))).collect() }
}

/// The weight that has a cell, and the place of the cell in it.
fn weight_of<W: Declared>(cell: u16) -> (&'static Declaration, usize) {
    let place = W::INFO.partition_point(|info| info.first_cell <= usize::from(cell)) - 1;
    let info = &W::INFO[place];
    (info, usize::from(cell) - info.first_cell)
}

/// A cell of the weights as often as it counts.
fn share_of<W: Declared>(weights: &W, cell: u16, count: i16) -> Score {
    let score: Score = bytemuck::cast(weights.cells()[usize::from(cell)]);
    score * i32::from(count)
}
