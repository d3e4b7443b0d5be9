//! Where rooks and cannons reach, by the men on their rank and on their file.
//!
//! Each square has a table for its rank, by the seven squares between the edges, and one for its file,
//! by the eight: 1.1 MB in all. The squares of a rank lie side by side in a set; those of a file are
//! brought together by one multiplication. A man on an edge square hides nothing, so edges are not in
//! the index; what a cannon reaches there counts if a man is to be captured.

use super::{Bitboard, Square};

/// Squares of a rank between its edges.
const RANK_BITS: usize = Square::FILES - 2;
/// Squares of a file between its edges.
const FILE_BITS: usize = Square::RANKS - 2;

type RankTable = [[Bitboard; 1 << RANK_BITS]; Square::COUNT];
type FileTable = [[Bitboard; 1 << FILE_BITS]; Square::COUNT];

static ROOK_RANKS: RankTable = ranks(0);
static ROOK_FILES: FileTable = files(0);
static CANNON_RANKS: RankTable = ranks(1);
static CANNON_FILES: FileTable = files(1);

/// The squares of a line that are reached from a place on it over so many screens. `inner` has a bit for
/// each man between the edges.
const fn reached(place: usize, length: usize, inner: usize, screens: usize) -> usize {
    let men = inner << 1;
    let mut set = 0;
    let mut direction = 0;
    while direction < 2 {
        let mut at = place;
        let mut passed = 0;
        loop {
            if direction == 0 {
                at += 1;
            } else {
                at = at.wrapping_sub(1);
            }
            if at >= length {
                break;
            }
            if passed == screens {
                set |= 1 << at;
            }
            if men >> at & 1 == 1 {
                passed += 1;
                if passed > screens {
                    break;
                }
            }
        }
        direction += 1;
    }
    set
}

#[allow(long_running_const_eval, reason = "tables of 1.1 MB")]
const fn ranks(screens: usize) -> RankTable {
    let mut table = [[Bitboard::EMPTY; 1 << RANK_BITS]; Square::COUNT];
    let mut file = 0;
    while file < Square::FILES {
        let mut inner = 0;
        while inner < 1 << RANK_BITS {
            let set = reached(file, Square::FILES, inner, screens) as u128;
            let mut rank = 0;
            while rank < Square::RANKS {
                let first = rank * Square::FILES;
                table[first + file][inner] = Bitboard(set << first);
                rank += 1;
            }
            inner += 1;
        }
        file += 1;
    }
    table
}

#[allow(long_running_const_eval, reason = "tables of 1.1 MB")]
const fn files(screens: usize) -> FileTable {
    let mut table = [[Bitboard::EMPTY; 1 << FILE_BITS]; Square::COUNT];
    let mut rank = 0;
    while rank < Square::RANKS {
        let mut inner = 0;
        while inner < 1 << FILE_BITS {
            let line = reached(rank, Square::RANKS, inner, screens);
            let (mut set, mut at) = (0, 0);
            while at < Square::RANKS {
                set |= ((line >> at & 1) as u128) << (at * Square::FILES);
                at += 1;
            }
            let mut file = 0;
            while file < Square::FILES {
                table[rank * Square::FILES + file][inner] = Bitboard(set << file);
                file += 1;
            }
            inner += 1;
        }
        rank += 1;
    }
    table
}

/// The men between the edges of a square's rank, a bit each. They lie in one half of the set: rank 6 ends
/// at bit 62, rank 7 begins at bit 63, which is an edge.
#[inline]
fn rank_index(square: Square, occupied: Bitboard) -> usize {
    let rank = square.rank();
    let (half, first) = match rank < 7 {
        true => (occupied.0 as u64, 9 * rank + 1),
        false => ((occupied.0 >> 64) as u64, 9 * (rank - 7)),
    };
    (half >> first) as usize & ((1 << RANK_BITS) - 1)
}

/// The men between the edges of a square's file, a bit each: the bits 9 k of a file, k from 1 to 8, are
/// carried to the bits 72 + k by a multiplication, and nothing else comes there.
#[inline]
fn file_index(square: Square, occupied: Bitboard) -> usize {
    const INNER: u128 = {
        let (mut mask, mut rank) = (0, 1);
        while rank <= FILE_BITS {
            mask |= 1 << (9 * rank);
            rank += 1;
        }
        mask
    };
    const FACTOR: u128 = {
        let (mut factor, mut rank) = (0, 1);
        while rank <= FILE_BITS {
            factor |= 1 << (8 * (9 - rank));
            rank += 1;
        }
        factor
    };
    let file = square.file();
    let men = occupied.0 & INNER << file;
    (men.wrapping_mul(FACTOR >> file) >> 73) as usize & ((1 << FILE_BITS) - 1)
}

/// The squares that a rook there reaches, the first man in each direction included.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let at = square.index();
    ROOK_RANKS[at][rank_index(square, occupied)] | ROOK_FILES[at][file_index(square, occupied)]
}

/// The squares over exactly one man from there, up to the next man and with him: where a cannon could
/// capture, and from where one could capture what stands there.
#[inline]
pub fn cannon(square: Square, occupied: Bitboard) -> Bitboard {
    let at = square.index();
    CANNON_RANKS[at][rank_index(square, occupied)] | CANNON_FILES[at][file_index(square, occupied)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Step by step, over so many screens.
    fn walked(from: Square, occupied: Bitboard, screens: usize) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for (files, ranks) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (mut at, mut passed) = (from, 0);
            while let Some(next) = at.offset(files, ranks) {
                at = next;
                if passed == screens {
                    set |= at.into();
                }
                passed += usize::from(occupied.contains(at));
                if passed > screens {
                    break;
                }
            }
        }
        set
    }

    #[test]
    fn tables_are_what_a_walk_finds() {
        let mut state = 7u128;
        for _ in 0..300 {
            state = state.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(9);
            let occupied = Bitboard(state >> 20) & Bitboard::ALL & Bitboard(state >> 3);
            for square in Square::all() {
                assert_eq!(rook(square, occupied), walked(square, occupied, 0), "{square}");
                assert_eq!(cannon(square, occupied), walked(square, occupied, 1), "{square}");
            }
        }
    }
}
