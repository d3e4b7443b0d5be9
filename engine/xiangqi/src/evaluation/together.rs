//! Men together.
//!
//! Two of a kind do the same work twice, and cannons and horses do each other's: what a man is worth depends
//! on who stands beside it, and on the defenders that it meets.

use super::sink::{Side, Sink};
use super::weights::Weights;
use crate::rules::{Board, Color, Kind};

pub(super) fn terms<S: Sink>(board: &Board, color: Color, w: &Weights, side: &mut Side<'_, S>) {
    let count = |kind| board.of(color, kind).count() as usize;
    let against = |kind| board.of(!color, kind).count() as usize;
    let heavy = [Kind::Cannon, Kind::Horse, Kind::Rook].map(|kind| count(kind).min(2));
    let [cannons, horses, rooks] = heavy;
    side.add(&w.together.heavy[9 * rooks + 3 * horses + cannons], 1);
    let guards = 3 * count(Kind::Advisor).min(2) + count(Kind::Elephant).min(2);
    side.add(&w.together.guards[guards], 1);
    let defenders = 3 * against(Kind::Advisor).min(2) + against(Kind::Elephant).min(2);
    side.add(&w.together.cannon_by_defenders[defenders], cannons as i32);
    side.add(&w.together.horse_by_defenders[defenders], horses as i32);
    side.add(&w.together.rook_by_defenders[defenders], rooks as i32);
}
