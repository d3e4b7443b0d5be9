//! The evaluation explained: every term by phase and side.

use std::fmt;

use super::closing::close;
use super::sink::{DANGER, MAIN, TraceEntry};
use super::weights::Weights;
use super::{Cells, Trace, info_of, record};
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

/// One line of the report.
#[derive(Clone, Debug)]
pub struct ReportLine {
    /// The declared weight.
    pub weight: &'static Declaration,
    /// What it contributes here, in centipawns (groups `danger`, `initiative` and `scale`: in their
    /// own units).
    pub contribution: Contribution,
}

/// A position's evaluation term by term; prints as a table.
#[derive(Clone, Debug)]
pub struct Report {
    /// Weights that contribute, in the order of declaration.
    pub lines: Vec<ReportLine>,
    /// Phase, from 24 (all pieces) to 0 (kings and pawns).
    pub phase: i32,
    /// Channel sums: main score White minus Black, and danger for the kings of White and Black.
    pub sums: [[i32; 2]; 3],
    /// White's value in centipawns.
    pub value: i32,
    /// True if endgame knowledge answered instead of the terms.
    pub known: bool,
}

/// Explains the evaluation of a board.
pub fn report(board: &Board, weights: &Weights) -> Report {
    let mut trace = Trace::new();
    super::trace(board, weights, &mut trace);
    let sums = trace.sums::<i32>(weights);
    let value = trace.exact.unwrap_or_else(|| close(&sums, &trace.context));
    let lines = match trace.exact {
        Some(_) => Vec::new(),
        None => lines(board, weights),
    };
    let pair = |channel: usize| [sums.middlegame[channel], sums.endgame[channel]];
    Report {
        lines,
        phase: i32::from(trace.context.phase),
        sums: [pair(MAIN), pair(DANGER), pair(DANGER + 1)],
        value,
        known: trace.exact.is_some(),
    }
}

fn lines(board: &Board, weights: &Weights) -> Vec<ReportLine> {
    let (white, black, _) = record(board, weights, Vec::new(), Vec::new());
    let mut lines: Vec<ReportLine> = Weights::INFO
        .iter()
        .map(|weight| ReportLine { weight, contribution: Contribution::default() })
        .collect();
    let cells = Cells::new(weights);
    let mut add = |entry: &TraceEntry, is_white: bool| {
        let weight = info_of(entry.cell);
        let index = Weights::INFO.partition_point(|info| info.first_cell < weight.first_cell);
        let (middlegame, endgame) = cells.halves(entry.cell);
        // Black's main terms are recorded with White's sign.
        let flip = !is_white && usize::from(entry.channel) == MAIN;
        let times = i32::from(entry.times) * if flip { -1 } else { 1 };
        let contribution = &mut lines[index].contribution;
        let half = if is_white { &mut contribution.white } else { &mut contribution.black };
        half[0] += times * middlegame;
        half[1] += times * endgame;
    };
    white.iter().for_each(|entry| add(entry, true));
    black.iter().for_each(|entry| add(entry, false));
    lines.retain(|line| line.contribution != Contribution::default());
    lines
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = "-".repeat(81);
        write!(f, "{:<36}", "term")?;
        for side in ["White", "Black", "total"] {
            write!(f, "{:>9}{:>6}", format!("{side} mg"), "eg")?;
        }
        writeln!(f)?;
        let mut group = "";
        for line in &self.lines {
            if line.weight.group != group {
                group = line.weight.group;
                let unit = match group {
                    "danger" => " (danger units, for the own king)",
                    "initiative" => " (endgame centipawns for the leader)",
                    "scale" => " (128ths of the endgame lead)",
                    _ => "",
                };
                writeln!(f, "{rule}\n{group}{unit}")?;
            }
            let Contribution { white, black } = line.contribution;
            write!(f, "  {:<34}", line.weight.name)?;
            for [middlegame, endgame] in [white, black, [white[0] - black[0], white[1] - black[1]]]
            {
                write!(f, "{middlegame:>9}{endgame:>6}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "{rule}")?;
        if self.known {
            writeln!(f, "known endgame")?;
        } else {
            let names = ["main score", "danger for White's king", "danger for Black's king"];
            for (name, [middlegame, endgame]) in names.into_iter().zip(self.sums) {
                writeln!(f, "{name:<66}{middlegame:>9}{endgame:>6}")?;
            }
            writeln!(f, "{:<66}{:>9}", "phase (24 = middlegame, 0 = endgame)", self.phase)?;
        }
        write!(f, "{:<66}{:>9} centipawns for White", "value", self.value)
    }
}
