//! Futility: a quiet move without check will not lift so low an evaluation to alpha.
//!
//! CITE: Ernst A. Heinz, "Extended Futility Pruning" (1998).

use parameters::Switch;
use parameters::group;

use super::kinds::Kind;
use super::known::{Candidate, Node, reduced_depth};
use crate::audit::Auditor;
use crate::audit::events::FutileMovesSkipped;
use crate::audit::rule::{PricedMargin, PruningRule, Unit};
use crate::ordering::{Picker, Quiets};
use crate::value::Value;
use crate::{Game, Rule, Search};

group! {
    /// Futility: quiet moves are skipped when the evaluation is too far below alpha for them to
    /// matter; the first one that is ends all those to come that give no check.
    Futility {
        /// Futility on or off.
        enabled: Switch = true,
        /// Greatest depth left after reduction (plies).
        depth_max: i32 = 8 in 1..=16 step 1,
        /// How far below alpha the evaluation must be (centipawns).
        base: i32 = 100 in 0..=300 step 15,
        /// How much further below per ply of depth left after reduction (centipawns).
        margin: i32 = 90 in 20..=250 step 10,
        /// The first move so skipped ends checks, too.
        ends_quiets: Switch,
    }
}

impl Futility {
    /// Whether the technique is used at this depth after reduction.
    #[inline]
    pub(crate) fn applies(&self, reduced_depth: i32) -> bool {
        self.enabled() && reduced_depth <= self.depth_max
    }

    /// The most that a quiet move is thought to bring (centipawns).
    #[inline]
    pub(crate) fn gain_max(&self, reduced_depth: i32) -> Value {
        self.base + self.margin * reduced_depth
    }

    /// The quiet moves that are tried although others are futile.
    #[inline]
    pub(crate) fn kept(&self) -> Quiets {
        if self.ends_quiets() { Quiets::None } else { Quiets::Checks }
    }
}

/// The deficit of the evaluation against alpha.
pub(super) const RULE: PruningRule = PruningRule {
    name: "futility",
    unit: Unit::Centipawns,
    depth: |seen| seen.reduced_depth,
    gap: |margins, seen| (seen.alpha - seen.eval, margins.futility.gain_max(seen.reduced_depth)),
    priced: Some(PricedMargin { name: "futility.margin", slope: |cut, _| f64::from(cut.depth) }),
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Whether futility skips a move.
    #[inline(always)]
    pub(super) fn skips_futile(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        alpha: Value,
    ) -> bool {
        !candidate.noisy
            && !node.in_check
            && self.is_futile(node, candidate.reduced_depth(node), alpha)
            && !A::is_off(self, Rule::Futility, node.ply)
            && !self.game.gives_check(candidate.mv)
    }

    /// The reduction, in hundredths of a ply, with which futility would skip a quiet move of this number
    /// and no history points; None if it would not skip it. Few moves have so many points that they would
    /// then be kept.
    pub(crate) fn futile_by(
        &self,
        node: &Node<G::Move>,
        count: usize,
        alpha: Value,
    ) -> Option<i32> {
        let (late_move, reductions) = (&self.margins.late_move_reduction, &self.memory.reductions);
        let base = late_move.base_reduction(reductions, false, node.depth, count, 0);
        let reduction = base.pruning;
        self.is_futile(node, reduced_depth(node.depth, reduction), alpha).then_some(reduction)
    }

    /// Whether a quiet move would not lift the evaluation to alpha with this depth left after reduction.
    #[inline]
    fn is_futile(&self, node: &Node<G::Move>, reduced: i32, alpha: Value) -> bool {
        let futility = &self.margins.futility;
        futility.applies(reduced) && node.eval + futility.gain_max(reduced) <= alpha
    }

    /// After this number of moves a quiet one is futile with this reduction: those that are still to
    /// come, of which history mostly says no more, are left out, but for checks. Where none is generated
    /// yet, neither their generation nor their order costs anything. Those left out have no numbers, so
    /// that moves tried after them are reduced less.
    pub(super) fn skip_futile<K: Kind, P: Picker<G>>(
        &mut self,
        node: &Node<G::Move>,
        picker: &mut P,
        count: usize,
        reduction: i32,
        alpha: Value,
    ) {
        let is_principal = K::PRINCIPAL;
        A::event(self, FutileMovesSkipped { node, is_principal, picker, count, reduction, alpha });
        picker.keep_quiets(self.margins.futility.kept(), self);
    }
}
