//! Pawn structure: everything that depends on pawns and kings alone, so that play can cache it.
//!
//! CITE: Claude Shannon, Programming a Computer for Playing Chess (1950): doubled, backward and
//! isolated pawns; Hans Kmoch, Pawn Power in Chess (1959): phalanx, candidate, lever.

use super::channels::Sink;
use super::geometry::{
    edge_file, file_ahead, pawn_attacks_twice, ranks_ahead, relative_rank, widen,
};
use super::material::{orient, orient_king};
use super::weights::Weights;
use super::{king, passed};
use crate::chess::rules::{Bitboard, Board, Color, PieceType, Square, attacks};

/// Pawns and kings of both sides: all that this theme may look at, or the cache would lie.
pub(super) struct Skeleton {
    pawns: [Bitboard; 2],
    kings: [Square; 2],
}

impl Skeleton {
    pub fn new(board: &Board) -> Skeleton {
        Skeleton {
            pawns: Color::ALL.map(|color| board.pieces(color, PieceType::Pawn)),
            kings: Color::ALL.map(|color| board.king(color)),
        }
    }

    #[inline(always)]
    pub fn own_pawns<const WHITE: bool>(&self) -> Bitboard {
        self.pawns[usize::from(!WHITE)]
    }

    #[inline(always)]
    pub fn enemy_pawns<const WHITE: bool>(&self) -> Bitboard {
        self.pawns[usize::from(WHITE)]
    }

    #[inline(always)]
    pub fn own_king<const WHITE: bool>(&self) -> Square {
        self.kings[usize::from(!WHITE)]
    }

    #[inline(always)]
    pub fn enemy_king<const WHITE: bool>(&self) -> Square {
        self.kings[usize::from(WHITE)]
    }
}

/// All cached terms of one side; returns its passed pawns.
pub(super) fn skeleton<const WHITE: bool, S: Sink>(
    skeleton: &Skeleton,
    w: &Weights,
    sink: &mut S,
) -> Bitboard {
    let own = skeleton.own_pawns::<WHITE>();
    let king = skeleton.own_king::<WHITE>();
    sink.term(&w.material.pawn, own.count() as i32);
    sink.term(&w.squares.king[orient_king::<WHITE>(king)], 1);
    for square in own {
        sink.term(&w.squares.pawn[orient::<WHITE>(square, king) - 8], 1);
    }
    let passed = structure::<WHITE, S>(skeleton, w, sink);
    passed::standing::<WHITE, S>(skeleton, passed, w, sink);
    king::shelter::<WHITE, S>(skeleton, w, sink);
    passed
}

/// Terms of each pawn among pawns; returns the passed ones.
fn structure<const WHITE: bool, S: Sink>(
    skeleton: &Skeleton,
    weights: &Weights,
    sink: &mut S,
) -> Bitboard {
    let w = &weights.pawns;
    let own = skeleton.own_pawns::<WHITE>();
    let enemy = skeleton.enemy_pawns::<WHITE>();
    let own_attacks = attacks::pawn_set::<WHITE>(own);
    let own_attacks_twice = pawn_attacks_twice::<WHITE>(own);
    let enemy_attacks = enemy_attacks::<WHITE>(enemy);
    let mut passed = Bitboard::EMPTY;
    sink.term(&w.islands, islands(own) - 1);
    for square in own {
        let rank = relative_rank::<WHITE>(square);
        let forward = file_ahead::<WHITE>(square);
        let neighbors = own & Bitboard::neighbor_files(square.file());
        let step = square.bitboard().forward::<WHITE>();
        let opponents =
            enemy & Bitboard::neighbor_files(square.file()) & ranks_ahead::<WHITE>(square);
        let opposed = (enemy & forward).any();
        let doubled = (own & forward).any();
        let guarded = own_attacks.contains(square);

        if doubled {
            sink.term(&w.doubled[edge_file(square)], 1);
            if (step & (own | enemy)).any() {
                sink.term(&w.doubled_blocked, 1);
            }
        }
        let abreast_or_behind = neighbors & !ranks_ahead::<WHITE>(square);
        let isolated = neighbors.is_empty();
        let backward =
            !isolated && abreast_or_behind.is_empty() && (step & (enemy_attacks | enemy)).any();
        if isolated {
            sink.term(&w.isolated[edge_file(square)], 1);
        } else if backward {
            sink.term(&w.backward[edge_file(square)], 1);
        }
        if (isolated || backward) && !opposed {
            sink.term(&w.weak_unopposed, 1);
        }
        let victims = enemy & attacks::pawn(Color::of::<WHITE>(), square);
        if victims.any() {
            sink.term(&w.lever[usize::from(rank > 3)], 1);
            if !guarded && victims.many() {
                sink.term(&w.double_lever, 1);
            }
        }
        let beside = (widen(square.bitboard()) & neighbors).any();
        if beside {
            sink.term(&w.phalanx[rank - 1], 1);
        }
        if guarded {
            sink.term(&w.supported[rank - 2], 1);
            if own_attacks_twice.contains(square) {
                sink.term(&w.supported_twice, 1);
            }
        }
        if (beside || guarded) && !opposed && rank < 6 {
            sink.term(&w.connected_unopposed[rank - 1], 1);
        }
        if (step & enemy).any() && (rank == 4 || rank == 5) {
            sink.term(&w.blocked_advanced[rank - 4], 1);
        }

        if !opposed && !doubled {
            if opponents.is_empty() {
                passed |= square.bitboard();
            } else if is_candidate::<WHITE>(square, neighbors, opponents) {
                sink.term(&w.candidate[rank - 1], 1);
            }
        }
    }
    passed
}

/// A candidate has at least as many helpers (own pawns on the neighboring files, not ahead of its
/// next square) as there are opponents that can stop it.
fn is_candidate<const WHITE: bool>(
    square: Square,
    neighbors: Bitboard,
    opponents: Bitboard,
) -> bool {
    let row = Bitboard::rank(square.rank());
    let too_far = ranks_ahead::<WHITE>(square) & !row.forward::<WHITE>();
    (neighbors & !too_far).count() >= opponents.count()
}

/// Groups of pawns on neighboring files.
fn islands(pawns: Bitboard) -> i32 {
    let files = (0..8u32).fold(0u32, |files, index| {
        let occupied = pawns.0 & (0x0101_0101_0101_0101 << index) != 0;
        files | (u32::from(occupied) << index)
    });
    // A group starts at each occupied file whose left neighbor is empty.
    (files & !(files << 1)).count_ones() as i32
}

/// Squares that the enemy's pawns attack.
fn enemy_attacks<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    if WHITE { attacks::pawn_set::<false>(pawns) } else { attacks::pawn_set::<true>(pawns) }
}
