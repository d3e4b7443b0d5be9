//! Aspiration: the value will be near the last iteration's, so a narrow window around it is asked
//! first. Where the value lies outside, the side that failed is opened wholly. With zero windows most
//! nodes have the narrowest window already, so the source expects nothing of it there.

use crate::prelude::*;

group! {
    /// Aspiration: a narrow window around the last iteration's score first, or around the
    /// evaluation (Kornilov after p. 142, aspiration).
    Aspiration, sound {
        /// Aspiration windows on or off.
        enabled: Switch,
        /// Half width of the window (centipawns).
        margin: i32 = 50 in 4..=200 step 10,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// Asks the root, whose value is expected near this one.
    pub(crate) fn search_by_aspiration(&mut self, depth: i32, expected: Value) {
        let margin = self.methods.aspiration.margin;
        let (mut alpha, mut beta) = (expected - margin, expected + margin);
        loop {
            let value = self.node(alpha, beta, depth, 0);
            if value <= alpha && alpha > -INFINITY {
                alpha = -INFINITY;
            } else if value >= beta && beta < INFINITY {
                beta = INFINITY;
            } else {
                return;
            }
            if self.stopped {
                return;
            }
        }
    }
}
