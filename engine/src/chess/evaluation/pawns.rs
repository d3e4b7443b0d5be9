//! Pawn structure: everything that depends on pawns and kings alone, so that play can cache it.
//!
//! CITE: Claude Shannon, Programming a Computer for Playing Chess (1950): doubled, backward and
//! isolated pawns; Hans Kmoch, Pawn Power in Chess (1959): phalanx, candidate, lever.

use super::cache::Cache;
use super::channels::{SideSums, Sink};
use super::geometry::{edge_file, pawn_attacks_twice, ranks_ahead, relative_rank};
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

/// What pawns and kings alone are worth.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct PawnEntry {
    /// What White's and Black's terms add up to, for the terms of the pieces to go on from.
    pub sums: [SideSums; 2],
    /// Passed pawns of both sides.
    pub passed: Bitboard,
}

/// Entries that are kept: 4,096 of 48 bytes stay within the second-level cache; four times as many
/// are no faster.
pub(super) type PawnCache = Cache<PawnEntry, 4096>;

impl PawnEntry {
    /// The entry of a board, computed if the cache does not have it.
    #[inline]
    pub fn of<'a>(board: &Board, weights: &Weights, cache: &'a mut PawnCache) -> &'a PawnEntry {
        cache.entry(cache_key(board), || PawnEntry::compute(board, weights))
    }

    #[cold]
    fn compute(board: &Board, weights: &Weights) -> PawnEntry {
        let men = Skeleton::new(board);
        let (mut white, mut black) = (SideSums::default(), SideSums::default());
        let passed = skeleton::<true, SideSums>(&men, weights, &mut white)
            | skeleton::<false, SideSums>(&men, weights, &mut black);
        PawnEntry { sums: [white, black], passed }
    }
}

/// Pawns and both kings in one number, never zero for a legal board in practice.
#[inline]
pub(super) fn cache_key(board: &Board) -> u64 {
    let kings = board.king(Color::White).index() * 64 + board.king(Color::Black).index() + 1;
    board.pawn_key() ^ (kings as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
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

/// Terms of pawns among pawns; returns the passed ones. Each feature is found for all pawns at once.
fn structure<const WHITE: bool, S: Sink>(
    skeleton: &Skeleton,
    weights: &Weights,
    sink: &mut S,
) -> Bitboard {
    let w = &weights.pawns;
    let own = skeleton.own_pawns::<WHITE>();
    let enemy = skeleton.enemy_pawns::<WHITE>();
    let own_attacks = attacks::pawn_set::<WHITE>(own);
    let enemy_attacks = enemy_attacks::<WHITE>(enemy);
    let behind = |pawns: Bitboard| pawns.backward::<WHITE>().fill_backward::<WHITE>();
    let opposed = own & behind(enemy);
    let doubled = own & behind(own);
    let blocked = own & (own | enemy).backward::<WHITE>();
    let guarded = own & own_attacks;
    sink.term(&w.islands, islands(own) - 1);

    for square in doubled {
        sink.term(&w.doubled[edge_file(square)], 1);
    }
    sink.term(&w.doubled_blocked, (doubled & blocked).count() as i32);

    let beside = own.east() | own.west();
    let abreast_or_behind = beside.fill_forward::<WHITE>();
    let isolated = own & !abreast_or_behind & !behind(beside);
    let held_up = own & (enemy_attacks | enemy).backward::<WHITE>();
    let backward = held_up & !abreast_or_behind & !isolated;
    for square in isolated {
        sink.term(&w.isolated[edge_file(square)], 1);
    }
    for square in backward {
        sink.term(&w.backward[edge_file(square)], 1);
    }
    sink.term(&w.weak_unopposed, ((isolated | backward) & !opposed).count() as i32);

    // A pawn that the enemy's pawns attack attacks them.
    let levers = own & enemy_attacks;
    let far = Bitboard(if WHITE { 0xFFFF_FFFF_0000_0000 } else { 0x0000_0000_FFFF_FFFF });
    sink.term(&w.lever[0], (levers & !far).count() as i32);
    sink.term(&w.lever[1], (levers & far).count() as i32);
    let forks = levers & enemy_attacks_twice::<WHITE>(enemy) & !guarded;
    sink.term(&w.double_lever, forks.count() as i32);

    let phalanx = own & beside;
    for square in phalanx {
        sink.term(&w.phalanx[relative_rank::<WHITE>(square) - 1], 1);
    }
    for square in guarded {
        sink.term(&w.supported[relative_rank::<WHITE>(square) - 2], 1);
    }
    let twice = guarded & pawn_attacks_twice::<WHITE>(own);
    sink.term(&w.supported_twice, twice.count() as i32);
    let seventh = Bitboard::relative_rank(Color::of::<WHITE>(), 6);
    for square in (phalanx | guarded) & !opposed & !seventh {
        sink.term(&w.connected_unopposed[relative_rank::<WHITE>(square) - 1], 1);
    }
    let rammed = own & enemy.backward::<WHITE>();
    for (weight, rank) in w.blocked_advanced.iter().zip([4, 5]) {
        let row = Bitboard::relative_rank(Color::of::<WHITE>(), rank);
        sink.term(weight, (rammed & row).count() as i32);
    }

    let free = own & !opposed & !doubled;
    let contested = behind(enemy.east() | enemy.west());
    for square in free & contested {
        if is_candidate::<WHITE>(square, own, enemy) {
            sink.term(&w.candidate[relative_rank::<WHITE>(square) - 1], 1);
        }
    }
    free & !contested
}

/// A candidate has at least as many helpers (own pawns on the neighboring files, not ahead of its
/// next square) as there are opponents that can stop it.
fn is_candidate<const WHITE: bool>(square: Square, own: Bitboard, enemy: Bitboard) -> bool {
    let files = Bitboard::neighbor_files(square.file());
    let ahead = ranks_ahead::<WHITE>(square);
    let too_far = ahead & !Bitboard::rank(square.rank()).forward::<WHITE>();
    (own & files & !too_far).count() >= (enemy & files & ahead).count()
}

/// Groups of pawns on neighboring files.
fn islands(pawns: Bitboard) -> i32 {
    let files = pawns.fill_south() & Bitboard::RANK_1;
    // A group starts at each occupied file whose left neighbor is empty.
    (files & !files.east()).count() as i32
}

/// Squares that the enemy's pawns attack.
fn enemy_attacks<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    if WHITE { attacks::pawn_set::<false>(pawns) } else { attacks::pawn_set::<true>(pawns) }
}

/// Squares that two of the enemy's pawns attack.
fn enemy_attacks_twice<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    if WHITE { pawn_attacks_twice::<false>(pawns) } else { pawn_attacks_twice::<true>(pawns) }
}
