//! Generation of quiet moves that give check, and of no others: from the squares that look at the
//! king, instead of by trying each move.

use super::attacks;
use super::generate::Collector;
use super::piece::backward;
use super::{Bitboard, Board, PieceType, Square};

/// From where the king is seen.
struct Aims {
    king: Square,
    by_pawn: Bitboard,
    by_knight: Bitboard,
    by_bishop: Bitboard,
    by_rook: Bitboard,
    /// Men that stand alone between a slider of theirs and the king.
    hiding: Bitboard,
}

impl Aims {
    /// Where the man gives check, whose kind gives it from the squares `direct`: anywhere off the
    /// line, too, if it opens one.
    #[inline]
    fn of(&self, from: Square, direct: Bitboard) -> Bitboard {
        if self.hiding.contains(from) { direct | !attacks::line(self.king, from) } else { direct }
    }
}

impl Board {
    /// Hands the moves of [`Stage::QuietChecks`](super::Stage) to the collector.
    #[inline(never)]
    pub(super) fn collect_quiet_checks<C: Collector>(&self, out: &mut C) {
        let us = self.side_to_move();
        let (occupied, empty) = (self.occupied(), !self.occupied());
        let king = self.king(!us);
        let (diagonal, straight) = (self.diagonal_sliders(us), self.straight_sliders(us));
        let mut hiding = Bitboard::EMPTY;
        let snipers = attacks::bishop_rays(king) & diagonal | attacks::rook_rays(king) & straight;
        for sniper in snipers {
            let shield = attacks::between(king, sniper) & occupied;
            if !shield.many() {
                hiding |= shield & self.color(us);
            }
        }
        let aims = Aims {
            king,
            by_pawn: attacks::pawn(!us, king),
            by_knight: attacks::knight(king),
            by_bishop: attacks::bishop(king, occupied),
            by_rook: attacks::rook(king, occupied),
            hiding,
        };
        self.collect_pawn_checks(&aims, out);
        let own_king = self.king(us);
        if hiding.contains(own_king) {
            let targets = aims.of(own_king, Bitboard::EMPTY) & empty;
            out.piece(own_king, self.king_steps(us, own_king, targets).collect());
        }
        let pinned = self.pinned(us);
        for from in self.pieces(us, PieceType::Knight) - pinned {
            out.piece(from, attacks::knight(from) & empty & aims.of(from, aims.by_knight));
        }
        let queens = self.kind(PieceType::Queen);
        for from in diagonal | straight {
            let is_queen = queens.contains(from);
            let mut targets = Bitboard::EMPTY;
            let mut direct = Bitboard::EMPTY;
            if is_queen || diagonal.contains(from) {
                targets |= attacks::bishop(from, occupied);
                direct |= aims.by_bishop;
            }
            if is_queen || straight.contains(from) {
                targets |= attacks::rook(from, occupied);
                direct |= aims.by_rook;
            }
            targets &= empty & aims.of(from, direct);
            if pinned.contains(from) {
                targets &= attacks::line(own_king, from);
            }
            out.piece(from, targets);
        }
    }

    #[inline]
    fn collect_pawn_checks<C: Collector>(&self, aims: &Aims, out: &mut C) {
        let us = self.side_to_move();
        let empty = !self.occupied();
        let back = backward(us);
        let pawns = self.pieces(us, PieceType::Pawn);
        let own_king = self.king(us);
        let pushers = (pawns - self.pinned(us)) | (pawns & Bitboard::file(own_king.file()));
        let third = Bitboard::relative_rank(us, 2);
        let steps = |from: Bitboard| {
            let single = from.forward(us) & empty;
            let double = (single & third).forward(us) & empty;
            (single - Bitboard::relative_rank(us, 7), double)
        };
        let (single, double) = steps(pushers - aims.hiding);
        out.pawns(single & aims.by_pawn, back);
        out.pawns(double & aims.by_pawn, 2 * back);
        for from in pushers & aims.hiding {
            let (single, double) = steps(from.bitboard());
            let targets = aims.of(from, aims.by_pawn);
            out.pawns(single & targets, back);
            out.pawns(double & targets, 2 * back);
        }
    }
}
