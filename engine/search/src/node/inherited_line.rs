//! Inherited line: a node that fails low just below the line of best play is remembered as part of it.

use parameters::Switch;
use parameters::group;

use super::known::Node;
use crate::audit::Auditor;
use crate::{Bound, Game, Search};

group! {
    /// Inherited line: a node that fails low below one which was once on the line of best play is
    /// remembered as if it had been there, too.
    InheritedLine, sound {
        /// Inheritance on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 = 4 in 1..=12 step 1,
    }
}

impl InheritedLine {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(crate) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth >= self.depth_min
    }
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Whether a node that failed low lies just below one that was on the line of best
    /// play.
    pub(crate) fn inherits_line(&self, node: &Node<G::Move>, bound: Bound) -> bool {
        bound == Bound::Upper
            && node.ply > 0
            && self.margins.inherited_line.applies(node.depth)
            && self.frame(node.ply - 1).tt_pv
    }
}
