//! Attacks of bishops and rooks by lookup.

use super::{Bitboard, Square};

/// A square's part of the table of attacks.
#[derive(Clone, Copy)]
struct Entry {
    /// The squares whose occupation matters: the rays without their last squares.
    mask: u64,
    /// Where its attacks begin in the table.
    start: usize,
}

pub(super) const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
pub(super) const ROOK_STEPS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// The squares from `square` in this direction to the edge.
pub(super) const fn ray(square: usize, step: (i8, i8)) -> u64 {
    let mut file = (square % 8) as i8 + step.0;
    let mut rank = (square / 8) as i8 + step.1;
    let mut set = 0;
    while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        set |= 1 << (rank * 8 + file);
        file += step.0;
        rank += step.1;
    }
    set
}

/// The last square before the edge drops out: a piece there hides nothing.
const fn without_last(square: usize, step: (i8, i8)) -> u64 {
    let mut set = ray(square, step);
    let mut i = 0;
    while i < 64 {
        if set & 1 << i != 0 && ray(i, step) == 0 {
            set &= !(1 << i);
        }
        i += 1;
    }
    set
}

const fn mask(square: usize, steps: &[(i8, i8); 4]) -> u64 {
    without_last(square, steps[0])
        | without_last(square, steps[1])
        | without_last(square, steps[2])
        | without_last(square, steps[3])
}

const fn entries(steps: &[(i8, i8); 4]) -> [Entry; 64] {
    let mut entries = [Entry { mask: 0, start: 0 }; 64];
    let mut start = 0;
    let mut square = 0;
    while square < 64 {
        let mask = mask(square, steps);
        entries[square] = Entry { mask, start };
        start += 1 << mask.count_ones();
        square += 1;
    }
    entries
}

/// Fills the attacks of one square, in the order of the occupations' extracted bits: adding one
/// blocker to an occupation hides the squares behind it, so each entry is an earlier one less a
/// part of a ray.
const fn fill(square: usize, steps: &[(i8, i8); 4], mask: u64, attacks: &mut [u64], start: usize) {
    let mut behind = [0; 12];
    let mut all = 0;
    let mut step = 0;
    while step < 4 {
        let ray_here = ray(square, steps[step]);
        all |= ray_here;
        let mut bits = mask;
        let mut i = 0;
        while bits != 0 {
            let blocker = bits.trailing_zeros() as usize;
            if ray_here & 1 << blocker != 0 {
                behind[i] = ray(blocker, steps[step]);
            }
            bits &= bits - 1;
            i += 1;
        }
        step += 1;
    }
    attacks[start] = all;
    let mut index = 1_usize;
    while index < 1 << mask.count_ones() {
        attacks[start + index] =
            attacks[start + (index & (index - 1))] & !behind[index.trailing_zeros() as usize];
        index += 1;
    }
}

const fn table<const SIZE: usize>(steps: &[(i8, i8); 4], entries: &[Entry; 64]) -> [u64; SIZE] {
    let mut attacks = [0; SIZE];
    let mut square = 0;
    while square < 64 {
        fill(square, steps, entries[square].mask, &mut attacks, entries[square].start);
        square += 1;
    }
    attacks
}

const BISHOP_SIZE: usize = 5248;
const ROOK_SIZE: usize = 102_400;

static BISHOP_ENTRIES: [Entry; 64] = entries(&BISHOP_STEPS);
static ROOK_ENTRIES: [Entry; 64] = entries(&ROOK_STEPS);
static BISHOP_ATTACKS: [u64; BISHOP_SIZE] = table(&BISHOP_STEPS, &entries(&BISHOP_STEPS));
static ROOK_ATTACKS: [u64; ROOK_SIZE] = table(&ROOK_STEPS, &entries(&ROOK_STEPS));

#[cfg(target_feature = "bmi2")]
#[inline]
fn extract(bits: u64, mask: u64) -> usize {
    // SAFETY: the cfg above says that the processor built for has the instruction.
    unsafe { std::arch::x86_64::_pext_u64(bits, mask) as usize }
}

#[cfg(not(target_feature = "bmi2"))]
#[inline]
fn extract(bits: u64, mask: u64) -> usize {
    let mut index = 0;
    let mut rest = mask;
    let mut bit = 0;
    while rest != 0 {
        if bits & rest & rest.wrapping_neg() != 0 {
            index |= 1 << bit;
        }
        rest &= rest - 1;
        bit += 1;
    }
    index
}

/// Squares a bishop attacks.
#[inline]
pub(super) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let entry = &BISHOP_ENTRIES[square.index()];
    Bitboard(BISHOP_ATTACKS[entry.start + extract(occupied.0, entry.mask)])
}

/// Squares a rook attacks.
#[inline]
pub(super) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let entry = &ROOK_ENTRIES[square.index()];
    Bitboard(ROOK_ATTACKS[entry.start + extract(occupied.0, entry.mask)])
}
