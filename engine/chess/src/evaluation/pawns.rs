//! Pawn structure: everything that depends on pawns and kings alone, so that play can cache it.
//!
//! CITE: Claude Shannon, Programming a Computer for Playing Chess (1950): doubled, backward and
//! isolated pawns; Hans Kmoch, Pawn Power in Chess (1959): phalanx, candidate, lever.

use parameters::Source;

use super::cache::Cache;
use super::channels::{SideSums, Sink};
use super::geometry::{edge_file, pawn_attacks_twice, ranks_ahead};
use super::material::{orient, orient_king};
use super::scene::PawnsAndKings;
use super::weights::Weights;
use super::{king, passed};
use crate::rules::{Bitboard, Board, Color, Square, attacks};

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
    pub fn of<'a>(
        board: &Board,
        weights: impl Source<Weights>,
        cache: &'a mut PawnCache,
    ) -> &'a PawnEntry {
        cache.entry(cache_key(board), || PawnEntry::compute(board, weights))
    }

    #[cold]
    fn compute(board: &Board, weights: impl Source<Weights>) -> PawnEntry {
        let mut sums = [SideSums::default(); 2];
        let passed = cached_terms(board, weights, &mut sums);
        PawnEntry { sums, passed }
    }
}

/// Pawns and both kings in one number, never zero for a legal board in practice.
#[inline]
pub(super) fn cache_key(board: &Board) -> u64 {
    let kings = board.king(Color::White).index() * 64 + board.king(Color::Black).index() + 1;
    board.pawn_key() ^ (kings as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// All cached terms, White's and Black's; returns the passed pawns of both.
pub(super) fn cached_terms<S: Sink>(
    board: &Board,
    w: impl Source<Weights>,
    sinks: &mut [S; 2],
) -> Bitboard {
    let mut passed = Bitboard::EMPTY;
    for (color, sink) in Color::ALL.into_iter().zip(sinks) {
        passed |= side(&PawnsAndKings::new(board, color), w, sink).relative(color);
    }
    passed
}

/// All cached terms of the own side; returns its passed pawns.
#[inline(never)]
fn side<S: Sink>(men: &PawnsAndKings, w: impl Source<Weights>, sink: &mut S) -> Bitboard {
    let own = men.own_pawns;
    let king = men.own_king;
    sink.term(&w.material.pawn, own.count() as i32);
    sink.term(&w.squares.king[orient_king(king)], 1);
    for square in own {
        sink.term(&w.squares.pawn[orient(square, king) - 8], 1);
    }
    let passed = structure(men, w, sink);
    passed::standing(men, passed, &w, sink);
    king::shelter(men, &w, sink);
    passed
}

/// Terms of pawns among pawns; returns the passed ones. Each feature is found for all pawns at once.
fn structure<S: Sink>(
    men: &PawnsAndKings,
    weights: impl Source<Weights>,
    sink: &mut S,
) -> Bitboard {
    let w = &weights.pawns;
    let own = men.own_pawns;
    let enemy = men.enemy_pawns;
    let own_attacks = attacks::pawn_set(Color::White, own);
    let enemy_attacks = attacks::pawn_set(Color::Black, enemy);
    let behind = |pawns: Bitboard| pawns.south().fill_south();
    let opposed = own & behind(enemy);
    let doubled = own & behind(own);
    let blocked = own & (own | enemy).south();
    let guarded = own & own_attacks;
    sink.term(&w.islands, islands(own) - 1);

    for square in doubled {
        sink.term(&w.doubled[edge_file(square)], 1);
    }
    sink.term(&w.doubled_blocked, (doubled & blocked).count() as i32);

    let beside = own.east() | own.west();
    let abreast_or_behind = beside.fill_north();
    let isolated = own & !abreast_or_behind & !behind(beside);
    let held_up = own & (enemy_attacks | enemy).south();
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
    let far = Bitboard(0xFFFF_FFFF_0000_0000);
    sink.term(&w.lever[0], (levers & !far).count() as i32);
    sink.term(&w.lever[1], (levers & far).count() as i32);
    let forks = levers & pawn_attacks_twice(Color::Black, enemy) & !guarded;
    sink.term(&w.double_lever, forks.count() as i32);

    let phalanx = own & beside;
    for square in phalanx {
        sink.term(&w.phalanx[usize::from(square.rank()) - 1], 1);
    }
    for square in guarded {
        sink.term(&w.supported[usize::from(square.rank()) - 2], 1);
    }
    let twice = guarded & pawn_attacks_twice(Color::White, own);
    sink.term(&w.supported_twice, twice.count() as i32);
    let seventh = Bitboard::rank(6);
    for square in (phalanx | guarded) & !opposed & !seventh {
        sink.term(&w.connected_unopposed[usize::from(square.rank()) - 1], 1);
    }
    let rammed = own & enemy.south();
    for (weight, rank) in w.blocked_advanced.iter().zip([4, 5]) {
        let row = Bitboard::rank(rank);
        sink.term(weight, (rammed & row).count() as i32);
    }

    let free = own & !opposed & !doubled;
    let contested = behind(enemy.east() | enemy.west());
    for square in free & contested {
        if is_candidate(square, own, enemy) {
            sink.term(&w.candidate[usize::from(square.rank()) - 1], 1);
        }
    }
    free & !contested
}

/// A candidate has at least as many helpers (own pawns on the neighboring files, not ahead of its
/// next square) as there are opponents that can stop it.
fn is_candidate(square: Square, own: Bitboard, enemy: Bitboard) -> bool {
    let files = Bitboard::neighbor_files(square.file());
    let ahead = ranks_ahead(square);
    let too_far = ahead & !Bitboard::rank(square.rank()).north();
    (own & files & !too_far).count() >= (enemy & files & ahead).count()
}

/// Groups of pawns on neighboring files.
fn islands(pawns: Bitboard) -> i32 {
    let files = pawns.fill_south() & Bitboard::RANK_1;
    // A group starts at each occupied file whose left neighbor is empty.
    (files & !files.east()).count() as i32
}
