//! Whether a move from elsewhere, such as a table or a user, is legal here.

use super::attacks;
use super::{Bitboard, Board, Color, Move, PieceType};

impl Board {
    /// Whether these 16 bits are a legal move here. Any bits are allowed.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else { return false };
        if piece.color() != us {
            return false;
        }
        let king = self.king(us);
        if mv.is_castling() {
            return from == king
                && !self.in_check()
                && self.castling_rooks(us).contains(to)
                && self.can_castle(king, to);
        }
        if self.color(us).contains(to) {
            return false;
        }
        let kind = piece.kind();
        if kind == PieceType::King {
            return mv.is_plain()
                && attacks::king(from).contains(to)
                && !self.is_attacked(to, !us, self.occupied() ^ from.bitboard());
        }
        if mv.is_en_passant() {
            return kind == PieceType::Pawn
                && self.en_passant == Some(to)
                && attacks::pawn(us, from).contains(to)
                && self.en_passant_is_legal(from, to);
        }
        let reach = match kind {
            PieceType::Pawn => {
                let promotes = Bitboard::relative_rank(us, 7).contains(to);
                if promotes != mv.promotion().is_some() {
                    return false;
                }
                self.pawn_reach(us, from.bitboard())
            }
            PieceType::Knight => attacks::knight(from),
            PieceType::Bishop => attacks::bishop(from, self.occupied()),
            PieceType::Rook => attacks::rook(from, self.occupied()),
            PieceType::Queen => attacks::queen(from, self.occupied()),
            PieceType::King => return false,
        };
        if !reach.contains(to) || (kind != PieceType::Pawn && !mv.is_plain()) {
            return false;
        }
        if kind == PieceType::Pawn && !mv.is_plain() && mv.promotion().is_none() {
            return false;
        }
        if self.pinned.contains(from) && !attacks::line(king, from).contains(to) {
            return false;
        }
        if self.checkers.is_empty() {
            return true;
        }
        let answers = attacks::between(king, self.checkers.first()) | self.checkers;
        !self.checkers.many() && answers.contains(to)
    }

    /// Where a pawn can go, en passant aside.
    fn pawn_reach(&self, us: Color, pawn: Bitboard) -> Bitboard {
        let empty = !self.occupied();
        let step = pawn.forward(us) & empty;
        let double = (step & Bitboard::relative_rank(us, 2)).forward(us) & empty;
        step | double | (attacks::pawn_set(us, pawn) & self.color(!us))
    }
}
