//! Sharp change of the score: where a quiet move changes the evaluation much, something happens.

use crate::prelude::*;

group! {
    /// Sharp change of the score: a quiet move is searched deeper that changes the evaluation much
    /// (Kornilov p. 111).
    ScoreChangeExtension, sound {
        /// The extension on or off.
        enabled: Switch,
        /// How much (centipawns).
        margin: i32 = 200 in 50..=900 step 50,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// By how many plies the move just played is searched deeper.
    pub(crate) fn score_change(&mut self, node: &Node<G::Move>, step: &Step<G::Move>) -> i32 {
        let change = &self.methods.score_change_extension;
        if !change.enabled() || step.noisy || step.gives_check {
            return 0;
        }
        let Some(before) = node.evaluation else { return 0 };
        i32::from((before + self.game.evaluate()).abs() >= change.margin)
    }
}
