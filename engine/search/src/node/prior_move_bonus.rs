//! Prior move: where all fails low, the quiet move that led there has done well.

use parameters::Switch;
use parameters::group;

use super::known::Node;
use crate::audit::{Auditor, Change};
use crate::{Game, Search};

group! {
    /// Prior move: the opponent's quiet move that led to a node where all fails low has done well.
    PriorMoveBonus, sound {
        /// Bonus of the prior move on or off.
        enabled: Switch = true,
        /// Its bonus as a share of that of a refutation (percent).
        bonus_share: i32 = 80 in 0..=200 step 20,
    }
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Histories learn from a node where all fails low: the quiet move that led to it has done well.
    pub(super) fn learn_from_failing_low(&mut self, node: &Node<G::Move>) {
        let margins = self.margins;
        if !margins.prior_move_bonus.enabled() || node.ply == 0 {
            return;
        }
        if let Some(index) = self.frame(node.ply - 1).quiet {
            A::before_change(self, Change::Histories);
            let bonus =
                margins.history.bonus(node.depth) * margins.prior_move_bonus.bonus_share / 100;
            let rows = self.rows(node.ply - 1);
            self.memory.histories.update_quiet(&margins, index, rows, bonus);
        }
    }
}
