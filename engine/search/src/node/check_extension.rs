//! Check extension: the answers to a check are few, and its threat should be seen.

use parameters::Switch;
use parameters::group;

use super::known::{Candidate, Node};
use crate::audit::Auditor;
use crate::{Game, Search};

group! {
    /// Check extension: a move that gives check is searched one ply deeper (Kornilov p. 108).
    CheckExtension {
        /// Check extension on or off.
        enabled: Switch = true,
        /// Least depth left (plies).
        depth_min: i32 in 1..=12 step 1,
        /// Only checks that lose nothing by exchanges.
        safe_only: Switch,
    }
}

impl CheckExtension {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(crate) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth >= self.depth_min
    }
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Whether a move is extended if it gives check, asked before it is played.
    #[inline(always)]
    pub(super) fn extends_check(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        extension: i32,
    ) -> bool {
        let margins = self.margins;
        margins.check_extension.applies(node.depth)
            && extension == 0
            && margins.extension_limit.allows(node.ply, self.root_depth)
            && (!margins.check_extension.safe_only()
                || self.game.exchange_at_least(candidate.mv, 0))
    }
}
