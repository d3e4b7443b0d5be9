//! Legal moves, by classes.

use super::legality::Guard;
use super::{Bitboard, Board, Kind, Move, Square};

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Captures.
    Captures,
    /// All others.
    Quiet,
    /// Quiet moves that give check.
    QuietChecks,
    /// All moves.
    All,
}

impl Board {
    /// Hands all legal moves of a class to `emit`.
    #[inline]
    pub fn each_move(&self, stage: Stage, mut emit: impl FnMut(Move)) {
        let guard = self.guard();
        self.each_reach(stage, |from, set| {
            for to in set {
                let mv = Move::new(from, to);
                if self.is_safe(mv, &guard) && (stage != Stage::QuietChecks || self.gives_check(mv))
                {
                    emit(mv);
                }
            }
        });
    }

    /// Hands each man's squares of a class to `emit`, the safety of the king aside.
    #[inline]
    fn each_reach(&self, stage: Stage, mut emit: impl FnMut(Square, Bitboard)) {
        let us = self.side_to_move();
        let targets = match stage {
            Stage::Captures => self.color(!us),
            Stage::Quiet | Stage::QuietChecks => !self.occupied(),
            Stage::All => !self.color(us),
        };
        for kind in Kind::ALL {
            for from in self.of(us, kind) {
                emit(from, self.reach(from, kind) & targets);
            }
        }
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.each_move(Stage::All, |mv| moves.push(mv));
        moves
    }

    /// Number of legal moves.
    pub fn count_legal(&self) -> u64 {
        let guard = self.guard();
        let (king, is_checked) = (self.king(self.side_to_move()), self.in_check());
        let mut count = 0;
        self.each_reach(Stage::All, |from, set| {
            let all_are = !is_checked && from != king && guard.never_minds(from);
            count += match all_are {
                true => u64::from(set.count()),
                false => self.safe_among(from, set, &guard),
            };
        });
        count
    }

    fn safe_among(&self, from: Square, set: Bitboard, guard: &Guard) -> u64 {
        set.filter(|&to| self.is_safe(Move::new(from, to), guard)).map(|_| 1).sum()
    }

    /// Whether the mover has a legal move.
    pub fn has_legal_move(&self) -> bool {
        let guard = self.guard();
        let us = self.side_to_move();
        Kind::ALL.into_iter().any(|kind| {
            self.of(us, kind).any_square(|from| {
                self.reach(from, kind).any_square(|to| self.is_safe(Move::new(from, to), &guard))
            })
        })
    }
}

impl Bitboard {
    fn any_square(mut self, holds: impl FnMut(Square) -> bool) -> bool {
        Iterator::any(&mut self, holds)
    }
}
