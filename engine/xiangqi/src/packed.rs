//! A position in 32 bytes: how stores of recorded games and fits hold it.
//!
//! The set of occupied squares (12), four bits a man in the order of squares (16), side to move (1), plies
//! since a capture (1), number of the move (2). Counters beyond these bytes are cut to the greatest
//! number they hold.

use playable::{PACKED_MAX, PackedBytes, PackedError};

use crate::rules::{Bitboard, Board, Color, Piece, Position, Square};

/// Bytes of a packed position, and of those the ones that are no counters.
pub(crate) const LENGTHS: (usize, usize) = (PACKED_MAX, CLOCK);

const MEN: usize = 12;
const TURN: usize = 28;
const CLOCK: usize = 29;
const NUMBER: usize = 30;
/// Most men that have room.
const MEN_MAX: usize = 32;

/// Packs a board. Errors: more men than there is room for.
pub(crate) fn pack(board: &Board) -> Result<PackedBytes, PackedError> {
    let mut bytes = [0; PACKED_MAX];
    let count = board.occupied().count() as usize;
    if count > MEN_MAX {
        return Err(PackedError(format!("{count} men, more than the {MEN_MAX} of a game")));
    }
    for (place, (square, piece)) in board.men().enumerate() {
        bytes[square.index() / 8] |= 1 << (square.index() % 8);
        bytes[MEN + place / 2] |= (piece.index() as u8) << (4 * (place % 2));
    }
    bytes[TURN] = board.side_to_move() as u8;
    bytes[CLOCK] = board.clock().min(u8::MAX.into()) as u8;
    let number = board.number().min(u16::MAX.into()) as u16;
    bytes[NUMBER..].copy_from_slice(&number.to_le_bytes());
    Ok(bytes)
}

/// The position of packed bytes. Errors: they are none, in words.
pub(crate) fn unpack(bytes: &PackedBytes) -> Result<Position, PackedError> {
    let squares = Square::all().filter(|it| bytes[it.index() / 8] >> (it.index() % 8) & 1 == 1);
    let squares: Bitboard = squares.collect();
    if squares.count() as usize > MEN_MAX {
        return Err(PackedError("more men than there is room for".to_owned()));
    }
    let mut men = Vec::with_capacity(MEN_MAX);
    for (place, square) in squares.enumerate() {
        let code = bytes[MEN + place / 2] >> (4 * (place % 2)) & 15;
        let piece = Piece::at(code.into());
        men.push((square, piece.ok_or_else(|| PackedError(format!("unknown man {code}")))?));
    }
    let mover = match bytes[TURN] {
        0 => Color::White,
        1 => Color::Black,
        other => return Err(PackedError(format!("unknown turn {other}"))),
    };
    let number = u16::from_le_bytes([bytes[NUMBER], bytes[NUMBER + 1]]);
    let board = Board::checked(men, mover, bytes[CLOCK].into(), number.into());
    board.map(Position::from_board).map_err(|error| PackedError(error.to_string()))
}
