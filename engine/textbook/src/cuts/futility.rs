//! Futility: on the last plies a quiet move cannot make good what is missing to alpha, a piece on
//! the very last and a rook on the one before, so it is not searched unless it gives check.
//!
//! CITE: Ernst A. Heinz, "Extended Futility Pruning" (1998).

use crate::prelude::*;

group! {
    /// Futility: quiet moves are skipped on the last two plies where the evaluation is too far
    /// below alpha for them to matter.
    Futility {
        /// Futility on or off.
        enabled: Switch,
        /// How far below on the last ply (centipawns).
        margin: i32 = 300 in 0..=1000 step 50,
        /// How far below on the last ply but one (centipawns).
        extended_margin: i32 = 500 in 0..=1500 step 50,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// An upper bound of a move's value, where the move is not worth a search; `best` is the value
    /// of those before. Some move must be searched, or a mate would not be seen.
    pub(crate) fn skip_futile(
        &self,
        node: &Node<G::Move>,
        mv: G::Move,
        alpha: Value,
        best: Value,
    ) -> Option<Value> {
        let futility = &self.methods.futility;
        let margin = match node.depth {
            1 => futility.margin,
            2 => futility.extended_margin,
            _ => return None,
        };
        let may_skip = futility.enabled() && node.ply > 0 && node.may_pass && best > -DECIDED;
        let bound = node.evaluation? + margin;
        if !may_skip || is_decided(alpha) || bound > alpha {
            return None;
        }
        let is_calm = !self.game.is_noisy(mv) && !self.game.gives_check(mv);
        is_calm.then_some(bound)
    }
}
