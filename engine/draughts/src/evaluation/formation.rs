//! Men that protect each other, that are stuck, and that nobody can stop.

use playable::linear::{Side, Sink};

use super::squares::seen_by;
use super::weights::Weights;
use crate::rules::{Board, Color, bits, shifted};

/// The last square of each row.
const LAST_OF_ROW: u32 = 0x8888_8888;

/// The squares beside which the board ends on one diagonal or the other: nobody jumps over them
/// there.
const EDGES: [u32; 2] = [!shifted(!0, 0) | !shifted(!0, 3), !shifted(!0, 1) | !shifted(!0, 2)];

/// The squares ahead of a man of White, as far as it can go.
const AHEAD: [u32; 32] = {
    let mut ahead = [0; 32];
    let mut square = 0;
    while square < 32 {
        let mut front = 1 << square;
        while front != 0 {
            front = shifted(front, 0) | shifted(front, 1);
            ahead[square] |= front;
        }
        square += 1;
    }
    ahead
};

pub(super) fn terms<S: Sink>(board: &Board, color: Color, w: &Weights, side: &mut Side<'_, S>) {
    let men = seen_by(color, board.men_of(color));
    let own = seen_by(color, board.of(color));
    let enemies = seen_by(color, board.of(!color));
    let empty = !(own | enemies);
    // On each diagonal: an own man is beside it, or the edge.
    let left = shifted(own, 0) | shifted(own, 3) | EDGES[0];
    let right = shifted(own, 1) | shifted(own, 2) | EDGES[1];
    side.add(&w.formation.backed, (men & left & right).count_ones() as i32);
    let pairs = men & (men & !LAST_OF_ROW) << 1;
    side.add(&w.formation.pair, pairs.count_ones() as i32);
    let can_step = shifted(empty, 2) | shifted(empty, 3);
    side.add(&w.formation.stuck, (men & !can_step).count_ones() as i32);
    for square in bits(men) {
        if AHEAD[square] & enemies == 0 {
            side.add(&w.formation.runaway[6 - square / 4], 1);
        }
    }
}
