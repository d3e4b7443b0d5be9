//! Noisy futility: a capture whose gain leaves so low an evaluation below alpha.

use parameters::Switch;
use parameters::group;

use super::known::{Candidate, Node};
use crate::audit::Auditor;
use crate::audit::rule::{PricedMargin, PruningRule, Unit};
use crate::value::Value;
use crate::{Game, Rule, Search};

group! {
    /// Noisy futility: captures are skipped whose gain leaves the evaluation too far below alpha.
    NoisyFutility {
        /// Noisy futility on or off.
        enabled: Switch = true,
        /// Greatest depth left after reduction (plies).
        depth_max: i32 = 6 in 1..=12 step 1,
        /// What a capture may bring beyond its gain (centipawns).
        base: i32 = 200 in 0..=500 step 25,
        /// How much more per ply of depth left after reduction (centipawns).
        margin: i32 = 200 in 20..=400 step 20,
        /// How much more per ten thousand points of history (centipawns).
        history: i32 in 0..=200 step 10,
    }
}

impl NoisyFutility {
    /// Whether the technique is used at this depth after reduction.
    #[inline]
    pub(crate) fn applies(&self, reduced_depth: i32) -> bool {
        self.enabled() && reduced_depth <= self.depth_max
    }

    /// The most that a capture is thought to bring beyond its gain (centipawns).
    #[inline]
    pub(crate) fn gain_max(&self, reduced_depth: i32, history: i32) -> Value {
        self.base + self.margin * reduced_depth + self.history * history / 10_000
    }
}

/// The deficit against alpha of the evaluation with the gain of the capture.
pub(super) const RULE: PruningRule = PruningRule {
    name: "noisy_futility",
    unit: Unit::Centipawns,
    depth: |seen| seen.reduced_depth,
    gap: |margins, seen| {
        let margin = margins.noisy_futility.gain_max(seen.reduced_depth, seen.history);
        (seen.alpha - seen.eval - seen.gain, margin)
    },
    priced: Some(PricedMargin {
        name: "noisy_futility.margin",
        slope: |cut, _| f64::from(cut.depth),
    }),
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Whether noisy futility skips a move.
    #[inline(always)]
    pub(super) fn skips_noisy_futile(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        alpha: Value,
    ) -> bool {
        self.margins.noisy_futility.applies(candidate.reduced_depth(node))
            && !A::is_off(self, Rule::NoisyFutility, node.ply)
            && candidate.noisy
            && !node.in_check
            && self.most_by_capture(node, candidate) <= alpha
            && !self.game.gives_check(candidate.mv)
    }

    /// The value to which a capture is thought to bring the evaluation at most.
    pub(crate) fn most_by_capture(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
    ) -> Value {
        let noisy_futility = &self.margins.noisy_futility;
        let beyond = noisy_futility.gain_max(candidate.reduced_depth(node), candidate.history);
        node.eval + self.game.gain(candidate.mv) + beyond
    }
}
