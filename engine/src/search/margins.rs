//! The search's margins and switches, one group per technique in the order in which a node meets
//! them, and what they say about a node, so that the search itself reads without arithmetic. What
//! those of histories and time say stands in `history.rs` and `time.rs`.

use super::value::Value;
use crate::parameters::Switch;
use crate::parameters::declare::numbers;

numbers! {
    /// Every search margin and switch.
    table Margins;

    /// Aspiration: search a narrow window around the last iteration's score first.
    group aspiration: Aspiration {
        /// Aspiration windows on or off.
        enabled: Switch,
        /// First depth with a narrow window (plies).
        depth_min: i32 in 2..=12 step 1,
        /// Half width of the first window (centipawns).
        margin: i32 in 4..=100 step 4,
        /// Growth of the window after each failure (percent).
        growth: i32 in 10..=300 step 20,
        /// Half width from which on the side that failed is opened wholly (centipawns).
        margin_max: i32 in 100..=4000 step 100,
        /// New upper end after a failure below, from the old lower end (0) to the old upper end
        /// (100) (percent).
        upper_share: i32 in 0..=100 step 5,
    }

    /// Mate-distance pruning: no line longer than a mate already found is of interest.
    group mate_distance: MateDistance {
        /// Mate-distance pruning on or off.
        enabled: Switch,
    }

    /// Transposition table: results of positions met before are remembered.
    group table: TableMargins {
        /// The table on or off.
        enabled: Switch,
        /// Depth that a result counts less for each search since it was found, when one must give
        /// way (plies).
        ageing: i32 in 0..=32 step 1,
        /// How much shallower than the result that is there a new bound of the same search may be
        /// and still replace it (plies).
        depth_margin: i32 in 0..=32 step 1,
    }

    /// Table cutoffs: a remembered result that is deep enough ends a zero-window node.
    group table_cutoff: TableCutoff {
        /// Table cutoffs on or off.
        enabled: Switch,
    }

    /// Correction history: the evaluation is corrected by its past errors in similar positions.
    group correction_history: CorrectionHistory {
        /// Correction history on or off.
        enabled: Switch,
        /// Share of the error by pawn structure that is applied (percent).
        pawn_weight: i32 in 0..=200 step 10,
        /// Share of the error by each side's pieces that is applied (percent).
        non_pawn_weight: i32 in 0..=200 step 10,
        /// Greatest error that is remembered (centipawns).
        limit: i32 in 16..=255 step 16,
        /// Greatest weight of a new error; below it, one more than the depth it was found at
        /// (parts of the divisor).
        learning_max: i32 in 1..=64 step 2,
        /// Weight of all errors together, the new one and those remembered (parts).
        learning_divisor: i32 in 64..=1024 step 32,
    }

    /// Reverse futility: a node whose evaluation is far above beta is cut without a search.
    group reverse_futility: ReverseFutility {
        /// Reverse futility on or off.
        enabled: Switch,
        /// Greatest depth left (plies).
        depth_max: i32 in 1..=16 step 1,
        /// How far above beta the evaluation must be, per ply of depth left (centipawns).
        margin: i32 in 20..=200 step 8,
        /// How much less suffices when the evaluation is improving (centipawns).
        improving: i32 in 0..=200 step 8,
    }

    /// Razoring: a node whose evaluation is hopelessly below alpha is left to quiescence.
    group razoring: Razoring {
        /// Razoring on or off.
        enabled: Switch,
        /// Greatest depth left (plies).
        depth_max: i32 in 1..=8 step 1,
        /// How far below alpha the evaluation must be (centipawns).
        base: i32 in 0..=600 step 25,
        /// How much further below per ply of depth left (centipawns).
        margin: i32 in 50..=600 step 25,
    }

    /// Null move: a node that stays above beta even if the mover passes is cut.
    group null_move: NullMove {
        /// Null move on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 1..=8 step 1,
        /// Reduction of the search after the pass (plies).
        reduction_base: i32 in 1..=6 step 1,
        /// Depth left per further ply of reduction (plies).
        depth_divisor: i32 in 2..=8 step 1,
        /// Evaluation above beta per further ply of reduction (centipawns).
        evaluation_divisor: i32 in 50..=500 step 25,
        /// Greatest reduction for evaluation above beta (plies).
        evaluation_max: i32 in 0..=6 step 1,
    }

    /// Internal reduction: a node without a table move is searched less deeply, to find that move
    /// first.
    group internal_reduction: InternalReduction {
        /// Internal reduction on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 2..=10 step 1,
        /// How much less deeply (plies).
        plies: i32 in 1..=4 step 1,
    }

    /// Late-move pruning: after many quiet moves without success the rest is skipped.
    group late_move_pruning: LateMovePruning {
        /// Late-move pruning on or off.
        enabled: Switch,
        /// Greatest depth left (plies).
        depth_max: i32 in 1..=16 step 1,
        /// Moves always tried.
        base: i32 in 1..=12 step 1,
        /// Further moves per squared ply of depth left (hundredths of a move).
        margin: i32 in 20..=300 step 15,
        /// Share of these moves that is tried when the evaluation is not improving (percent).
        worsening_share: i32 in 10..=100 step 5,
    }

    /// Futility: quiet moves are skipped when the evaluation is too far below alpha for them to
    /// matter.
    group futility: Futility {
        /// Futility on or off.
        enabled: Switch,
        /// Greatest depth left after reduction (plies).
        depth_max: i32 in 1..=16 step 1,
        /// How far below alpha the evaluation must be (centipawns).
        base: i32 in 0..=300 step 15,
        /// How much further below per ply of depth left after reduction (centipawns).
        margin: i32 in 20..=250 step 10,
    }

    /// History pruning: quiet moves that failed nearly always before are skipped.
    group history_pruning: HistoryPruning {
        /// History pruning on or off.
        enabled: Switch,
        /// Greatest depth left after reduction (plies).
        depth_max: i32 in 1..=10 step 1,
        /// How bad the history must be, per ply of depth left after reduction (points).
        margin: i32 in 500..=10000 step 500,
    }

    /// Exchange pruning: moves that lose too much material by exchanges are skipped.
    group exchange_pruning: ExchangePruning {
        /// Exchange pruning on or off.
        enabled: Switch,
        /// Greatest depth left (plies).
        depth_max: i32 in 1..=16 step 1,
        /// Loss allowed to a quiet move per ply of depth left after reduction (centipawns).
        quiet_margin: i32 in 10..=200 step 10,
        /// Loss allowed to a noisy move per ply of depth left (centipawns).
        noisy_margin: i32 in 10..=300 step 10,
    }

    /// Singular extension: a table move far better than all others is searched deeper.
    group singular_extension: SingularExtension {
        /// Singular extension on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 4..=14 step 1,
        /// How much shallower than the node the table's result may be (plies).
        table_depth_margin: i32 in 0..=8 step 1,
        /// How far below the table value all others must stay, per ply of depth (hundredths of a
        /// centipawn).
        margin: i32 in 20..=600 step 25,
        /// Depth at which the others are searched, as a share of the depth after a move (percent).
        verification_share: i32 in 20..=80 step 5,
        /// How much further below for a second ply of extension (centipawns).
        double_margin: i32 in 0..=100 step 5,
        /// How much less deeply a table move is searched that fails high and is not alone in it
        /// (plies).
        reduction: i32 in 0..=3 step 1,
    }

    /// Check extension: a move that gives check is searched one ply deeper.
    group check_extension: CheckExtension {
        /// Check extension on or off.
        enabled: Switch,
    }

    /// Limit of extensions: far beyond the depth asked for, no line grows longer.
    group extension_limit: ExtensionLimit {
        /// Plies from the root up to which moves are extended, per ply of the iteration's depth.
        ply_factor: i32 in 1..=4 step 1,
    }

    /// Late-move reduction: moves late in the order are searched less deeply until they prove good.
    group late_move_reduction: LateMoveReduction {
        /// Late-move reduction on or off.
        enabled: Switch,
        /// Least depth left (plies).
        depth_min: i32 in 2..=6 step 1,
        /// First move that is reduced in zero-window nodes (number of the move).
        move_min: i32 in 2..=8 step 1,
        /// First move that is reduced in principal nodes (number of the move).
        principal_move_min: i32 in 2..=8 step 1,
        /// Constant part for quiet moves (hundredths of a ply).
        quiet_base: i32 in 0..=200 step 10,
        /// ln(depth) · ln(move number) per ply of reduction of quiet moves (hundredths).
        quiet_divisor: i32 in 100..=500 step 20,
        /// Constant part for noisy moves (hundredths of a ply).
        noisy_base: i32 in -100..=150 step 10,
        /// ln(depth) · ln(move number) per ply of reduction of noisy moves (hundredths).
        noisy_divisor: i32 in 100..=600 step 20,
        /// Less in principal nodes (hundredths of a ply).
        principal: i32 in 0..=250 step 15,
        /// More where a cutoff is expected (hundredths of a ply).
        cut: i32 in 0..=300 step 15,
        /// More when the evaluation is not improving (hundredths of a ply).
        worsening: i32 in 0..=200 step 15,
        /// Less for killers and counter moves (hundredths of a ply).
        killer: i32 in 0..=250 step 15,
        /// Less for moves that give check (hundredths of a ply).
        check: i32 in 0..=250 step 15,
        /// History points that make one ply less.
        history_divisor: i32 in 2000..=30000 step 1000,
    }

    /// Killers: quiet moves that refuted a sibling are tried early.
    group killer: Killer {
        /// Killers on or off.
        enabled: Switch,
    }

    /// Counter move: the quiet move that last refuted the opponent's move is tried early.
    group counter_move: CounterMove {
        /// Counter moves on or off.
        enabled: Switch,
    }

    /// Quiet history: quiet moves are ordered by their success anywhere in the tree.
    group quiet_history: QuietHistory {
        /// Quiet history on or off.
        enabled: Switch,
    }

    /// Capture history: noisy moves are ordered by their success as well as by gain.
    group capture_history: CaptureHistory {
        /// Capture history on or off.
        enabled: Switch,
    }

    /// Continuation history: quiet moves are ordered by their success after the moves one, two and
    /// four plies before.
    group continuation_history: ContinuationHistory {
        /// Continuation history on or off.
        enabled: Switch,
    }

    /// What all histories learn from a move that refutes its node.
    group history: History {
        /// Bonus for a success, per ply of depth left (points).
        bonus_margin: i32 in 20..=500 step 20,
        /// What is taken off the bonus (points).
        bonus_base: i32 in 0..=400 step 20,
        /// Greatest bonus (points).
        bonus_max: i32 in 400..=4000 step 150,
        /// Penalty for moves tried before the successful one, as a share of its bonus (percent).
        penalty: i32 in 20..=200 step 10,
    }

    /// Order of noisy moves.
    group ordering: Ordering {
        /// Weight of a centipawn of gain against a point of capture history (points).
        gain_weight: i32 in 1..=100 step 4,
        /// Loss by exchanges that still counts as a good move (centipawns).
        exchange_margin: i32 in 0..=200 step 10,
    }

    /// Quiescence: leaves are searched on until no noisy move helps; off, they are just evaluated.
    group quiescence: Quiescence {
        /// Quiescence on or off.
        enabled: Switch,
    }

    /// Quiescence exchange: noisy moves that lose material by exchanges are skipped.
    group quiescence_exchange: QuiescenceExchange {
        /// Exchange pruning in quiescence on or off.
        enabled: Switch,
        /// Loss by exchanges that is still tried (centipawns).
        margin: i32 in 0..=200 step 10,
    }

    /// Quiescence futility: noisy moves that cannot lift the evaluation to alpha are skipped.
    group quiescence_futility: QuiescenceFutility {
        /// Futility in quiescence on or off.
        enabled: Switch,
        /// What a move may bring beyond its material gain (centipawns).
        margin: i32 in 20..=500 step 20,
    }

    /// Time: the share of the clock for one move.
    group time: Time {
        /// Moves for which the clock must last when the game does not say (moves).
        horizon: i32 in 10..=80 step 4,
        /// Part of the coming increments that is counted on; the rest stays as a reserve (percent).
        increment_share: i32 in 0..=100 step 5,
        /// Moves beyond the coming ones whose overhead is kept in reserve (moves).
        overhead_reserve: i32 in 0..=10 step 1,
        /// Usual share of the fair portion of the clock (percent).
        soft_share: i32 in 30..=200 step 10,
        /// Most that one move may take, in usual shares (percent).
        hard_share: i32 in 100..=1000 step 50,
        /// Most of the remaining clock that one move may take (percent).
        clock_share: i32 in 10..=90 step 5,
    }

    /// Stability: an answer that has stayed the same for several iterations saves time.
    group time_stability: TimeStability {
        /// Saving by stability on or off.
        enabled: Switch,
        /// Saving per iteration in which the answer stayed the same (percent of the usual share).
        margin: i32 in 0..=15 step 1,
        /// Iterations that neither save nor cost time; an answer that stayed for fewer costs more.
        iterations_neutral: i32 in 0..=10 step 1,
        /// Iterations after which more of them save nothing more.
        iterations_max: i32 in 2..=20 step 1,
    }

    /// Node share: an answer that took most of the nodes saves time, one that took few costs more.
    group time_node_share: TimeNodeShare {
        /// Saving by node share on or off.
        enabled: Switch,
        /// Usual share used by an answer that took no node at all (percent).
        base: i32 in 100..=300 step 15,
        /// How much less for an answer that took all nodes (percent).
        margin: i32 in 0..=200 step 10,
        /// Least of the usual share that is used (percent).
        least: i32 in 1..=100 step 5,
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
    pub(super) fn lead(&self, depth: i32, improving: bool) -> Value {
        self.margin * depth - i32::from(improving) * self.improving
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
        self.reduction_base
            + depth / self.depth_divisor
            + (above_beta / self.evaluation_divisor).min(self.evaluation_max)
    }
}

impl InternalReduction {
    /// The depth of a node that has no table move.
    #[inline]
    pub(super) fn depth(&self, depth: i32) -> i32 {
        let applies = self.enabled() && depth >= self.depth_min;
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
    pub(super) fn target(&self, table_value: Value, depth: i32) -> Value {
        table_value - self.margin * depth / 100
    }

    /// The depth at which the other moves are searched.
    #[inline]
    pub(super) fn verification_depth(&self, depth: i32) -> i32 {
        (depth - 1) * self.verification_share / 100
    }
}

impl ExtensionLimit {
    /// Whether moves may still be extended at this distance from the root.
    #[inline]
    pub(super) fn allows(&self, ply: usize, root_depth: i32) -> bool {
        (ply as i32) < self.ply_factor * root_depth
    }
}

impl LateMoveReduction {
    /// Whether the `count`th move of a node is reduced.
    #[inline]
    pub(super) fn applies(&self, principal: bool, depth: i32, count: usize) -> bool {
        let first = if principal { self.principal_move_min } else { self.move_min };
        self.enabled() && depth >= self.depth_min && count >= first as usize
    }

    /// Reduction of the `count`th move, with these points of history, before what depends on its
    /// effect; in hundredths of a ply.
    #[inline]
    pub(super) fn reduction(
        &self,
        logarithms: &Logarithms,
        noisy: bool,
        depth: i32,
        count: usize,
        history: i32,
    ) -> i32 {
        let (base, divisor) = if noisy {
            (self.noisy_base, self.noisy_divisor)
        } else {
            (self.quiet_base, self.quiet_divisor)
        };
        base + logarithms.product(depth, count) * 10_000 / divisor / ONE
            - history * 100 / self.history_divisor
    }
}

/// Fixed-point one of the logarithm table.
const ONE: i32 = 1024;
const LOGARITHMS: usize = 64;

/// Natural logarithms of small integers, from which reductions are made.
pub(super) struct Logarithms([i32; LOGARITHMS]);

impl Logarithms {
    pub(super) fn new() -> Logarithms {
        let mut table = [0; LOGARITHMS];
        for (number, entry) in table.iter_mut().enumerate().skip(1) {
            *entry = ((number as f64).ln() * f64::from(ONE)).round() as i32;
        }
        Logarithms(table)
    }

    /// ln(depth) · ln(count), where one is [`ONE`].
    #[inline]
    fn product(&self, depth: i32, count: usize) -> i32 {
        let depth = (depth as usize).min(LOGARITHMS - 1);
        self.0[depth] * self.0[count.min(LOGARITHMS - 1)] / ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_follow_the_logarithms() {
        let mut margins: Margins = bytemuck::Zeroable::zeroed();
        margins.late_move_reduction.quiet_base = 80;
        margins.late_move_reduction.quiet_divisor = 235;
        margins.late_move_reduction.history_divisor = 10_000;
        let logarithms = Logarithms::new();
        let reduction = |depth, count, history| {
            margins.late_move_reduction.reduction(&logarithms, false, depth, count, history)
        };
        assert_eq!(reduction(1, 40, 0), 80);
        // 0.80 + ln(10) · ln(20) / 2.35 = 3.735
        assert!((reduction(10, 20, 0) - 373).abs() <= 1, "{}", reduction(10, 20, 0));
        assert_eq!(reduction(10, 20, 5_000), reduction(10, 20, 0) - 50);
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
}
