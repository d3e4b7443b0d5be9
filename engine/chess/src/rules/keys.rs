//! Zobrist keys: one random number for each thing a position holds, joined by exclusive or.
//!
//! CITE: Albert L. Zobrist, "A New Hashing Method with Application for Game Playing" (1970).

use super::{Bitboard, Piece, Square};

struct Numbers {
    pieces: [[u64; 64]; 12],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static NUMBERS: Numbers = numbers();

/// CITE: Sebastiano Vigna, "splitmix64" (public domain).
const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn numbers() -> Numbers {
    let mut state = 0x6b61_6d65_7274_6f6e;
    let mut numbers =
        Numbers { pieces: [[0; 64]; 12], castling: [0; 64], en_passant: [0; 8], black_to_move: 0 };
    let mut square = 0;
    while square < 64 {
        let mut piece = 0;
        while piece < 12 {
            numbers.pieces[piece][square] = next(&mut state);
            piece += 1;
        }
        numbers.castling[square] = next(&mut state);
        if square < 8 {
            numbers.en_passant[square] = next(&mut state);
        }
        square += 1;
    }
    numbers.black_to_move = next(&mut state);
    numbers
}

/// The number of a piece on a square.
#[inline]
pub(super) fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
}

/// The numbers of these castling rights, each given by its rook's square.
#[inline]
pub(super) fn castling(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| key ^ NUMBERS.castling[rook.index()])
}

/// The number of a possible en passant capture on this square's file.
#[inline]
pub(super) fn en_passant(square: Square) -> u64 {
    NUMBERS.en_passant[usize::from(square.file())]
}

/// The number of Black's turn.
#[inline]
pub(super) fn black_to_move() -> u64 {
    NUMBERS.black_to_move
}
