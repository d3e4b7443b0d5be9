//! Cuts of a whole node that need none of its moves, or only its captures.

use super::alpha_beta::{Node, ZeroWindow};
use super::audit::{Auditor, Rule};
use super::history::Histories;
use super::ordering::TacticalPicker;
use super::value::{DRAW, Value, is_decided};
use super::{BEFORE_ROOT, Bound, Game, GameMove, Search, TableEntry};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Cuts of a whole zero-window node that need none of its moves: the rule and the value.
    pub(super) fn cut_without_moves(
        &mut self,
        node: &mut Node<G::Move>,
        alpha: Value,
        beta: Value,
    ) -> Option<(Rule, Value)> {
        let margins = self.margins;
        let &mut Node { depth, ply, guess, improving, was_principal, .. } = node;

        // Reverse futility: so far above beta that the opponent will not catch up in the depth
        // left.
        if margins.reverse_futility.applies(depth)
            && !A::is_off(self, Rule::ReverseFutility, ply)
            && !is_decided(guess)
            && !is_decided(beta)
            && guess - margins.reverse_futility.lead(depth, improving, was_principal) >= beta
        {
            return Some((Rule::ReverseFutility, margins.blending.trusted(guess, beta)));
        }

        // Razoring: so far below alpha that only a capture could help; quiescence says whether one
        // does.
        // CITE: John A. Birmingham and Peter Kent, "Tree-Searching and Tree-Pruning Techniques"
        // (1977).
        if margins.razoring.applies(depth)
            && !A::is_off(self, Rule::Razoring, ply)
            && guess + margins.razoring.deficit(depth) <= alpha
        {
            let before = self.nodes;
            let value = self.leaf::<ZeroWindow>(alpha, beta, ply);
            if value <= alpha || self.stopped {
                return Some((Rule::Razoring, value));
            }
            A::was_in_vain(self, Rule::Razoring, depth, before);
        }

        // Null move: if even passing keeps the mover above beta, some move will too.
        // CITE: Chrilly Donninger, "Null Move and Deep Search" (1993).
        let passed_before = self.rows(ply).last() == Histories::<G>::NO_ROW;
        if margins.null_move.applies(depth)
            && !A::is_off(self, Rule::NullMove, ply)
            && guess >= beta
            && self.frame(ply).evaluation >= margins.null_move.evaluation_min(beta, depth)
            && !is_decided(beta)
            && !passed_before
            && node.may_pass
            && ply >= self.pass_from
            && (!margins.null_move_rules.enabled() || self.may_pass_by_rules(ply))
        {
            let reduction = margins.null_move.reduction(depth, guess - beta);
            let before = self.nodes;
            self.pass(ply);
            let value =
                -self.node::<ZeroWindow>(-beta, 1 - beta, depth - reduction, ply + 1, !node.cut);
            self.game.undo();
            if self.stopped {
                return Some((Rule::NullMove, DRAW));
            }
            if value >= beta && self.is_confirmed(node, beta, depth - reduction) {
                // A win found after a pass is not proven.
                return Some((Rule::NullMove, if is_decided(value) { beta } else { value }));
            }
            if self.stopped {
                return Some((Rule::NullMove, DRAW));
            }
            if margins.null_threat.enabled() && self.is_threatened(ply, value) {
                node.depth += 1;
            }
            A::was_in_vain(self, Rule::NullMove, depth, before);
        }

        // ProbCut: a capture that stays far above beta in a shallower search will stay above it.
        // CITE: Michael Buro, "ProbCut: An Effective Selective Extension of the Alpha-Beta
        // Algorithm" (1995).
        let above = margins.prob_cut.target(beta, node.improving);
        let known_below = node.entry.is_some_and(|entry| {
            entry.depth >= depth - margins.prob_cut.reduction && entry.value < above
        });
        if margins.prob_cut.applies(depth)
            && !A::is_off(self, Rule::ProbCut, ply)
            && !is_decided(beta)
            && !known_below
        {
            let before = self.nodes;
            let value = self.best_capture(node, above);
            if value.is_some() || self.stopped {
                return Some((Rule::ProbCut, value.unwrap_or(DRAW)));
            }
            A::was_in_vain(self, Rule::ProbCut, depth, before);
        }
        None
    }

    /// Whether a cut by a pass holds without passing, where so much depth is left that zugzwang may
    /// be seen.
    ///
    /// CITE: Chrilly Donninger, "Null Move and Deep Search" (1993), for the danger; Ernst A. Heinz,
    /// "How DarkThought Plays Chess" (1997), for the verification.
    fn is_confirmed(&mut self, node: &Node<G::Move>, beta: Value, depth: i32) -> bool {
        if node.depth < self.margins.null_move.verification_depth_min || self.pass_from > 0 {
            return true;
        }
        let depth = depth.max(1);
        // Passes are forbidden for three quarters of the way, or this would ask the same again.
        self.pass_from = node.ply + 3 * depth as usize / 4 + 1;
        // What the move before deserves in hindsight, the node has got already.
        let before = &mut self.stack[BEFORE_ROOT + node.ply - 1];
        let reduction = std::mem::take(&mut before.reduction);
        let value = self.undecided_node::<ZeroWindow>(beta - 1, beta, depth, node.ply, false);
        self.stack[BEFORE_ROOT + node.ply - 1].reduction = reduction;
        self.pass_from = 0;
        !self.stopped && value >= beta
    }

    /// The value of the first capture that a shallower search finds to reach `above`.
    fn best_capture(&mut self, node: &Node<G::Move>, above: Value) -> Option<Value> {
        let ply = node.ply;
        let depth = node.depth - self.margins.prob_cut.reduction;
        let table_move = if node.table_move_is_noisy { node.table_move } else { G::Move::NONE };
        let mut picker = TacticalPicker::new(self, ply, table_move, false);
        let floor = self.moves.len();
        let needed = above - self.frame(ply).evaluation;
        let mut found = None;
        while let Some(mv) = picker.next_move(self) {
            self.expect(mv);
            if !self.game.exchange_at_least(mv, needed) {
                continue;
            }
            if self.classics().moves {
                self.clear_marks(ply);
            }
            self.note_extension(ply, 0);
            self.play(mv, ply);
            let mut value = -self.leaf::<ZeroWindow>(-above, 1 - above, ply + 1);
            if value >= above && depth > 1 && !self.stopped {
                value = -self.node::<ZeroWindow>(-above, 1 - above, depth - 1, ply + 1, !node.cut);
            }
            self.game.undo();
            if self.stopped {
                break;
            }
            if value >= above {
                let (bound, was_principal) = (Bound::Lower, node.was_principal);
                let evaluation = node.raw;
                let entry = TableEntry { mv, value, bound, evaluation, depth, was_principal };
                self.store(ply, entry);
                found = Some(value);
                break;
            }
        }
        self.moves.truncate(floor);
        found
    }
}
