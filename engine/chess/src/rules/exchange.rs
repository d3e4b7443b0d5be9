//! Static exchange evaluation: what a sequence of captures on one square is worth.

use super::attacks;
use super::{Bitboard, Board, Color, Move, PieceType, Square};

impl Board {
    /// Whether the exchanges that a legal move begins on its target square gain the mover at
    /// least `threshold` centipawns, with these values of the pieces by kind (the king's does
    /// not matter). Both sides capture with their cheapest piece and stop when it pays; a pinned piece
    /// takes part only along the line of its pin; castling gains nothing. Later captures do not
    /// promote.
    pub fn see_at_least(&self, mv: Move, threshold: i32, values: &[i32; 6]) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let (from, to) = (mv.from(), mv.to());
        let value = |kind: PieceType| values[kind.index()];
        let mut at_stake = self.moved_piece(mv).kind();
        let mut balance = self.captured(mv).map_or(0, |piece| value(piece.kind())) - threshold;
        if let Some(kind) = mv.promotion() {
            balance += value(kind) - value(PieceType::Pawn);
            at_stake = kind;
        }
        // Even if the other side does not answer.
        if balance < 0 {
            return false;
        }
        // Even if the piece is lost for nothing; a king, whatever his value, is never retaken.
        if balance >= value(at_stake) {
            return true;
        }
        let mut occupied = (self.occupied() ^ from.bitboard()) | to.bitboard();
        if mv.is_en_passant() {
            let victim = Square::from_coordinates(to.file(), from.rank());
            occupied ^= victim.bitboard();
        }
        let diagonal = self.kind(PieceType::Bishop) | self.kind(PieceType::Queen);
        let straight = self.kind(PieceType::Rook) | self.kind(PieceType::Queen);
        let mut attackers = self.attackers_to(to, occupied) & occupied;
        let mut allowed = [None, None];
        let mut side = self.side_to_move;
        // From here on, `balance` is what the side that just captured would have above the
        // threshold (or the other side below it) if its piece were not retaken.
        loop {
            side = !side;
            let mine = attackers & self.color(side);
            if mine.is_empty() {
                return side != self.side_to_move;
            }
            // Mostly no piece stands where it could be pinned, and pins need not be looked for.
            let free = if (mine & self.king_rays(side)).is_empty() {
                mine
            } else {
                mine & *allowed[side.index()].get_or_insert_with(|| self.may_capture(side, to))
            };
            let Some((kind, capturer)) = self.cheapest(free) else {
                return side != self.side_to_move;
            };
            // The king does not capture what anybody, even a pinned piece, defends.
            if kind == PieceType::King && (attackers & self.color(!side)).any() {
                return side != self.side_to_move;
            }
            balance = value(at_stake) - balance;
            at_stake = kind;
            // Retaking must turn the balance; equality serves the side that began.
            if balance < i32::from(side != self.side_to_move) {
                return side != self.side_to_move;
            }
            occupied ^= capturer;
            if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= attacks::bishop(to, occupied) & diagonal;
            }
            if matches!(kind, PieceType::Rook | PieceType::Queen) {
                attackers |= attacks::rook(to, occupied) & straight;
            }
            attackers &= occupied;
        }
    }

    /// The pieces of a side that are not pinned away from the square.
    fn may_capture(&self, side: Color, to: Square) -> Bitboard {
        let pinned = self.pinned(side);
        if pinned.is_empty() {
            return Bitboard::ALL;
        }
        !(pinned - attacks::line(self.king(side), to))
    }

    /// The squares in line with a side's king.
    #[inline]
    fn king_rays(&self, side: Color) -> Bitboard {
        let king = self.king(side);
        attacks::bishop_rays(king) | attacks::rook_rays(king)
    }

    /// The cheapest kind among these pieces of one side, and one such piece.
    #[inline]
    fn cheapest(&self, among: Bitboard) -> Option<(PieceType, Bitboard)> {
        PieceType::ALL.into_iter().find_map(|kind| {
            let pieces = among & self.kind(kind);
            pieces.any().then(|| (kind, pieces.first().bitboard()))
        })
    }
}
