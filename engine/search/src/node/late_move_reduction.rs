//! Late-move reduction: moves late in the order must first show at less depth that they are good.
//!
//! A reduction has two parts. The base depends on depth, number and history of the move; it is known
//! before the move is searched, and pruning asks it as well. The full reduction adds the effects of the
//! node and of the move played. Both are in hundredths of a ply; the search rounds to plies.
//!
//! CITE: Tord Romstad, "An Introduction to Late Move Reductions" (2006).

use parameters::Switch;
use parameters::group;

use super::kinds::Kind;
use super::known::{Candidate, Node};
use crate::audit::Auditor;
use crate::audit::rule::{PruningRule, Unit};
use crate::{Game, Search};

group! {
    /// Late-move reduction: moves late in the order are searched less deeply until they prove good.
    LateMoveReduction {
        /// Late-move reduction on or off.
        enabled: Switch = true,
        /// Least depth left (plies).
        depth_min: i32 = 3 in 2..=6 step 1,
        /// First move that is reduced in zero-window nodes (number of the move).
        move_min: i32 in 2..=8 step 1,
        /// First move that is reduced in principal nodes (number of the move).
        principal_move_min: i32 = 3 in 2..=8 step 1,
        /// Constant part for quiet moves (hundredths of a ply).
        quiet_base: i32 = 80 in 0..=200 step 10,
        /// Divisor of ln(depth) · ln(move number) for quiet moves: the greater, the smaller the reduction
        /// (hundredths).
        quiet_divisor: i32 = 235 in 100..=500 step 20,
        /// Constant part for noisy moves (hundredths of a ply).
        noisy_base: i32 = 10 in -100..=150 step 10,
        /// The same divisor for noisy moves (hundredths).
        noisy_divisor: i32 = 335 in 100..=600 step 20,
        /// Less in principal nodes (hundredths of a ply).
        principal: i32 = 100 in 0..=250 step 15,
        /// More in cut nodes, where a beta cutoff is expected (hundredths of a ply).
        cut: i32 = 120 in 0..=300 step 15,
        /// More when the evaluation is not improving (hundredths of a ply).
        worsening: i32 = 60 in 0..=200 step 15,
        /// Less for killers (hundredths of a ply).
        killer: i32 = 100 in 0..=250 step 15,
        /// Less for moves that give check (hundredths of a ply).
        check: i32 = 80 in 0..=250 step 15,
        /// History points that make one ply less.
        history_divisor: i32 = 10000 in 2000..=30000 step 1000,
        /// Less in nodes that were once on the line of best play (hundredths of a ply).
        former_principal: i32 in 0..=250 step 15,
        /// More for quiet moves where the transposition table's move is noisy (hundredths of a ply).
        noisy_table_move: i32 = 60 in 0..=250 step 15,
        /// More where many nodes one ply below this node and its siblings have failed high (hundredths of
        /// a ply).
        many_cutoffs: i32 = 90 in 0..=250 step 15,
        /// Least count of such nodes.
        cutoffs_min: i32 = 4 in 1..=12 step 1,
        /// History points of a noisy move that make one ply less.
        noisy_history_divisor: i32 = 10000 in 2000..=60000 step 2000,
        /// Greatest change of the reduction by history, either way (hundredths of a ply).
        history_max: i32 = 1000 in 50..=1000 step 40,
        /// Share of history's part that counts in the reduction by which moves are pruned (percent).
        pruning_share: i32 = 100 in 0..=200 step 15,
    }
}

/// The base of a move's reduction, in hundredths of a ply.
#[derive(Clone, Copy)]
pub(crate) struct BaseReduction {
    /// The part for the search of the move.
    pub(crate) search: i32,
    /// The part for the pruning of the move, in which history counts by `pruning_share`.
    pub(crate) pruning: i32,
}

impl LateMoveReduction {
    /// Whether the `count`th move of a node is reduced.
    #[inline]
    pub(crate) fn applies(&self, principal: bool, depth: i32, count: usize) -> bool {
        let first = if principal { self.principal_move_min } else { self.move_min };
        self.enabled() && depth >= self.depth_min && count >= first as usize
    }

