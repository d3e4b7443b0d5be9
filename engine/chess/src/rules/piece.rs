//! Pieces.

use std::fmt;

use super::Color;

/// The step from a square's index to that of the square behind it, as this side's pawns go.
#[inline]
pub(super) const fn backward(color: Color) -> i8 {
    match color {
        Color::White => -8,
        Color::Black => 8,
    }
}

/// A kind of piece, whatever its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceType {
    /// The pawn, `p` in FEN.
    Pawn,
    /// The knight, `n` in FEN.
    Knight,
    /// The bishop, `b` in FEN.
    Bishop,
    /// The rook, `r` in FEN.
    Rook,
    /// The queen, `q` in FEN.
    Queen,
    /// The king, `k` in FEN.
    King,
}

impl PieceType {
    /// All kinds, by index.
    pub const ALL: [PieceType; 6] = [
        PieceType::Pawn,
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
        PieceType::King,
    ];

    /// 0 for a pawn to 5 for the king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The English letter, in lower case.
    pub const fn letter(self) -> char {
        match self {
            PieceType::Pawn => 'p',
            PieceType::Knight => 'n',
            PieceType::Bishop => 'b',
            PieceType::Rook => 'r',
            PieceType::Queen => 'q',
            PieceType::King => 'k',
        }
    }

    /// The kind with this English letter, in either case.
    pub const fn from_letter(letter: char) -> Option<PieceType> {
        Some(match letter.to_ascii_lowercase() {
            'p' => PieceType::Pawn,
            'n' => PieceType::Knight,
            'b' => PieceType::Bishop,
            'r' => PieceType::Rook,
            'q' => PieceType::Queen,
            'k' => PieceType::King,
            _ => return None,
        })
    }
}

/// A piece: its side and its kind, in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Piece {
    WhitePawn,
    WhiteKnight,
    WhiteBishop,
    WhiteRook,
    WhiteQueen,
    WhiteKing,
    BlackPawn,
    BlackKnight,
    BlackBishop,
    BlackRook,
    BlackQueen,
    BlackKing,
}

impl Piece {
    /// All pieces, by index: White's six, then Black's.
    pub const ALL: [Piece; 12] = [
        Piece::WhitePawn,
        Piece::WhiteKnight,
        Piece::WhiteBishop,
        Piece::WhiteRook,
        Piece::WhiteQueen,
        Piece::WhiteKing,
        Piece::BlackPawn,
        Piece::BlackKnight,
        Piece::BlackBishop,
        Piece::BlackRook,
        Piece::BlackQueen,
        Piece::BlackKing,
    ];

    /// The piece of this side and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceType) -> Piece {
        Piece::ALL[color.index() * 6 + kind.index()]
    }

    /// The side that it belongs to.
    #[inline]
    pub const fn color(self) -> Color {
        if (self as u8) < 6 { Color::White } else { Color::Black }
    }

    /// The kind of man, whichever side's.
    #[inline]
    pub const fn kind(self) -> PieceType {
        const KINDS: [PieceType; 12] = {
            let mut kinds = [PieceType::Pawn; 12];
            let mut i = 0;
            while i < 12 {
                kinds[i] = PieceType::ALL[i % 6];
                i += 1;
            }
            kinds
        };
        KINDS[self as usize]
    }

    /// 0 to 11: White's six kinds, then Black's.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of FEN: upper case for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.kind().letter().to_ascii_uppercase(),
            Color::Black => self.kind().letter(),
        }
    }

    /// The piece with this letter of FEN.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match PieceType::from_letter(letter) {
            Some(kind) => Some(Piece::new(color, kind)),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
