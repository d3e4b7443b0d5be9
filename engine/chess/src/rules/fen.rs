//! Forsyth-Edwards notation: reading with validation, and writing.
//!
//! Refused are boards with other than one king a side, more than eight pawns or more than sixteen
//! men of one side: code counts on that. Others that no game reaches, as with three queens beside
//! eight pawns, are accepted: studies and tests use them.

use super::castling::king_target;
use super::{Bitboard, Board, Color, Piece, PieceType, Square};

/// The fault in a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// There is no field at all.
    #[error("FEN: it is empty; it begins with the board")]
    Empty,
    /// Something follows the last field.
    #[error("FEN: \"{0}\" after the move number")]
    TooLong(String),
    /// A rank of the board does not hold eight squares, or there are not eight ranks.
    #[error("FEN board \"{board}\": {problem}")]
    Board {
        /// The field that describes the board.
        board: String,
        /// The reason in words.
        problem: String,
    },
    /// The pieces cannot stand so in any game.
    #[error("FEN board \"{board}\": {problem}")]
    Pieces {
        /// The field that describes the board.
        board: String,
        /// The reason in words.
        problem: String,
    },
    /// The side to move is neither `w` nor `b`.
    #[error("FEN side to move \"{0}\": must be \"w\" or \"b\"")]
    SideToMove(String),
    /// The side to move could capture the king.
    #[error("FEN side to move \"{side}\": the other side's king on {king} is in check")]
    OpponentInCheck {
        /// The field that should name the side to move.
        side: String,
        /// The square of the attacked king.
        king: Square,
    },
    /// Castling rights that no king and rook have.
    #[error("FEN castling rights \"{rights}\": {problem}")]
    Castling {
        /// The field of castling rights.
        rights: String,
        /// The reason in words.
        problem: String,
    },
    /// No pawn can have passed over the square.
    #[error("FEN en passant square \"{square}\": {problem}")]
    EnPassant {
        /// The field that should name a square.
        square: String,
        /// The reason in words.
        problem: String,
    },
    /// A counter is no number, or too large.
    #[error("FEN {field} \"{value}\": must be a whole number from 0 to {max}", max = u16::MAX)]
    Counter {
        /// The field's name in messages.
        field: &'static str,
        /// The field that should hold a number.
        value: String,
    },
}

pub(super) fn start() -> Board {
    use PieceType::{Bishop, King, Knight, Queen, Rook};
    start_of([Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook])
}

/// The start of a game with these pieces on the first rank.
pub(super) fn start_of(rank: [PieceType; 8]) -> Board {
    let mut board = Board::empty();
    for color in Color::ALL {
        for (file, kind) in (0..).zip(rank) {
            let square = |rank| Square::from_coordinates(file, rank).relative(color);
            board.put(Piece::new(color, kind), square(0));
            board.put(Piece::new(color, PieceType::Pawn), square(1));
        }
    }
    let rooks = board.kind(PieceType::Rook);
    board.set_castling(rooks);
    board.find_checkers();
    board
}

/// Reads a FEN. Fields at its end may be missing, and are then: a side that may be to move, White if
/// both may be, no castling rights, no en passant square, 0 and 1.
pub(super) fn parse(text: &str) -> Result<Board, FenError> {
    let mut fields = text.split_ascii_whitespace();
    let placement = fields.next().ok_or(FenError::Empty)?;
    let mut board = Board::empty();
    place(&mut board, placement)?;
    check_pieces(&board, placement)?;
    let side = fields.next();
    board.set_side_to_move(match side {
        Some("w") => Color::White,
        Some("b") => Color::Black,
        Some(other) => return Err(FenError::SideToMove(other.to_owned())),
        None if is_attacked_king(&board, Color::Black) => Color::Black,
        None => Color::White,
    });
    let us = board.side_to_move();
    if is_attacked_king(&board, !us) {
        let side = side.unwrap_or_default().to_owned();
        return Err(FenError::OpponentInCheck { side, king: board.king(!us) });
    }
    let rooks = castling_rooks(&board, fields.next().unwrap_or("-"))?;
    board.set_castling(rooks);
    board.find_checkers();
    if let Some(square) = en_passant_square(&board, fields.next().unwrap_or("-"))? {
        board.offer_en_passant(square);
    }
    if let Some(value) = fields.next() {
        board.halfmove_clock = counter("halfmove clock", value)?;
        board.reversible_plies = board.halfmove_clock;
    }
    if let Some(value) = fields.next() {
        // Some programs count from zero.
        board.fullmove_number = counter("move number", value)?.max(1);
    }
    match fields.next() {
        Some(rest) => Err(FenError::TooLong(rest.to_owned())),
        None => Ok(board),
    }
}

fn is_attacked_king(board: &Board, color: Color) -> bool {
    board.is_attacked(board.king(color), !color, board.occupied())
}

