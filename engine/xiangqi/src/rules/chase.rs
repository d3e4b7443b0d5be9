//! Chases: the men that a move newly threatens to win.
//!
//! Some details are those of the judge that the rules here are compared with. A pinned man chases
//! as any other does. A rook or cannon that moves away along a line attacks anew what is on the
//! line behind the square that it left.
//!
//! CITE: Asian Xiangqi Federation, "Rules of xiangqi", on perpetual chase, as pyffish judges it.

use super::{Bitboard, Board, Color, Kind, Move, Piece, Square, attacks};

impl Board {
    /// The men of the side to move that the last move newly chases. It led from `before` to this
    /// board.
    ///
    /// The moved man chases from its new square, others over the squares that it left and took. A
    /// man that has come to cover a king chases, too, if he is none of the king's: his captures
    /// give check. If he is, he protects no more, and what he protected is chased where it is
    /// attacked. This does not ask whether something else protects it.
    pub(super) fn newly_chased(&self, before: &Board, mv: Move) -> Bitboard {
        let look = Look::new(self);
        look.by_moved_man(mv) | look.by_discovery(before, mv) | look.by_lines_to_king(before)
    }
}

/// A board on which a side is looked at as the one that is chased.
struct Look<'a> {
    board: &'a Board,
    /// The side that is chased, which is to move.
    victim: Color,
    occupied: Bitboard,
    /// Men that stand between the victim's king and one that would attack it.
    shields: Bitboard,
    /// Men of the victim that can be chased.
    worthy: Bitboard,
}

impl Look<'_> {
    fn new(board: &Board) -> Look<'_> {
        let victim = board.side_to_move();
        let home = board.of(victim, Kind::Pawn) & attacks::half(victim.index());
        let worthy = board.color(victim) & !home & !board.of(victim, Kind::King);
        Look { board, victim, occupied: board.occupied(), shields: board.shields(victim), worthy }
    }

    /// The men that the moved man chases from where it stands now. Kings and pawns may chase, so
    /// they are left out. A rook or a cannon attacks nothing new along its way.
    fn by_moved_man(&self, mv: Move) -> Bitboard {
        let Some(man) = self.board.man_on(mv.to()) else { return Bitboard::EMPTY };
        let way = match man.kind {
            Kind::King | Kind::Pawn => Bitboard::ALL,
            Kind::Rook | Kind::Cannon => line(mv),
            _ => Bitboard::EMPTY,
        };
        self.chased_by(mv.to(), man.kind, self.attacked_by(mv.to(), man, self.occupied) & !way)
    }

    /// The men that others chase now, but did not attack over the men before the move.
    fn by_discovery(&self, before: &Board, mv: Move) -> Bitboard {
        let (from, to) = (mv.from(), mv.to());
        let chaser = !self.victim;
        let men = |kind| self.board.of(chaser, kind);
        let near = attacks::straight_neighbors(from) & men(Kind::Horse)
            | attacks::diagonal_neighbors(from) & men(Kind::Elephant)
            | attacks::cross(from) & (men(Kind::Rook) | men(Kind::Cannon))
            | attacks::cross(to) & men(Kind::Cannon);
        let mut chased = Bitboard::EMPTY;
        for square in near {
            let Some(man) = self.board.man_on(square) else { continue };
            let now = self.attacked_by(square, man, self.occupied);
            let new = now & !self.attacked_by(square, man, before.occupied());
            chased |= self.chased_by(square, man.kind, new);
        }
        chased
    }

    /// The men that are chased since a man has come to cover the victim's king.
    fn by_lines_to_king(&self, before: &Board) -> Bitboard {
        let new = self.board.covers(self.victim) & !before.covers(self.victim);
        let mut chased = Bitboard::EMPTY;
        for square in new {
            let Some(man) = self.board.man_on(square) else { continue };
            let targets = self.attacked_by(square, man, self.occupied) & self.worthy;
            chased |= match man.color == self.victim {
                true => targets.filter(|&target| self.is_attacked(target)).collect(),
                false => targets.filter(|&it| !self.king_recaptures(square, it)).collect(),
            };
        }
        chased
    }

    /// The victim's men that a man could capture from a square, if they were not his own, over
    /// these men.
    fn attacked_by(&self, square: Square, man: Piece, occupied: Bitboard) -> Bitboard {
        attacks::captures_of(man, square, occupied) & self.board.color(self.victim)
    }

    /// Whether a man of the other side attacks a man and does not stand before his own king.
    fn is_attacked(&self, target: Square) -> bool {
        let attackers = self.board.attackers(!self.victim, target, self.occupied);
        (attackers & !self.board.covers(!self.victim)).any()
    }

    /// Whether the king himself can recapture from one who gives check by leaving his square: he
    /// stands beside it, and nobody else attacks it.
    fn king_recaptures(&self, attacker: Square, target: Square) -> bool {
        let king = self.board.king(self.victim);
        let occupied = self.occupied ^ attacker.into() ^ king.into();
        let guards = self.board.attackers(!self.victim, target, occupied);
        attacks::king(king).contains(target) && (guards & !Bitboard::of(attacker)).is_empty()
    }

    /// The men among some attacked ones that the attacker there wins.
    fn chased_by(&self, attacker: Square, kind: Kind, attacked: Bitboard) -> Bitboard {
        (attacked & self.worthy).filter(|&target| self.is_won(attacker, kind, target)).collect()
    }

    /// Whether the capture of a man wins something.
    fn is_won(&self, attacker: Square, kind: Kind, target: Square) -> bool {
        let Some(man) = self.board.man_on(target) else { return false };
        match (kind, man.kind) {
            (Kind::Horse | Kind::Cannon, Kind::Rook)
            | (Kind::Elephant | Kind::Advisor, Kind::Rook | Kind::Cannon | Kind::Horse) => true,
            _ if kind == man.kind && self.is_mutual(attacker, kind, target) => false,
            _ => self.is_unprotected(attacker, target),
        }
    }

    /// Whether a man of the attacker's own kind could as well capture him. Where men stand
    /// diagonally beside a horse, one of them may be at the other horse's leg.
    fn is_mutual(&self, attacker: Square, kind: Kind, target: Square) -> bool {
        let legs = attacks::diagonal_neighbors(attacker) & self.occupied;
        match kind {
            Kind::Horse if legs.any() => attacks::horse(target, self.occupied).contains(attacker),
            _ => !self.shields.contains(target),
        }
    }

    /// Whether nobody could recapture. A man before his king could not, nor could a king who would
    /// face the other one.
    fn is_unprotected(&self, attacker: Square, target: Square) -> bool {
        let occupied = self.occupied ^ attacker.into();
        let roots = self.board.attackers(self.victim, target, occupied) & !self.shields;
        let king = Bitboard::of(self.board.king(self.victim));
        let faced = || attacks::rook(self.board.king(!self.victim), occupied).contains(target);
        roots.is_empty() || (roots == king && faced())
    }
}

/// The rank or file along which a rook's or a cannon's move goes.
fn line(mv: Move) -> Bitboard {
    if mv.from().rank() == mv.to().rank() {
        Bitboard::rank(mv.from().rank())
    } else {
        Bitboard::file(mv.from().file())
    }
}
