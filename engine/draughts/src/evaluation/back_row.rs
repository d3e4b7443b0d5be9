//! The back row, which men guard against kings.

use playable::linear::{Side, Sink};

use super::squares::seen_by;
use super::weights::Weights;
use crate::rules::{Board, Color};

pub(super) fn terms<S: Sink>(board: &Board, color: Color, w: &Weights, side: &mut Side<'_, S>) {
    if board.men_of(!color) != 0 {
        let held = seen_by(color, board.men_of(color)) & 0xF;
        side.add(&w.back_row.held[held as usize], 1);
    }
}
