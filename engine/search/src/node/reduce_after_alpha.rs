//! Raised alpha: a move is good enough already; the others must only be compared with it.

use parameters::Switch;
use parameters::group;

use crate::value::{Value, is_decided};

group! {
    /// Raised alpha: once a move on the line of best play has proved better than hoped for, the moves
    /// after it are searched less deeply.
    ReduceAfterAlpha {
        /// Less depth after a better move on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 2..=12 step 1,
        /// Greatest depth left (plies).
        depth_max: i32 = 6 in 2..=24 step 1,
    }
}

impl ReduceAfterAlpha {
    /// Plies taken off a node's depth for the moves after one that has raised alpha.
    #[inline]
    pub(crate) fn plies(&self, depth: i32) -> i32 {
        i32::from(self.enabled() && depth >= self.depth_min && depth <= self.depth_max)
    }

    /// Depth of a principal node for the moves after one that has raised alpha.
    #[inline]
    pub(super) fn depth(&self, depth: i32, alpha: Value, beta: Value) -> i32 {
        if is_decided(alpha) || is_decided(beta) { depth } else { depth - self.plies(depth) }
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
    fn a_better_move_costs_the_others_a_ply_between_two_depths() {
        let mut raised = zeroed().reduce_after_alpha;
        (raised.depth_min, raised.depth_max) = (3, 5);
        assert_eq!(raised.plies(4), 0, "off");
        raised.enabled = Switch::ON;
        assert_eq!([2, 3, 5, 6].map(|depth| raised.plies(depth)), [0, 1, 1, 0]);
    }
}
