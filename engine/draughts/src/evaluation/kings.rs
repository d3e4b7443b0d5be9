//! Kings: how far they go, and who has the main road.

use playable::linear::{Side, Sink};

use super::weights::Weights;
use crate::rules::{Board, Color, ROAD, bits};

pub(super) fn terms<S: Sink>(board: &Board, color: Color, w: &Weights, side: &mut Side<'_, S>) {
    let (kings, others) = (board.kings_of(color), board.kings_of(!color));
    if kings == 0 {
        return;
    }
    let most = w.kings.mobility.len() - 1;
    for square in bits(kings) {
        let steps = board.king_steps(square).count_ones() as usize;
        side.add(&w.kings.mobility[(steps / 3).min(most)], 1);
    }
    if others == 0 {
        side.add(&w.kings.alone, 1);
    }
    let has_road = kings & ROAD != 0 && others & ROAD == 0;
    if has_road {
        side.add(&w.kings.road, 1);
    }
    let against = board.of(!color).count_ones() as usize;
    if board.of(color).count_ones() == 1 && against > 0 {
        side.add(&w.kings.last[2 * (against.min(4) - 1) + usize::from(has_road)], 1);
    }
}
