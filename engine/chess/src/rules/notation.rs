//! Moves as text: coordinates as UCI wants them, and standard algebraic notation (SAN).

use playable::MoveError;

use super::castling::king_target;
use super::{Bitboard, Board, Move, PieceType, Square};

impl Move {
    /// Appends the move in coordinates, as [`Board::uci`] gives it.
    #[inline]
    pub fn push_uci(self, chess960: bool, text: &mut String) {
        if self.is_none() {
            text.push_str("0000");
            return;
        }
        let (from, to) = (self.from(), self.to());
        let steps = self.is_castling() && !chess960;
        push_square(from, text);
        push_square(if steps { king_target(from, to) } else { to }, text);
        if let Some(kind) = self.promotion() {
            text.push(kind.letter());
        }
    }
}

impl Board {
    /// The move in coordinates: castling as king takes rook if `chess960`, else as the king's
    /// step of two files.
    pub fn uci(&self, mv: Move, chess960: bool) -> String {
        let mut text = String::with_capacity(5);
        mv.push_uci(chess960, &mut text);
        text
    }

    /// Reads a legal move in coordinates. Castling may be given as king takes rook or, unless
    /// that is a plain king's move too, as the king's step to its target; the promotion letter
    /// may be upper case.
    ///
    /// # Errors
    /// If the text is malformed or the move illegal.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let malformed = || MoveError::Malformed(text.to_owned());
        let (Some(from), Some(to)) = (text.get(0..2), text.get(2..4)) else {
            return Err(malformed());
        };
        let from: Square = from.parse().map_err(|_| malformed())?;
        let to: Square = to.parse().map_err(|_| malformed())?;
        let promotion = match text.as_bytes()[4..] {
            [] => None,
            [letter @ (b'n' | b'b' | b'r' | b'q' | b'N' | b'B' | b'R' | b'Q')] => {
                PieceType::from_letter(char::from(letter))
            }
            _ => return Err(malformed()),
        };
        let moves = self.legal_moves();
        let fits = |mv: &&Move| mv.from() == from && mv.to() == to && mv.promotion() == promotion;
        let castles = |mv: &&Move| {
            mv.is_castling()
                && mv.from() == from
                && king_target(from, mv.to()) == to
                && from.file().abs_diff(to.file()) > 1
                && promotion.is_none()
        };
        let found = moves.iter().find(fits).or_else(|| moves.iter().find(castles));
        found.copied().ok_or_else(|| MoveError::Illegal(text.to_owned()))
    }

    /// The legal move in standard algebraic notation, with `+` or `#`.
    pub fn to_san(&self, mv: Move) -> String {
        let mut text = String::with_capacity(8);
        let mut next = *self;
        next.play_and_push_san(mv, &mut text);
        text
    }

    /// Plays a legal move and appends it in standard algebraic notation: whoever writes a whole
    /// game needs both for every move.
    pub fn play_and_push_san(&mut self, mv: Move, text: &mut String) {
        self.push_san_without_check(mv, text);
        self.play(mv);
        if self.in_check() {
            text.push(if self.has_legal_move() { '+' } else { '#' });
        }
    }

    fn push_san_without_check(&self, mv: Move, text: &mut String) {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castling() {
            text.push_str(if to.file() > from.file() { "O-O" } else { "O-O-O" });
            return;
        }
        let kind = self.moved_piece(mv).kind();
        if kind == PieceType::Pawn {
            if self.is_capture(mv) {
                text.push(char::from(b'a' + from.file()));
            }
        } else {
            text.push(kind.letter().to_ascii_uppercase());
            self.push_distinction(mv, kind, text);
        }
        if self.is_capture(mv) {
            text.push('x');
        }
        push_square(to, text);
        if let Some(kind) = mv.promotion() {
            text.push('=');
            text.push(kind.letter().to_ascii_uppercase());
        }
    }

    /// Appends the mark that tells this piece's move from that of another of its kind to the same
    /// square: the file if it suffices, else the rank, else both.
    fn push_distinction(&self, mv: Move, kind: PieceType, text: &mut String) {
        let from = mv.from();
        let rivals: Bitboard = (self.pieces(self.side_to_move(), kind) - from.bitboard())
            .into_iter()
            .filter(|&other| self.is_legal(Move::new(other, mv.to())))
            .collect();
        if rivals.is_empty() {
            return;
        }
        if !rivals.intersects(Bitboard::file(from.file())) {
            text.push(char::from(b'a' + from.file()));
        } else if !rivals.intersects(Bitboard::rank(from.rank())) {
            text.push(char::from(b'1' + from.rank()));
        } else {
            push_square(from, text);
        }
    }

    /// Reads a legal move in standard algebraic notation, leniently: `x`, `=`, `+`, `#`, `!` and
    /// `?` may be missing or there in vain, castling may be written with zeros, and more of the
    /// start square may be given than is needed.
    ///
    /// # Errors
    /// If the text is malformed, illegal here or ambiguous.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let wanted = San::parse(text).ok_or_else(|| MoveError::Malformed(text.to_owned()))?;
        let moves = self.legal_moves();
        let mut found = moves.iter().copied().filter(|&mv| wanted.fits(self, mv));
        let first = found.next().ok_or_else(|| MoveError::Illegal(text.to_owned()))?;
        match found.next() {
            None => Ok(first),
            Some(second) => Err(MoveError::Ambiguous {
                text: text.to_owned(),
                first: first.to_string(),
                second: second.to_string(),
            }),
        }
    }
}

