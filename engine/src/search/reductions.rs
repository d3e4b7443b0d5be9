//! The margins as functions of a node, so that the search itself reads without arithmetic.

use super::value::Value;
use crate::parameters::Margins;

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

    /// Late-move reduction of the `count`th move before adjustments, in hundredths of a ply.
    #[inline]
    pub(super) fn reduction(
        &self,
        margins: &Margins,
        noisy: bool,
        depth: i32,
        count: usize,
    ) -> i32 {
        let (base, divisor) = if noisy {
            (margins.late_move_reduction_noisy_base, margins.late_move_reduction_noisy_divisor)
        } else {
            (margins.late_move_reduction_quiet_base, margins.late_move_reduction_quiet_divisor)
        };
        let depth = (depth as usize).min(LOGARITHMS - 1);
        let product = self.0[depth] * self.0[count.min(LOGARITHMS - 1)] / ONE;
        base + product * 10_000 / divisor / ONE
    }
}

/// How far above beta an evaluation must be to be trusted without a search.
#[inline]
pub(super) fn reverse_futility(margins: &Margins, depth: i32, improving: bool) -> Value {
    margins.reverse_futility_margin * depth
        - i32::from(improving) * margins.reverse_futility_improving
}

/// How far below alpha an evaluation must be to be given up.
#[inline]
pub(super) fn razoring(margins: &Margins, depth: i32) -> Value {
    margins.razoring_base + margins.razoring_margin * depth
}

/// Plies taken off the search after a pass.
#[inline]
pub(super) fn null_move(margins: &Margins, depth: i32, above_beta: Value) -> i32 {
    margins.null_move_reduction_base
        + depth / margins.null_move_depth_divisor
        + (above_beta / margins.null_move_evaluation_divisor).min(margins.null_move_evaluation_max)
}

/// Number of moves after which a node's remaining quiet moves are skipped.
#[inline]
pub(super) fn late_moves(margins: &Margins, depth: i32, improving: bool) -> usize {
    let moves =
        margins.late_move_pruning_base + margins.late_move_pruning_margin * depth * depth / 100;
    (if improving { moves } else { moves / 2 }).max(1) as usize
}

/// What a quiet move is thought to bring at most.
#[inline]
pub(super) fn futility(margins: &Margins, depth: i32) -> Value {
    margins.futility_base + margins.futility_margin * depth
}

/// The material a move may lose by exchanges, as a negative threshold.
#[inline]
pub(super) fn exchange(margins: &Margins, noisy: bool, depth: i32, reduced_depth: i32) -> Value {
    if noisy {
        -margins.exchange_pruning_noisy_margin * depth
    } else {
        -margins.exchange_pruning_quiet_margin * reduced_depth.max(1)
    }
}

/// History points for success at this depth.
#[inline]
pub(super) fn history_bonus(margins: &Margins, depth: i32) -> i32 {
    (margins.history_bonus_margin * depth - margins.history_bonus_base)
        .clamp(0, margins.history_bonus_max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_follow_the_logarithms() {
        let mut margins: Margins = bytemuck::Zeroable::zeroed();
        margins.late_move_reduction_quiet_base = 80;
        margins.late_move_reduction_quiet_divisor = 235;
        let logarithms = Logarithms::new();
        assert_eq!(logarithms.reduction(&margins, false, 1, 40), 80);
        // 0.80 + ln(10) · ln(20) / 2.35 = 3.735
        let reduction = logarithms.reduction(&margins, false, 10, 20);
        assert!((reduction - 373).abs() <= 1, "{reduction}");
    }
}
