//! An evaluation, weight by weight, for people.

use std::fmt::Write;

use parameters::Score;

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
        let place = Weights::INFO.partition_point(|info| info.first_cell <= usize::from(cell)) - 1;
        let info = &Weights::INFO[place];
        let index = usize::from(cell) - info.first_cell;
        let name = match info.is_array {
            true => format!("{}[{index}]", info.path()),
            false => info.path(),
        };
        let score: Score = bytemuck::cast(weights.cells()[usize::from(cell)]);
        let score = score * i32::from(count);
        let (middlegame, endgame) = (score.middlegame(), score.endgame());
        let _ = writeln!(text, "{name:<38} {count:>+6} {middlegame:>+10} {endgame:>+10}");
    }
    text
}
