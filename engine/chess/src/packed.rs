//! A position in 28 bytes: how stores of recorded games and fits hold it.

use std::fmt::Write;

use thiserror::Error;

use crate::rules::{Color, FenError, PieceType, Position, Square};

/// Bytes of a packed position.
pub const PACKED_BYTES: usize = 28;
/// Bytes at its end that hold counters.
pub const COUNTER_BYTES: usize = 3;

/// Most pieces a packed position has room for.
const PIECES_MAX: usize = 32;
/// Code of a rook that may still castle; the kinds of piece have their index.
pub const CASTLING_ROOK: u8 = 6;
/// Bit of a piece's code for Black.
pub const BLACK_PIECE: u8 = 8;
/// Bit of the state for Black to move.
pub const BLACK_TO_MOVE: u8 = 0x80;
/// Bit of the state for castling by the rules of Chess960.
pub const CHESS960: u8 = 0x40;
/// File in the state if no pawn can be taken en passant.
pub const NO_FILE: u8 = 8;

/// A position without its history, in 28 bytes: the set of occupied squares (8), four bits a piece
/// in the order of squares (16; a rook that may castle has a code of its own), side to move, rules
/// of castling and file of en passant (1), plies since a capture or pawn move (1), number of the
/// move (2). Clocks beyond these bytes are cut to the greatest number they hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedPosition([u8; PACKED_BYTES]);

/// Why bytes are not a packed position.
#[derive(Debug, Error)]
pub enum PackedError {
    /// There is room for 32 pieces.
    #[error("{0} pieces, more than the 32 of a game")]
    TooManyPieces(u32),
    /// The code stands for no piece.
    #[error("unknown piece {0}")]
    UnknownPiece(u8),
    /// The pieces make no legal position.
    #[error("{0}")]
    Illegal(#[from] FenError),
}

impl PackedPosition {
    /// Packs a position.
    ///
    /// # Errors
    /// If it has more than 32 pieces, which no position of a game has.
    pub fn pack(position: &Position) -> Result<PackedPosition, PackedError> {
        let mut bytes = [0; PACKED_BYTES];
        let occupied = position.occupied();
        bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
        if occupied.count() as usize > PIECES_MAX {
            return Err(PackedError::TooManyPieces(occupied.count()));
        }
        for (index, square) in occupied.into_iter().enumerate() {
            let code = piece_code(position, square);
            bytes[8 + index / 2] |= code << (4 * (index % 2));
        }
        bytes[24] = position.en_passant().map_or(NO_FILE, |square| square.file());
        if position.side_to_move() == Color::Black {
            bytes[24] |= BLACK_TO_MOVE;
        }
        if position.chess960() {
            bytes[24] |= CHESS960;
        }
        bytes[25] = position.halfmove_clock().min(u32::from(u8::MAX)) as u8;
        let number = position.fullmove_number().min(u32::from(u16::MAX)) as u16;
        bytes[26..].copy_from_slice(&number.to_le_bytes());
        Ok(PackedPosition(bytes))
    }

    /// The bytes, which say all that is kept of the position.
    pub fn bytes(&self) -> &[u8; PACKED_BYTES] {
        &self.0
    }

    /// Unpacks the position.
    ///
    /// # Errors
    /// If the bytes are not those of a legal position.
    pub fn unpack(&self) -> Result<Position, PackedError> {
        let mut position = Position::from_fen(&self.fen()?)?;
        position.set_chess960(self.0[24] & CHESS960 != 0);
        Ok(position)
    }

    /// Takes bytes for a packed position; [`PackedPosition::unpack`] shows whether they are one.
    /// Panics if there are not exactly 28.
    pub fn from_bytes(bytes: &[u8]) -> PackedPosition {
        PackedPosition(bytes.try_into().expect("a packed position has 28 bytes"))
    }

    /// The codes of the pieces by square, a1 to h8.
    fn board(&self) -> Result<[Option<u8>; 64], PackedError> {
        let mut occupied = [0; 8];
        occupied.copy_from_slice(&self.0[..8]);
        let occupied = u64::from_le_bytes(occupied);
        if occupied.count_ones() as usize > PIECES_MAX {
            return Err(PackedError::TooManyPieces(occupied.count_ones()));
        }
        let mut board = [None; 64];
        for (index, square) in (0..64).filter(|square| occupied >> square & 1 == 1).enumerate() {
            board[square] = Some(self.0[8 + index / 2] >> (4 * (index % 2)) & 0xf);
        }
        Ok(board)
    }

