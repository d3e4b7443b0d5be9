//! Threats: men attacked by cheaper ones, or guarded too little.

use super::scene::Scene;
use super::sink::Sink;
use super::weights::Weights;
use crate::chess::rules::{Bitboard, PieceType, attacks};
use crate::parameters::Score;

/// Threats of the side against the enemy's men.
pub(super) fn threats<const WHITE: bool, S: Sink>(scene: &Scene, weights: &Weights, sink: &mut S) {
    let w = &weights.threats;
    let own = scene.own::<WHITE>();
    let enemy = scene.enemy::<WHITE>();
    let by = |kind: PieceType| own.attacks[kind.index()];
    let enemy_by = |kind: PieceType| enemy.attacks[kind.index()];
    let victims = [enemy.pawns, enemy.knights, enemy.bishops, enemy.rooks, enemy.queens];
    let enemy_pieces = enemy.men & !enemy.pawns & !enemy.king.bitboard();

    // Well guarded: by a pawn, or more often than we attack.
    let well_guarded = enemy_by(PieceType::Pawn) | (enemy.attacked_twice & !own.attacked_twice);
    let guarded = enemy_pieces & well_guarded;
    let weak = enemy.men & !enemy.king.bitboard() & !well_guarded & own.attacked;

    let minors = by(PieceType::Knight) | by(PieceType::Bishop);
    count_victims((guarded | weak) & minors, &victims, &w.by_minor, sink);
    count_victims(weak & by(PieceType::Rook), &victims, &w.by_rook, sink);
    if (weak & by(PieceType::King)).any() {
        sink.term(&w.by_king, 1);
    }
    let hanging = weak & (!enemy.attacked | (enemy_pieces & own.attacked_twice));
    sink.term(&w.hanging, hanging.count() as i32);
    let queen_alone = weak & enemy_by(PieceType::Queen) & !enemy.attacked_twice;
    sink.term(&w.queen_guarded, queen_alone.count() as i32);
    let restricted = enemy.attacked & !well_guarded & own.attacked;
    sink.term(&w.restricted, restricted.count() as i32);

    let safe = !enemy.attacked | own.attacked;
    let lever = attacks::pawn_set::<WHITE>(own.pawns & safe);
    count_victims(lever & enemy_pieces, &victims[1..], &w.by_pawn, sink);
    let third = Bitboard::relative_rank(crate::chess::rules::Color::of::<WHITE>(), 2);
    let step = own.pawns.forward::<WHITE>() & !scene.occupied;
    let jump = (step & third).forward::<WHITE>() & !scene.occupied;
    let push = (step | jump) & !enemy_by(PieceType::Pawn) & safe;
    let pushed = attacks::pawn_set::<WHITE>(push) & enemy_pieces;
    sink.term(&w.safe_push, pushed.count() as i32);

    if enemy.queens.any() && !enemy.queens.many() {
        queen_threats::<WHITE, S>(scene, well_guarded, weights, sink);
    }
}

/// Squares from which a knight or slider attacks the only enemy queen next move.
fn queen_threats<const WHITE: bool, S: Sink>(
    scene: &Scene,
    well_guarded: Bitboard,
    weights: &Weights,
    sink: &mut S,
) {
    let w = &weights.threats;
    let own = scene.own::<WHITE>();
    let queen = scene.enemy::<WHITE>().queens.first();
    let by = |kind: PieceType| own.attacks[kind.index()];
    let safe = own.mobility_area & !well_guarded & !own.men;
    let jumps = attacks::knight(queen) & by(PieceType::Knight) & safe;
    sink.term(&w.queen_by_knight, jumps.count() as i32);
    let lines = (attacks::bishop(queen, scene.occupied) & by(PieceType::Bishop))
        | (attacks::rook(queen, scene.occupied) & by(PieceType::Rook));
    sink.term(&w.queen_by_slider, (lines & safe & own.attacked_twice).count() as i32);
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
        let count = (attacked & *men).count() as i32;
        if count > 0 {
            sink.term(weight, count);
        }
    }
}
