//! What the margins say about a node, so that the search itself reads without arithmetic.

use super::margins::{
    Aspiration, Blending, CheckExtension, EvaluationHistory, ExchangePruning, ExtensionLimit,
    Futility, Hindsight, HistoryPruning, InheritedLine, InternalReduction, LateMovePruning,
    Margins, NoisyFutility, NullMove, ProbCut, QuiescenceEvasions, QuiescenceExchange, RaisedAlpha,
    Razoring, ReverseFutility, SecondLook, SingularExtension,
};
use super::ordering::Quiets;
use super::value::{Value, is_decided};
use crate::parameters::Switch;

impl Margins {
    /// The same without all that may leave out a line, or search one less deeply than asked: groups
    /// that are not declared sound are off. Leaves are searched on, since who is mated there is seen
    /// by his answers.
    pub fn without_cuts(&self) -> Margins {
        let mut margins = *self;
        for row in Margins::INFO.iter().filter(|row| row.is_switch() && !row.is_sound) {
            margins.cells_mut()[row.first_cell] = 0;
        }
        margins.quiescence.enabled = Switch::ON;
        margins
    }
}

impl Aspiration {
    /// The upper end of the next window after a failure below this one.
    pub(super) fn upper_after_failing_low(&self, alpha: Value, beta: Value) -> Value {
        (alpha * (100 - self.upper_share) + beta * self.upper_share) / 100
    }

    /// Half width after a failure with this one.
    pub(super) fn wider(&self, delta: Value) -> Value {
        delta + delta * self.growth / 100 + 1
    }
}

impl ReverseFutility {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(super) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth <= self.depth_max
    }

    /// How far above beta an evaluation must be to be trusted without a search.
    #[inline]
    pub(super) fn lead(&self, depth: i32, improving: bool, was_principal: bool) -> Value {
        self.margin * depth - i32::from(improving) * self.improving
            + i32::from(was_principal) * self.former_principal
    }
}

impl Razoring {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(super) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth <= self.depth_max
    }

    /// How far below alpha an evaluation must be to be given up.
    #[inline]
    pub(super) fn deficit(&self, depth: i32) -> Value {
        self.base + self.margin * depth
    }
}

impl NullMove {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(super) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth >= self.depth_min
    }

    /// Plies taken off the search after a pass.
    #[inline]
    pub(super) fn reduction(&self, depth: i32, above_beta: Value) -> i32 {
        (10 * self.reduction_base + self.depth_share * depth) / 1000
            + (above_beta / self.evaluation_divisor).min(self.evaluation_max)
    }

    /// What the evaluation without the table's help must reach before a pass is tried.
    #[inline]
    pub(super) fn evaluation_min(&self, beta: Value, depth: i32) -> Value {
        beta - self.evaluation_slack - self.evaluation_margin * depth
    }
}

impl ProbCut {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(super) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth >= self.depth_min
    }

    /// What a capture must reach.
    #[inline]
    pub(super) fn target(&self, beta: Value, improving: bool) -> Value {
        beta + self.margin - i32::from(improving) * self.improving
    }
}

impl Hindsight {
    /// Plies to add to a depth after a move with this reduction, from the sum of the evaluations of
    /// both movers.
    #[inline]
    pub(super) fn plies(&self, reduction: i32, sum: Value, depth: i32) -> i32 {
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

impl InternalReduction {
    /// The depth of a node, if the table has a move for it from a search of the `known` depth.
    #[inline]
    pub(super) fn depth(&self, depth: i32, known: Option<i32>, expects_cut: bool) -> i32 {
        let is_known = known.is_some_and(|known| known > depth - self.table_depth_margin);
        let wanted = expects_cut || self.all_nodes();
        let applies = self.enabled() && depth >= self.depth_min && wanted && !is_known;
        if applies { (depth - self.plies).max(1) } else { depth }
    }
}

impl LateMovePruning {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(super) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth <= self.depth_max
    }

    /// Number of moves after which a node's remaining quiet moves are skipped.
    #[inline]
    pub(super) fn moves(&self, depth: i32, improving: bool) -> usize {
        let moves = self.base + self.margin * depth * depth / 100;
        let moves = if improving { moves } else { moves * self.worsening_share / 100 };
        moves.max(1) as usize
    }

    /// The quiet moves that are tried although they are late.
    #[inline]
    pub(super) fn kept(&self) -> Quiets {
        if self.spares_checks() { Quiets::Checks } else { Quiets::None }
    }
}

impl Futility {
    /// Whether the technique is used at this depth after reduction.
    #[inline]
    pub(super) fn applies(&self, reduced_depth: i32) -> bool {
        self.enabled() && reduced_depth <= self.depth_max
    }

    /// What a quiet move is thought to bring at most.
    #[inline]
    pub(super) fn gain_max(&self, reduced_depth: i32) -> Value {
        self.base + self.margin * reduced_depth
    }

