//! Extensions search deeper where something happens that the nominal depth would not see to its end.
//! A ply more costs some twenty times the nodes, so each reason must be rare.

pub(crate) mod captures;
pub(crate) mod check;
pub(crate) mod fractional;
pub(crate) mod king_safety;
pub(crate) mod pawn;
pub(crate) mod queen_approach;
pub(crate) mod recapture;
pub(crate) mod score_change;
pub(crate) mod single_reply;

use crate::prelude::*;

group! {
    /// Limit of extensions: far beyond the depth asked for, no line grows longer (Kornilov p. 108).
    ExtensionLimit, sound {
        /// Plies from the root up to which moves are extended, per ply of the iteration's depth.
        ply_factor: i32 = 2 in 1..=4 step 1,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// Whether lines may still grow at this distance from the root.
    pub(crate) fn may_extend(&self, ply: usize) -> bool {
        (ply as i32) < self.methods.extension_limit.ply_factor * self.root_depth
    }

    /// By how many plies the move just played is searched deeper: as many as its strongest reason
    /// says. `pressure` is that on the opponent's king before the move.
    pub(crate) fn extension(&mut self, node: &Node<G::Move>, pressure: i32) -> i32 {
        let (methods, ply) = (self.methods, node.ply);
        let Some(&step) = self.step(1) else { return 0 };
        let is_recapture = self.is_recapture();
        let fraction = methods.fractional_extension.quarters(&step, is_recapture);
        let reasons = [
            methods.check_extension.plies(&step),
            methods.recapture_extension.plies(is_recapture),
            methods.capture_extension.plies(&step, ply),
            methods.pawn_extension.plies(&step),
            methods.queen_approach.plies(&step, ply, self.root_depth),
            self.king_safety(&step, pressure),
            self.score_change(node, &step),
            (step.quarters + fraction) / 4 - step.quarters / 4,
        ];
        let strongest = reasons.into_iter().fold(0, i32::max);
        let extension = if self.may_extend(ply) { strongest } else { 0 };
        if let Some(step) = self.path.last_mut() {
            step.extension = extension;
            step.quarters += fraction;
        }
        extension
    }
}
