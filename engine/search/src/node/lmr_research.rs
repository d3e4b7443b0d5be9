//! Re-search after late-move reduction: a reduced move that exceeds alpha is searched again, at a depth
//! that depends on how far, and the histories learn from it.

use parameters::Switch;
use parameters::group;

use super::known::Candidate;
use crate::audit::{Auditor, Change};
use crate::memory::history::Rows;
use crate::value::Value;
use crate::{Game, Search};

group! {
    /// Re-search after late-move reduction: how a reduced move is searched again that exceeds alpha.
    LmrResearch {
        /// Re-searches with a depth and a bonus of their own, on or off.
        enabled: Switch = true,
        /// How far above the best move so far a value must be for one ply more (centipawns).
        deeper_margin: i32 = 60 in 10..=300 step 15,
        /// How little above it for one ply less (centipawns).
        shallower_margin: i32 = 12 in 0..=60 step 4,
        /// Bonus of a move that failed high again, and penalty of one that did not, as a share of
        /// that for a refutation (percent).
        bonus_share: i32 = 100 in 0..=200 step 20,
    }
}

impl LmrResearch {
    /// Plies to add to the depth of a second search, from how far the first one's value lies above
    /// the best so far.
    #[inline]
    pub(crate) fn plies(&self, above_best: Value) -> i32 {
        if !self.enabled() {
            0
        } else {
            i32::from(above_best > self.deeper_margin)
                - i32::from(above_best < self.shallower_margin)
        }
    }
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Histories learn from the second search of a move whose reduced search exceeded alpha.
    pub(super) fn learn_from_research(
        &mut self,
        candidate: &Candidate<G::Move>,
        rows: Rows,
        depth: i32,
        value: Value,
        (alpha, beta): (Value, Value),
    ) {
        let margins = self.margins;
        let share = margins.lmr_research.bonus_share;
        if !margins.lmr_research.enabled() || candidate.noisy || share == 0 {
            return;
        }
        let bonus = margins.history.bonus(depth) * share / 100;
        let bonus = if value <= alpha {
            -bonus
        } else if value >= beta {
            bonus
        } else {
            return;
        };
        A::before_change(self, Change::Histories);
        self.memory.histories.update_continuation(&margins, candidate.index, rows, bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Margins;

    fn zeroed() -> Margins {
        bytemuck::Zeroable::zeroed()
    }

    #[test]
    fn a_second_look_is_deeper_the_better_the_first_one_was() {
        let mut second = zeroed().lmr_research;
        (second.deeper_margin, second.shallower_margin) = (60, 12);
        assert_eq!([5, 12, 60, 61].map(|above| second.plies(above)), [0; 4], "off");
        second.enabled = Switch::ON;
        assert_eq!([5, 12, 60, 61].map(|above| second.plies(above)), [-1, 0, 0, 1]);
    }
}
