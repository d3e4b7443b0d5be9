//! The board: where the pieces are, and all that follows from it.

use super::attacks;
use super::{Bitboard, Color, Move, Piece, PieceType, Square, keys};

/// A position without its past: small, `Copy`, and consistent at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    pub(super) kinds: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
    pub(super) mailbox: [Option<Piece>; 64],
    pub(super) checkers: Bitboard,
    /// Pieces of the side to move that shield its king.
    pub(super) pinned: Bitboard,
    /// The rooks that may still castle.
    pub(super) castling: Bitboard,
    pub(super) key: u64,
    pub(super) pawn_key: u64,
    pub(super) non_pawn_keys: [u64; 2],
    /// How many men of each piece there are: five bits for each, by index.
    pub(super) census: u64,
    pub(super) en_passant: Option<Square>,
    pub(super) side_to_move: Color,
    pub(super) halfmove_clock: u16,
    /// Plies since the last irreversible move or pass: how far back a repetition can lie.
    pub(super) reversible_plies: u16,
    pub(super) fullmove_number: u16,
}

impl Board {
    /// The pieces of this side and kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()] & self.colors[color.index()]
    }

    /// The pieces of this kind, of both sides.
    #[inline]
    pub fn kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The pieces of this side.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of all pieces, of both sides.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Bishops and queens of this side.
    #[inline]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        (self.kind(PieceType::Bishop) | self.kind(PieceType::Queen)) & self.color(color)
    }

    /// Rooks and queens of this side.
    #[inline]
    pub fn straight_sliders(&self, color: Color) -> Bitboard {
        (self.kind(PieceType::Rook) | self.kind(PieceType::Queen)) & self.color(color)
    }

    /// The piece on this square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// Where this side's king is.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceType::King).first()
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The square behind the pawn that just made a double step, if it can legally be captured.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies without capture or pawn's move after which a game is drawn.
    pub const CLOCK_DRAWS_AT: u32 = 100;

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u32 {
        u32::from(self.halfmove_clock)
    }

    /// The number of the move to come, as in FEN: it grows after Black's.
    #[inline]
    pub fn fullmove_number(&self) -> u32 {
        u32::from(self.fullmove_number)
    }

    /// The pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// This side's pieces that shield its king from a slider. Kept for the side to move, found
    /// anew for the other.
    #[inline]
    pub fn pinned(&self, color: Color) -> Bitboard {
        if color == self.side_to_move { self.pinned } else { self.sliders_on_king(color).1 }
    }

    /// The key of the whole position: pieces, turn, castling rights, possible en passant capture.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key after a move, found without playing it: castling, promotion, what becomes of castling
    /// rights and of en passant are left out. Good for a guess at what will be asked.
    #[inline]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let (piece, from, to) = (self.moved_piece(mv), mv.from(), mv.to());
        let taken = self.piece_on(to).map_or(0, |taken| keys::piece(taken, to));
        let moved = keys::piece(piece, from) ^ keys::piece(piece, to);
        self.key ^ moved ^ taken ^ keys::black_to_move()
    }

    /// As [`Board::likely_key_after`], of a pass.
    #[inline]
    pub fn likely_key_after_pass(&self) -> u64 {
        self.key ^ keys::black_to_move()
    }

    /// The key of the pawns.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// The key of this side's pieces other than pawns.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.non_pawn_keys[color.index()]
    }

    /// How many men of each kind both sides have, in one number that differs wherever any of the counts
    /// does. It is never zero, for there are kings.
    #[inline]
    pub fn census(&self) -> u64 {
        self.census
    }

    /// The squares that this side attacks, those of its own pieces included.
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        use PieceType::{King, Knight, Pawn};
        let occupied = self.occupied();
        let pawns = self.pieces(color, Pawn);
        let ahead = if color == Color::White { pawns.north() } else { pawns.south() };
        let mut attacked =
            ahead.east() | ahead.west() | attacks::king(self.pieces(color, King).first());
        for square in self.pieces(color, Knight) {
            attacked |= attacks::knight(square);
        }
        for square in self.diagonal_sliders(color) {
            attacked |= attacks::bishop(square, occupied);
        }
        for square in self.straight_sliders(color) {
            attacked |= attacks::rook(square, occupied);
        }
        attacked
    }

    /// The pieces of both sides that attack this square when these squares are occupied.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
        let queens = self.kind(Queen);
        (attacks::pawn(Color::Black, square) & self.pieces(Color::White, Pawn))
            | (attacks::pawn(Color::White, square) & self.pieces(Color::Black, Pawn))
            | (attacks::knight(square) & self.kind(Knight))
            | (attacks::king(square) & self.kind(King))
            | (attacks::bishop(square, occupied) & (self.kind(Bishop) | queens))
            | (attacks::rook(square, occupied) & (self.kind(Rook) | queens))
    }

    /// Whether this side attacks the square when these squares are occupied.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        (attacks::pawn(!by, square) & self.pieces(by, PieceType::Pawn)).any()
            || (attacks::king(square) & self.pieces(by, PieceType::King)).any()
            || self.is_attacked_by_piece(square, by, occupied)
    }

    /// The same, but neither by a pawn nor by the king.
    #[inline]
    pub(super) fn is_attacked_by_piece(
        &self,
        square: Square,
        by: Color,
        occupied: Bitboard,
    ) -> bool {
        (attacks::knight(square) & self.pieces(by, PieceType::Knight)).any()
            || (attacks::bishop(square, occupied) & self.diagonal_sliders(by)).any()
            || (attacks::rook(square, occupied) & self.straight_sliders(by)).any()
    }

    /// The piece that a legal move moves.
    #[inline]
    pub fn moved_piece(&self, mv: Move) -> Piece {
        let piece = self.piece_on(mv.from());
        debug_assert!(piece.is_some(), "{mv} moves nothing");
        piece.unwrap_or(Piece::WhitePawn)
    }

    /// The piece that a move captures.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        if mv.is_castling() {
            None
        } else if mv.is_en_passant() {
            Some(Piece::new(!self.side_to_move, PieceType::Pawn))
        } else {
            self.piece_on(mv.to())
        }
    }

    /// Whether a move captures, en passant included.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        (self.occupied().contains(mv.to()) && !mv.is_castling()) || mv.is_en_passant()
    }

    /// Whether a move captures or promotes to a queen.
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        self.is_capture(mv) || mv.promotion() == Some(PieceType::Queen)
    }

    /// Whether neither side can ever mate: a lone minor piece at most, or only bishops on squares
    /// of one color.
    pub fn insufficient_material(&self) -> bool {
        use PieceType::{Bishop, Knight, Pawn, Queen, Rook};
        if (self.kind(Pawn) | self.kind(Rook) | self.kind(Queen)).any() {
            return false;
        }
        let bishops = self.kind(Bishop);
        let one_color = (bishops & Bitboard::LIGHT_SQUARES).is_empty()
            || (bishops & Bitboard::DARK_SQUARES).is_empty();
        self.occupied().count() <= 3 || (self.kind(Knight).is_empty() && one_color)
    }

    /// The sliders that attack this side's king, and its pieces that stand alone before one.
    #[inline(always)]
    fn sliders_on_king(&self, color: Color) -> (Bitboard, Bitboard) {
        let king = self.king(color);
        let theirs = self.color(!color);
        let ours = self.color(color);
        let snipers = (attacks::bishop(king, theirs) & self.diagonal_sliders(!color))
            | (attacks::rook(king, theirs) & self.straight_sliders(!color));
        let mut checkers = Bitboard::EMPTY;
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let shield = attacks::between(king, sniper) & ours;
            if shield.is_empty() {
                checkers |= sniper.bitboard();
            } else if !shield.many() {
                pinned |= shield;
            }
        }
        (checkers, pinned)
    }

    /// Finds checkers and pinned pieces of the side to move.
    #[inline(always)]
    pub(super) fn find_checkers(&mut self) {
        let us = self.side_to_move;
        let king = self.king(us);
        let (sliders, pinned) = self.sliders_on_king(us);
        self.pinned = pinned;
        self.checkers = sliders
            | (attacks::knight(king) & self.pieces(!us, PieceType::Knight))
            | (attacks::pawn(us, king) & self.pieces(!us, PieceType::Pawn));
    }

    /// An empty board, from which FEN builds.
    pub(super) fn empty() -> Board {
        Board {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            mailbox: [None; 64],
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: Bitboard::EMPTY,
            key: 0,
            pawn_key: 0,
            non_pawn_keys: [0; 2],
            census: 0,
            en_passant: None,
            side_to_move: Color::White,
            halfmove_clock: 0,
            reversible_plies: 0,
            fullmove_number: 1,
        }
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.mailbox[square.index()] = Some(piece);
        self.census = self.census.wrapping_add(one_more(piece));
        self.toggle(piece, square);
    }

    /// Takes a piece off its square.
    #[inline]
    pub(super) fn take(&mut self, piece: Piece, square: Square) {
        self.mailbox[square.index()] = None;
        self.census = self.census.wrapping_sub(one_more(piece));
        self.toggle(piece, square);
    }

    /// Moves a piece to an empty square.
    #[inline]
    pub(super) fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.mailbox[from.index()] = None;
        self.mailbox[to.index()] = Some(piece);
        let squares = from.bitboard() | to.bitboard();
        self.kinds[piece.kind().index()] ^= squares;
        self.colors[piece.color().index()] ^= squares;
        self.toggle_keys(piece, keys::piece(piece, from) ^ keys::piece(piece, to));
    }

    #[inline]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.kinds[piece.kind().index()] ^= square.bitboard();
        self.colors[piece.color().index()] ^= square.bitboard();
        self.toggle_keys(piece, keys::piece(piece, square));
    }

    #[inline]
    fn toggle_keys(&mut self, piece: Piece, number: u64) {
        self.key ^= number;
        match piece.kind() {
            PieceType::Pawn => self.pawn_key ^= number,
            _ => self.non_pawn_keys[piece.color().index()] ^= number,
        }
    }
}

/// The summand of one man in [`Board::census`]. A side has sixteen men at most.
#[inline]
fn one_more(piece: Piece) -> u64 {
    1 << (5 * piece.index())
}
