//! Pieces and their mobility: where each kind stands well, and what it reaches.
//!
//! CITE: Eliot Slater, Statistics for the Chess Computer and the Factor of Mobility (1950); Aron
//! Nimzowitsch, My System (1925): outposts, open files, the seventh rank.

use parameters::Source;

use super::channels::Sink;
use super::geometry::{CENTER, CENTER_FILES};
use super::material::orient;
use super::scene::{Placement, SideAttacks};
use super::weights::Weights;
use crate::rules::{Bitboard, PieceType, Square, attacks};

/// Counts mobility and placement of the own pieces; returns what the side attacks.
#[inline(never)]
pub(super) fn pieces<S: Sink>(
    placement: &Placement,
    w: impl Source<Weights>,
    sink: &mut S,
) -> SideAttacks {
    let w = &*w;
    let mut reached = SideAttacks::of_king_and_pawns(placement.own);
    knights(placement, &mut reached, w, sink);
    bishops(placement, &mut reached, w, sink);
    rooks(placement, &mut reached, w, sink);
    queens(placement, &mut reached, w, sink);
    for (weight, count) in w.pieces.king_xray.iter().zip(placement.enemy.xrays) {
        sink.term(weight, i32::from(count));
    }
    reached
}

fn knights<S: Sink>(
    placement: &Placement,
    reached: &mut SideAttacks,
    weights: &Weights,
    sink: &mut S,
) {
    let w = &weights.pieces;
    let (own, enemy) = (placement.own, &placement.enemy);
    let posts = outposts(placement);
    let guarded_posts = posts & own.pawn_attacks;
    for square in own.knights {
        let reach = placement.unpinned(square, attacks::knight(square));
        let squares = reached.add(PieceType::Knight, reach, own, enemy);
        sink.term(&weights.squares.knight[orient(square, own.king)], 1);
        sink.term(&weights.mobility.knight[squares], 1);
        sink.term(&w.minor_king_distance[0], i32::from(attacks::distance(square, own.king)));
        if posts.contains(square) {
            sink.term(&w.knight_outpost[usize::from(guarded_posts.contains(square))], 1);
        } else if (reach & guarded_posts & !own.men).any() {
            sink.term(&w.knight_reaches_outpost, 1);
        }
        if sheltered(placement, square) {
            sink.term(&w.behind_pawn[0], 1);
        }
    }
}

fn bishops<S: Sink>(
    placement: &Placement,
    reached: &mut SideAttacks,
    weights: &Weights,
    sink: &mut S,
) {
    let w = &weights.pieces;
    let (own, enemy) = (placement.own, &placement.enemy);
    let all_pawns = own.pawns | enemy.pawns;
    let queens = own.queens | enemy.queens;
    let posts = outposts(placement);
    let guarded_posts = posts & own.pawn_attacks;
    let blocked = own.pawns & placement.occupied.south() & CENTER_FILES;
    for square in own.bishops {
        let seen = attacks::bishop(square, placement.occupied & !queens);
        let reach = placement.unpinned(square, seen);
        let squares = reached.add(PieceType::Bishop, reach, own, enemy);
        sink.term(&weights.squares.bishop[orient(square, own.king)], 1);
        sink.term(&weights.mobility.bishop[squares], 1);
        sink.term(&w.minor_king_distance[1], i32::from(attacks::distance(square, own.king)));
        if posts.contains(square) {
            sink.term(&w.bishop_outpost[usize::from(guarded_posts.contains(square))], 1);
        }
        if sheltered(placement, square) {
            sink.term(&w.behind_pawn[1], 1);
        }
        let color = same_color(square);
        sink.term(&w.bishop_pawns, (own.pawns & color).count() as i32);
        sink.term(&w.bishop_blocked_pawns, (blocked & color).count() as i32);
        let past_pieces = attacks::bishop(square, all_pawns);
        if (reach & enemy.ring).is_empty() && (past_pieces & enemy.ring).any() {
            sink.term(&w.bishop_aims_at_king, 1);
        }
        let diagonals = attacks::bishop_rays(square);
        sink.term(&w.bishop_xray_pawns, (diagonals & enemy.pawns).count() as i32);
        if (past_pieces & CENTER).many() {
            sink.term(&w.bishop_long_diagonal, 1);
        }
        if (seen & (own.queens | own.bishops)).any() {
            sink.term(&w.battery[0], 1);
        }
    }
}

