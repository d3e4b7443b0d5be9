//! Exchange pruning: a move that simply loses material needs more depth than is left to pay.

use parameters::Switch;
use parameters::group;

use super::known::{Candidate, Node};
use crate::audit::Auditor;
use crate::audit::rule::{PricedMargin, PruningRule, Unit};
use crate::value::Value;
use crate::{Game, Rule, Search};

group! {
    /// Exchange pruning: moves that lose too much material by exchanges are skipped.
    ExchangePruning {
        /// Exchange pruning on or off.
        enabled: Switch = true,
        /// Greatest depth left (plies).
        depth_max: i32 = 9 in 1..=16 step 1,
        /// Loss allowed to a quiet move per ply of depth left after reduction (centipawns).
        quiet_margin: i32 = 60 in 10..=200 step 10,
        /// Loss allowed to a noisy move per ply of depth left (centipawns).
        noisy_margin: i32 = 100 in 10..=300 step 10,
    }
}

impl ExchangePruning {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(crate) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth <= self.depth_max
    }

    /// The material that a move must net by exchanges: a loss, and therefore negative.
    #[inline]
    pub(crate) fn threshold(&self, noisy: bool, depth: i32, reduced_depth: i32) -> Value {
        if noisy { -self.noisy_margin * depth } else { -self.quiet_margin * reduced_depth.max(1) }
    }
}

/// The loss of a quiet move.
pub(super) const QUIET_RULE: PruningRule = PruningRule {
    name: "exchange_pruning_quiet",
    unit: Unit::ExchangeLoss,
    depth: |seen| seen.reduced_depth.max(1),
    gap: |margins, seen| {
        (seen.loss, -margins.exchange_pruning.threshold(false, seen.depth, seen.reduced_depth))
    },
    priced: Some(PricedMargin {
        name: "exchange_pruning.quiet_margin",
        slope: |cut, _| f64::from(cut.depth),
    }),
};

/// The loss of a noisy move.
pub(super) const NOISY_RULE: PruningRule = PruningRule {
    name: "exchange_pruning_noisy",
    unit: Unit::ExchangeLoss,
    depth: |seen| seen.depth,
    gap: |margins, seen| {
        (seen.loss, -margins.exchange_pruning.threshold(true, seen.depth, seen.reduced_depth))
    },
    priced: Some(PricedMargin {
        name: "exchange_pruning.noisy_margin",
        slope: |cut, _| f64::from(cut.depth),
    }),
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// The pruning rule that skips a move because it loses material, if one does.
    #[inline(always)]
    pub(super) fn skips_losing(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
    ) -> Option<Rule> {
        let exchange_pruning = &self.margins.exchange_pruning;
        let reduced = candidate.reduced_depth(node);
        let threshold = exchange_pruning.threshold(candidate.noisy, node.depth, reduced);
        let rule = if candidate.noisy { Rule::ExchangeNoisy } else { Rule::ExchangeQuiet };
        let skips = exchange_pruning.applies(node.depth)
            && !A::is_off(self, rule, node.ply)
            && !self.game.exchange_under_threats(candidate.mv, threshold, self.threats[node.ply]);
        skips.then_some(rule)
    }
}
