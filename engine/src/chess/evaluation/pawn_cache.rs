//! The cache of pawn structures: what pawns and kings alone are worth, kept from position to position.

use super::channels::SideSums;
use super::pawns::{Skeleton, skeleton};
use super::weights::Weights;
use crate::chess::rules::{Bitboard, Board, Color};

/// What the cache keeps of one arrangement of pawns and kings.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct PawnEntry {
    key: u64,
    /// What White's and Black's terms add up to, for the terms of the pieces to go on from.
    pub sums: [SideSums; 2],
    /// Passed pawns of both sides.
    pub passed: Bitboard,
}

impl PawnEntry {
    /// Computes the entry of a board.
    fn compute(board: &Board, weights: &Weights, key: u64) -> PawnEntry {
        let men = Skeleton::new(board);
        let (mut white, mut black) = (SideSums::default(), SideSums::default());
        let passed = skeleton::<true, SideSums>(&men, weights, &mut white)
            | skeleton::<false, SideSums>(&men, weights, &mut black);
        PawnEntry { key, sums: [white, black], passed }
    }
}

/// Direct-mapped cache of pawn entries, for one set of weights.
pub(super) struct PawnCache {
    entries: Box<[PawnEntry]>,
}

/// Entries in the cache: 4,096 of 48 bytes stay within the second-level cache and are found again
/// for all but a few percent of a search's positions.
const CACHE_SIZE: usize = 4096;

impl PawnCache {
    /// An empty cache.
    pub fn new() -> PawnCache {
        PawnCache { entries: vec![PawnEntry::default(); CACHE_SIZE].into_boxed_slice() }
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.entries.fill(PawnEntry::default());
    }

    /// The entry of a board, computed if it is not there.
    #[inline]
    pub fn entry(&mut self, board: &Board, weights: &Weights) -> &PawnEntry {
        let key = cache_key(board);
        let slot = &mut self.entries[(key >> 32) as usize % CACHE_SIZE];
        if slot.key != key {
            *slot = PawnEntry::compute(board, weights, key);
        }
        debug_assert_eq!(*slot, PawnEntry::compute(board, weights, key), "stale pawn cache");
        slot
    }
}

/// Pawns and both kings in one number, never zero for a legal board in practice.
#[inline]
fn cache_key(board: &Board) -> u64 {
    let kings = board.king(Color::White).index() * 64 + board.king(Color::Black).index() + 1;
    board.pawn_key() ^ (kings as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
