//! Material and square tables: what a man is worth, and where.
//!
//! CITE: Larry Kaufman, The Evaluation of Material Imbalances (1999): the bishop pair, the rook
//! pair, knights and rooks by the number of pawns.

use parameters::Score;

use super::cache::Cache;
use super::channels::{SideSums, Sink};
use super::closing::PHASE_MAX;
use super::scene::Placement;
use super::weights::{Squares, Weights};
use crate::rules::{Board, Color, PieceType, Square};

/// How many pawns, knights, bishops, rooks and queens a side and its enemy have: all that the terms
/// of material look at.
pub(super) struct Counts {
    own: [i32; 5],
    enemy: [i32; 5],
}

impl Counts {
    /// As White sees them.
    #[inline]
    pub fn new(board: &Board) -> Counts {
        use PieceType::{Bishop, Knight, Pawn, Queen, Rook};
        let count = |color| {
            [Pawn, Knight, Bishop, Rook, Queen].map(|kind| board.pieces(color, kind).count() as i32)
        };
        Counts { own: count(Color::White), enemy: count(Color::Black) }
    }

    /// As the other side sees them.
    fn turned(&self) -> Counts {
        Counts { own: self.enemy, enemy: self.own }
    }

    /// How much of the pieces is left: 24 in the initial position (and with more), 0 with kings and
    /// pawns.
    pub fn phase(&self) -> u8 {
        let of = |[_, knights, bishops, rooks, queens]: [i32; 5]| {
            knights + bishops + 2 * rooks + 4 * queens
        };
        (of(self.own) + of(self.enemy)).min(PHASE_MAX) as u8
    }
}

/// What the counts of men alone are worth.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct MaterialEntry {
    /// White's lead.
    pub lead: Score,
    /// As [`Counts::phase`].
    pub phase: u8,
}

/// Entries that are kept; eight times as many are no faster.
pub(super) type MaterialCache = Cache<MaterialEntry, 1024>;

impl MaterialEntry {
    /// The entry of a board, computed if the cache does not have it.
    #[inline]
    pub fn of<'a>(
        board: &Board,
        weights: &Weights,
        cache: &'a mut MaterialCache,
    ) -> &'a MaterialEntry {
        // An odd factor keeps numbers apart, and brings all of one into its upper half.
        let key = board.census().wrapping_mul(0x9E37_79B9_7F4A_7C15);
        cache.entry(key, || MaterialEntry::compute(board, weights))
    }

    #[cold]
    fn compute(board: &Board, weights: &Weights) -> MaterialEntry {
        let counts = Counts::new(board);
        let mut sums = [SideSums::default(); 2];
        material(&counts, weights, &mut sums);
        let [white, black] = sums;
        MaterialEntry { lead: white.main() - black.main(), phase: counts.phase() }
    }
}

/// White's and Black's material, of counts as White sees them.
pub(super) fn material<S: Sink>(counts: &Counts, w: &Weights, [white, black]: &mut [S; 2]) {
    side(counts, w, white);
    side(&counts.turned(), w, black);
}

/// Material of the own pieces, and what each gains or loses by every other piece on the board. Pawns
/// are counted with their structure.
fn side<S: Sink>(counts: &Counts, w: &Weights, sink: &mut S) {
    let [pawns, knights, bishops, rooks, queens] = counts.own;
    let pawns_above_five = pawns - 5;
    let m = &w.material;
    sink.term(&m.knight, knights);
    sink.term(&m.bishop, bishops);
    sink.term(&m.rook, rooks);
    sink.term(&m.queen, queens);
    sink.term(&m.bishop_pair, i32::from(bishops > 1));
    sink.term(&m.rook_pair, i32::from(rooks > 1));
    sink.term(&m.knight_per_pawn, knights * pawns_above_five);
    sink.term(&m.rook_per_pawn, rooks * pawns_above_five);
    imbalance(counts, w, sink);
}

/// What each own piece gains or loses by every other piece on the board.
///
/// CITE: Larry Kaufman, The Evaluation of Material Imbalances (1999); Tord Romstad and the
/// Stockfish developers, the second-degree polynomial of material.
fn imbalance<S: Sink>(counts: &Counts, w: &Weights, sink: &mut S) {
    let w = &w.imbalance;
    let [own_pawns, ours @ ..] = counts.own;
    let [enemy_pawns, theirs @ ..] = counts.enemy;
    let (own_pawns, enemy_pawns) = (own_pawns - 5, enemy_pawns - 5);
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
    add(&w.together, together, sink);
    add(&w.against, against, sink);
    add(&w.enemy_pawns, ours.map(|pieces| pieces * enemy_pawns), sink);
    add(&w.own_pawns, [bishops * own_pawns, queens * own_pawns], sink);
    if bishops > 1 {
        sink.term(&w.pair_against_minors, theirs[0] + theirs[1]);
    }
}

/// The right to move.
pub(super) fn tempo<S: Sink>(placement: &Placement, w: &Weights, sink: &mut S) {
    sink.term(&w.material.tempo, i32::from(placement.to_move));
}

/// Each weight so many times.
#[inline(always)]
fn add<const N: usize, S: Sink>(weights: &[Score; N], times: [i32; N], sink: &mut S) {
    for (weight, times) in weights.iter().zip(times) {
        sink.term(weight, times);
    }
}

/// Square tables of boards without pawns, for all men. Those of ordinary boards are counted where
/// the pieces are, pawns and king with the pawn structure, which is cached by pawns and kings.
pub(super) fn pawnless_squares<S: Sink>(placement: &Placement, w: &Weights, sink: &mut S) {
    let side = placement.own;
    if (side.pawns | placement.enemy.pawns).is_empty() {
        for square in side.men {
            sink.term(&w.squares.pawnless[orient(square, side.king)], 1);
        }
    }
}

/// Index in a square table: mirrored so that the own king is on files e to h.
///
/// Tables by king's wing were preferred to tables with mirrored files: they tell the king's wing
/// from the other (a knight on f3 guards a castled king, one on c3 does not) at the same number of
/// positions per cell as full tables, and a position and its mirror image still get one value.
#[inline(always)]
pub(super) fn orient(square: Square, own_king: Square) -> usize {
    let flip = if own_king.file() < 4 { 7 } else { 0 };
    square.index() ^ flip
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
    let king = board.king(us).relative(us);
    let worth = |square: Square| {
        let at = orient(square.relative(us), king);
        let score = match kind {
            PieceType::Pawn => squares.pawn[at - 8],
            PieceType::Knight => squares.knight[at],
            PieceType::Bishop => squares.bishop[at],
            PieceType::Rook => squares.rook[at],
            PieceType::Queen => squares.queen[at],
            PieceType::King => squares.king[at / 8 * 4 + (at % 8).max(4) - 4],
        };
        let pawnless = board.kind(PieceType::Pawn).is_empty();
        let score = if pawnless { score + squares.pawnless[at] } else { score };
        score.middlegame() + score.endgame()
    };
    (worth(to) - worth(from)) / 2
}

/// Index in the king's table, which has four files only: the king's own wing.
#[inline(always)]
pub(super) fn orient_king(king: Square) -> usize {
    let index = orient(king, king);
    index / 8 * 4 + index % 8 - 4
}
