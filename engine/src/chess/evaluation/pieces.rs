//! Pieces and their mobility: where each kind stands well, and what it reaches.

use super::scene::{Scene, relative_rank};
use super::sink::Sink;
use super::weights::Weights;
use crate::chess::rules::{Bitboard, Color, PieceType, Square, attacks};

/// Files c to f.
const CENTER_FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);

/// d4, e4, d5, e5.
const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Enters the attacks of all pieces of a side into the scene, and counts mobility and placement.
pub(super) fn pieces<const WHITE: bool, S: Sink>(scene: &mut Scene, w: &Weights, sink: &mut S) {
    knights::<WHITE, S>(scene, w, sink);
    bishops::<WHITE, S>(scene, w, sink);
    rooks::<WHITE, S>(scene, w, sink);
    queens::<WHITE, S>(scene, w, sink);
    let xrays = scene.own::<WHITE>().xrays;
    for (weight, count) in w.pieces.king_xray.iter().zip(xrays) {
        if count > 0 {
            sink.term(weight, i32::from(count));
        }
    }
}

fn knights<const WHITE: bool, S: Sink>(scene: &mut Scene, weights: &Weights, sink: &mut S) {
    let w = &weights.pieces;
    let side = *scene.own::<WHITE>();
    let posts = outposts::<WHITE>(scene);
    let guarded_posts = posts & side.attacks[PieceType::Pawn.index()];
    for square in side.knights {
        let reach = scene.unpinned::<WHITE>(square, attacks::knight(square));
        let squares = scene.enter::<WHITE>(PieceType::Knight, reach);
        sink.term(&weights.mobility.knight[squares as usize], 1);
        sink.term(&w.minor_king_distance[0], i32::from(attacks::distance(square, side.king)));
        if posts.contains(square) {
            sink.term(&w.knight_outpost[usize::from(guarded_posts.contains(square))], 1);
        } else if (reach & guarded_posts & !side.men).any() {
            sink.term(&w.knight_reaches_outpost, 1);
        }
        if sheltered::<WHITE>(scene, square) {
            sink.term(&w.behind_pawn[0], 1);
        }
    }
}

fn bishops<const WHITE: bool, S: Sink>(scene: &mut Scene, weights: &Weights, sink: &mut S) {
    let w = &weights.pieces;
    let side = *scene.own::<WHITE>();
    let enemy_pawns = scene.enemy::<WHITE>().pawns;
    let all_pawns = side.pawns | enemy_pawns;
    let queens = side.queens | scene.enemy::<WHITE>().queens;
    let posts = outposts::<WHITE>(scene);
    let guarded_posts = posts & side.attacks[PieceType::Pawn.index()];
    let blocked = side.pawns & scene.occupied.backward::<WHITE>() & CENTER_FILES;
    for square in side.bishops {
        let seen = attacks::bishop(square, scene.occupied & !queens);
        let reach = scene.unpinned::<WHITE>(square, seen);
        let squares = scene.enter::<WHITE>(PieceType::Bishop, reach);
        sink.term(&weights.mobility.bishop[squares as usize], 1);
        sink.term(&w.minor_king_distance[1], i32::from(attacks::distance(square, side.king)));
        if posts.contains(square) {
            sink.term(&w.bishop_outpost[usize::from(guarded_posts.contains(square))], 1);
        }
        if sheltered::<WHITE>(scene, square) {
            sink.term(&w.behind_pawn[1], 1);
        }
        let color = same_color(square);
        sink.term(&w.bishop_pawns, (side.pawns & color).count() as i32);
        sink.term(&w.bishop_blocked_pawns, (blocked & color).count() as i32);
        let diagonals = attacks::bishop(square, Bitboard::EMPTY);
        sink.term(&w.bishop_xray_pawns, (diagonals & enemy_pawns).count() as i32);
        if (attacks::bishop(square, all_pawns) & CENTER).many() {
            sink.term(&w.bishop_long_diagonal, 1);
        }
        if (seen & (side.queens | side.bishops)).any() {
            sink.term(&w.battery[0], 1);
        }
    }
}

