//! Endgame scale: leads that are worth less than they look, because the game is hard to win.
//!
//! CITE: Tord Romstad, Glaurung, and the Stockfish developers: scale factors for drawish endings.

use super::channels::Sink;
use super::closing::SCALE_FULL;
use super::geometry::LEFT_WING;
use super::scene::{Placement, Scene, Side};
use super::weights::Endgames;
use super::weights::Weights;
use crate::rules::{Bitboard, Square, attacks};

/// Adds the scale of the endgame lead, should this side have it: the first rule that fits. Returns
/// what the scale starts from: the full scale if no rule fits, nothing otherwise.
pub(super) fn scale<S: Sink>(scene: &Scene, weights: &Weights, sink: &mut S) -> i32 {
    let w = &weights.scale;
    let placement = scene.placement;
    let (own, enemy) = (placement.own, &placement.enemy);
    let own_minors = own.knights | own.bishops;
    let own_majors = own.rooks | own.queens;
    let pawns = own.pawns.count() as usize;

    if pawns == 0 {
        if own_majors.is_empty() && !own_minors.many() {
            sink.scale(&w.lone_minor, 1);
            return 0;
        }
        let lead = points(own, &weights.endgames) - points(enemy, &weights.endgames);
        if lead <= 3 {
            sink.scale(&w.no_pawns[(lead - 1).clamp(0, 2) as usize], 1);
            return 0;
        }
    }
    if own_majors.is_empty() && own.knights.is_empty() && keeps_the_corner(placement) {
        sink.scale(&w.wrong_corner, 1);
        return 0;
    }
    if opposite_bishops(own, enemy) {
        let others = own.knights | own_majors | enemy.knights | enemy.rooks | enemy.queens;
        if others.is_empty() {
            let own_passed = (scene.passed & own.pawns).count().min(2) as usize;
            sink.scale(&w.opposite_bishops_alone[own_passed], 1);
        } else {
            sink.scale(&w.opposite_bishops, 1);
        }
        return 0;
    }
    if [own, enemy].into_iter().all(has_one_rook_alone)
        && pawns <= enemy.pawns.count() as usize + 1
        && ((own.pawns & LEFT_WING).is_empty() || (own.pawns & !LEFT_WING).is_empty())
        && (own.pawns & before(enemy.king)).any()
    {
        sink.scale(&w.rooks_one_wing, 1);
        return 0;
    }
    match w.pawns_left.get(pawns) {
        Some(weight) => {
            sink.scale(weight, 1);
            0
        }
        None => SCALE_FULL,
    }
}

/// A side's pieces in points.
fn points(side: &Side, w: &Endgames) -> i32 {
    let kinds = [side.knights, side.bishops, side.rooks, side.queens];
    kinds.into_iter().zip(w.piece_points).map(|(men, points)| men.count() as i32 * points.0).sum()
}

/// Each side has exactly one bishop, on squares of different colors.
fn opposite_bishops(own: &Side, enemy: &Side) -> bool {
    let on_light = |bishops: Bitboard| (bishops & Bitboard::LIGHT_SQUARES).any();
    own.bishops.count() == 1
        && enemy.bishops.count() == 1
        && on_light(own.bishops) != on_light(enemy.bishops)
}

/// The side has exactly one rook and no other piece.
fn has_one_rook_alone(side: &Side) -> bool {
    side.rooks.count() == 1 && (side.knights | side.bishops | side.queens).is_empty()
}

/// The three files around the king, from the rank behind him on to the far side of the board: where
/// pawns that run against him must pass.
fn before(enemy_king: Square) -> Bitboard {
    let files = attacks::king(enemy_king) | enemy_king.bitboard();
    files.fill_south()
}

/// All own pawns stand on one rook file, no bishop controls its promotion square, and the enemy
/// king is there first: he cannot be driven out of the corner.
fn keeps_the_corner(placement: &Placement) -> bool {
    corner_holds(placement.own.pawns, placement.own.bishops, placement.enemy.king)
}

/// As [`keeps_the_corner`], for pawns and bishops of the side and the enemy king.
pub(super) fn corner_holds(pawns: Bitboard, bishops: Bitboard, enemy_king: Square) -> bool {
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
    let corner = Square::from_coordinates(file, 7);
    let corner_color = if Bitboard::LIGHT_SQUARES.contains(corner) {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    };
    (bishops & corner_color).is_empty() && attacks::distance(enemy_king, corner) <= 1
}
