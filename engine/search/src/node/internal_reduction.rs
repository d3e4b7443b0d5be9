//! Internal reduction: without a table move the order is poor; a shallower search finds the move for
//! next time.

use parameters::Switch;
use parameters::group;

use super::kinds::Kind;
use super::known::Node;
use crate::audit::Auditor;
use crate::audit::rule::{PruningRule, Unit};
use crate::{Game, GameMove, Rule, Search};

group! {
    /// Internal reduction: a node without a transposition-table move is searched less deeply, to find
    /// that move first.
    InternalReduction {
        /// Internal reduction on or off.
        enabled: Switch = true,
        /// Least depth left (plies).
        depth_min: i32 = 4 in 2..=10 step 1,
        /// How much less deeply (plies).
        plies: i32 in 1..=4 step 1,
        /// A result of the transposition table that is this much shallower than the node counts as none
        /// (plies).
        table_depth_margin: i32 = 5 in 1..=20 step 1,
        /// Also nodes that are expected to fail low.
        all_nodes: Switch = true,
    }
}

impl InternalReduction {
    /// The depth of a node, if the transposition table has a move for it from a search of the `known`
    /// depth.
    #[inline]
    pub(crate) fn depth(&self, depth: i32, known: Option<i32>, expects_cut: bool) -> i32 {
        let is_known = known.is_some_and(|known| known > depth - self.table_depth_margin);
        let wanted = expects_cut || self.all_nodes();
        let applies = self.enabled() && depth >= self.depth_min && wanted && !is_known;
        if applies { (depth - self.plies).max(1) } else { depth }
    }
}

/// The plies by which the node is searched less deeply.
pub(super) const RULE: PruningRule = PruningRule {
    name: "internal_reduction",
    unit: Unit::Plies,
    depth: |seen| seen.depth,
    gap: |_, seen| (seen.depth - seen.depth_of_moves, 0),
    priced: None,
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// The depth at which the moves of a node are searched.
    #[inline(always)]
    pub(super) fn depth_of_moves<K: Kind>(&self, node: &Node<G::Move>) -> i32 {
        let is_whole = !K::ROOT && node.excluded == G::Move::NONE;
        if !is_whole || A::is_off(self, Rule::InternalReduction, node.ply) {
            return node.depth;
        }
        let known = node.entry.filter(|_| node.table_move != G::Move::NONE);
        let known_depth = known.map(|entry| entry.depth);
        let expects_cut = K::PRINCIPAL || node.cut_node;
        self.margins.internal_reduction.depth(node.depth, known_depth, expects_cut)
    }
}
