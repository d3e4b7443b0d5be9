//! Whose moves last longer, and threats.
//!
//! The move: of the eight columns four begin at a side's back row. If the side to move counts an
//! odd number of men on its own four, of both sides, it will be the one that the other has to give
//! way to; otherwise the other will be.

use playable::linear::{Side, Sink};

use super::weights::Weights;
use crate::rules::{Board, Color, FROM_A};

/// The columns that begin at each side's back row.
const SYSTEMS: [u32; 2] = [FROM_A, !FROM_A];

pub(super) fn terms<S: Sink>(board: &Board, color: Color, w: &Weights, side: &mut Side<'_, S>) {
    let mover = board.side_to_move();
    if board.of(color).count_ones() == board.of(!color).count_ones() {
        let counted = (!board.empty() & SYSTEMS[mover.index()]).count_ones();
        let has_the_move = if counted % 2 == 1 { mover } else { !mover };
        side.add(&w.timing.the_move, i32::from(has_the_move == color));
    }
    side.add(&w.timing.threat, board.capturers(color).count_ones() as i32);
}
