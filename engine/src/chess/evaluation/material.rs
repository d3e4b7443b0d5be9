//! Material and square tables: what a man is worth, and where.
//!
//! CITE: Larry Kaufman, The Evaluation of Material Imbalances (1999): the bishop pair, the rook
//! pair, knights and rooks by the number of pawns.

use super::channels::Sink;
use super::closing::PHASE_MAX;
use super::geometry::relative;
use super::scene::{Placement, Side};
use super::weights::{Squares, Weights};
use crate::chess::rules::{Bitboard, Board, Color, PieceType, Square};
use crate::parameters::Score;

/// Material of the pieces, company they keep, right to move. Pawns are counted with their
/// structure, which is cached.
pub(super) fn material<const WHITE: bool, S: Sink>(
    placement: &Placement,
    w: &Weights,
    sink: &mut S,
) {
    let side = placement.own::<WHITE>();
    let w = &w.material;
    let count = |men: Bitboard| men.count() as i32;
    let pawns_above_five = count(side.pawns) - 5;
    let (knights, rooks) = (count(side.knights), count(side.rooks));
    sink.term(&w.knight, knights);
    sink.term(&w.bishop, count(side.bishops));
    sink.term(&w.rook, rooks);
    sink.term(&w.queen, count(side.queens));
    sink.term(&w.bishop_pair, i32::from(side.bishops.many()));
    sink.term(&w.rook_pair, i32::from(side.rooks.many()));
    sink.term(&w.knight_per_pawn, knights * pawns_above_five);
    sink.term(&w.rook_per_pawn, rooks * pawns_above_five);
    let to_move = (placement.board.side_to_move() == Color::White) == WHITE;
    sink.term(&w.tempo, i32::from(to_move));
}

/// What each own piece gains or loses by every other piece on the board.
///
/// CITE: Larry Kaufman, The Evaluation of Material Imbalances (1999); Tord Romstad and the
/// Stockfish developers, the second-degree polynomial of material.
pub(super) fn imbalance<const WHITE: bool, S: Sink>(
    placement: &Placement,
    w: &Weights,
    sink: &mut S,
) {
    let w = &w.imbalance;
    let (own, enemy) = (placement.own::<WHITE>(), placement.enemy::<WHITE>());
    let count = |men: Bitboard| men.count() as i32;
    let pieces = |side: &Side| [side.knights, side.bishops, side.rooks, side.queens].map(count);
    let ours = pieces(own);
    let theirs = pieces(enemy);
    let [knights, bishops, rooks, queens] = ours;
    let together = [
        knights * (knights - 1) / 2,
        knights * bishops,
        knights * rooks,
        knights * queens,
        bishops * rooks,
        bishops * queens,
        rooks * queens,
    ];
    let against = [
        bishops * theirs[0],
        rooks * theirs[0],
        rooks * theirs[1],
        queens * theirs[0],
        queens * theirs[1],
        queens * theirs[2],
    ];
    let (own_pawns, enemy_pawns) = (count(own.pawns) - 5, count(enemy.pawns) - 5);
    add(&w.together, together, sink);
    add(&w.against, against, sink);
    add(&w.enemy_pawns, ours.map(|pieces| pieces * enemy_pawns), sink);
    add(&w.own_pawns, [bishops * own_pawns, queens * own_pawns], sink);
    if own.bishops.many() {
        sink.term(&w.pair_against_minors, theirs[0] + theirs[1]);
    }
}

/// Each weight so many times.
#[inline(always)]
fn add<const N: usize, S: Sink>(weights: &[Score; N], times: [i32; N], sink: &mut S) {
    for (weight, times) in weights.iter().zip(times) {
        sink.term(weight, times);
    }
}

/// Square tables of the pieces; pawns and king are counted with the pawn structure, which is cached
/// by pawns and kings.
pub(super) fn squares<const WHITE: bool, S: Sink>(
    placement: &Placement,
    w: &Weights,
    sink: &mut S,
) {
    let side = placement.own::<WHITE>();
    let mut table = |men: Bitboard, values: &[Score; 64]| {
        for square in men {
            sink.term(&values[orient::<WHITE>(square, side.king)], 1);
        }
    };
    table(side.knights, &w.squares.knight);
    table(side.bishops, &w.squares.bishop);
    table(side.rooks, &w.squares.rook);
    table(side.queens, &w.squares.queen);
}

/// Index in a square table: seen from White, mirrored so that the own king is on files e to h.
///
/// Tables by king's wing were preferred to tables with mirrored files: they tell the king's wing
/// from the other (a knight on f3 guards a castled king, one on c3 does not) at the same number of
/// positions per cell as full tables, and a position and its mirror image still get one value.
#[inline(always)]
pub(super) fn orient<const WHITE: bool>(square: Square, own_king: Square) -> usize {
    let flip = if own_king.file() < 4 { 7 } else { 0 };
    relative::<WHITE>(square).index() ^ flip
}

/// What a piece of the side to move gains in the tables of squares by going from one square to
/// another, without promotion: the mean of both phases in centipawns. That the king may turn the
/// tables by crossing the middle is left out.
pub fn square_gain(
    squares: &Squares,
    board: &Board,
    kind: PieceType,
    from: Square,
    to: Square,
) -> i32 {
    let us = board.side_to_move();
    let king = board.king(us);
    let index = |square: Square| match us {
        Color::White => orient::<true>(square, king),
        Color::Black => orient::<false>(square, king),
    };
    let worth = |square: Square| {
        let at = index(square);
        let score = match kind {
            PieceType::Pawn => squares.pawn[at - 8],
            PieceType::Knight => squares.knight[at],
            PieceType::Bishop => squares.bishop[at],
            PieceType::Rook => squares.rook[at],
            PieceType::Queen => squares.queen[at],
            PieceType::King => squares.king[at / 8 * 4 + (at % 8).max(4) - 4],
        };
        score.middlegame() + score.endgame()
    };
    (worth(to) - worth(from)) / 2
}

/// Index in the king's table, which has four files only: the king's own wing.
#[inline(always)]
pub(super) fn orient_king<const WHITE: bool>(king: Square) -> usize {
    let index = orient::<WHITE>(king, king);
    index / 8 * 4 + index % 8 - 4
}

/// How much of the pieces is left: 24 in the initial position (and with more), 0 with kings and
/// pawns.
#[inline]
pub(super) fn phase(board: &Board) -> u8 {
    let count = |kind| board.kind(kind).count();
    let phase = count(PieceType::Knight)
        + count(PieceType::Bishop)
        + 2 * count(PieceType::Rook)
        + 4 * count(PieceType::Queen);
    phase.min(PHASE_MAX as u32) as u8
}
