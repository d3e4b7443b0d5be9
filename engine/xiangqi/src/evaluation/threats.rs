//! Men that the enemy can win.
//!
//! A search sees what is captured next; two threats at once, or one that has to be answered while another
//! plan goes on, are worth something before that.

use super::scene::Scene;
use super::sink::{Side, Sink};
use super::weights::Weights;
use crate::rules::{Board, Color, Kind};

pub(super) fn terms<S: Sink>(
    board: &Board,
    color: Color,
    scene: &Scene,
    w: &Weights,
    side: &mut Side<'_, S>,
) {
    let (us, them) = (color.index(), (!color).index());
    let loose = board.color(color) & scene.all[them] & !scene.all[us];
    for (kind, weight) in Kind::ALL.into_iter().zip(&w.threats.loose) {
        side.add(weight, (loose & board.kind(kind)).count() as i32);
    }
    let mut by_lesser = scene.of_kind[them][Kind::Pawn.index()]
        | scene.of_kind[them][Kind::Elephant.index()]
        | scene.of_kind[them][Kind::Advisor.index()];
    let guarded = board.color(color) & scene.all[us];
    for (place, kind) in [Kind::Cannon, Kind::Horse, Kind::Rook].into_iter().enumerate() {
        let count = (guarded & board.kind(kind) & by_lesser).count();
        side.add(&w.threats.by_lesser[place], count as i32);
        if kind == Kind::Horse {
            by_lesser |= scene.of_kind[them][Kind::Cannon.index()]
                | scene.of_kind[them][Kind::Horse.index()];
        }
    }
}
