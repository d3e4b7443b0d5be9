//! Aspiration: an iteration first searches a narrow window around the last one's score, and a wider one
//! after each failure.

use std::time::Duration;

use parameters::Switch;
use parameters::group;

use crate::audit::Auditor;
use crate::node::kinds::Root;
use crate::value::{INFINITY, Value, is_decided};
use crate::{Game, Progress, Search};

/// Failed windows are reported only in searches longer than this.
const REPORT_FAILURES_AFTER: Duration = Duration::from_secs(3);

group! {
    /// Aspiration: search a narrow window around the last iteration's score first (Kornilov after
    /// p. 142, aspiration). The book has it with margin 50, growth 300, margin_max 100, upper_share
    /// 100 and failures_max 0.
    Aspiration {
        /// Aspiration windows on or off.
        enabled: Switch = true,
        /// First depth with a narrow window (plies).
        depth_min: i32 = 4 in 2..=12 step 1,
        /// Half width of the first window (centipawns).
        margin: i32 = 16 in 4..=100 step 4,
        /// Growth of the window after each failure (percent).
        growth: i32 = 60 in 10..=300 step 20,
        /// Half width from which on the side that failed is opened wholly (centipawns).
        margin_max: i32 = 1000 in 100..=4000 step 100,
        /// New upper end after a failure below, from the old lower end (0) to the old upper end
        /// (100) (percent).
        upper_share: i32 = 50 in 0..=100 step 5,
        /// Most failures above the window in a row for each of which the next try is a ply less deep
        /// (number).
        failures_max: i32 = 2 in 0..=6 step 1,
    }
}

impl Aspiration {
    /// The upper end of the next window after a failure below this one.
    fn upper_after_failing_low(&self, alpha: Value, beta: Value) -> Value {
        (alpha * (100 - self.upper_share) + beta * self.upper_share) / 100
    }

    /// Half width after a failure with this one.
    fn wider(&self, delta: Value) -> Value {
        delta + delta * self.growth / 100 + 1
    }
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Searches the best of the root moves from the current variation on.
    pub(crate) fn search_variation(
        &mut self,
        depth: u32,
        on_info: &mut dyn FnMut(&Progress<G::Move>),
    ) {
        let margins = self.margins.aspiration;
        let expected = self.root_moves[self.variation_index].previous;
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        let mut delta = margins.margin;
        let narrow =
            margins.enabled() && depth as i32 >= margins.depth_min && !is_decided(expected);
        if narrow {
            alpha = expected - delta;
            beta = expected + delta;
        }
        // Failures above the window since the last one below it, each of which makes the next try
        // a ply shallower: the move that is so much better will be found soon enough.
        let mut failures = 0;
        loop {
            let tried = (depth as i32 - failures).max(1);
            let value = self.node::<Root>(alpha, beta, tried, 0, false);
            let first = self.variation_index;
            self.root_moves_of_variation().sort_by_key(|root_move| -root_move.score);
            if self.stopped || (value > alpha && value < beta) {
                return;
            }
            if self.timer.elapsed() > REPORT_FAILURES_AFTER {
                on_info(&self.info(depth, first, &self.root_moves[first]));
            }
            delta = margins.wider(delta);
            let opened = delta > margins.margin_max;
            // Open the side that failed; the other stays where it was, or closes in after a failure
            // below.
            if value <= alpha {
                failures = 0;
                beta = margins.upper_after_failing_low(alpha, beta);
                alpha = if opened { -INFINITY } else { (value - delta).max(-INFINITY) };
            } else {
                failures = (failures + 1).min(margins.failures_max);
                beta = if opened { INFINITY } else { (value + delta).min(INFINITY) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Margins;

    #[test]
    fn half_of_a_window_is_what_the_plain_fraction_meant() {
        let mut margins: Margins = bytemuck::Zeroable::zeroed();
        margins.aspiration.upper_share = 50;
        for (alpha, beta) in [(-3, 0), (-20, 13), (5, 8), (0, 0)] {
            let upper = margins.aspiration.upper_after_failing_low(alpha, beta);
            assert_eq!(upper, (alpha + beta) / 2);
        }
    }
}
