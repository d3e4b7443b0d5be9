//! Whether a node's best move stands alone: then it is searched deeper.

use super::alpha_beta::{Kind, Node, ZeroWindow};
use super::audit::{Auditor, Rule};
use super::value::{Value, is_decided};
use super::{Bound, Game, GameMove, Search};

/// What the search without the table's move says of that move.
pub(super) enum Singular {
    /// Plies by which to search the move deeper; below zero, less deeply.
    Extension(i32),
    /// Another move refutes the node as well: this is its value.
    Cutoff(Value),
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Singular extension: if all other moves stay clearly below the table move's value, much hangs
    /// on that move.
    ///
    /// CITE: Thomas Anantharaman, Murray S. Campbell and Feng-hsiung Hsu, "Singular Extensions:
    /// Adding Selectivity to Brute-Force Searching" (1988).
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
        let former = node.was_principal && !K::PRINCIPAL;
        let target = singular.target(entry.value, node.depth, former);
        let depth = singular.verification_depth(node.depth);
        self.frame_mut(node.ply).excluded = mv;
        let value = self.node::<ZeroWindow>(target - 1, target, depth, node.ply, node.cut);
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
        } else if node.cut {
            singular.cut_reduction
        } else {
            0
        };
        Singular::Extension(-less)
    }

    /// How many moves of the line to this ply were extended by two plies or more.
    fn double_extensions(&self, ply: usize) -> i32 {
        self.stack[super::BEFORE_ROOT + ply - 1].double_extensions
    }
}
