//! Late-move pruning: after so many moves the order has shown that no quiet one will help.

use parameters::Switch;
use parameters::group;

use super::kinds::Kind;
use super::known::{Candidate, Node};
use crate::audit::Auditor;
use crate::audit::events::LateMovesSkipped;
use crate::audit::rule::{PricedMargin, PruningRule, Unit};
use crate::ordering::{Picker, Quiets};
use crate::value::Value;
use crate::{Game, Search};

group! {
    /// Late-move pruning: after many quiet moves without success the rest is skipped.
    LateMovePruning {
        /// Late-move pruning on or off.
        enabled: Switch = true,
        /// Greatest depth left (plies).
        depth_max: i32 = 8 in 1..=16 step 1,
        /// Moves always tried.
        base: i32 = 4 in 1..=12 step 1,
        /// Further moves per squared ply of depth left (hundredths of a move).
        margin: i32 = 90 in 20..=300 step 15,
        /// Share of these moves that is tried when the evaluation is not improving (percent).
        worsening_share: i32 = 50 in 10..=100 step 5,
        /// Quiet moves that give check are tried nevertheless.
        spares_checks: Switch,
    }
}

impl LateMovePruning {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(crate) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth <= self.depth_max
    }

    /// Number of moves after which a node's remaining quiet moves are skipped.
    #[inline]
    pub(crate) fn moves(&self, depth: i32, improving: bool) -> usize {
        let moves = self.base + self.margin * depth * depth / 100;
        let moves = if improving { moves } else { moves * self.worsening_share / 100 };
        moves.max(1) as usize
    }

    /// The quiet moves that are tried although they are late.
    #[inline]
    pub(crate) fn kept(&self) -> Quiets {
        if self.spares_checks() { Quiets::Checks } else { Quiets::None }
    }
}

/// The number of the move.
pub(super) const RULE: PruningRule = PruningRule {
    name: "late_move_pruning",
    unit: Unit::Moves,
    depth: |seen| seen.depth,
    gap: |margins, seen| {
        let moves = margins.late_move_pruning.moves(seen.depth, seen.improving);
        (seen.count as i32, moves as i32)
    },
    priced: Some(PricedMargin {
        name: "late_move_pruning.margin",
        slope: |cut, margins| {
            let depth = f64::from(cut.depth);
            let share = if cut.improving { 100 } else { margins.late_move_pruning.worsening_share };
            depth * depth / 100.0 * f64::from(share) / 100.0
        },
    }),
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Whether quiet moves from this number on are skipped.
    pub(crate) fn is_late(&self, node: &Node<G::Move>, count: usize) -> bool {
        let late_move_pruning = &self.margins.late_move_pruning;
        late_move_pruning.applies(node.depth)
            && count > late_move_pruning.moves(node.depth, node.improving)
    }

    /// Skips a late quiet move and all that are still to come, but for checks where they are spared;
    /// whether it did.
    pub(super) fn skips_late<K: Kind, P: Picker<G>>(
        &mut self,
        node: &Node<G::Move>,
        picker: &mut P,
        candidate: &Candidate<G::Move>,
        alpha: Value,
    ) -> bool {
        if candidate.noisy || node.in_check {
            return false;
        }
        let kept = self.margins.late_move_pruning.kept();
        let is_spared = || kept == Quiets::Checks && self.game.gives_check(candidate.mv);
        if !self.is_late(node, candidate.count) || is_spared() {
            return false;
        }
        let is_principal = K::PRINCIPAL;
        A::event(self, LateMovesSkipped { node, is_principal, picker, candidate, alpha });
        picker.keep_quiets(kept, self);
        true
    }
}
