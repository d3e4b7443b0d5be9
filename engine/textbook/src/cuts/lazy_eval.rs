//! LazyEval: a move that looks bad rarely becomes good in two plies more. A quiet move after which
//! the evaluation stays below alpha is searched less deeply first, and no deeper if that confirms
//! it. Never within another such search.

use crate::prelude::*;

group! {
    /// LazyEval: a quiet move after which the evaluation stays below alpha is searched less deep
    /// first, and no deeper if that confirms it (Kornilov after p. 142, reduced computation).
    LazyEval {
        /// LazyEval on or off.
        enabled: Switch,
        /// How much less deep (plies).
        plies: i32 = 2 in 1..=6 step 1,
        /// How far below alpha the evaluation after the move must be (centipawns).
        margin: i32 = 50 in 0..=300 step 10,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// The value of the move just played, from the view of who played it, if the evaluation after
    /// it, and then the shallower search, leave it below alpha.
    pub(crate) fn try_lazy_eval(
        &mut self,
        node: &Node<G::Move>,
        is_first: bool,
        depth: i32,
        alpha: Value,
    ) -> Option<Value> {
        let lazy_eval = &self.methods.lazy_eval;
        let spares = is_first || node.in_check || node.trusted || is_decided(alpha);
        let is_forcing = self.step(1).is_some_and(|step| step.is_forcing());
        let applies = lazy_eval.enabled() && !spares && !is_forcing && !self.in_reduced;
        if !applies || -self.game.evaluate() + lazy_eval.margin > alpha {
            return None;
        }
        self.in_reduced = true;
        let value = -self.node(-alpha - 1, -alpha, depth - lazy_eval.plies, node.ply + 1);
        self.in_reduced = false;
        (value <= alpha || self.stopped).then_some(value)
    }
}
