//! Internal deepening: a node that knows no move to try first searches itself two plies less deep
//! for one. A shallow search costs little, and its move is mostly the best one. Without iterations
//! of the root the root does so as well, and its first move is found at depth two, then at four,
//! and so on.
//!
//! Lazy cut, of the source's program B: where the evaluation and that search agree that the node
//! lies above beta, it is cut. Never within such a search: at worst two plies are lost.

use crate::memory::table::Known;
use crate::prelude::*;

group! {
    /// Internal deepening: a node without a move to try first searches itself less deep before, for
    /// one (Kornilov p. 126).
    InternalDeepening {
        /// Internal deepening on or off.
        enabled: Switch,
        /// How much less deep (plies).
        plies: i32 = 2 in 1..=6 step 1,
        /// A node above beta by evaluation and that search is cut (program B's lazy cut).
        lazy_cut: Switch,
        /// How far above beta both must be (centipawns).
        margin: i32 = 64 in 0..=300 step 10,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// Finds a move to try first, if none is known; beta, where the lazy cut ends the node.
    pub(crate) fn deepen_internally(
        &mut self,
        node: &mut Node<G::Move>,
        known: Option<Known<G::Move>>,
        depth: i32,
        (alpha, beta): (Value, Value),
    ) -> Option<Value> {
        let deepening = &self.methods.internal_deepening;
        let (ply, less) = (node.ply, depth - deepening.plies);
        let iterates = ply == 0 && self.methods.iterative_deepening.enabled();
        if !deepening.enabled() || iterates || less < 1 {
            return None;
        }
        let lower_bound = if node.first != G::Move::NONE {
            known.filter(|known| known.depth >= less)?.low
        } else {
            // The root's search is no reduced one: what it finds is an answer.
            let nested = self.in_reduced;
            self.in_reduced |= ply > 0;
            let value = self.open_node(alpha, beta, less, ply);
            self.in_reduced = nested;
            if self.stopped {
                return Some(DRAW);
            }
            let found = std::mem::take(&mut self.lines[ply]);
            node.first = found.first().copied().unwrap_or(G::Move::NONE);
            value
        };
        self.is_lazily_cut(node, beta, lower_bound).then_some(beta)
    }

    /// Whether evaluation and shallower search lie far enough above beta, and nothing has just
    /// happened.
    fn is_lazily_cut(&self, node: &Node<G::Move>, beta: Value, lower_bound: Value) -> bool {
        let deepening = &self.methods.internal_deepening;
        let is_calm = self.step(1).is_some_and(|step| step.is_quiet());
        let above = |evaluation: Value| evaluation.min(lower_bound) - deepening.margin >= beta;
        deepening.lazy_cut() && !self.in_reduced && is_calm && node.evaluation.is_some_and(above)
    }
}
