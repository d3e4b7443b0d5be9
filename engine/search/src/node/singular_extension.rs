//! Singular extension: a transposition-table move far better than all others is searched deeper, since
//! much hangs on it.
//!
//! A search of the same position without that move, at less depth and with a zero window, asks whether
//! any other move reaches a target a little below the table's value. If none does, the move is singular
//! and extended. If one does and the target is at least beta, two moves refute the node: it is cut
//! (multi-cut). Otherwise the table's move may be searched less deeply.
//!
//! CITE: Thomas Anantharaman, Murray S. Campbell and Feng-hsiung Hsu, "Singular Extensions: Adding
//! Selectivity to Brute-Force Searching" (1988).

use parameters::Switch;
use parameters::group;

use super::kinds::{Kind, ZeroWindow};
use super::known::Node;
use crate::audit::Auditor;
use crate::audit::rule::{PruningRule, Unit};
use crate::value::{Value, is_decided};
use crate::{BEFORE_ROOT, Bound, Game, GameMove, Rule, Search};

group! {
    /// Singular extension: a transposition-table move far better than all others is searched deeper
    /// (Kornilov p. 111, and an article on the single reply).
    SingularExtension {
        /// Singular extension on or off.
        enabled: Switch = true,
        /// Least depth left (plies).
        depth_min: i32 = 7 in 4..=14 step 1,
        /// How much shallower than the node the transposition table's result may be (plies).
        table_depth_margin: i32 = 3 in 0..=8 step 1,
        /// How far below the table's value the target lies that all other moves must stay below, per ply
        /// of depth (hundredths of a centipawn).
        margin: i32 = 150 in 20..=600 step 25,
        /// Depth of the search without the table's move, as a share of the depth after a move (percent).
        verification_share: i32 = 50 in 20..=80 step 5,
        /// How far below the target the others must stay for a second ply of extension (centipawns).
        double_margin: i32 = 20 in 0..=100 step 5,
        /// How much less deeply the table's move is searched if its value is at least beta and it is not
        /// singular (plies).
        reduction: i32 = 1 in 0..=3 step 1,
        /// How much further below than for the second ply for a third (centipawns).
        triple_margin: i32 = 100 in 0..=400 step 20,
        /// Most plies by which one move is extended.
        plies_max: i32 = 3 in 1..=3 step 1,
        /// More margin per ply of depth in zero-window nodes that were on the line of best play
        /// (hundredths of a centipawn).
        former_principal_margin: i32 in 0..=300 step 20,
        /// Most extensions by two plies or more in one line (number).
        double_max: i32 = 10 in 0..=40 step 2,
        /// The same in cut nodes, where a beta cutoff is expected, if its value is below beta (plies).
        cut_reduction: i32 = 1 in 0..=3 step 1,
    }
}

impl SingularExtension {
    /// Whether the technique is used at this depth, with a result of that depth in the transposition
    /// table.
    #[inline]
    pub(crate) fn applies(&self, depth: i32, table_depth: i32) -> bool {
        self.enabled() && depth >= self.depth_min && table_depth >= depth - self.table_depth_margin
    }

    /// The value that all other moves must stay below if the table's move is to be singular
    /// (centipawns).
    #[inline]
    pub(crate) fn target(&self, table_value: Value, depth: i32, former_principal: bool) -> Value {
        let more = i32::from(former_principal) * self.former_principal_margin;
        table_value - (self.margin + more) * depth / 100
    }

    /// Plies by which a singular move is extended. `below` says how far the other moves stay below the
    /// target (centipawns): the farther, the more plies. `doubles` counts the moves of this line that
    /// were extended by two plies or more: after too many, one ply is all.
    #[inline]
    pub(crate) fn plies(&self, below: Value, doubles: i32) -> i32 {
        let plies = if doubles >= self.double_max || below <= self.double_margin {
            1
        } else if below <= self.double_margin + self.triple_margin {
            2
        } else {
            3
        };
        plies.min(self.plies_max)
    }

    /// The depth of the search without the table's move, in a node of this depth (plies).
    #[inline]
    pub(crate) fn verification_depth(&self, depth: i32) -> i32 {
        // A search of depth 0 would be the leaf of the same position, with all moves.
        ((depth - 1) * self.verification_share / 100).max(1)
    }
}

