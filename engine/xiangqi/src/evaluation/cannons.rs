//! Cannons and the enemy's king.
//!
//! Behind a hollow cannon nobody may step between; with two men between, neither may leave; on the back rank
//! a cannon needs but one screen beside the palace.

use super::sink::{Side, Sink};
use super::weights::Weights;
use crate::rules::{Board, Color, Kind, attacks};

pub(super) fn terms<S: Sink>(board: &Board, color: Color, w: &Weights, side: &mut Side<'_, S>) {
    let king = board.king(!color);
    let back_rank = if color == Color::White { 9 } else { 0 };
    for cannon in board.of(color, Kind::Cannon) {
        if cannon.file() == king.file() {
            let men = attacks::between(cannon, king) & board.occupied();
            match men.count() {
                0 => {
                    let distance = cannon.rank().abs_diff(king.rank());
                    side.add(&w.cannons.hollow[distance - 1], 1);
                }
                2 => side.add(&w.cannons.pinning, 1),
                _ => {}
            }
        }
        if cannon.rank() == back_rank {
            side.add(&w.cannons.bottom, 1);
        }
    }
}
