//! How a repeated position is judged.
//!
//! A side that checks with every move of the cycle loses, unless the other does so, too. Where
//! nobody checks so, a side that chases the same man with every move loses, unless the other chases
//! so, too.
//!
//! CITE: Asian Xiangqi Federation, "Rules of xiangqi", as pyffish judges them.

use playable::Color;

use super::{Bitboard, Board, Move, Position};

/// Plies of the shortest cycle: each side goes and comes back.
const SHORTEST: usize = 4;

/// Why someone loses by repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Nobody does.
    None,
    /// He checked with every move.
    Check,
    /// He chased the same man with every move.
    Chase,
}

/// The verdict on a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// Who loses; nobody in a draw.
    pub loser: Option<Color>,
    /// Why.
    pub cause: Cause,
}

impl Judgement {
    /// Nobody is to blame, or both are.
    pub const DRAW: Judgement = Judgement { loser: None, cause: Cause::None };
}

impl Position {
    /// How the game ends by repetition: its position stands on the board for the third time, or
    /// more often. `None` if it does not. The verdict is on all moves since the last but two of
    /// these times.
    pub fn repetition_in_game(&self) -> Option<Judgement> {
        let second = self.occurrence(SHORTEST)?;
        Some(self.judge(self.occurrence(second + 2)?))
    }

    /// The same for a search, `ply` plies below its root, and whether the verdict is exact. A third
    /// occurrence is judged exactly. A second one whose first lies strictly after the root is
    /// judged, too, but not exactly: the game would go on to a third.
    pub fn repetition_in_search(&self, ply: usize) -> Option<(Judgement, bool)> {
        let second = self.occurrence(SHORTEST)?;
        match self.occurrence(second + 2) {
            Some(first) => Some((self.judge(first), true)),
            None => (second < ply).then(|| (self.judge(second), false)),
        }
    }

    /// Whether the position stood on the board before.
    pub fn has_occurred(&self) -> bool {
        self.occurrence(SHORTEST).is_some()
    }

    /// The plies back to the last time that the position stood on the board, at least `least`.
    #[inline]
    fn occurrence(&self, least: usize) -> Option<usize> {
        let most = self.repeatable();
        if most < least {
            return None;
        }
        let (key, keys) = (self.key(), self.past_keys());
        (least..=most).step_by(2).find(|back| keys[keys.len() - back] == key)
    }

    /// The verdict on the last `plies` plies, which led from the position to itself.
    fn judge(&self, plies: usize) -> Judgement {
        let us = self.side_to_move();
        let lost = |loser, cause| Judgement { loser: Some(loser), cause };
        match (self.checks_always(1, plies), self.checks_always(0, plies)) {
            (true, true) => return Judgement::DRAW,
            (true, false) => return lost(us, Cause::Check),
            (false, true) => return lost(!us, Cause::Check),
            (false, false) => {}
        }
        match (self.chases_always(1, plies), self.chases_always(0, plies)) {
            (true, false) => lost(us, Cause::Chase),
            (false, true) => lost(!us, Cause::Chase),
            _ => Judgement::DRAW,
        }
    }

    /// The board so many plies back.
    fn back(&self, plies: usize) -> &Board {
        match plies {
            0 => self.board(),
            _ => &self.past()[self.past().len() - plies],
        }
    }

    /// The move that was played so many plies back, from [`Position::back`] of the same number.
    fn move_back(&self, plies: usize) -> Option<Move> {
        self.moves()[self.moves().len() - plies]
    }

    /// Whether a side checked with each of its moves within so many plies: the one that moved last
    /// (`first` is 0), or the other one (1).
    fn checks_always(&self, first: usize, plies: usize) -> bool {
        (first..plies).step_by(2).all(|back| self.back(back).in_check())
    }

    /// Whether it chased the same man so. The move that led to the cycle's first position counts,
    /// too, if there is one.
    fn chases_always(&self, first: usize, plies: usize) -> bool {
        let mut chased = Bitboard::ALL;
        let known = plies.min(self.moves().len() - 1);
        for back in (first..=known).step_by(2) {
            // A pass or the start of the game says nothing.
            let Some(mv) = self.move_back(back + 1) else { break };
            chased &= self.back(back).newly_chased(self.back(back + 1), mv);
            if chased.is_empty() {
                return false;
            }
            // Where they stood before their side's move.
            if back < known
                && let Some(mv) = self.move_back(back + 2)
                && chased.contains(mv.to())
            {
                chased = (chased ^ mv.to().into()) | mv.from().into();
            }
        }
        true
    }
}
