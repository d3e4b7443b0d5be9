//! Evaluation history: a quiet move after which its mover stands better gains at once, before any search.

use parameters::Switch;
use parameters::group;

use crate::audit::{Auditor, Change};
use crate::value::{UNKNOWN, Value};
use crate::{Game, Search};

group! {
    /// Evaluation history: a quiet move after which its mover stands better gains at once.
    EvaluationHistory, sound {
        /// Evaluation history on or off.
        enabled: Switch,
        /// Points per centipawn gained.
        weight: i32 = 10 in 0..=40 step 2,
        /// What the right to move adds to both evaluations together, so that a move which changes
        /// nothing gains nothing (centipawns).
        tempo: i32 = 28 in 0..=120 step 8,
        /// Greatest bonus (points).
        bonus_max: i32 = 1200 in 100..=3000 step 150,
    }
}

impl EvaluationHistory {
    /// Points of a quiet move from before which to after which its mover's evaluation, taken with the
    /// right to move each time, has risen by so many centipawns.
    #[inline]
    pub(crate) fn bonus(&self, gained: Value) -> i32 {
        ((gained + self.tempo) * self.weight).clamp(-self.bonus_max, self.bonus_max)
    }
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// The history learns from the evaluation after a quiet move, before any search.
    pub(super) fn learn_from_evaluation(&mut self, evaluation: Value, ply: usize) {
        let margins = self.margins;
        if !margins.evaluation_history.enabled() || ply == 0 {
            return;
        }
        let before = self.frame(ply - 1);
        if let Some(index) = before.quiet
            && before.static_eval != UNKNOWN
        {
            let gained = -(evaluation + before.static_eval);
            A::before_change(self, Change::Histories);
            let bonus = margins.evaluation_history.bonus(gained);
            self.memory.histories.update_route(&margins, index, bonus);
        }
    }
}