    /// The quiet moves that are tried although others are futile.
    #[inline]
    pub(super) fn kept(&self) -> Quiets {
        if self.ends_quiets() { Quiets::None } else { Quiets::Checks }
    }
}

impl NoisyFutility {
    /// Whether the technique is used at this depth after reduction.
    #[inline]
    pub(super) fn applies(&self, reduced_depth: i32) -> bool {
        self.enabled() && reduced_depth <= self.depth_max
    }

    /// What a capture is thought to bring beyond its gain at most.
    #[inline]
    pub(super) fn gain_max(&self, reduced_depth: i32, history: i32) -> Value {
        self.base + self.margin * reduced_depth + self.history * history / 10_000
    }
}

impl HistoryPruning {
    /// Whether the technique is used at this depth after reduction.
    #[inline]
    pub(super) fn applies(&self, reduced_depth: i32) -> bool {
        self.enabled() && reduced_depth <= self.depth_max
    }

    /// History points that save a move.
    #[inline]
    pub(super) fn points_min(&self, reduced_depth: i32) -> i32 {
        -self.margin * (reduced_depth + 1)
    }
}

impl ExchangePruning {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(super) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth <= self.depth_max
    }

    /// The material that a move must net by exchanges: a loss, and therefore negative.
    #[inline]
    pub(super) fn threshold(&self, noisy: bool, depth: i32, reduced_depth: i32) -> Value {
        if noisy { -self.noisy_margin * depth } else { -self.quiet_margin * reduced_depth.max(1) }
    }
}

impl SingularExtension {
    /// Whether the technique is used at this depth, with a result of that depth in the table.
    #[inline]
    pub(super) fn applies(&self, depth: i32, table_depth: i32) -> bool {
        self.enabled() && depth >= self.depth_min && table_depth >= depth - self.table_depth_margin
    }

    /// What the other moves must stay below.
    #[inline]
    pub(super) fn target(&self, table_value: Value, depth: i32, former_principal: bool) -> Value {
        let more = i32::from(former_principal) * self.former_principal_margin;
        table_value - (self.margin + more) * depth / 100
    }

    /// By how many plies a move is extended above which all others stay by so much more than the
    /// margin, after so many longer extensions in the same line.
    #[inline]
    pub(super) fn plies(&self, below: Value, doubles: i32) -> i32 {
        let plies = if doubles >= self.double_max || below <= self.double_margin {
            1
        } else if below <= self.double_margin + self.triple_margin {
            2
        } else {
            3
        };
        plies.min(self.plies_max)
    }

    /// The depth at which the other moves are searched.
    #[inline]
    pub(super) fn verification_depth(&self, depth: i32) -> i32 {
        (depth - 1) * self.verification_share / 100
    }
}

impl CheckExtension {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(super) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth >= self.depth_min
    }
}

impl SecondLook {
    /// Plies to add to the depth of a second search, from how far the first one's value lies above
    /// the best so far.
    #[inline]
    pub(super) fn plies(&self, above_best: Value) -> i32 {
        if !self.enabled() {
            0
        } else {
            i32::from(above_best > self.deeper_margin)
                - i32::from(above_best < self.shallower_margin)
        }
    }
}

impl RaisedAlpha {
    /// Plies taken off a node's depth for the moves after one that has raised alpha.
    #[inline]
    pub(super) fn plies(&self, depth: i32) -> i32 {
        i32::from(self.enabled() && depth >= self.depth_min && depth <= self.depth_max)
    }
}

impl InheritedLine {
    /// Whether the technique is used at this depth.
    #[inline]
    pub(super) fn applies(&self, depth: i32) -> bool {
        self.enabled() && depth >= self.depth_min
    }
}

impl Blending {
    /// An evaluation that is enough in quiescence.
    #[inline]
    pub(super) fn stood_pat(&self, value: Value, beta: Value) -> Value {
        self.blend(value, beta, self.stand_pat)
    }

    /// An evaluation that is enough in reverse futility.
    #[inline]
    pub(super) fn trusted(&self, value: Value, beta: Value) -> Value {
        self.blend(value, beta, self.reverse_futility)
    }

