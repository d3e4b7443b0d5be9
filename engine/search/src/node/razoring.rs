//! Razoring: so far below alpha only a capture can help, and quiescence says whether one does.
//!
//! CITE: John A. Birmingham and Peter Kent, "Tree-Searching and Tree-Pruning Techniques" (1977).

use parameters::Switch;
use parameters::group;

use super::NodeCut;
use super::kinds::ZeroWindow;
use super::known::Node;
use crate::audit::Auditor;
use crate::audit::events::InVain;
use crate::audit::rule::{PricedMargin, PruningRule, Unit};
use crate::value::Value;
use crate::{Game, Rule, Search};

group! {
    /// Razoring: a node whose evaluation is hopelessly below alpha is left to quiescence.
    Razoring {
        /// Razoring on or off.
        enabled: Switch = true,
        /// Greatest depth left (plies).
        depth_max: i32 = 3 in 1..=8 step 1,
        /// How far below alpha the evaluation must be (centipawns).
        base: i32 = 150 in 0..=600 step 25,
        /// How much further below per ply of depth left (centipawns).
        margin: i32 = 200 in 50..=600 step 25,
    }
}

impl Razoring {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(crate) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth <= self.depth_max
    }

    /// How far below alpha an evaluation must be to be given up.
    #[inline]
    pub(crate) fn deficit(&self, depth: i32) -> Value {
        self.base + self.margin * depth
    }
}

/// The deficit against alpha.
pub(super) const RULE: PruningRule = PruningRule {
    name: "razoring",
    unit: Unit::Centipawns,
    depth: |seen| seen.depth,
    gap: |margins, seen| (seen.alpha - seen.eval, margins.razoring.deficit(seen.depth)),
    priced: Some(PricedMargin { name: "razoring.margin", slope: |cut, _| f64::from(cut.depth) }),
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// An upper bound of at most alpha, where quiescence finds nothing better.
    #[inline(always)]
    pub(super) fn try_razoring(
        &mut self,
        node: &Node<G::Move>,
        alpha: Value,
        beta: Value,
    ) -> Option<NodeCut> {
        let razoring = self.margins.razoring;
        let &Node { depth, ply, eval, .. } = node;
        if !razoring.applies(depth)
            || A::is_off(self, Rule::Razoring, ply)
            || eval + razoring.deficit(depth) > alpha
        {
            return None;
        }
        let nodes_before = self.nodes;
        let value = self.quiescence::<ZeroWindow>(alpha, beta, ply);
        if value <= alpha || self.stopped {
            return Some((Rule::Razoring, value));
        }
        A::event(self, InVain { rule: Rule::Razoring, depth, nodes_before });
        None
    }
}
