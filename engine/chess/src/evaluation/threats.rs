//! Threats: men attacked by cheaper ones, or guarded too little.
//!
//! CITE: the Stockfish developers, threats.

use parameters::{Score, Source};

use super::channels::Sink;
use super::scene::Scene;
use super::weights::Weights;
use crate::rules::{Bitboard, Color, PieceType, attacks};

/// Threats of the side against the enemy's men.
pub(super) fn threats<S: Sink>(scene: &Scene, weights: impl Source<Weights>, sink: &mut S) {
    let w = &weights.threats;
    let (own, enemy) = (scene.placement.own, &scene.placement.enemy);
    let (ours, theirs) = (scene.ours, scene.theirs);
    let victims = [enemy.pawns, enemy.knights, enemy.bishops, enemy.rooks, enemy.queens];
    let enemy_pieces = enemy.men & !enemy.pawns & !enemy.king.bitboard();

    // Well guarded: by a pawn, or more often than we attack.
    let well_guarded = theirs.by(PieceType::Pawn) | (theirs.twice & !ours.twice);
    let guarded = enemy_pieces & well_guarded;
    let weak = enemy.men & !enemy.king.bitboard() & !well_guarded & ours.any;

    let minors = ours.by(PieceType::Knight) | ours.by(PieceType::Bishop);
    count_victims((guarded | weak) & minors, &victims, &w.by_minor, sink);
    count_victims(weak & ours.by(PieceType::Rook), &victims, &w.by_rook, sink);
    if (weak & ours.by(PieceType::King)).any() {
        sink.term(&w.by_king, 1);
    }
    let hanging = weak & (!theirs.any | (enemy_pieces & ours.twice));
    sink.term(&w.hanging, hanging.count() as i32);
    let queen_alone = weak & theirs.by(PieceType::Queen) & !theirs.twice;
    sink.term(&w.queen_guarded, queen_alone.count() as i32);
    let restricted = theirs.any & !well_guarded & ours.any;
    sink.term(&w.restricted, restricted.count() as i32);

    let safe = !theirs.any | ours.any;
    let lever = attacks::pawn_set(Color::White, own.pawns & safe);
    count_victims(lever & enemy_pieces, &victims[1..], &w.by_pawn, sink);
    let occupied = scene.placement.occupied;
    let third = Bitboard::rank(2);
    let step = own.pawns.north() & !occupied;
    let jump = (step & third).north() & !occupied;
    let push = (step | jump) & !theirs.by(PieceType::Pawn) & safe;
    let pushed = attacks::pawn_set(Color::White, push) & enemy_pieces;
    sink.term(&w.safe_push, pushed.count() as i32);

    if enemy.queens.any() && !enemy.queens.many() {
        queen_threats(scene, well_guarded, &weights, sink);
    }
}

/// Squares from which a knight or slider attacks the only enemy queen next move.
fn queen_threats<S: Sink>(scene: &Scene, well_guarded: Bitboard, weights: &Weights, sink: &mut S) {
    let w = &weights.threats;
    let own = scene.placement.own;
    let ours = scene.ours;
    let queen = scene.placement.enemy.queens.first();
    let occupied = scene.placement.occupied;
    let safe = own.mobility_area & !well_guarded & !own.men;
    let jumps = attacks::knight(queen) & ours.by(PieceType::Knight) & safe;
    sink.term(&w.queen_by_knight, jumps.count() as i32);
    let lines = (attacks::bishop(queen, occupied) & ours.by(PieceType::Bishop))
        | (attacks::rook(queen, occupied) & ours.by(PieceType::Rook));
    sink.term(&w.queen_by_slider, (lines & safe & ours.twice).count() as i32);
}

/// One term per kind of victim among the attacked men.
#[inline(always)]
fn count_victims<S: Sink>(
    attacked: Bitboard,
    victims: &[Bitboard],
    weights: &[Score],
    sink: &mut S,
) {
    if attacked.is_empty() {
        return;
    }
    for (men, weight) in victims.iter().zip(weights) {
        sink.term(weight, (attacked & *men).count() as i32);
    }
}
