//! MTD(f): the root is asked with zero windows alone, each of which proves a bound, until bounds
//! from below and above meet at the value. It asks the same nodes again and again, so it needs a
//! table, and fail-soft bounds, which say more than the window's end.
//!
//! CITE: Aske Plaat, Jonathan Schaeffer, Wim Pijls and Arie de Bruin, "Best-First Fixed-Depth
//! Minimax Algorithms" (1996).

use crate::prelude::*;

group! {
    /// MTD(f): the root is asked with zero windows only, which close in on its value (Kornilov
    /// after p. 142, MTD(f)); instead of aspiration.
    Mtd, sound {
        /// MTD(f) on or off.
        enabled: Switch,
        /// Each question halves what is left, instead of starting where the last answer was.
        bisects: Switch,
        /// How near the two bounds must come to be one value (centipawns).
        grain: i32 in 1..=100 step 5,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// Asks the root, whose value is expected to be this one.
    pub(crate) fn search_by_zero_windows(&mut self, depth: i32, expected: Value) {
        let mtd = self.methods.mtd;
        let (mut low, mut high) = (-INFINITY, INFINITY);
        let mut test = expected;
        while high - low >= mtd.grain {
            if mtd.bisects() && high - low >= 2 {
                test = (low + high).div_euclid(2);
            }
            let value = self.node(test, test + 1, depth, 0);
            if self.stopped {
                return;
            }
            if value > test {
                (low, test) = (value, value);
            } else {
                (high, test) = (value, value - 1);
            }
        }
        if let Some(answer) = &mut self.answer {
            (answer.value, answer.bound) = (low, Bound::Exact);
        }
    }
}
