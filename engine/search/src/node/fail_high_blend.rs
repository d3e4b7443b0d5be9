//! Blending: a bound above beta is drawn towards beta, since the more it says the less sure it is.

use parameters::Switch;
use parameters::group;

use crate::value::{Value, is_decided};

group! {
    /// Blending: a bound above beta is drawn towards beta, since the more it says the less sure it is.
    FailHighBlend {
        /// Blending on or off.
        enabled: Switch = true,
        /// Share of beta where the evaluation alone is enough in quiescence (percent).
        stand_pat: i32 = 30 in 0..=100 step 10,
        /// Share of beta in reverse futility (percent).
        reverse_futility: i32 = 30 in 0..=100 step 10,
        /// Weight of beta against each ply of depth searched (percent).
        search: i32 = 100 in 0..=400 step 25,
    }
}

impl FailHighBlend {
    /// An evaluation that is enough in quiescence.
    #[inline]
    pub(crate) fn stood_pat(&self, value: Value, beta: Value) -> Value {
        self.blend(value, beta, self.stand_pat)
    }

    /// An evaluation that is enough in reverse futility.
    #[inline]
    pub(crate) fn trusted(&self, value: Value, beta: Value) -> Value {
        self.blend(value, beta, self.reverse_futility)
    }

    /// A value above beta found by a search of this depth.
    #[inline]
    pub(crate) fn searched(&self, value: Value, beta: Value, depth: i32) -> Value {
        if !self.enabled() || is_decided(value) || is_decided(beta) {
            return value;
        }
        (value * depth * 100 + beta * self.search) / (depth * 100 + self.search).max(1)
    }

    fn blend(&self, value: Value, beta: Value, share: i32) -> Value {
        if !self.enabled() || is_decided(value) || is_decided(beta) {
            return value;
        }
        value + (beta - value) * share / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Margins;
    use crate::value::MATE;

    fn zeroed() -> Margins {
        bytemuck::Zeroable::zeroed()
    }

    #[test]
    fn a_blended_bound_lies_between_itself_and_beta_and_leaves_mates_alone() {
        let mut blend = zeroed().fail_high_blend;
        (blend.stand_pat, blend.search) = (50, 100);
        assert_eq!(blend.stood_pat(140, 100), 140, "off");
        blend.enabled = Switch::ON;
        assert_eq!(blend.stood_pat(140, 100), 120);
        assert_eq!(blend.searched(140, 100, 3), 130);
        assert_eq!(blend.searched(MATE - 5, 100, 3), MATE - 5);
        for depth in 1..40 {
            let value = blend.searched(140, 100, depth);
            assert!((100..=140).contains(&value) && value >= blend.searched(140, 100, 1));
        }
    }
}
