//! Men that have somewhere to go.
//!
//! A horse with two legs stopped is hardly a horse, and a rook that never left its corner is not yet in the
//! game. Squares that a lesser enemy attacks are no places to go to.

use super::scene::Scene;
use super::sink::{Side, Sink};
use super::weights::Weights;
use crate::rules::{Board, Color, Kind, attacks};

pub(super) fn terms<S: Sink>(
    board: &Board,
    color: Color,
    scene: &Scene,
    w: &Weights,
    side: &mut Side<'_, S>,
) {
    let (occupied, enemies) = (board.occupied(), board.color(!color));
    let theirs = &scene.of_kind[(!color).index()];
    let free = !(board.color(color) | scene.by_small(!color));
    let for_rooks = free & !(theirs[Kind::Horse.index()] | theirs[Kind::Cannon.index()]);
    for square in board.of(color, Kind::Rook) {
        let count = (attacks::rook(square, occupied) & for_rooks).count();
        side.add(&w.mobility.rook[count as usize], 1);
    }
    for square in board.of(color, Kind::Horse) {
        let count = (attacks::horse(square, occupied) & free).count();
        side.add(&w.mobility.horse[count as usize], 1);
    }
    for square in board.of(color, Kind::Cannon) {
        let count = (attacks::rook(square, occupied) & free & !occupied).count();
        side.add(&w.mobility.cannon[count as usize], 1);
        let targets = (attacks::cannon(square, occupied) & enemies).count();
        side.add(&w.mobility.cannon_targets, targets as i32);
    }
}
