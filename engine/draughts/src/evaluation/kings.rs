//! Kings, which are worth what they can reach: one in a corner that is watched is worth little.

use playable::linear::{Side, Sink};

use super::weights::Weights;
use crate::rules::{Board, Color, bits, neighbors};

pub(super) fn terms<S: Sink>(board: &Board, color: Color, w: &Weights, side: &mut Side<'_, S>) {
    let kings = board.kings_of(color);
    for square in bits(kings) {
        let steps = neighbors(1 << square) & board.empty();
        let safe = bits(steps).filter(|&to| !board.is_attacked(color, square, to)).count();
        side.add(&w.kings.mobility[safe], 1);
    }
    if kings != 0 && board.kings_of(!color) == 0 {
        side.add(&w.kings.alone, 1);
    }
}
