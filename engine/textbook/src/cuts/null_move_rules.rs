//! Conditions of the null move: after a capture or an extended move the evaluation is not to be
//! trusted. Once a line, or the search degenerates to one that is less deep throughout.

use crate::prelude::*;

group! {
    /// Null move with static conditions: no pass after a capture or an extended move, nor near the
    /// root (Kornilov after p. 142, null move).
    NullMoveRules, sound {
        /// The conditions on or off.
        enabled: Switch,
        /// Only one pass in a line.
        once: Switch,
        /// First ply from the root on at which a pass is tried (plies).
        ply_min: i32 = 2 in 0..=8 step 1,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// Whether a pass may be tried here by these conditions.
    pub(crate) fn may_pass_by_rules(&self, ply: usize) -> bool {
        let rules = &self.methods.null_move_rules;
        let came_quietly = || self.step(1).is_some_and(|it| it.is_quiet() && it.extension == 0);
        !rules.enabled()
            || (ply as i32 >= rules.ply_min
                && came_quietly()
                && !(rules.once() && self.line_has_pass()))
    }

    /// Whether somebody passes on the line to the current position.
    pub(crate) fn line_has_pass(&self) -> bool {
        self.path.iter().any(|step| step.is_pass())
    }
}