/// The verdict of the search without the table's move.
pub(super) enum Singular {
    /// The move is searched deeper by so many plies; below zero, less deeply.
    Extension(i32),
    /// The node is cut: another move refutes it as well. This is the target, a lower bound of the node's
    /// value that is at least beta.
    Cutoff(Value),
}

/// The lead over beta of the value that two moves reach.
pub(super) const MULTI_CUT: PruningRule = PruningRule {
    name: "multi_cut",
    unit: Unit::Centipawns,
    depth: |seen| seen.depth,
    gap: |_, seen| (seen.value - seen.beta, 0),
    priced: None,
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// The extension of a move, or a cutoff of its node. Only the table's move is looked into: any other
    /// gets no extension, and no search.
    pub(super) fn singular_extension<K: Kind>(
        &mut self,
        node: &Node<G::Move>,
        mv: G::Move,
        beta: Value,
    ) -> Singular {
        let margins = self.margins;
        let Some(entry) = node.entry else { return Singular::Extension(0) };
        // A search without a move starts no other of its kind. An upper bound does not say how good the
        // table's move is, and a sure win or loss cannot be compared with a margin of centipawns.
        if K::ROOT
            || mv != node.table_move
            || node.excluded != G::Move::NONE
            || !margins.singular_extension.applies(node.depth, entry.depth)
            || entry.bound == Bound::Upper
            || is_decided(entry.value)
            || !margins.extension_limit.allows(node.ply, self.root_depth)
        {
            return Singular::Extension(0);
        }
        let singular = &margins.singular_extension;
        let former_principal = node.tt_pv && !K::PRINCIPAL;
        let target = singular.target(entry.value, node.depth, former_principal);
        let depth = singular.verification_depth(node.depth);
        // The position is the same, and so is the ply. The frame of this ply tells the search which move
        // to leave out.
        self.frame_mut(node.ply).excluded = mv;
        let value = self.node::<ZeroWindow>(target - 1, target, depth, node.ply, node.cut_node);
        self.frame_mut(node.ply).excluded = G::Move::NONE;
        if value < target {
            // The move is singular. In principal nodes one ply is all, however far the others stay below:
            // longer extensions cost most where the window is open.
            let below = if K::PRINCIPAL { 0 } else { target - value };
            let doubles = self.double_extensions(node.ply);
            return Singular::Extension(singular.plies(below, doubles));
        }
        if !K::PRINCIPAL && target >= beta && !A::is_off(self, Rule::MultiCut, node.ply) {
            // Multi-cut: the table's move and another one reach the target, and so beta. The search had
            // less depth and a zero window: the target is all that it has proven.
            return Singular::Cutoff(target);
        }
        // The move is not singular: others come near it. Where the node is likely to fail high, by the
        // table's value or as a cut node, it is searched less deeply.
        let less = if entry.value >= beta {
            singular.reduction
        } else if node.cut_node {
            singular.cut_reduction
        } else {
            0
        };
        Singular::Extension(-less)
    }

    /// Number of moves on the line to this ply that were extended by two plies or more.
    fn double_extensions(&self, ply: usize) -> i32 {
        self.stack[BEFORE_ROOT + ply - 1].double_extensions
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
    fn the_more_alone_a_move_stands_the_deeper_it_is_searched() {
        let mut singular = zeroed().singular_extension;
        (singular.double_margin, singular.triple_margin) = (20, 100);
        (singular.double_max, singular.plies_max) = (6, 3);
        let plies = |below, doubles| singular.plies(below, doubles);
        assert_eq!([1, 20, 21, 120, 121].map(|below| plies(below, 0)), [1, 1, 2, 2, 3]);
        assert_eq!(plies(500, 6), 1, "the line has been extended enough");
        let limited = SingularExtension { plies_max: 2, ..singular };
        assert_eq!(limited.plies(500, 0), 2);
    }

    #[test]
    fn half_of_a_depth_is_what_the_plain_fraction_meant() {
        let mut singular = zeroed().singular_extension;
        singular.verification_share = 50;
        for depth in 1..60 {
            assert_eq!(singular.verification_depth(depth), ((depth - 1) / 2).max(1));
        }
    }
}