fn rooks<S: Sink>(
    placement: &Placement,
    reached: &mut SideAttacks,
    weights: &Weights,
    sink: &mut S,
) {
    let w = &weights.pieces;
    let (own, enemy) = (placement.own, &placement.enemy);
    let transparent = own.queens | own.rooks | enemy.queens;
    for square in own.rooks {
        let seen = attacks::rook(square, placement.occupied & !transparent);
        let reach = placement.unpinned(square, seen);
        let squares = reached.add(PieceType::Rook, reach, own, enemy);
        sink.term(&weights.squares.rook[orient(square, own.king)], 1);
        sink.term(&weights.mobility.rook[squares], 1);
        let column = Bitboard::file(square.file());
        if (column & own.pawns).is_empty() {
            if (column & enemy.pawns).is_empty() {
                sink.term(&w.rook_open_file, 1);
            } else {
                sink.term(&w.rook_half_open_file, 1);
            }
        } else if squares <= 3 && shut_in_by_king(square, own.king) {
            sink.term(&w.rook_trapped[usize::from(!placement.castles)], 1);
        }
        if (column & enemy.queens).any() {
            sink.term(&w.rook_queen_file, 1);
        }
        if square.file().abs_diff(enemy.king.file()) <= 1 {
            sink.term(&w.rook_king_file, 1);
        }
        if usize::from(square.rank()) == 6 {
            let rank = Bitboard::rank(square.rank());
            if (rank & enemy.pawns).any() || usize::from(enemy.king.rank()) == 7 {
                sink.term(&w.rook_seventh, 1);
            }
        }
        sink.term(&w.rook_king_distance, i32::from(attacks::distance(square, enemy.king)));
        if (seen & (own.rooks | own.queens)).any() {
            sink.term(&w.battery[1], 1);
        }
    }
}

fn queens<S: Sink>(
    placement: &Placement,
    reached: &mut SideAttacks,
    weights: &Weights,
    sink: &mut S,
) {
    let w = &weights.pieces;
    let (own, enemy) = (placement.own, &placement.enemy);
    for square in own.queens {
        let seen = attacks::queen(square, placement.occupied);
        let reach = placement.unpinned(square, seen);
        let squares = reached.add(PieceType::Queen, reach, own, enemy);
        sink.term(&weights.squares.queen[orient(square, own.king)], 1);
        sink.term(&weights.mobility.queen[squares], 1);
        sink.term(&w.queen_king_distance, i32::from(attacks::distance(square, enemy.king)));
        let lines = [
            attacks::rook_rays(square) & enemy.rooks,
            attacks::bishop_rays(square) & enemy.bishops,
        ];
        for (weight, sliders) in w.queen_relative_pin.iter().zip(lines) {
            for slider in sliders {
                let between = attacks::between(square, slider) & placement.occupied;
                if between.any() && !between.many() {
                    sink.term(weight, 1);
                }
            }
        }
        if usize::from(square.rank()) > 3 && !enemy.pawn_span.contains(square) {
            sink.term(&w.queen_infiltration, 1);
        }
    }
}

/// Squares on ranks 4 to 6 that no enemy pawn can ever attack. Rank 4 is kept for knights and
/// bishops that hold the center.
fn outposts(placement: &Placement) -> Bitboard {
    let ranks = Bitboard(0x0000_FFFF_FF00_0000);
    ranks & !placement.enemy.pawn_span
}

/// A pawn of either side stands right in front of the square.
fn sheltered(placement: &Placement, square: Square) -> bool {
    let pawns = placement.own.pawns | placement.enemy.pawns;
    (square.bitboard().north() & pawns).any()
}

/// All squares of the square's color.
fn same_color(square: Square) -> Bitboard {
    if Bitboard::LIGHT_SQUARES.contains(square) {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    }
}

/// The king stands between the rook and the center, on the rook's rank.
fn shut_in_by_king(rook: Square, king: Square) -> bool {
    king.rank() == rook.rank() && (king.file() < 4) == (rook.file() < king.file())
}
