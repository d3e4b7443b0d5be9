//! Hindsight: the evaluation after a reduced move says whether the reduction was right.

use parameters::Switch;
use parameters::group;

use crate::audit::Auditor;
use crate::value::{UNKNOWN, Value};
use crate::{BEFORE_ROOT, Game, Search};

group! {
    /// Hindsight: a node that was reached by a reduced move is searched as deeply as the evaluations
    /// before and after the move suggest.
    Hindsight {
        /// Hindsight on or off.
        enabled: Switch = true,
        /// Least reduction of the move after which a node that is no better for the mover than he
        /// thought is searched one ply deeper (plies).
        deeper_min: i32 = 3 in 1..=6 step 1,
        /// Least reduction of the move after which a node is searched one ply less deeply if both
        /// evaluations are good for their mover (plies).
        shallower_min: i32 = 2 in 1..=6 step 1,
        /// Sum of the two evaluations for that (centipawns).
        shallower_sum: i32 = 170 in 0..=400 step 20,
    }
}

impl Hindsight {
    /// Plies to add to a depth after a move with this reduction, from the sum of the evaluations of
    /// both movers.
    #[inline]
    pub(crate) fn plies(&self, reduction: i32, sum: Value, depth: i32) -> i32 {
        if !self.enabled() {
            0
        } else if reduction >= self.deeper_min && sum <= 0 {
            1
        } else if reduction >= self.shallower_min && depth >= 2 && sum > self.shallower_sum {
            -1
        } else {
            0
        }
    }
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Plies to add to the depth of a node, from the evaluations before and after the move that led
    /// to it.
    pub(super) fn hindsight(&self, depth: i32, ply: usize) -> i32 {
        let before = &self.stack[BEFORE_ROOT + ply - 1];
        let now = self.frame(ply).static_eval;
        if before.plies_reduced == 0 || now == UNKNOWN || before.static_eval == UNKNOWN {
            return 0;
        }
        self.margins.hindsight.plies(before.plies_reduced, before.static_eval + now, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Margins;

    fn zeroed() -> Margins {
        bytemuck::Zeroable::zeroed()
    }

    #[test]
    fn hindsight_looks_at_both_evaluations() {
        let mut hindsight = zeroed().hindsight;
        hindsight.enabled = Switch::ON;
        (hindsight.deeper_min, hindsight.shallower_min, hindsight.shallower_sum) = (3, 2, 170);
        assert_eq!(hindsight.plies(3, -1, 5), 1, "worse than it looked, and much reduced");
        assert_eq!(hindsight.plies(2, -1, 5), 0);
        assert_eq!(hindsight.plies(2, 171, 5), -1, "good for both");
        assert_eq!(hindsight.plies(2, 171, 1), 0, "no depth to take from");
    }
}
