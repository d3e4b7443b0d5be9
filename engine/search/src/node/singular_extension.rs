//! Singular extension: a table move far better than all others is searched deeper, since much hangs on it.
//!
//! CITE: Thomas Anantharaman, Murray S. Campbell and Feng-hsiung Hsu, "Singular Extensions: Adding
//! Selectivity to Brute-Force Searching" (1988).

use parameters::Switch;
use parameters::group;

use super::kinds::{Kind, ZeroWindow};
use super::known::Node;
use crate::audit::{Auditor, Rule};
use crate::value::{Value, is_decided};
use crate::{BEFORE_ROOT, Bound, Game, GameMove, Search};

group! {
    /// Singular extension: a table move far better than all others is searched deeper (Kornilov p.
    /// 111, and an article on the single reply).
    SingularExtension {
        /// Singular extension on or off.
        enabled: Switch = true,
        /// Least depth left (plies).
        depth_min: i32 = 7 in 4..=14 step 1,
        /// How much shallower than the node the table's result may be (plies).
        table_depth_margin: i32 = 3 in 0..=8 step 1,
        /// How far below the table value all others must stay, per ply of depth (hundredths of a
        /// centipawn).
        margin: i32 = 150 in 20..=600 step 25,
        /// Depth at which the others are searched, as a share of the depth after a move (percent).
        verification_share: i32 = 50 in 20..=80 step 5,
        /// How much further below for a second ply of extension (centipawns).
        double_margin: i32 = 20 in 0..=100 step 5,
        /// How much less deeply a table move is searched that fails high and is not alone in it
        /// (plies).
        reduction: i32 = 1 in 0..=3 step 1,
        /// How much further below for a third ply of extension (centipawns).
        triple_margin: i32 = 100 in 0..=400 step 20,
        /// Most plies by which one move is extended.
        plies_max: i32 = 3 in 1..=3 step 1,
        /// More margin per ply of depth in zero-window nodes that were on the line of best play
        /// (hundredths of a centipawn).
        former_principal_margin: i32 in 0..=300 step 20,
        /// Most extensions by two plies or more in one line (number).
        double_max: i32 = 10 in 0..=40 step 2,
        /// How much less deeply a table move is searched that is not alone, where a cutoff is
        /// expected (plies).
        cut_reduction: i32 = 1 in 0..=3 step 1,
    }
}

impl SingularExtension {
    /// Whether the technique is used at this depth, with a result of that depth in the table.
    #[inline]
    pub(crate) fn applies(&self, depth: i32, table_depth: i32) -> bool {
        self.enabled() && depth >= self.depth_min && table_depth >= depth - self.table_depth_margin
    }

    /// The value that all other moves must stay below (centipawns).
    #[inline]
    pub(crate) fn target(&self, table_value: Value, depth: i32, former_principal: bool) -> Value {
        let more = i32::from(former_principal) * self.former_principal_margin;
        table_value - (self.margin + more) * depth / 100
    }

    /// By how many plies a move is extended above which all others stay by so much more than the
    /// margin, after so many longer extensions in the same line.
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

    /// The depth at which the other moves are searched.
    #[inline]
    pub(crate) fn verification_depth(&self, depth: i32) -> i32 {
        (depth - 1) * self.verification_share / 100
    }
}

/// The verdict of the search without the table's move on that move.
pub(super) enum Singular {
    /// Plies by which to search the move deeper; below zero, less deeply.
    Extension(i32),
    /// Another move refutes the node as well: this is its value.
    Cutoff(Value),
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// By how much a move is extended, as a search of all others says if it is the table's.
    pub(super) fn singular_extension<K: Kind>(
        &mut self,
        node: &Node<G::Move>,
        mv: G::Move,
        beta: Value,
    ) -> Singular {
        let margins = self.margins;
        let Some(entry) = node.entry else { return Singular::Extension(0) };
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
        let former = node.tt_pv && !K::PRINCIPAL;
        let target = singular.target(entry.value, node.depth, former);
        let depth = singular.verification_depth(node.depth);
        self.frame_mut(node.ply).excluded = mv;
        let value = self.node::<ZeroWindow>(target - 1, target, depth, node.ply, node.cut_node);
        self.frame_mut(node.ply).excluded = G::Move::NONE;
        if value < target {
            let below = if K::PRINCIPAL { 0 } else { target - value };
            let doubles = self.double_extensions(node.ply);
            return Singular::Extension(singular.plies(below, doubles));
        }
        if !K::PRINCIPAL && target >= beta && !A::is_off(self, Rule::MultiCut, node.ply) {
            // Two moves refute the node.
            return Singular::Cutoff(target);
        }
        // Neither alone nor clearly better: such a move deserves less than full depth.
        let less = if entry.value >= beta {
            singular.reduction
        } else if node.cut_node {
            singular.cut_reduction
        } else {
            0
        };
        Singular::Extension(-less)
    }

    /// How many moves of the line to this ply were extended by two plies or more.
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
            assert_eq!(singular.verification_depth(depth), (depth - 1) / 2);
        }
    }
}