/// The words at the beginning of a text that can be the first four fields of a FEN, as many of them as
/// are there, and what follows. A semicolon ends a word, too.
pub(super) fn split_fields(text: &str) -> (&str, &str) {
    let looks_right: [fn(&str) -> bool; 4] = [
        |word| !word.is_empty(),
        |word| matches!(word, "w" | "b"),
        |word| word == "-" || !word.is_empty() && word.chars().all(is_castling_letter),
        // Not `c1`, which is an operation of EPD.
        |word| word == "-" || word.parse().is_ok_and(|it: Square| matches!(it.rank(), 2 | 5)),
    ];
    split_words(text, &looks_right)
}

/// A FEN, as many of its six fields as are there, and the operations of EPD that follow it, if there
/// are any. Other words stay with the FEN, which is then a wrong one.
pub(super) fn split_operations(text: &str) -> (&str, &str) {
    let (fields, rest) = split_fields(text);
    let is_counter = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let operations = match fields.split_whitespace().count() {
        4 => split_words(rest, &[is_counter, is_counter]).1,
        _ => rest,
    };
    let first = operations.split([' ', '\t', ';']).next().unwrap_or_default();
    if first.is_empty() || OPCODES.contains(&first) || operations.contains(';') {
        return (text[..text.len() - operations.len()].trim_end(), operations);
    }
    (text, "")
}

/// The operations that the standard of EPD and usual test suites have.
const OPCODES: [&str; 46] = [
    "acd",
    "acn",
    "acs",
    "am",
    "bm",
    "c0",
    "c1",
    "c2",
    "c3",
    "c4",
    "c5",
    "c6",
    "c7",
    "c8",
    "c9",
    "ce",
    "dm",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "eco",
    "fmvn",
    "hmvc",
    "id",
    "moves",
    "nic",
    "noop",
    "pm",
    "pv",
    "rc",
    "resign",
    "sm",
    "tcgs",
    "tcri",
    "tcsi",
    "v0",
    "v1",
    "v2",
    "v3",
    "v4",
    "v5",
    "v6",
    "v7",
    "v8",
    "v9",
];

/// Splits a text behind as many words as look right, each in its place, and passes over white space.
fn split_words<'t, F: Fn(&str) -> bool>(text: &'t str, looks_right: &[F]) -> (&'t str, &'t str) {
    let mut end = 0;
    for looks_right in looks_right {
        let rest = &text[end..];
        let start = end + rest.len() - rest.trim_start().len();
        let ends = |sign: char| sign.is_whitespace() || sign == ';';
        let word_end = text[start..].find(ends).map_or(text.len(), |length| start + length);
        if !looks_right(&text[start..word_end]) {
            break;
        }
        end = word_end;
    }
    (text[..end].trim_start(), text[end..].trim_start())
}

/// One that names a castling right: `KQkq` or a rook's file.
pub(super) fn is_castling_letter(letter: char) -> bool {
    matches!(letter.to_ascii_lowercase(), 'k' | 'q' | 'a'..='h')
}

fn place(board: &mut Board, text: &str) -> Result<(), FenError> {
    let error = |problem: String| FenError::Board { board: text.to_owned(), problem };
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(error(format!("{ranks} ranks instead of 8")));
    }
    for (from_top, row) in text.split('/').enumerate() {
        let rank = 7 - from_top as u8;
        let mut file = 0;
        let mut after_digit = false;
        for letter in row.chars() {
            if let Some(gap @ 1..=8) = letter.to_digit(10) {
                if after_digit {
                    let problem = format!(
                        "rank {} (\"{row}\") has two digits side by side instead of their sum",
                        rank + 1
                    );
                    return Err(error(problem));
                }
                after_digit = true;
                file += gap as u8;
            } else if let Some(piece) = Piece::from_letter(letter) {
                if file < 8 {
                    board.put(piece, Square::from_coordinates(file, rank));
                }
                file += 1;
                after_digit = false;
            } else {
                return Err(error(format!("\"{letter}\" in rank {} is no piece", rank + 1)));
            }
            if file > 8 {
                break;
            }
        }
        if file != 8 {
            let size = if file > 8 { "more" } else { "fewer" };
            return Err(error(format!("rank {} (\"{row}\") has {size} than 8 squares", rank + 1)));
        }
    }
    Ok(())
}

fn check_pieces(board: &Board, text: &str) -> Result<(), FenError> {
    let error = |problem: String| FenError::Pieces { board: text.to_owned(), problem };
    for color in Color::ALL {
        let count = |kind| board.pieces(color, kind).count();
        let kings = count(PieceType::King);
        if kings != 1 {
            return Err(error(format!("{color:?} has {kings} kings")));
        }
        let pawns = count(PieceType::Pawn);
        if pawns > 8 {
            return Err(error(format!("{color:?} has {pawns} pawns")));
        }
        let men = board.color(color).count();
        if men > 16 {
            return Err(error(format!("{color:?} has {men} men")));
        }
    }
    let stray = board.kind(PieceType::Pawn) & (Bitboard::RANK_1 | Bitboard::RANK_8);
    match stray.into_iter().next() {
        Some(square) => Err(error(format!("a pawn stands on {square}"))),
        None => Ok(()),
    }
}