    /// The base reduction of the `count`th move, with these points of history: good history makes it
    /// less. `reductions` must have been made for these margins ([`Reductions::suit`]).
    #[inline]
    pub(crate) fn base_reduction(
        &self,
        reductions: &Reductions,
        noisy: bool,
        depth: i32,
        count: usize,
        history: i32,
    ) -> BaseReduction {
        let divisor = if noisy { self.noisy_history_divisor } else { self.history_divisor };
        let by_order = reductions.of(noisy, depth, count);
        let less = (history * 100 / divisor).clamp(-self.history_max, self.history_max);
        BaseReduction {
            search: by_order - less,
            pruning: by_order - less * self.pruning_share / 100,
        }
    }

    /// Constant part and divisor, of quiet moves first and of noisy ones second.
    fn curves(&self) -> [[i32; 2]; 2] {
        [[self.quiet_base, self.quiet_divisor], [self.noisy_base, self.noisy_divisor]]
    }
}

/// Depths, and numbers of moves, that reductions tell apart: 0 to 63. Greater ones count as 63.
const STEPS: usize = 64;

/// Logarithms are kept as whole numbers, in parts of one: this is how many parts one has.
const LOGARITHM_SCALE: i32 = 1024;

/// Reductions by depth and number of the move, before history. They are computed in advance, since
/// each takes two divisions and every move asks.
pub(crate) struct Reductions {
    /// The [`LateMoveReduction::curves`] that the values were computed from.
    curves: [[i32; 2]; 2],
    /// Hundredths of a ply by kind of move (quiet, noisy), depth and number of the move.
    hundredths: Box<[[[i16; STEPS]; STEPS]; 2]>,
}

impl Reductions {
    /// Values that suit no margins yet: see [`Reductions::suit`].
    pub(crate) fn new() -> Reductions {
        Reductions { curves: [[0; 2]; 2], hundredths: Box::new([[[0; STEPS]; STEPS]; 2]) }
    }

    /// Computes the values for these margins, unless they are those of the last call.
    pub(crate) fn suit(&mut self, margins: &LateMoveReduction) {
        let curves = margins.curves();
        if self.curves == curves {
            return;
        }
        self.curves = curves;
        let logarithms = logarithms();
        for (by_depth, [base, divisor]) in self.hundredths.iter_mut().zip(curves) {
            for (depth, by_count) in by_depth.iter_mut().enumerate() {
                for (count, entry) in by_count.iter_mut().enumerate() {
                    let product = logarithms[depth] * logarithms[count] / LOGARITHM_SCALE;
                    // 10,000 is 100 times 100: the result is in hundredths of a ply, and the divisor
                    // is in hundredths as well.
                    *entry = (base + product * 10_000 / divisor.max(1) / LOGARITHM_SCALE) as i16;
                }
            }
        }
    }

    /// Hundredths of a ply for the `count`th move of a node.
    #[inline]
    fn of(&self, noisy: bool, depth: i32, count: usize) -> i32 {
        let depth = (depth as usize).min(STEPS - 1);
        self.hundredths[usize::from(noisy)][depth][count.min(STEPS - 1)].into()
    }
}

/// Natural logarithms of the numbers below [`STEPS`], times [`LOGARITHM_SCALE`]; 0 for zero.
fn logarithms() -> [i32; STEPS] {
    let mut logarithms = [0; STEPS];
    for (number, entry) in logarithms.iter_mut().enumerate().skip(1) {
        *entry = ((number as f64).ln() * f64::from(LOGARITHM_SCALE)).round() as i32;
    }
    logarithms
}