    /// A value above beta found by a search of this depth.
    #[inline]
    pub(super) fn searched(&self, value: Value, beta: Value, depth: i32) -> Value {
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

impl EvaluationHistory {
    /// Points of a quiet move from before which to after which its mover's evaluation, taken with the
    /// right to move each time, has risen by so many centipawns.
    #[inline]
    pub(super) fn bonus(&self, gained: Value) -> i32 {
        ((gained + self.tempo) * self.weight).clamp(-self.bonus_max, self.bonus_max)
    }
}

impl QuiescenceExchange {
    /// What a move must gain by exchanges to be tried, in a leaf where one that gains nothing may or may
    /// not lift the evaluation to alpha.
    #[inline]
    pub(super) fn threshold(&self, may_gain_nothing: bool) -> Value {
        if self.must_gain() && !may_gain_nothing { 1 } else { -self.margin }
    }
}

impl QuiescenceEvasions {
    /// Whether the quiet answer with this number, from 1, is left out.
    #[inline]
    pub(super) fn forbids(&self, number: i32) -> bool {
        self.enabled() && number > self.quiets_max
    }
}

impl ExtensionLimit {
    /// Whether moves may still be extended at this distance from the root.
    #[inline]
    pub(super) fn allows(&self, ply: usize, root_depth: i32) -> bool {
        (ply as i32) < self.ply_factor * root_depth
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::MATE;
    use super::*;

    #[test]
    fn an_evaluation_must_lead_by_more_where_the_line_of_best_play_went() {
        let mut margins = zeroed().reverse_futility;
        (margins.margin, margins.improving, margins.former_principal) = (60, 50, 200);
        let lead = |improving, was_principal| margins.lead(3, improving, was_principal);
        assert_eq!([lead(false, false), lead(true, false)], [180, 130]);
        assert_eq!([lead(false, true), lead(true, true)], [380, 330]);
    }

    /// The source's reduction: three plies, and one more for each seven of depth.
    #[test]
    fn a_pass_takes_a_share_of_the_depth() {
        let mut margins = zeroed().null_move;
        (margins.reduction_base, margins.depth_share, margins.evaluation_divisor) = (300, 143, 100);
        for depth in 1..60 {
            assert_eq!(margins.reduction(depth, 250), 3 + depth / 7, "depth {depth}");
        }
        (margins.evaluation_max, margins.depth_share) = (2, 0);
        assert_eq!(
            [0, 99, 100, 250, 900].map(|above| margins.reduction(9, above)),
            [3, 3, 4, 5, 5]
        );
    }

    /// Today's shares mean what the plain fractions meant.
    #[test]
    fn half_of_a_window_and_of_a_depth() {
        let mut margins: Margins = bytemuck::Zeroable::zeroed();
        margins.aspiration.upper_share = 50;
        margins.singular_extension.verification_share = 50;
        for (alpha, beta) in [(-3, 0), (-20, 13), (5, 8), (0, 0)] {
            let upper = margins.aspiration.upper_after_failing_low(alpha, beta);
            assert_eq!(upper, (alpha + beta) / 2);
        }
        for depth in 1..60 {
            let verification = margins.singular_extension.verification_depth(depth);
            assert_eq!(verification, (depth - 1) / 2);
        }
    }

    fn zeroed() -> Margins {
        bytemuck::Zeroable::zeroed()
    }

    #[test]
    fn the_more_alone_a_move_stands_the_deeper_it_is_searched() {
        let mut singular = zeroed().singular_extension;
        (singular.double_margin, singular.triple_margin) = (20, 100);
        (singular.double_max, singular.plies_max) = (6, 3);
        let plies = |below, doubles| singular.plies(below, doubles);
        assert_eq!([1, 20, 21, 120, 121].map(|below| plies(below, 0)), [1, 1, 2, 2, 3]);
        assert_eq!(plies(500, 6), 1, "the line has been extended enough");
        let limited = SingularExtension { plies_max: 2, ..singular };
        assert_eq!(limited.plies(500, 0), 2);
    }

    #[test]
    fn a_second_look_is_deeper_the_better_the_first_one_was() {
        let mut second = zeroed().second_look;
        (second.deeper_margin, second.shallower_margin) = (60, 12);
        assert_eq!([5, 12, 60, 61].map(|above| second.plies(above)), [0; 4], "off");
        second.enabled = Switch::ON;
        assert_eq!([5, 12, 60, 61].map(|above| second.plies(above)), [-1, 0, 0, 1]);
    }

    #[test]
    fn a_better_move_costs_the_others_a_ply_between_two_depths() {
        let mut raised = zeroed().raised_alpha;
        (raised.depth_min, raised.depth_max) = (3, 5);
        assert_eq!(raised.plies(4), 0, "off");
        raised.enabled = Switch::ON;
        assert_eq!([2, 3, 5, 6].map(|depth| raised.plies(depth)), [0, 1, 1, 0]);
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

    #[test]
    fn a_blended_bound_lies_between_itself_and_beta_and_leaves_mates_alone() {
        let mut blending = zeroed().blending;
        (blending.stand_pat, blending.search) = (50, 100);
        assert_eq!(blending.stood_pat(140, 100), 140, "off");
        blending.enabled = Switch::ON;
        assert_eq!(blending.stood_pat(140, 100), 120);
        assert_eq!(blending.searched(140, 100, 3), 130);
        assert_eq!(blending.searched(MATE - 5, 100, 3), MATE - 5);
        for depth in 1..40 {
            let value = blending.searched(140, 100, depth);
            assert!((100..=140).contains(&value) && value >= blending.searched(140, 100, 1));
        }
    }
}
