//! The squares that a piece attacks, and the geometry of lines.

use super::sliders::{self, BISHOP_STEPS, ROOK_STEPS, ray};
use super::{Bitboard, Color, Square};

const KNIGHT_JUMPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

const fn leaps(jumps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < jumps.len() {
            let file = (square % 8) as i8 + jumps[i].0;
            let rank = (square / 8) as i8 + jumps[i].1;
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square] |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

struct Lines {
    between: [[u64; 64]; 64],
    line: [[u64; 64]; 64],
}

const fn lines() -> Lines {
    let mut lines = Lines { between: [[0; 64]; 64], line: [[0; 64]; 64] };
    let mut a = 0;
    while a < 64 {
        let mut i = 0;
        while i < 8 {
            let step = if i < 4 { BISHOP_STEPS[i] } else { ROOK_STEPS[i - 4] };
            let ahead = ray(a, step);
            let whole = ahead | ray(a, (-step.0, -step.1)) | 1 << a;
            let mut rest = ahead;
            while rest != 0 {
                let b = rest.trailing_zeros() as usize;
                lines.between[a][b] = ahead & !ray(b, step) & !(1 << b);
                lines.line[a][b] = whole;
                rest &= rest - 1;
            }
            i += 1;
        }
        a += 1;
    }
    lines
}

const fn diagonals(step: (i8, i8)) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = ray(square, step) | ray(square, (-step.0, -step.1)) | 1 << square;
        square += 1;
    }
    table
}

const fn distances() -> [[u8; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut a = 0_usize;
    while a < 64 {
        let mut b = 0_usize;
        while b < 64 {
            let (files, ranks) = ((a % 8).abs_diff(b % 8), (a / 8).abs_diff(b / 8));
            table[a][b] = if files > ranks { files } else { ranks } as u8;
            b += 1;
        }
        a += 1;
    }
    table
}

static KNIGHT: [u64; 64] = leaps(&KNIGHT_JUMPS);
static KING: [u64; 64] = leaps(&KING_STEPS);
static PAWN: [[u64; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];
static LINES: Lines = lines();
static DISTANCE: [[u8; 64]; 64] = distances();
static DIAGONALS: [u64; 64] = diagonals((1, 1));
static ANTIDIAGONALS: [u64; 64] = diagonals((1, -1));

/// Squares a pawn of this side attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN[color.index()][square.index()])
}

/// Squares any of this side's pawns attacks.
#[inline]
pub const fn pawn_set(color: Color, pawns: Bitboard) -> Bitboard {
    let forward = pawns.forward(color);
    Bitboard(forward.east().0 | forward.west().0)
}

/// Squares a knight attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// Squares a king attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// Squares a bishop attacks when these squares are occupied.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    sliders::bishop(square, occupied)
}

/// Squares a rook attacks when these squares are occupied.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    sliders::rook(square, occupied)
}

/// Squares a bishop attacks on the empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    sliders::bishop_rays(square)
}

/// Squares a rook attacks on the empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    sliders::rook_rays(square)
}

/// Squares a queen attacks when these squares are occupied.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares strictly between two on a rank, file or diagonal; else none.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(LINES.between[a.index()][b.index()])
}

/// The whole rank, file or diagonal through two squares, from edge to edge; else none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(LINES.line[a.index()][b.index()])
}

/// The whole diagonal through a square in the direction from a1 to h8.
#[inline]
pub fn diagonal(square: Square) -> Bitboard {
    Bitboard(DIAGONALS[square.index()])
}

/// The whole diagonal through a square in the direction from a8 to h1.
#[inline]
pub fn antidiagonal(square: Square) -> Bitboard {
    Bitboard(ANTIDIAGONALS[square.index()])
}

/// King's moves from one square to the other on an empty board.
#[inline]
pub fn distance(a: Square, b: Square) -> u8 {
    DISTANCE[a.index()][b.index()]
}
