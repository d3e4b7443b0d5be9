//! Men, and the squares where they stand: how far men have come, and who holds the center.

use playable::linear::{Side, Sink};

use super::weights::Weights;
use crate::rules::{Board, Color, bits, turned};

/// A set of squares as a side numbers them, its own row first.
#[inline]
pub(super) fn seen_by(color: Color, set: u32) -> u32 {
    if color == Color::White { set } else { turned(set) }
}

pub(super) fn terms<S: Sink>(board: &Board, color: Color, w: &Weights, side: &mut Side<'_, S>) {
    let (men, kings) = (board.men_of(color), board.kings_of(color));
    side.add(&w.material.man, men.count_ones() as i32);
    side.add(&w.material.king, kings.count_ones() as i32);
    bits(seen_by(color, men)).for_each(|square| side.add(&w.squares.man[square], 1));
    bits(seen_by(color, kings)).for_each(|square| side.add(&w.squares.king[square], 1));
    if board.side_to_move() == color {
        side.add(&w.material.tempo, 1);
    }
}
