//! Playing a move on a board.

use super::attacks;
use super::castling::{king_target, rook_target};
use super::piece::backward;
use super::{Bitboard, Board, Color, Move, Piece, PieceType, Square, keys};

impl Board {
    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let piece = self.moved_piece(mv);
        debug_assert_eq!(piece.color(), us);
        let kind = piece.kind();
        // Before anything beside them is written, for the processor reads them with their neighbors and
        // would have to wait: nearly 1 % of a search.
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible_plies = self.reversible_plies.saturating_add(1);
        self.clear_en_passant();

        if mv.is_castling() {
            self.castle(us, from, to);
        } else {
            if let Some(captured) = self.piece_on(to) {
                self.take(captured, to);
                self.reset_clocks();
            }
            self.shift(piece, from, to);
            if kind == PieceType::Pawn {
                self.reset_clocks();
                if !mv.is_plain() {
                    self.finish_pawn_move(us, mv);
                }
            }
        }
        if self.castling.any() {
            let mut lost = self.castling & (from.bitboard() | to.bitboard());
            if kind == PieceType::King {
                lost = self.castling_rooks(us);
            }
            self.castling ^= lost;
            self.key ^= keys::castling(lost);
            // A king that castled took its rook's right along; a rook captured on its first
            // square lost the other side's.
            let captured = self.castling & to.bitboard();
            self.castling ^= captured;
            self.key ^= keys::castling(captured);
        }
        self.change_side(us);
        if kind == PieceType::Pawn && from.index().abs_diff(to.index()) == 16 {
            self.offer_en_passant(Square::new(((from.index() + to.index()) / 2) as u8));
        }
    }

    /// Lets the other side move (null move); the side to move must not be in check.
    pub fn pass(&mut self) {
        debug_assert!(!self.in_check());
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible_plies = 0;
        self.clear_en_passant();
        self.change_side(self.side_to_move);
    }

    #[cold]
    #[inline(never)]
    fn castle(&mut self, us: Color, king: Square, rook: Square) {
        // The squares of king and rook may overlap in Chess960: both leave before either arrives.
        self.take(Piece::new(us, PieceType::King), king);
        self.take(Piece::new(us, PieceType::Rook), rook);
        self.put(Piece::new(us, PieceType::King), king_target(king, rook));
        self.put(Piece::new(us, PieceType::Rook), rook_target(king, rook));
    }

    #[cold]
    #[inline(never)]
    fn finish_pawn_move(&mut self, us: Color, mv: Move) {
        if let Some(kind) = mv.promotion() {
            self.take(Piece::new(us, PieceType::Pawn), mv.to());
            self.put(Piece::new(us, kind), mv.to());
        } else if mv.is_en_passant() {
            let victim = mv.to().offset(backward(us));
            self.take(Piece::new(!us, PieceType::Pawn), victim);
        }
    }

    /// Notes that the side to move may capture on this square, if it legally can. As a part of its
    /// caller it would keep what every move's look for checks has found, for the few that need it.
    #[cold]
    #[inline(never)]
    pub(super) fn offer_en_passant(&mut self, square: Square) {
        let us = self.side_to_move;
        let capturers = attacks::pawn(!us, square) & self.pieces(us, PieceType::Pawn);
        if capturers.into_iter().any(|from| self.en_passant_is_legal(from, square)) {
            self.en_passant = Some(square);
            self.key ^= keys::en_passant(square);
        }
    }

    /// Whether the pawn's capture en passant leaves its king unattacked. Two pawns leave the
    /// board's lines at once, so pins do not tell: the king's attackers are looked up afterwards.
    #[inline]
    pub(super) fn en_passant_is_legal(&self, from: Square, to: Square) -> bool {
        let us = self.side_to_move;
        let victim = Square::from_coordinates(to.file(), from.rank()).bitboard();
        let occupied = (self.occupied() ^ from.bitboard() ^ victim) | to.bitboard();
        let attackers = self.attackers_to(self.king(us), occupied) & self.color(!us);
        (attackers - victim).is_empty()
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.key ^= keys::en_passant(square);
        }
    }

    #[inline]
    fn reset_clocks(&mut self) {
        self.halfmove_clock = 0;
        self.reversible_plies = 0;
    }

    #[inline]
    fn change_side(&mut self, mover: Color) {
        if mover == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.side_to_move = !mover;
        self.key ^= keys::black_to_move();
        self.find_checkers();
    }

    /// Sets the castling rights, each given by its rook's square.
    pub(super) fn set_castling(&mut self, rooks: Bitboard) {
        self.key ^= keys::castling(self.castling ^ rooks);
        self.castling = rooks;
    }

    /// Sets the side to move of a board under construction.
    pub(super) fn set_side_to_move(&mut self, color: Color) {
        if self.side_to_move != color {
            self.side_to_move = color;
            self.key ^= keys::black_to_move();
        }
    }
}
