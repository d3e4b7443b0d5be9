//! Men that have somewhere to go.
//!
//! A horse with two legs stopped is hardly a horse, and a rook that never left its corner is not yet in the
//! game. Squares that a lesser enemy attacks are no places to go to.

use super::scene::Scene;
use super::sink::{Side, Sink};
use super::weights::Weights;
use crate::rules::{Bitboard, Board, Color, Kind};

pub(super) fn terms<S: Sink>(
    board: &Board,
    color: Color,
    scene: &Scene,
    w: &Weights,
    side: &mut Side<'_, S>,
) {
    let enemies = board.color(!color);
    let theirs = &scene.of_kind[(!color).index()];
    let free = !(board.color(color) | scene.by_small(!color));
    let for_rooks = free & !(theirs[Kind::Horse.index()] | theirs[Kind::Cannon.index()]);
    let each = |kind| {
        let men = board.of(color, kind).count() as usize;
        scene.of_each(color, kind).iter().take(men)
    };
    let count = |set: Bitboard| set.count() as usize;
    for &attacked in each(Kind::Rook) {
        side.add(&w.mobility.rook[count(attacked & for_rooks)], 1);
    }
    for &attacked in each(Kind::Horse) {
        side.add(&w.mobility.horse[count(attacked & free)], 1);
    }
    for (&attacked, &walks) in each(Kind::Cannon).zip(&scene.cannon_walks[color.index()]) {
        side.add(&w.mobility.cannon[count(walks & free)], 1);
        side.add(&w.mobility.cannon_targets, count(attacked & enemies) as i32);
    }
}
