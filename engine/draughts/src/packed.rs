//! A position in 17 bytes: how stores of recorded games and fits hold it.
//!
//! Squares of White, of Black, and of kings (4 each), side to move (1), plies with kings alone (1),
//! plies without capture (1), number of the move (2). Counters beyond these bytes are cut to the
//! greatest number they hold.

use playable::{PACKED_MAX, PackedBytes, PackedError};

use crate::rules::{Board, Color, Position};

/// Bytes of a packed position, and of those the ones that are no counters.
pub(crate) const LENGTHS: (usize, usize) = (17, CLOCK);

const TURN: usize = 12;
const CLOCK: usize = 13;
const SINCE_CAPTURE: usize = 14;
const NUMBER: usize = 15;

/// Packs a board.
pub(crate) fn pack(board: &Board) -> PackedBytes {
    let mut bytes = [0; PACKED_MAX];
    let [white, black] = Color::ALL.map(|color| board.of(color));
    let kings = Color::ALL.map(|color| board.kings_of(color));
    for (place, set) in [white, black, kings[0] | kings[1]].into_iter().enumerate() {
        bytes[4 * place..4 * place + 4].copy_from_slice(&set.to_le_bytes());
    }
    bytes[TURN] = board.side_to_move() as u8;
    bytes[CLOCK] = board.clock().min(u8::MAX.into()) as u8;
    bytes[SINCE_CAPTURE] = board.since_capture().min(u8::MAX.into()) as u8;
    let number = board.number().min(u16::MAX.into()) as u16;
    bytes[NUMBER..NUMBER + 2].copy_from_slice(&number.to_le_bytes());
    bytes
}

/// The position of packed bytes. Errors: they are none, in words.
pub(crate) fn unpack(bytes: &PackedBytes) -> Result<Position, PackedError> {
    let (words, _) = bytes.as_chunks::<4>();
    let [white, black, kings] = [0, 1, 2].map(|place| u32::from_le_bytes(words[place]));
    let turn = usize::from(bytes[TURN]);
    let side = *Color::ALL.get(turn).ok_or_else(|| PackedError(format!("unknown turn {turn}")))?;
    let number = u16::from_le_bytes([bytes[NUMBER], bytes[NUMBER + 1]]);
    let counters = [bytes[CLOCK].into(), bytes[SINCE_CAPTURE].into(), number.into()];
    let board = Board::checked([white, black], kings, side, counters);
    board.map(Position::from_board).map_err(|error| PackedError(error.to_string()))
}
