//! An evaluation, weight by weight, for people.

use std::fmt::Write;

use parameters::{Declaration, Score};
use playable::Terms;

use super::weights::Weights;
use super::{WHOLE, evaluate, phase_of, trace};
use crate::rules::{Board, Color};

/// The evaluation from Red's view, and each weight that counts for one side more than for the other: how
/// often, and what it brings in both phases (centipawns).
pub fn explain(board: &Board, weights: &Weights) -> String {
    let value = evaluate(board, weights);
    let value = if board.side_to_move() == Color::White { value } else { -value };
    let phase = phase_of(board);
    let mut text = format!(
        "{value:+} centipawns for Red, {phase} of {WHOLE} parts middlegame\n\n\
         {:<38} {:>6} {:>10} {:>10}\n",
        "weight", "times", "middlegame", "endgame"
    );
    for (cell, count) in trace(board, weights).counts {
        let (info, index) = weight_of(cell);
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
pub fn terms_of(board: &Board, weights: &Weights) -> Terms {
    let value = evaluate(board, weights);
    let phase = phase_of(board);
    let mut shares: Vec<(String, Score)> = Vec::new();
    for (cell, count) in trace(board, weights).counts {
        let (name, score) = (weight_of(cell).0.path(), share_of(weights, cell, count));
        match shares.last_mut() {
            Some((known, sum)) if *known == name => *sum += score,
            _ => shares.push((name, score)),
        }
    }
    let blended =
        |score: Score| (score.middlegame() * phase + score.endgame() * (WHOLE - phase)) / WHOLE;
    Terms {
        value: if board.side_to_move() == Color::White { value } else { -value },
        shares: shares.into_iter().map(|(name, score)| (name, blended(score))).collect(),
    }
}

/// The weight that has a cell, and the place of the cell in it.
fn weight_of(cell: u16) -> (&'static Declaration, usize) {
    let place = Weights::INFO.partition_point(|info| info.first_cell <= usize::from(cell)) - 1;
    let info = &Weights::INFO[place];
    (info, usize::from(cell) - info.first_cell)
}

/// A cell of the weights as often as it counts.
fn share_of(weights: &Weights, cell: u16, count: i16) -> Score {
    let score: Score = bytemuck::cast(weights.cells()[usize::from(cell)]);
    score * i32::from(count)
}