#[inline]
fn push_square(square: Square, text: &mut String) {
    text.push(char::from(b'a' + square.file()));
    text.push(char::from(b'1' + square.rank()));
}

/// A text in algebraic notation, taken apart.
enum San {
    Castling {
        king_side: bool,
    },
    Piece {
        kind: PieceType,
        file: Option<u8>,
        rank: Option<u8>,
        to: Square,
        promotion: Option<PieceType>,
    },
}

impl San {
    fn parse(text: &str) -> Option<San> {
        let text = text.trim().trim_end_matches(['+', '#', '!', '?']);
        match text {
            "O-O" | "0-0" | "o-o" | "OO" | "00" => return Some(San::Castling { king_side: true }),
            "O-O-O" | "0-0-0" | "o-o-o" | "OOO" | "000" => {
                return Some(San::Castling { king_side: false });
            }
            _ => {}
        }
        let mut letters: Vec<u8> = text.bytes().filter(|b| !b"x:-=()".contains(b)).collect();
        let mut promotion = None;
        let last = *letters.last()?;
        if b"NBRQnbrq".contains(&last) {
            promotion = PieceType::from_letter(char::from(last));
            letters.pop();
        }
        let mut kind = PieceType::Pawn;
        let first = *letters.first()?;
        if b"PNBRQK".contains(&first) {
            kind = PieceType::from_letter(char::from(first))?;
            letters.remove(0);
        }
        let (start, to) = letters.split_at_checked(letters.len().checked_sub(2)?)?;
        let to: Square = std::str::from_utf8(to).ok()?.parse().ok()?;
        let (file, rank) = match *start {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
            _ => return None,
        };
        Some(San::Piece { kind, file, rank, to, promotion })
    }

    fn fits(&self, board: &Board, mv: Move) -> bool {
        match *self {
            San::Castling { king_side } => {
                mv.is_castling() && (mv.to().file() > mv.from().file()) == king_side
            }
            San::Piece { kind, file, rank, to, promotion } => {
                !mv.is_castling()
                    && mv.to() == to
                    && mv.promotion() == promotion
                    && board.moved_piece(mv).kind() == kind
                    && file.is_none_or(|file| file == mv.from().file())
                    && rank.is_none_or(|rank| rank == mv.from().rank())
            }
        }
    }
}
