//! Quiescence with a cap, and with checks that are followed the deeper the fewer answers they leave.
//!
//! SOURCE: E. N. Kornilov, *Programming Chess and Other Logic Games* (in Russian, 2005), p. 107 and
//! after p. 142, after Richard Lang.

use crate::audit::Auditor;
use crate::literature::margins::ForcedChecks;
use crate::node::kinds::Kind;
use crate::ordering::append;
use crate::value::Value;
use crate::{Game, MoveClass, Search};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Where the main search ends and quiescence begins.
    #[inline]
    pub(crate) fn leaf<K: Kind>(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        if self.classics().leaves {
            self.horizon = ply;
            self.check_limit = ply + self.margins.forced_checks.plies as usize;
        }
        self.quiescence::<K>(alpha, beta, ply)
    }

    /// Whether quiescence has gone on for as long as it may.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_beyond_cap(&self, ply: usize) -> bool {
        let cap = &self.margins.quiescence_cap;
        cap.enabled() && ply > self.horizon + cap.plies_max as usize
    }

    /// The mover is in check: checks are followed further, most of all after an only answer.
    #[cold]
    #[inline(never)]
    pub(crate) fn follow_checks_further(&mut self) {
        let margins = &self.margins.forced_checks;
        if margins.enabled() {
            let further = margins.plies_for(self.count_moves(true));
            let last = self.horizon + margins.plies_max as usize;
            self.check_limit = (self.check_limit + further as usize).min(last);
        }
    }

    /// Tries the quiet moves that give check, while checks are followed; `best` is what noisy moves
    /// have brought.
    #[cold]
    #[inline(never)]
    pub(crate) fn try_checks<K: Kind>(
        &mut self,
        (alpha, beta): (Value, Value),
        ply: usize,
        mut best: (Value, G::Move),
    ) -> (Value, G::Move) {
        if !self.margins.forced_checks.enabled() || ply >= self.check_limit {
            return best;
        }
        let floor = self.moves.len();
        let Search { game, moves, .. } = self;
        let game = &**game;
        game.generate(MoveClass::QuietChecks, |mv| append(moves, mv, 0));
        let mut alpha = alpha.max(best.0);
        for index in floor..self.moves.len() {
            let mv = self.moves[index].mv();
            if self.leaf_move_ends_it::<K>(mv, (&mut alpha, beta), ply, &mut best) {
                break;
            }
        }
        self.moves.truncate(floor);
        best
    }
}

impl ForcedChecks {
    /// Further plies for a check with so many answers.
    fn plies_for(&self, answers: usize) -> i32 {
        match answers {
            0 | 1 => self.only_reply,
            2 => self.two_replies,
            _ => self.check,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Margins;

    #[test]
    fn checks_are_followed_the_deeper_the_fewer_the_answers() {
        let mut checks = <Margins as bytemuck::Zeroable>::zeroed().forced_checks;
        // What the source says after p. 142.
        (checks.check, checks.two_replies, checks.only_reply) = (0, 1, 2);
        assert_eq!([1, 2, 3, 9].map(|answers| checks.plies_for(answers)), [2, 1, 0, 0]);
    }
}
