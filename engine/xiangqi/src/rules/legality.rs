//! Which moves leave the own king safe, and which check the other one.

use super::{Bitboard, Board, Color, Kind, Move, Square, attacks};

/// The squares that matter to a king's safety while it stands and is not in check: all other moves of its
/// men are legal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    /// Men whose leaving may expose it: alone before a rook or the other king, the second before a cannon,
    /// or at a horse's leg.
    leaving: Bitboard,
    /// Squares where a man would be the screen of a hollow cannon.
    entering: Bitboard,
}

impl Guard {
    /// Whether men that leave a square never expose the king, wherever they go.
    #[inline]
    pub fn never_minds(&self, from: Square) -> bool {
        self.entering.is_empty() && !self.leaving.contains(from)
    }

    #[inline]
    fn minds(&self, mv: Move) -> bool {
        self.leaving.contains(mv.from()) || self.entering.contains(mv.to())
    }
}

impl Board {
    /// The squares that matter to the safety of the mover's king.
    #[inline]
    pub(super) fn guard(&self) -> Guard {
        self.guard_of(self.side_to_move())
    }

    /// Men whose leaving may expose a side's king, of both sides.
    pub fn shields(&self, color: Color) -> Bitboard {
        self.guard_of(color).leaving
    }

    /// The same, if the other king did not mind being faced.
    pub(super) fn covers(&self, color: Color) -> Bitboard {
        self.guard_against(color, self.color(!color) & !self.kind(Kind::King)).leaving
    }

    /// The squares that matter to the safety of a side's king.
    #[inline]
    fn guard_of(&self, us: Color) -> Guard {
        self.guard_against(us, self.color(!us))
    }

    /// The squares that matter where these men alone could attack it.
    #[inline]
    fn guard_against(&self, us: Color, them: Bitboard) -> Guard {
        let (king, occupied) = (self.king(us), self.occupied());
        let mut guard = Guard { leaving: Bitboard::EMPTY, entering: Bitboard::EMPTY };
        let cross = attacks::cross(king) & them;
        for sniper in cross & (self.kind(Kind::Rook) | self.kind(Kind::King)) {
            let men = attacks::between(king, sniper) & occupied;
            if !men.has_several() {
                guard.leaving |= men;
            }
        }
        for sniper in cross & self.kind(Kind::Cannon) {
            let line = attacks::between(king, sniper);
            let men = line & occupied;
            match men.count() {
                0 => guard.entering |= line,
                2 => guard.leaving |= men,
                _ => {}
            }
        }
        let horses = attacks::horses_to(king, Bitboard::EMPTY) & self.kind(Kind::Horse) & them;
        for horse in horses {
            let leg = attacks::diagonal_neighbors(king) & attacks::straight_neighbors(horse);
            guard.leaving |= leg & occupied;
        }
        guard
    }

    /// Whether a move that its man can make leaves the mover's king safe.
    #[inline]
    pub(super) fn is_safe(&self, mv: Move, guard: &Guard) -> bool {
        let is_plain = !self.in_check() && mv.from() != self.king(self.side_to_move());
        (is_plain && !guard.minds(mv)) || self.is_safe_after(mv)
    }

    /// The same, looked at after the move.
    pub(super) fn is_safe_after(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let king = if from == self.king(us) { to } else { self.king(us) };
        let occupied = (self.occupied() ^ from.into()) | to.into();
        let checking = self.checking(!us, king, occupied);
        (checking & !Bitboard::of(to)).is_empty()
    }

    /// The squares that a man of the mover can go to, the safety of his king aside.
    pub(super) fn reach(&self, from: Square, kind: Kind) -> Bitboard {
        let us = self.side_to_move();
        let (own, occupied) = (self.color(us), self.occupied());
        let reach = match kind {
            Kind::Pawn => attacks::pawn(us, from),
            Kind::Elephant => attacks::elephant(from, occupied),
            Kind::Advisor => attacks::advisor(from),
            Kind::Cannon => {
                (attacks::rook(from, occupied) & !occupied)
                    | (attacks::cannon(from, occupied) & occupied)
            }
            Kind::Horse => attacks::horse(from, occupied),
            Kind::Rook => attacks::rook(from, occupied),
            Kind::King => attacks::king(from),
        };
        reach & !own
    }

    /// Whether a move, which may come from another position, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        match self.man_on(mv.from()) {
            Some(piece) if piece.color == us => {
                self.reach(mv.from(), piece.kind).contains(mv.to()) && self.is_safe_after(mv)
            }
            _ => false,
        }
    }

    /// Whether a legal move captures.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.color(!self.side_to_move()).contains(mv.to())
    }

    /// Whether a legal move checks the other king.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to, king) = (mv.from(), mv.to(), self.king(!us));
        let Some(piece) = self.man_on(from) else { return false };
        let ends = Bitboard::of(from) | Bitboard::of(to);
        let near = attacks::cross(king) | attacks::diagonal_neighbors(king);
        let leaps = matches!(piece.kind, Kind::Horse | Kind::Pawn);
        let is_far = (ends & near).is_empty();
        if is_far && !leaps {
            return false;
        }
        let occupied = (self.occupied() ^ from.into()) | to.into();
        // A move far from the king opens no way for another man.
        let others =
            if is_far { Bitboard::EMPTY } else { self.checking(us, king, occupied) & !ends };
        others.any() || self.checks_from(piece.kind, us, to, king, occupied)
    }

    /// Whether a man of a side would check that king from there.
    fn checks_from(
        &self,
        kind: Kind,
        color: Color,
        from: Square,
        king: Square,
        occupied: Bitboard,
    ) -> bool {
        let from_there = match kind {
            Kind::Pawn => attacks::pawn(color, from),
            Kind::Cannon => attacks::cannon(from, occupied),
            Kind::Horse => attacks::horse(from, occupied),
            Kind::Rook | Kind::King => attacks::rook(from, occupied),
            Kind::Elephant | Kind::Advisor => Bitboard::EMPTY,
        };
        from_there.contains(king)
    }
}
