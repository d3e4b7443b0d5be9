//! Moves that are not worth a search: skipped one by one, or all the quiet ones at once.

use super::alpha_beta::{Candidate, Kind, Node, reduced_depth};
use super::audit::{Auditor, Rule};
use super::ordering::{Picker, Quiets};
use super::value::Value;
use super::{Game, Search};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Late-move pruning: after so many moves the order has shown that no quiet one will help.
    pub(super) fn is_late(&self, node: &Node<G::Move>, count: usize) -> bool {
        let late_move_pruning = &self.margins.late_move_pruning;
        late_move_pruning.applies(node.depth)
            && count > late_move_pruning.moves(node.depth, node.improving)
    }

    /// Late-move pruning of this quiet move and of all that are still to come, but for checks where they
    /// are spared; whether there was any.
    pub(super) fn skips_late<K: Kind, P: Picker<G>>(
        &mut self,
        node: &Node<G::Move>,
        picker: &mut P,
        candidate: &Candidate<G::Move>,
        alpha: Value,
    ) -> bool {
        let kept = self.margins.late_move_pruning.kept();
        let is_spared = || kept == Quiets::Checks && self.game.gives_check(candidate.mv);
        if !self.is_late(node, candidate.count) || is_spared() {
            return false;
        }
        A::skipped_late::<K, P>(self, node, picker, candidate, alpha);
        picker.keep_quiets(kept, self);
        true
    }

    /// The reduction, in hundredths of a ply, by which futility would skip a quiet move with this
    /// number of which history says nothing, if it would. Few moves are thought so much better of that
    /// they would not be skipped then.
    pub(super) fn futile_by(
        &self,
        node: &Node<G::Move>,
        count: usize,
        alpha: Value,
    ) -> Option<i32> {
        let (late_move, reductions) = (&self.margins.late_move_reduction, &self.memory.reductions);
        let (_, reduction) = late_move.reduction(reductions, false, node.depth, count, 0);
        self.is_futile(node, reduced_depth(node.depth, reduction), alpha).then_some(reduction)
    }

    /// Whether a quiet move would not lift the evaluation to alpha with this depth left after reduction.
    #[inline]
    fn is_futile(&self, node: &Node<G::Move>, reduced: i32, alpha: Value) -> bool {
        let futility = &self.margins.futility;
        futility.applies(reduced) && node.guess + futility.gain_max(reduced) <= alpha
    }

    /// After this number of moves a quiet one is futile with this reduction: those that are still to
    /// come, of which history mostly says no more, are left out, but for checks. Where none is generated
    /// yet, neither their generation nor their order costs anything. Those left out have no numbers, so
    /// that what is tried after them is reduced less.
    pub(super) fn skip_futile<K: Kind, P: Picker<G>>(
        &mut self,
        node: &Node<G::Move>,
        picker: &mut P,
        count: usize,
        reduction: i32,
        alpha: Value,
    ) {
        A::skipped_futile::<K, P>(self, node, picker, count, reduction, alpha);
        picker.keep_quiets(self.margins.futility.kept(), self);
    }

    /// What a capture is thought to bring the evaluation to at most.
    pub(super) fn most_by_capture(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
    ) -> Value {
        let noisy_futility = &self.margins.noisy_futility;
        let beyond = noisy_futility.gain_max(candidate.reduced_depth(node), candidate.history);
        node.guess + self.game.gain(candidate.mv) + beyond
    }

    /// The rule by which a move is not worth a search this close to the leaves, if there is one.
    pub(super) fn hopeless(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        alpha: Value,
    ) -> Option<Rule> {
        let margins = self.margins;
        let reduced = candidate.reduced_depth(node);

        // Futility: a quiet move without check will not lift so low an evaluation to alpha.
        // CITE: Ernst A. Heinz, "Extended Futility Pruning" (1998).
        if !candidate.noisy
            && !node.in_check
            && self.is_futile(node, reduced, alpha)
            && !A::is_off(self, Rule::Futility, node.ply)
            && !self.game.gives_check(candidate.mv)
        {
            return Some(Rule::Futility);
        }

        // Noisy futility: a capture whose gain leaves so low an evaluation below alpha.
        if margins.noisy_futility.applies(reduced)
            && !A::is_off(self, Rule::NoisyFutility, node.ply)
            && candidate.noisy
            && !node.in_check
            && self.most_by_capture(node, candidate) <= alpha
            && !self.game.gives_check(candidate.mv)
        {
            return Some(Rule::NoisyFutility);
        }

        // History pruning: a quiet move that nearly always failed will fail again.
        if margins.history_pruning.applies(reduced)
            && !A::is_off(self, Rule::HistoryPruning, node.ply)
            && !candidate.noisy
            && candidate.history < margins.history_pruning.points_min(reduced)
            && !self.game.gives_check(candidate.mv)
        {
            return Some(Rule::HistoryPruning);
        }

        // Exchange pruning: a move that simply loses material needs more depth than is left to pay.
        let threshold = margins.exchange_pruning.threshold(candidate.noisy, node.depth, reduced);
        let rule = if candidate.noisy { Rule::ExchangeNoisy } else { Rule::ExchangeQuiet };
        let applies = margins.exchange_pruning.applies(node.depth)
            && !A::is_off(self, rule, node.ply)
            && !self.game.exchange_under_threats(candidate.mv, threshold, self.threats[node.ply]);
        applies.then_some(rule)
    }
}
