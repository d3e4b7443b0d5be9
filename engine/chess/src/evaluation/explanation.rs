//! The evaluation explained: every term by phase and side.

use std::fmt;

use parameters::Declaration;

use super::channels::{Channel, Sides, Sums, TraceEntry};
use super::closing::{PHASE_MAX, close};
use super::trace::{Trace, halves, info_of, record, trace};
use super::weights::Weights;
use crate::rules::Board;

/// What a weight contributes: middlegame and endgame halves of White and Black.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// White's middlegame and endgame numbers.
    pub white: [i32; 2],
    /// Black's, from Black's view.
    pub black: [i32; 2],
}

/// One weight that contributes to a position's value.
#[derive(Clone, Debug)]
pub struct ExplainedWeight {
    /// The declared weight.
    pub weight: &'static Declaration,
    /// The channel it is added to, which has the unit.
    pub channel: Channel,
    /// What it contributes here.
    pub contribution: Contribution,
}

/// A position's evaluation term by term; prints as a table.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Weights that contribute, in the order of declaration.
    pub weights: Vec<ExplainedWeight>,
    /// Phase, from 24 (all pieces) to 0 (kings and pawns).
    pub phase: i32,
    /// The sums of all channels; none if endgame knowledge answered instead of the terms.
    pub sums: Option<Sums<i32>>,
    /// White's value in centipawns.
    pub value: i32,
}

/// Explains the evaluation of a board.
pub fn explain(board: &Board, weights: &Weights) -> Explanation {
    let mut traced = Trace::new();
    trace(board, weights, &mut traced);
    let phase = i32::from(traced.context.phase);
    if let Some(value) = traced.exact {
        return Explanation { weights: Vec::new(), phase, sums: None, value };
    }
    let mut sums = traced.sums::<i32>(weights);
    let value = close(&sums, &traced.context, &weights.closing);
    for (side, base) in traced.context.scale_base.into_iter().enumerate() {
        sums.of_mut(Channel::SCALE, side)[1] += i32::from(base);
    }
    Explanation { weights: explained(board, weights), phase, sums: Some(sums), value }
}

fn explained(board: &Board, weights: &Weights) -> Vec<ExplainedWeight> {
    let (white, black, _) = record(board, weights, Vec::new(), Vec::new());
    let mut explained: Vec<ExplainedWeight> = Weights::INFO
        .iter()
        .map(|weight| ExplainedWeight {
            weight,
            channel: Channel::MAIN,
            contribution: Contribution::default(),
        })
        .collect();
    let mut add = |entry: &TraceEntry, side: usize| {
        let weight = info_of(entry.cell);
        let index = Weights::INFO.partition_point(|info| info.first_cell < weight.first_cell);
        let line = &mut explained[index];
        line.channel = Channel::of_sum(usize::from(entry.sum)).0;
        // A side's own view: without the sign it has in a difference.
        let times = i32::from(entry.times) * line.channel.sign(side);
        let contribution = &mut line.contribution;
        let own = if side == 0 { &mut contribution.white } else { &mut contribution.black };
        for (own, half) in own.iter_mut().zip(halves(weights, entry.cell)) {
            *own += times * half;
        }
    };
    white.iter().for_each(|entry| add(entry, 0));
    black.iter().for_each(|entry| add(entry, 1));
    explained.retain(|line| line.contribution != Contribution::default());
    explained
}

impl Explanation {
    /// A pair of middlegame and endgame numbers as one, in this phase.
    pub fn blended(&self, [middlegame, endgame]: [i32; 2]) -> i32 {
        (middlegame * self.phase + endgame * (PHASE_MAX - self.phase)) / PHASE_MAX
    }

    /// Each weight of the main score and by how much it makes White better, in centipawns.
    pub fn leads(&self) -> impl Iterator<Item = (&'static Declaration, i32)> {
        let main = self.weights.iter().filter(|line| line.channel == Channel::MAIN);
        main.map(|line| (line.weight, self.blended(line.contribution.total())))
    }
}

impl Contribution {
    /// White's numbers less Black's.
    fn total(&self) -> [i32; 2] {
        [self.white[0] - self.black[0], self.white[1] - self.black[1]]
    }
}

/// Columns of a name, and of the whole table.
const NAME_WIDTH: usize = 32;
const WIDTH: usize = NAME_WIDTH + 3 * 15;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} centipawns for White", self.value)?;
        if self.sums.is_none() {
            return write!(f, "\nThe endgame is known: no terms are counted.");
        }
        let rest = PHASE_MAX - self.phase;
        writeln!(
            f,
            "\nA term has a middlegame number (mg) and an endgame number (eg). The phase says\n\
             how much each counts: from {PHASE_MAX} with all pieces to 0 with kings and pawns alone.\n\
             Here it is {}: mg counts {} of {PHASE_MAX}, eg {rest} of {PHASE_MAX}.\n",
            self.phase, self.phase
        )?;
        let rule = "-".repeat(WIDTH);
        write!(f, "{:<NAME_WIDTH$}", "term")?;
        for side in ["White", "Black", "total"] {
            write!(f, "{:>9}{:>6}", format!("{side} mg"), "eg")?;
        }
        writeln!(f)?;
        let mut group = "";
        for ExplainedWeight { weight, channel, contribution } in &self.weights {
            if weight.group != group {
                group = weight.group;
                writeln!(f, "{rule}\n{group} ({})", channel.unit)?;
            }
            write!(f, "  {:<width$}", weight.name, width = NAME_WIDTH - 2)?;
            for [middlegame, endgame] in
                [contribution.white, contribution.black, contribution.total()]
            {
                write!(f, "{middlegame:>9}{endgame:>6}")?;
            }
            writeln!(f)?;
        }
        write!(f, "{rule}")?;
        self.sums.iter().try_for_each(|sums| write_sums(f, sums))
    }
}

/// One line for each sum.
fn write_sums(f: &mut fmt::Formatter<'_>, sums: &Sums<i32>) -> fmt::Result {
    for (index, [middlegame, endgame]) in sums.0.into_iter().enumerate() {
        let (channel, side) = Channel::of_sum(index);
        let whose = match channel.sides {
            Sides::Difference => ", White less Black",
            Sides::Each => [", White", ", Black"][side],
            Sides::Shared => "",
        };
        let name = format!("{}{whose} ({})", channel.name, channel.unit);
        let width = WIDTH - 15;
        write!(f, "\n{name:<width$}{middlegame:>9}{endgame:>6}")?;
    }
    Ok(())
}
