//! The evaluation explained: every term by phase and side.

use std::fmt;

use super::channels::{Channel, Sides, Sums};
use super::closing::close;
use super::trace::{Trace, TraceEntry, halves, info_of, record, trace};
use super::weights::Weights;
use crate::chess::rules::Board;
use crate::parameters::Declaration;

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

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = "-".repeat(81);
        write!(f, "{:<36}", "term")?;
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
            let Contribution { white, black } = contribution;
            write!(f, "  {:<34}", weight.name)?;
            let total = [white[0] - black[0], white[1] - black[1]];
            for [middlegame, endgame] in [*white, *black, total] {
                write!(f, "{middlegame:>9}{endgame:>6}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "{rule}")?;
        match &self.sums {
            None => writeln!(f, "known endgame")?,
            Some(sums) => {
                write_sums(f, sums)?;
                writeln!(f, "{:<66}{:>9}", "phase (24 = middlegame, 0 = endgame)", self.phase)?;
            }
        }
        write!(f, "{:<66}{:>9} centipawns for White", "value", self.value)
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
        writeln!(f, "{name:<66}{middlegame:>9}{endgame:>6}")?;
    }
    Ok(())
}