fn rooks<const WHITE: bool, S: Sink>(scene: &mut Scene, weights: &Weights, sink: &mut S) {
    let w = &weights.pieces;
    let side = *scene.own::<WHITE>();
    let enemy = *scene.enemy::<WHITE>();
    let transparent = side.queens | side.rooks | enemy.queens;
    for square in side.rooks {
        let seen = attacks::rook(square, scene.occupied & !transparent);
        let reach = scene.unpinned::<WHITE>(square, seen);
        let squares = scene.enter::<WHITE>(PieceType::Rook, reach);
        sink.term(&weights.mobility.rook[squares as usize], 1);
        let column = Bitboard::file(square.file());
        if (column & side.pawns).is_empty() {
            if (column & enemy.pawns).is_empty() {
                sink.term(&w.rook_open_file, 1);
            } else {
                sink.term(&w.rook_half_open_file, 1);
            }
        } else if squares <= 3 && shut_in_by_king(square, side.king) {
            let castling = usize::from(scene.board.castling_rooks(Color::of::<WHITE>()).is_empty());
            sink.term(&w.rook_trapped[castling], 1);
        }
        if (column & enemy.queens).any() {
            sink.term(&w.rook_queen_file, 1);
        }
        if square.file().abs_diff(enemy.king.file()) <= 1 {
            sink.term(&w.rook_king_file, 1);
        }
        if relative_rank::<WHITE>(square) == 6 {
            let rank = Bitboard(0xFF << (8 * u32::from(square.rank())));
            if (rank & enemy.pawns).any() || relative_rank::<WHITE>(enemy.king) == 7 {
                sink.term(&w.rook_seventh, 1);
            }
        }
        sink.term(&w.rook_king_distance, i32::from(attacks::distance(square, enemy.king)));
        if (seen & (side.rooks | side.queens)).any() {
            sink.term(&w.battery[1], 1);
        }
    }
}

fn queens<const WHITE: bool, S: Sink>(scene: &mut Scene, weights: &Weights, sink: &mut S) {
    let w = &weights.pieces;
    let side = *scene.own::<WHITE>();
    let enemy = *scene.enemy::<WHITE>();
    for square in side.queens {
        let reach = scene.unpinned::<WHITE>(square, attacks::queen(square, scene.occupied));
        let squares = scene.enter::<WHITE>(PieceType::Queen, reach);
        sink.term(&weights.mobility.queen[squares as usize], 1);
        sink.term(&w.queen_king_distance, i32::from(attacks::distance(square, enemy.king)));
        let lines = [
            attacks::rook(square, Bitboard::EMPTY) & enemy.rooks,
            attacks::bishop(square, Bitboard::EMPTY) & enemy.bishops,
        ];
        for (weight, sliders) in w.queen_relative_pin.iter().zip(lines) {
            for slider in sliders {
                let between = attacks::between(square, slider) & scene.occupied;
                if between.any() && !between.many() {
                    sink.term(weight, 1);
                }
            }
        }
        if relative_rank::<WHITE>(square) > 3 && !enemy.pawn_span.contains(square) {
            sink.term(&w.queen_infiltration, 1);
        }
    }
}

/// Squares on ranks 4 to 6 that no enemy pawn can ever attack. Rank 4 is kept for knights and
/// bishops that hold the center.
fn outposts<const WHITE: bool>(scene: &Scene) -> Bitboard {
    let ranks = Bitboard(if WHITE { 0x0000_FFFF_FF00_0000 } else { 0x0000_00FF_FFFF_0000 });
    ranks & !scene.enemy::<WHITE>().pawn_span
}

/// A pawn of either side stands right in front of the square.
fn sheltered<const WHITE: bool>(scene: &Scene, square: Square) -> bool {
    let pawns = scene.own::<WHITE>().pawns | scene.enemy::<WHITE>().pawns;
    (square.bitboard().forward::<WHITE>() & pawns).any()
}

/// All squares of the square's color.
fn same_color(square: Square) -> Bitboard {
    if Bitboard::LIGHT_SQUARES.contains(square) {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    }
}

/// The king stands between the rook and the center, on or near its rank.
fn shut_in_by_king(rook: Square, king: Square) -> bool {
    king.rank() == rook.rank() && (king.file() < 4) == (rook.file() < king.file())
}
