//! Passed pawns: how far, how free, how well escorted.
//!
//! CITE: Aron Nimzowitsch, My System (1925): the passed pawn and its blockade; Siegbert Tarrasch:
//! rooks belong behind passed pawns.

use parameters::Source;

use super::channels::Sink;
use super::geometry::{edge_file, file_ahead, widen};
use super::scene::{PawnsAndKings, Placement, Scene};
use super::weights::Weights;
use crate::rules::{Bitboard, Square, attacks};

/// King distances count up to here: a king further away is simply not there.
const KING_DISTANCE_MAX: u8 = 5;

/// What depends on pawns and kings alone: rank, file, neighbors, king distances.
pub(super) fn standing<S: Sink>(men: &PawnsAndKings, passed: Bitboard, w: &Weights, sink: &mut S) {
    let w = &w.passed;
    for square in passed {
        let row = usize::from(square.rank()) - 1;
        let step = square.bitboard().north().first();
        sink.term(&w.rank[row], 1);
        sink.term(&w.file[edge_file(square)], 1);
        let beside = widen(square.bitboard() | square.bitboard().south());
        if (beside & Bitboard::neighbor_files(square.file()) & passed).any() {
            sink.term(&w.connected[row], 1);
        }
        let distance = |king| i32::from(attacks::distance(king, step).min(KING_DISTANCE_MAX));
        sink.term(&w.own_king[row], distance(men.own_king));
        sink.term(&w.enemy_king[row], distance(men.enemy_king));
    }
}

/// What depends on pieces: is the way blocked, safe, guarded, backed by a rook; can he be caught?
pub(super) fn advance<S: Sink>(scene: &Scene, w: impl Source<Weights>, sink: &mut S) {
    let w = &w.passed;
    let (own, enemy) = (scene.placement.own, &scene.placement.enemy);
    let (ours, theirs) = (scene.ours, scene.theirs);
    let occupied = scene.placement.occupied;
    let passed = scene.passed & own.pawns;
    for square in passed {
        let row = usize::from(square.rank()) - 1;
        let step = square.bitboard().north();
        let path = file_ahead(square);
        let rear = Bitboard::file(square.file()) & !path & attacks::rook(square, occupied);
        let backed = (rear & (own.rooks | own.queens)).any();
        let attacked_from_behind = (rear & (enemy.rooks | enemy.queens)).any();
        if backed {
            sink.term(&w.rook_behind, 1);
        }
        if attacked_from_behind {
            sink.term(&w.enemy_rook_behind, 1);
        }
        if (step & occupied).any() {
            sink.term(&w.blocked[row], 1);
            let blockaders = [enemy.knights, enemy.bishops, enemy.king.bitboard()];
            for (weight, men) in w.blockader.iter().zip(blockaders) {
                if (step & men).any() {
                    sink.term(weight, 1);
                }
            }
        }
        // A slider behind the pawn sees its whole way once the pawn goes, though not today.
        let danger = if attacked_from_behind { path } else { theirs.any & path };
        let guard = if backed { path } else { ours.any & path };
        if (danger & step).is_empty() {
            sink.term(&w.safe_step[row], 1);
            if row < 5 && danger.is_empty() {
                sink.term(&w.safe_path[row], 1);
            }
        }
        if (guard & step).any() {
            sink.term(&w.defended_step[row], 1);
            if row < 5 && guard == path {
                sink.term(&w.defended_path[row], 1);
            }
        }
    }
    if !enemy.has_pieces() && runs_through(scene.placement, passed) {
        sink.term(&w.unstoppable, 1);
    }
}

/// A pawn that the enemy king cannot catch, by the rule of the square, or that its own king
/// escorts.
fn runs_through(placement: &Placement, passed: Bitboard) -> bool {
    let own_king = placement.own.king;
    let enemy_king = placement.enemy.king;
    let to_move = placement.to_move;
    passed.into_iter().any(|square: Square| {
        let path = file_ahead(square);
        let goal = path.last();
        let rank = usize::from(square.rank());
        // From its home square the pawn jumps; own men in the way cost time, enemy men stop it.
        let steps = 7 - rank.max(2);
        let late = usize::from(!to_move);
        let far = usize::from(attacks::distance(enemy_king, goal)) > steps + late;
        let escorted = rank >= 5
            && attacks::distance(own_king, goal) <= 1
            && own_king.file() != square.file()
            && (to_move || attacks::distance(enemy_king, square) > 1);
        (path & placement.occupied).is_empty() && (far || escorted)
    })
}
