//! Space and initiative: room to regroup, and ways to make progress.
//!
//! CITE: the Stockfish developers, space and initiative.

use super::channels::Sink;
use super::geometry::{CENTER, LEFT_WING};
use super::scene::{Placement, Scene};
use super::weights::Weights;
use crate::rules::{Bitboard, PieceType};

/// So few men always find a place.
const ROOMY: i32 = 3;
/// Pawns that stand against each other count as further men, up to so many: where none moves, there
/// is less to go round by.
const MOST_RAMMED: i32 = 9;
/// What the square of men is divided by.
const CROWD: i32 = 256;

/// How crowded the board is, and so what a square is worth.
fn crowd(placement: &Placement) -> i32 {
    let (own, enemy) = (placement.own, &placement.enemy);
    let rammed = 2 * (own.pawns.north() & enemy.pawns).count() as i32;
    (own.men.count() as i32 - ROOMY + rammed.min(MOST_RAMMED)).max(0).pow(2)
}

/// Room behind the own pawns, and the center. Room is worth more the more men there are to place, and
/// the less pawns move.
pub(super) fn space<S: Sink>(scene: &Scene, w: &Weights, sink: &mut S) {
    let w = &w.space;
    let own = scene.placement.own;
    let crowd = crowd(scene.placement);
    let region = Bitboard(0x0000_0000_3C3C_3C00);
    let enemy_attacks = scene.theirs;
    let room = region & !own.pawns & !enemy_attacks.by(PieceType::Pawn);
    let behind = own.pawns.south();
    let behind = behind | behind.south() | behind.south().south();
    let behind = room & behind & !enemy_attacks.any;
    sink.term(&w.room, room.count() as i32 * crowd / CROWD);
    sink.term(&w.room_behind_pawns, behind.count() as i32 * crowd / CROWD);
    sink.term(&w.center_pawns, (own.pawns & CENTER).count() as i32);
    sink.term(&w.center_control, (own.pawn_attacks & CENTER).count() as i32);
}

/// Initiative: what makes an endgame lead easier or harder to win, whoever has it.
pub(super) fn initiative<S: Sink>(
    placement: &Placement,
    passed: Bitboard,
    w: &Weights,
    sink: &mut S,
) {
    let w = &w.initiative;
    let (white, black) = (placement.own, &placement.enemy);
    let pawns = white.pawns | black.pawns;
    let both_wings = (pawns & LEFT_WING).any() && (pawns & !LEFT_WING).any();
    let files = i32::from(white.king.file().abs_diff(black.king.file()));
    let ranks = i32::from(white.king.rank()) - i32::from(black.king.rank());
    // Kings that face each other bar the way; side by side, or past each other, they do not.
    let outflanking = files + ranks;
    let entered = white.king.rank() > 3 || black.king.rank() < 4;
    sink.initiative(&w.base, 1);
    sink.initiative(&w.passed, passed.count() as i32);
    sink.initiative(&w.pawns, pawns.count() as i32);
    sink.initiative(&w.both_wings, i32::from(both_wings));
    sink.initiative(&w.outflanking, outflanking);
    sink.initiative(&w.king_entered, i32::from(entered));
    sink.initiative(&w.pure_pawns, i32::from(!white.has_pieces() && !black.has_pieces()));
    sink.initiative(&w.fortress, i32::from(!both_wings && outflanking < 0));
}
