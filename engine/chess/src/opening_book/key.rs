//! The key of a position as the format has it.

use super::numbers::NUMBERS;
use crate::rules::{Color, Piece, Position};

/// Where the numbers of castling rights, of captures en passant and of the turn begin.
const CASTLING: usize = 12 * 64;
const EN_PASSANT: usize = CASTLING + 4;
const TURN: usize = EN_PASSANT + 8;

/// The key under which a book keeps this position.
///
/// A capture en passant counts where a pawn stands beside the one that made the double step, whether
/// or not it may leave its line. Of a position without past only legal captures are known.
pub fn key(position: &Position) -> u64 {
    let board = position.board();
    let piece_key = |square| {
        let piece = board.piece_on(square).expect("the square is occupied");
        NUMBERS[64 * number(piece) + square.index()]
    };
    let mut key = board.occupied().into_iter().map(piece_key).fold(0, |sum, it| sum ^ it);
    for (color, first) in [(Color::White, 0), (Color::Black, 2)] {
        if board.king_side_rook(color).is_some() {
            key ^= NUMBERS[CASTLING + first];
        }
        if board.queen_side_rook(color).is_some() {
            key ^= NUMBERS[CASTLING + first + 1];
        }
    }
    if let Some(square) = position.attacked_double_step() {
        key ^= NUMBERS[EN_PASSANT + usize::from(square.file())];
    }
    if board.side_to_move() == Color::White { key ^ NUMBERS[TURN] } else { key }
}

/// A piece's number: by kind from the pawn to the king, Black before White.
fn number(piece: Piece) -> usize {
    2 * piece.kind().index() + usize::from(piece.color() == Color::White)
}
