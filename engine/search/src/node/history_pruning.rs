//! History pruning: a quiet move that nearly always failed will fail again.

use parameters::Switch;
use parameters::group;

use super::known::{Candidate, Node};
use crate::audit::Auditor;
use crate::audit::rule::{PricedMargin, PruningRule, Unit};
use crate::{Game, Rule, Search};

group! {
    /// History pruning: quiet moves that failed nearly always before are skipped.
    HistoryPruning {
        /// History pruning on or off.
        enabled: Switch = true,
        /// Greatest depth left after reduction (plies).
        depth_max: i32 = 4 in 1..=10 step 1,
        /// How bad the history must be, per ply of depth left after reduction (points).
        margin: i32 = 4000 in 500..=10000 step 500,
    }
}

impl HistoryPruning {
    /// Whether the technique is used at this depth after reduction.
    #[inline]
    pub(crate) fn applies(&self, reduced_depth: i32) -> bool {
        self.enabled() && reduced_depth <= self.depth_max
    }

    /// History points that save a move.
    #[inline]
    pub(crate) fn points_min(&self, reduced_depth: i32) -> i32 {
        -self.margin * (reduced_depth + 1)
    }
}

/// The points of history below zero.
pub(super) const RULE: PruningRule = PruningRule {
    name: "history_pruning",
    unit: Unit::HistoryPoints,
    depth: |seen| seen.reduced_depth,
    gap: |margins, seen| (-seen.history, -margins.history_pruning.points_min(seen.reduced_depth)),
    priced: Some(PricedMargin {
        name: "history_pruning.margin",
        slope: |cut, _| f64::from(cut.depth) + 1.0,
    }),
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Whether history pruning skips a move.
    #[inline(always)]
    pub(super) fn skips_by_history(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
    ) -> bool {
        let history_pruning = &self.margins.history_pruning;
        let reduced = candidate.reduced_depth(node);
        history_pruning.applies(reduced)
            && !A::is_off(self, Rule::HistoryPruning, node.ply)
            && !candidate.noisy
            && candidate.history < history_pruning.points_min(reduced)
            && !self.game.gives_check(candidate.mv)
    }
}
