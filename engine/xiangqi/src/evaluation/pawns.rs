//! Pawns.
//!
//! A pawn beyond the river goes aside, too, and attacks the palace; what it gains there depends on how many
//! defenders are left. On the last rank it has nothing ahead of it.

use super::sink::{Side, Sink};
use super::weights::Weights;
use crate::rules::{Bitboard, Board, Color, Kind, attacks};

pub(super) fn terms<S: Sink>(board: &Board, color: Color, w: &Weights, side: &mut Side<'_, S>) {
    let pawns = board.of(color, Kind::Pawn);
    let crossed = (pawns & attacks::half((!color).index())).count();
    let defenders = board.color(!color) & (board.kind(Kind::Advisor) | board.kind(Kind::Elephant));
    side.add(&w.pawns.crossed[defenders.count() as usize], crossed as i32);
    let beside = |square| attacks::straight_neighbors(square) & attacks::rank_of(square) & pawns;
    let pairs: u32 = pawns.map(|square| beside(square).count()).sum();
    side.add(&w.pawns.side_by_side, (pairs / 2) as i32);
    let king = board.king(!color);
    for pawn in pawns & attacks::half((!color).index()) {
        side.add(&w.pawns.files_to_king[pawn.file().abs_diff(king.file()).min(4)], 1);
    }
    let last = Bitboard::rank(if color == Color::White { 9 } else { 0 });
    side.add(&w.pawns.on_last_rank, (pawns & last).count() as i32);
}
