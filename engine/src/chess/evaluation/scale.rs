//! Endgame scale: leads that are worth less than they look, because the game is hard to win.

use super::closing::SCALE_FULL;
use super::scene::Scene;
use super::sink::Sink;
use super::weights::Weights;
use crate::chess::rules::{Bitboard, Square, attacks};

/// Files a to d.
const LEFT_WING: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);

/// Adds the scale of the endgame lead, should this side have it: the first rule that fits. Returns
/// what the scale starts from: the full scale if no rule fits, nothing otherwise.
pub(super) fn scale<const WHITE: bool, S: Sink>(
    scene: &Scene,
    passed: Bitboard,
    w: &Weights,
    sink: &mut S,
) -> i32 {
    let w = &w.scale;
    let own = scene.own::<WHITE>();
    let enemy = scene.enemy::<WHITE>();
    let own_minors = own.knights | own.bishops;
    let own_majors = own.rooks | own.queens;
    let pawns = own.pawns.count() as usize;

    if pawns == 0 {
        if own_majors.is_empty() && !own_minors.many() {
            sink.scale(&w.lone_minor);
            return 0;
        }
        let lead = points::<WHITE>(scene) - points_of_enemy::<WHITE>(scene);
        if lead <= 3 {
            sink.scale(&w.no_pawns[(lead - 1).clamp(0, 2) as usize]);
            return 0;
        }
    }
    if own_majors.is_empty() && own.knights.is_empty() && keeps_the_corner::<WHITE>(scene) {
        sink.scale(&w.wrong_corner);
        return 0;
    }
    if opposite_bishops::<WHITE>(scene) {
        let others = own.knights | own_majors | enemy.knights | enemy.rooks | enemy.queens;
        if others.is_empty() {
            let own_passed = (passed & own.pawns).count().min(2) as usize;
            sink.scale(&w.opposite_bishops_alone[own_passed]);
        } else {
            sink.scale(&w.opposite_bishops);
        }
        return 0;
    }
    if one_rook_each::<WHITE>(scene)
        && pawns <= enemy.pawns.count() as usize + 1
        && (own.pawns.0 & LEFT_WING.0 == 0 || own.pawns.0 & !LEFT_WING.0 == 0)
        && (own.pawns & before::<WHITE>(enemy.king)).any()
    {
        sink.scale(&w.rooks_one_wing);
        return 0;
    }
    match w.pawns_left.get(pawns) {
        Some(weight) => {
            sink.scale(weight);
            0
        }
        None => SCALE_FULL,
    }
}

/// Pieces in points: knight and bishop 3, rook 5, queen 9.
fn points<const WHITE: bool>(scene: &Scene) -> i32 {
    let side = scene.own::<WHITE>();
    let count = |men: Bitboard| men.count() as i32;
    3 * count(side.knights | side.bishops) + 5 * count(side.rooks) + 9 * count(side.queens)
}

fn points_of_enemy<const WHITE: bool>(scene: &Scene) -> i32 {
    if WHITE { points::<false>(scene) } else { points::<true>(scene) }
}

/// Each side has exactly one bishop, on squares of different colors.
fn opposite_bishops<const WHITE: bool>(scene: &Scene) -> bool {
    let bishops = scene.own::<WHITE>().bishops;
    let others = scene.enemy::<WHITE>().bishops;
    bishops.count() == 1
        && others.count() == 1
        && (bishops & Bitboard::LIGHT_SQUARES).any() != (others & Bitboard::LIGHT_SQUARES).any()
}

/// Each side has exactly one rook and no other piece.
fn one_rook_each<const WHITE: bool>(scene: &Scene) -> bool {
    [scene.own::<WHITE>(), scene.enemy::<WHITE>()].into_iter().all(|side| {
        side.rooks.count() == 1 && (side.knights | side.bishops | side.queens).is_empty()
    })
}

/// The three files around the king, from his rank on towards his side's home: where pawns that run
/// against him must pass.
fn before<const WHITE: bool>(enemy_king: Square) -> Bitboard {
    let files = attacks::king(enemy_king) | enemy_king.bitboard();
    files.fill_backward::<WHITE>()
}

/// All own pawns stand on one rook file, no bishop controls its promotion square, and the enemy
/// king is there first: he cannot be driven out of the corner.
pub(super) fn keeps_the_corner<const WHITE: bool>(scene: &Scene) -> bool {
    let own = scene.own::<WHITE>();
    corner_holds::<WHITE>(own.pawns, own.bishops, scene.enemy::<WHITE>().king)
}

/// As [`keeps_the_corner`], for pawns and bishops of the side and the enemy king.
pub(super) fn corner_holds<const WHITE: bool>(
    pawns: Bitboard,
    bishops: Bitboard,
    enemy_king: Square,
) -> bool {
    if pawns.is_empty() {
        return false;
    }
    let file = if (pawns & !Bitboard::file(0)).is_empty() {
        0
    } else if (pawns & !Bitboard::file(7)).is_empty() {
        7
    } else {
        return false;
    };
    let corner = Square::from_coordinates(file, if WHITE { 7 } else { 0 });
    let corner_color = if Bitboard::LIGHT_SQUARES.contains(corner) {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    };
    (bishops & corner_color).is_empty() && attacks::distance(enemy_king, corner) <= 1
}
