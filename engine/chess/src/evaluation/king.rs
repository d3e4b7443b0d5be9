//! King safety: the shelter of pawns, and the danger of an attack by pieces.
//!
//! CITE: Tord Romstad, Glaurung, and the Stockfish developers: shelter and storm by rank, attack
//! units of pieces around the king, safe checks.

use parameters::Source;

use super::channels::Sink;
use super::geometry::{edge_file, widen, wing};
use super::scene::{PawnsAndKings, Scene};
use super::weights::Weights;
use crate::rules::{Bitboard, PieceType, Square, attacks};

/// Shelter and storm on the three files around the king, and the files and pawns near him. Depends
/// on pawns and kings alone.
pub(super) fn shelter<S: Sink>(men: &PawnsAndKings, w: &Weights, sink: &mut S) {
    let king = men.own_king;
    let own = men.own_pawns;
    let enemy = men.enemy_pawns;
    // Pawns behind the king neither shelter nor storm him.
    let before = !Bitboard::rank(king.rank()).south().fill_south();
    let center = king.file().clamp(1, 6);
    for file in center - 1..=center + 1 {
        let column = Bitboard::file(file) & before;
        let edge = edge_file(Square::from_coordinates(file, 0));
        let own_rank = nearest_rank(own & column);
        let enemy_rank = nearest_rank(enemy & column);
        sink.term(&w.king.shelter[edge][own_rank], 1);
        sink.danger(&w.danger.shelter[edge][own_rank], 1);
        if own_rank > 0 && enemy_rank == own_rank + 1 {
            sink.term(&w.king.storm_blocked[enemy_rank - 2], 1);
            sink.danger(&w.danger.storm_blocked[enemy_rank - 2], 1);
        } else {
            sink.term(&w.king.storm[edge][enemy_rank], 1);
            sink.danger(&w.danger.storm[enemy_rank], 1);
        }
    }
    let column = Bitboard::file(king.file());
    if (own & column).is_empty() {
        if (enemy & column).is_empty() {
            sink.term(&w.king.open_file, 1);
        } else {
            sink.term(&w.king.half_open_file, 1);
        }
    }
    if ((own | enemy) & wing(king)).is_empty() {
        sink.term(&w.king.pawnless_wing, 1);
    }
    sink.term(&w.king.pawn_distance, steps_beside(king, own | enemy));
}

/// King's steps until the nearest of the men is next to him; 0 if there is none.
fn steps_beside(king: Square, men: Bitboard) -> i32 {
    let mut reached = attacks::king(king);
    let mut steps = 0;
    while men.any() && (men & reached).is_empty() {
        reached = widen(reached | reached.north() | reached.south());
        steps += 1;
    }
    steps
}

/// Rank (as its side counts, 1 to 6) of the pawn nearest to the side's back rank; 0 if there is
/// none.
fn nearest_rank(pawns: Bitboard) -> usize {
    if pawns.is_empty() {
        return 0;
    }
    usize::from(pawns.first().rank())
}

/// Danger for the side's own king from the enemy's pieces.
pub(super) fn danger<S: Sink>(scene: &Scene, weights: impl Source<Weights>, sink: &mut S) {
    let w = &weights.danger;
    let (own, enemy) = (scene.placement.own, &scene.placement.enemy);
    let (ours, theirs) = (scene.ours, scene.theirs);
    sink.danger(&w.start, 1);
    for kind in 0..4 {
        if theirs.ring_attackers[kind] > 0 {
            sink.danger(&w.attacker[kind], i32::from(theirs.ring_attackers[kind]));
            sink.danger(&w.ring_attacks[kind], i32::from(theirs.ring_attacks[kind]));
        }
    }
    let attackers: i32 = theirs.ring_attackers.into_iter().map(i32::from).sum();
    sink.danger(&w.attackers_together, attackers * (attackers - 1) / 2);
    let by_king_or_queen = ours.by(PieceType::King) | ours.by(PieceType::Queen);
    let weak = theirs.any & !ours.twice & (!ours.any | by_king_or_queen);
    sink.danger(&w.weak_ring, (own.ring & weak).count() as i32);

    // Where a checker is not captured: unguarded, or guarded by king or queen alone and attacked
    // twice.
    let safe = !enemy.men & (!ours.any | (weak & theirs.twice));
    let checks = check_squares(scene);
    let mut unsafe_checks = Bitboard::EMPTY;
    for (kind, squares) in checks.into_iter().enumerate() {
        let count = (squares & safe).count();
        if count > 0 {
            sink.danger(&w.safe_check[kind], 1);
            if count > 1 {
                sink.danger(&w.safe_checks_many[kind], 1);
            }
        }
        unsafe_checks |= squares & !safe & !enemy.men;
    }
    sink.danger(&w.unsafe_checks, unsafe_checks.count() as i32);
    if enemy.queens.is_empty() {
        sink.danger(&w.no_queen, 1);
    }
    sink.danger(&w.shield_pieces, own.shields.count() as i32);

    let camp = Bitboard(0x0000_00FF_FFFF_FFFF) & wing(own.king);
    let once = (theirs.any & camp).count() as i32;
    let twice = (theirs.twice & camp).count() as i32;
    sink.danger(&w.wing_attacks, once + twice);
    sink.danger(&w.wing_storm, (once + twice) * (once + twice) / 16);
    sink.danger(&w.wing_defense, (ours.any & camp).count() as i32);

    let near = own.king_attacks;
    let near = near | near.north() | near.south();
    let near = near | near.east() | near.west();
    sink.danger(&w.defender[0], (near & own.knights).count() as i32);
    sink.danger(&w.defender[1], (near & own.bishops).count() as i32);
    sink.danger(&w.mobility_lead, theirs.mobility - ours.mobility);
}

/// Squares from which the enemy's knights, bishops, rooks and queens can give check next move.
fn check_squares(scene: &Scene) -> [Bitboard; 4] {
    let own = scene.placement.own;
    let (ours, theirs) = (scene.ours, scene.theirs);
    // The own queen does not save the king: behind her he is still on the line.
    let occupied = scene.placement.occupied & !own.queens;
    let diagonal = attacks::bishop(own.king, occupied);
    let straight = attacks::rook(own.king, occupied);
    [
        attacks::knight(own.king) & theirs.by(PieceType::Knight),
        diagonal & theirs.by(PieceType::Bishop),
        straight & theirs.by(PieceType::Rook),
        // A queen's check that our queen can meet by exchange is no attack.
        (diagonal | straight) & theirs.by(PieceType::Queen) & !ours.by(PieceType::Queen),
    ]
}