/// The reduction of the move; its lead are the plies that remain of it.
pub(super) const RULE: PruningRule = PruningRule {
    name: "late_move_reduction",
    unit: Unit::Reduction,
    depth: |seen| seen.depth,
    gap: |_, seen| (seen.base_reduction, seen.base_reduction - seen.plies),
    priced: None,
};

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// The full reduction of the move just played, in hundredths of a ply: the base with the effects of
    /// the node and of the move.
    #[inline(always)]
    pub(super) fn full_reduction<K: Kind>(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        is_killer: bool,
        gives_check: bool,
    ) -> i32 {
        let late_move = &self.margins.late_move_reduction;
        let mut reduction = candidate.base_reduction;
        reduction -= i32::from(K::PRINCIPAL) * late_move.principal;
        reduction -= i32::from(node.tt_pv) * late_move.former_principal;
        reduction += i32::from(node.cut_node) * late_move.cut;
        reduction += i32::from(!node.improving) * late_move.worsening;
        reduction -= i32::from(is_killer) * late_move.killer;
        reduction -= i32::from(gives_check) * late_move.check;
        if node.table_move_is_noisy && !candidate.noisy {
            reduction += late_move.noisy_table_move;
        }
        // Nodes one ply below this node and its siblings that failed high so far: where the opponent's
        // answers refute that often, this move will hardly do better.
        if self.frame(node.ply + 1).cutoffs >= late_move.cutoffs_min {
            reduction += late_move.many_cutoffs;
        }
        reduction
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Margins;

    fn zeroed() -> LateMoveReduction {
        let margins: Margins = bytemuck::Zeroable::zeroed();
        margins.late_move_reduction
    }

    #[test]
    fn reductions_follow_the_logarithms() {
        let mut margins = zeroed();
        margins.quiet_base = 80;
        margins.quiet_divisor = 235;
        margins.history_divisor = 10_000;
        margins.noisy_base = -20;
        margins.noisy_divisor = 400;
        margins.noisy_history_divisor = 20_000;
        let mut reductions = Reductions::new();
        reductions.suit(&margins);
        margins.history_max = 200;
        let reduction = |depth, count, history| {
            margins.base_reduction(&reductions, false, depth, count, history).search
        };
        assert_eq!(reduction(1, 40, 0), 80);
        // 0.80 + ln(10) · ln(20) / 2.35 = 3.735
        assert!((reduction(10, 20, 0) - 373).abs() <= 1, "{}", reduction(10, 20, 0));
        assert_eq!(reduction(10, 20, 5_000), reduction(10, 20, 0) - 50);
        assert_eq!(reduction(10, 20, -30_000), reduction(10, 20, 0) + 200, "no more than that");
        // -0.20 + 6.898 / 4 = 1.525, less half of what a quiet move has for its points
        let noisy = margins.base_reduction(&reductions, true, 10, 20, 5_000).search;
        assert!((noisy - 127).abs() <= 1, "{noisy}");
    }

    #[test]
    fn history_counts_for_pruning_by_its_share() {
        let mut margins = zeroed();
        (margins.quiet_divisor, margins.noisy_divisor) = (200, 200);
        (margins.history_divisor, margins.noisy_history_divisor) = (10_000, 10_000);
        (margins.history_max, margins.pruning_share) = (300, 40);
        let mut reductions = Reductions::new();
        reductions.suit(&margins);
        let of = |history| {
            let base = margins.base_reduction(&reductions, false, 8, 8, history);
            (base.search, base.pruning)
        };
        let (plain, pruning) = of(0);
        assert_eq!(plain, pruning);
        assert_eq!(of(-10_000), (plain + 100, plain + 40));
        assert_eq!(of(90_000), (plain - 300, plain - 120));
    }

    #[test]
    fn reductions_become_those_of_other_margins() {
        let mut margins = zeroed();
        (margins.quiet_divisor, margins.noisy_divisor) = (200, 200);
        (margins.history_divisor, margins.noisy_history_divisor) = (10_000, 10_000);
        let mut reductions = Reductions::new();
        for (quiet_base, noisy_base) in [(30, 70), (40, 70), (40, 80)] {
            (margins.quiet_base, margins.noisy_base) = (quiet_base, noisy_base);
            reductions.suit(&margins);
            let found = [false, true]
                .map(|noisy| margins.base_reduction(&reductions, noisy, 1, 9, 0).search);
            assert_eq!(found, [quiet_base, noisy_base]);
        }
    }
}
