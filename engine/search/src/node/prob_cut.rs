//! ProbCut: a capture that stays far above beta in a shallower search will stay above it.
//!
//! CITE: Michael Buro, "ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm" (1995).

use parameters::Switch;
use parameters::group;

use super::NodeCut;
use super::kinds::ZeroWindow;
use super::known::Node;
use crate::audit::Auditor;
use crate::audit::events::InVain;
use crate::audit::rule::{PruningRule, Unit};
use crate::ordering::TacticalPicker;
use crate::value::{DRAW, Value, is_decided};
use crate::{Bound, Game, GameMove, Rule, Search, TableEntry};

group! {
    /// ProbCut: a node is cut when a capture stays far above beta in a shallower search.
    ProbCut {
        /// ProbCut on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 = 5 in 3..=12 step 1,
        /// How far above beta (centipawns).
        margin: i32 = 180 in 40..=400 step 20,
        /// How much less far when the evaluation is improving (centipawns).
        improving: i32 = 45 in 0..=200 step 15,
        /// How much shallower than the node (plies).
        reduction: i32 = 4 in 2..=8 step 1,
    }
}

impl ProbCut {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(crate) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth >= self.depth_min
    }

    /// The value that a capture must reach (centipawns).
    #[inline]
    pub(crate) fn target(&self, beta: Value, improving: bool) -> Value {
        beta + self.margin - i32::from(improving) * self.improving
    }
}

/// The lead of the static evaluation over beta.
pub(super) const RULE: PruningRule = PruningRule {
    name: "prob_cut",
    unit: Unit::Centipawns,
    depth: |seen| seen.depth,
    gap: |_, seen| (seen.eval - seen.beta, 0),
    priced: None,
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// A lower bound of at least beta, where a capture promises one.
    #[inline(always)]
    pub(super) fn try_prob_cut(&mut self, node: &Node<G::Move>, beta: Value) -> Option<NodeCut> {
        let margins = self.margins;
        let &Node { depth, ply, .. } = node;
        let above = margins.prob_cut.target(beta, node.improving);
        let known_below = node.entry.is_some_and(|entry| {
            entry.depth >= depth - margins.prob_cut.reduction && entry.value < above
        });
        if !margins.prob_cut.applies(depth)
            || A::is_off(self, Rule::ProbCut, ply)
            || is_decided(beta)
            || known_below
        {
            return None;
        }
        let nodes_before = self.nodes;
        let value = self.best_capture(node, above);
        if value.is_some() || self.stopped {
            return Some((Rule::ProbCut, value.unwrap_or(DRAW)));
        }
        A::event(self, InVain { rule: Rule::ProbCut, depth, nodes_before });
        None
    }

    /// The value of the first capture that a shallower search finds to reach `above`.
    fn best_capture(&mut self, node: &Node<G::Move>, above: Value) -> Option<Value> {
        let ply = node.ply;
        let depth = node.depth - self.margins.prob_cut.reduction;
        let table_move = if node.table_move_is_noisy { node.table_move } else { G::Move::NONE };
        let mut picker = TacticalPicker::new(self, ply, table_move, false);
        let floor = self.moves.len();
        let needed = above - self.frame(ply).static_eval;
        let mut found = None;
        while let Some(mv) = picker.next_move(self) {
            self.prefetch_after(mv);
            if !self.game.exchange_at_least(mv, needed) {
                continue;
            }
            self.note_extension(ply, 0);
            self.play(mv, ply);
            let mut value = -self.quiescence::<ZeroWindow>(-above, 1 - above, ply + 1);
            if value >= above && depth > 1 && !self.stopped {
                value =
                    -self.node::<ZeroWindow>(-above, 1 - above, depth - 1, ply + 1, !node.cut_node);
            }
            self.game.undo();
            if self.stopped {
                break;
            }
            if value >= above {
                let (bound, tt_pv) = (Bound::Lower, node.tt_pv);
                let evaluation = node.raw_eval;
                let entry = TableEntry { mv, value, bound, evaluation, depth, tt_pv };
                self.store(ply, entry);
                found = Some(value);
                break;
            }
        }
        self.moves.truncate(floor);
        found
    }
}
