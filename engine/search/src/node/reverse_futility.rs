//! Reverse futility: an evaluation so far above beta will not be caught up in the depth left.

use parameters::Switch;
use parameters::group;

use super::NodeCut;
use super::known::Node;
use crate::audit::Auditor;
use crate::audit::rule::{PricedMargin, PruningRule, Unit};
use crate::value::{Value, is_decided};
use crate::{Game, Rule, Search};

group! {
    /// Reverse futility: a node whose evaluation is far above beta is cut without a search.
    ReverseFutility {
        /// Reverse futility on or off.
        enabled: Switch = true,
        /// Greatest depth left (plies).
        depth_max: i32 = 9 in 1..=16 step 1,
        /// How far above beta the evaluation must be, per ply of depth left (centipawns).
        margin: i32 = 75 in 20..=200 step 8,
        /// How much less suffices when the evaluation is improving (centipawns).
        improving: i32 = 70 in 0..=200 step 8,
        /// How much more it must be in a node that was once on the line of best play (centipawns).
        former_principal: i32 in 0..=600 step 30,
    }
}

impl ReverseFutility {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(crate) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth <= self.depth_max
    }

    /// How far above beta an evaluation must be to be trusted without a search.
    #[inline]
    pub(crate) fn lead(&self, depth: i32, improving: bool, tt_pv: bool) -> Value {
        self.margin * depth - i32::from(improving) * self.improving
            + i32::from(tt_pv) * self.former_principal
    }
}

/// The lead over beta, held against the margin.
pub(super) const RULE: PruningRule = PruningRule {
    name: "reverse_futility",
    unit: Unit::Centipawns,
    depth: |seen| seen.depth,
    gap: |margins, seen| {
        let lead = margins.reverse_futility.lead(seen.depth, seen.improving, seen.tt_pv);
        (seen.eval - seen.beta, lead)
    },
    priced: Some(PricedMargin {
        name: "reverse_futility.margin",
        slope: |cut, _| f64::from(cut.depth),
    }),
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// A lower bound, where the evaluation alone is enough.
    #[inline(always)]
    pub(super) fn try_reverse_futility(
        &mut self,
        node: &Node<G::Move>,
        beta: Value,
    ) -> Option<NodeCut> {
        let margins = self.margins;
        let &Node { depth, ply, eval, improving, tt_pv, .. } = node;
        if !margins.reverse_futility.applies(depth)
            || A::is_off(self, Rule::ReverseFutility, ply)
            || is_decided(eval)
            || is_decided(beta)
            || eval - margins.reverse_futility.lead(depth, improving, tt_pv) < beta
        {
            return None;
        }
        Some((Rule::ReverseFutility, margins.fail_high_blend.trusted(eval, beta)))
    }
}

#[cfg(test)]
mod tests {
    use crate::Margins;

    fn zeroed() -> Margins {
        bytemuck::Zeroable::zeroed()
    }

    #[test]
    fn an_evaluation_must_lead_by_more_where_the_line_of_best_play_went() {
        let mut margins = zeroed().reverse_futility;
        (margins.margin, margins.improving, margins.former_principal) = (60, 50, 200);
        let lead = |improving, tt_pv| margins.lead(3, improving, tt_pv);
        assert_eq!([lead(false, false), lead(true, false)], [180, 130]);
        assert_eq!([lead(false, true), lead(true, true)], [380, 330]);
    }
}