fn castling_rooks(board: &Board, text: &str) -> Result<Bitboard, FenError> {
    let mut rights = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rights);
    }
    let error = |problem: String| FenError::Castling { rights: text.to_owned(), problem };
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let back_rank = Bitboard::relative_rank(color, 0);
        let king = board.king(color);
        let rooks = board.pieces(color, PieceType::Rook) & back_rank;
        let east = Bitboard(!0 << king.index() << 1);
        let rook = match letter.to_ascii_lowercase() {
            'k' => (rooks & east).into_iter().last(),
            'q' => (rooks - east).into_iter().next(),
            file @ 'a'..='h' => (rooks & Bitboard::file(file as u8 - b'a')).into_iter().next(),
            _ => return Err(error(format!("\"{letter}\" is none of KQkq, A-H and a-h"))),
        };
        if !back_rank.contains(king) {
            return Err(error(format!("\"{letter}\", but the king is on {king}")));
        }
        let Some(rook) = rook else {
            return Err(error(format!("no rook for \"{letter}\"")));
        };
        if rights.contains(rook) {
            return Err(error(format!("\"{letter}\" repeats a right")));
        }
        let same_wing = if east.contains(rook) { east } else { !east };
        if (rights & back_rank).intersects(same_wing) {
            return Err(error(format!("\"{letter}\" is a second rook on the king's one side")));
        }
        rights |= rook.bitboard();
    }
    Ok(rights)
}

fn en_passant_square(board: &Board, text: &str) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let error = |problem: &str| FenError::EnPassant {
        square: text.to_owned(),
        problem: problem.to_owned(),
    };
    let square: Square = text.parse().map_err(|_| error("is neither a square nor \"-\""))?;
    let us = board.side_to_move();
    let seen = square.relative(us);
    if seen.rank() != 5 {
        return Err(error("is not on the rank the other side's pawns pass over"));
    }
    let pawn = Square::from_coordinates(seen.file(), 4).relative(us);
    let origin = Square::from_coordinates(seen.file(), 6).relative(us);
    if board.piece_on(pawn) != Some(Piece::new(!us, PieceType::Pawn)) {
        return Err(error("no pawn stands before it"));
    }
    if board.occupied().contains(square) || board.occupied().contains(origin) {
        return Err(error("the pawn cannot have come over it: its way is occupied"));
    }
    Ok(Some(square))
}

fn counter(field: &'static str, value: &str) -> Result<u16, FenError> {
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    match value.parse() {
        Ok(number) if digits => Ok(number),
        _ => Err(FenError::Counter { field, value: value.to_owned() }),
    }
}

/// Whether a castling right is not one of standard chess.
pub(super) fn needs_chess960(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        let rooks = board.castling_rooks(color);
        let corners = Square::A1.bitboard() | Square::H1.bitboard();
        let corners = if color == Color::White { corners } else { corners.flip() };
        rooks.any() && ((rooks - corners).any() || board.king(color) != Square::E1.relative(color))
    })
}

impl Board {
    /// The FEN of the board: see [`super::Position::to_fen`].
    pub fn to_fen(&self, chess960: bool) -> String {
        let mut text = String::with_capacity(90);
        for rank in (0..8).rev() {
            let mut gap = 0_u8;
            for file in 0..8 {
                match self.piece_on(Square::from_coordinates(file, rank)) {
                    None => gap += 1,
                    Some(piece) => {
                        if gap > 0 {
                            text.push(char::from(b'0' + gap));
                            gap = 0;
                        }
                        text.push(piece.letter());
                    }
                }
            }
            if gap > 0 {
                text.push(char::from(b'0' + gap));
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let side = if self.side_to_move() == Color::White { 'w' } else { 'b' };
        let en_passant = self.en_passant().map_or("-".to_owned(), |square| square.to_string());
        let rights = self.castling_text(chess960);
        let (clock, number) = (self.halfmove_clock(), self.fullmove_number());
        format!("{text} {side} {rights} {en_passant} {clock} {number}")
    }

    fn castling_text(&self, chess960: bool) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            let rights = [self.king_side_rook(color), self.queen_side_rook(color)];
            for rook in rights.into_iter().flatten() {
                let king_side = king_target(self.king(color), rook).file() == 6;
                let rooks = self.pieces(color, PieceType::Rook) & Bitboard::rank(rook.rank());
                let beyond = if king_side { rooks.last() } else { rooks.first() };
                let letter = match (chess960 || beyond != rook, king_side) {
                    (true, _) => char::from(b'A' + rook.file()),
                    (false, true) => 'K',
                    (false, false) => 'Q',
                };
                text.push(match color {
                    Color::White => letter,
                    Color::Black => letter.to_ascii_lowercase(),
                });
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }
}
