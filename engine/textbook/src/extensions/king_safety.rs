//! King safety: where many more squares around the enemy king are attacked, danger is seen in time.

use crate::prelude::*;

group! {
    /// King safety: a quiet move is searched deeper after which many more squares around the enemy
    /// king are attacked (Kornilov p. 111).
    KingSafetyExtension, sound {
        /// The extension on or off.
        enabled: Switch,
        /// How many more (squares).
        squares_min: i32 = 3 in 1..=9 step 1,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// How many squares around the opponent's king are attacked before a move, if anybody asks.
    pub(crate) fn pressure_before(&self) -> i32 {
        let is_on = self.methods.king_safety_extension.enabled();
        if is_on { self.game.pressure_on(1 - self.game.mover()) } else { 0 }
    }

    /// By how many plies the move just played is searched deeper, for which the pressure was this.
    pub(crate) fn king_safety(&self, step: &Step<G::Move>, before: i32) -> i32 {
        let safety = &self.methods.king_safety_extension;
        let applies = safety.enabled() && !step.noisy && !step.gives_check;
        let more = || self.game.pressure_on(self.game.mover()) - before;
        i32::from(applies && more() >= safety.squares_min)
    }
}
