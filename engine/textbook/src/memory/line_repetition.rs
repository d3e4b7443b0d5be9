//! Repetition by the keys of the line: who repeats comes back after four plies, so the third time
//! is that which stood on the board four and eight plies before as well. Off, the first repetition
//! below the root is a draw already: who can repeat once can do it again.

use crate::prelude::*;

group! {
    /// Repetition by the keys of the line: a draw is only what stood on the board four and eight
    /// plies before as well (Kornilov after p. 142, repetition).
    LineRepetition, sound {
        /// The rule, instead of the first repetition below the root, on or off.
        enabled: Switch,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// The ruling of the game on the current position.
    pub(crate) fn ruling(&mut self, depth: i32, ply: usize) -> Ruling {
        match self.methods.line_repetition.enabled() {
            true => self.game.ruling_by_line(ply, depth),
            false => self.game.ruling(ply, depth),
        }
    }
}