    /// The same position with castling by the rules of Chess960 where a king or rook that may castle
    /// stands elsewhere than in usual chess, for forms that do not say it.
    ///
    /// # Errors
    /// As [`PackedPosition::unpack`].
    pub fn with_rules_of_castling(self) -> Result<PackedPosition, PackedError> {
        let board = self.board()?;
        let is_unusual = [(0, 0), (56, BLACK_PIECE)].into_iter().any(|(first, side)| {
            let king = board[first + 4] == Some(PieceType::King.index() as u8 | side);
            (0..8).any(|file| {
                board[first + file] == Some(CASTLING_ROOK | side)
                    && !(king && matches!(file, 0 | 7))
            })
        });
        let mut bytes = self.0;
        bytes[24] |= if is_unusual { CHESS960 } else { 0 };
        Ok(PackedPosition(bytes))
    }

    /// The position as FEN, not yet checked to be legal.
    fn fen(&self) -> Result<String, PackedError> {
        let board = self.board()?;
        let mut fen = String::with_capacity(90);
        for rank in (0..8).rev() {
            let mut empty = 0;
            for code in &board[8 * rank..8 * rank + 8] {
                match code {
                    None => empty += 1,
                    Some(code) => {
                        push_digit(&mut fen, &mut empty);
                        fen.push(piece_letter(*code)?);
                    }
                }
            }
            push_digit(&mut fen, &mut empty);
            if rank > 0 {
                fen.push('/');
            }
        }
        let state = self.0[24];
        fen.push_str(if state & BLACK_TO_MOVE == 0 { " w " } else { " b " });
        push_castling(&mut fen, &board, state & CHESS960 != 0);
        match state & 0xf {
            file if file < NO_FILE => {
                let rank = if state & BLACK_TO_MOVE == 0 { '6' } else { '3' };
                write!(fen, " {}{rank}", char::from(b'a' + file))
            }
            _ => write!(fen, " -"),
        }
        .and_then(|()| {
            let number = u16::from_le_bytes([self.0[26], self.0[27]]);
            write!(fen, " {} {number}", self.0[25])
        })
        .expect("writing to a string does not fail");
        Ok(fen)
    }
}

/// The code of the piece on an occupied square.
fn piece_code(position: &Position, square: Square) -> u8 {
    let piece = position.piece_on(square).expect("the square is occupied");
    let color = piece.color();
    let castles =
        piece.kind() == PieceType::Rook && position.castling_rooks(color).contains(square);
    let code = if castles { CASTLING_ROOK } else { piece.kind().index() as u8 };
    code | if color == Color::Black { BLACK_PIECE } else { 0 }
}

fn piece_letter(code: u8) -> Result<char, PackedError> {
    let letters = *b"PNBRQKR";
    let letter = letters.get(usize::from(code & !BLACK_PIECE));
    let letter = char::from(*letter.ok_or(PackedError::UnknownPiece(code))?);
    Ok(if code & BLACK_PIECE == 0 { letter } else { letter.to_ascii_lowercase() })
}

fn push_digit(fen: &mut String, empty: &mut u32) {
    fen.extend(char::from_digit(*empty, 10).filter(|_| *empty > 0));
    *empty = 0;
}

/// The castling field: letters of files by the rules of Chess960, of wings otherwise.
fn push_castling(fen: &mut String, board: &[Option<u8>; 64], chess960: bool) {
    let before = fen.len();
    for color in [0, BLACK_PIECE] {
        let rank = if color == 0 { &board[..8] } else { &board[56..] };
        let king =
            rank.iter().position(|&code| code == Some(PieceType::King.index() as u8 | color));
        for file in (0..8).rev().filter(|&file| rank[file] == Some(CASTLING_ROOK | color)) {
            let letter = match king {
                _ if chess960 => b'A' + file as u8,
                Some(king) if file > king => b'K',
                _ => b'Q',
            };
            let letter = char::from(letter);
            fen.push(if color == 0 { letter } else { letter.to_ascii_lowercase() });
        }
    }
    if fen.len() == before {
        fen.push('-');
    }
}
