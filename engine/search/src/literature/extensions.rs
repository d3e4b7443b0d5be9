//! Extensions of single moves as the literature has them, and the reduced computation of moves that
//! promise nothing.
//!
//! SOURCE: E. N. Kornilov, *Programming Chess and Other Logic Games* (in Russian, 2005), pp. 107-115,
//! and after p. 142 on reduced computation.

use crate::audit::Auditor;
use crate::game::MoveTraits;
use crate::literature::Marks;
use crate::literature::margins::{CaptureExtension, FractionalExtension};
use crate::node::kinds::ZeroWindow;
use crate::node::known::{Candidate, Node};
use crate::value::{UNKNOWN, Value, is_decided};
use crate::{BEFORE_ROOT, Game, Search};

/// What is known of a move before it is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Prospects {
    /// Plies by which it is to be searched deeper.
    plies: i32,
    gives_check: bool,
    great_gain: bool,
    /// The line's reasons to search deeper, with its own, in quarters of a ply.
    quarters: i32,
    /// Attacked squares around the opponent's king.
    pressure: i32,
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// What a move promises before it is played.
    #[cold]
    #[inline(never)]
    pub(crate) fn prospects(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
    ) -> Prospects {
        let margins = self.margins;
        let ply = node.ply;
        let traits = self.game.traits(candidate.mv);
        let before = &self.stack[BEFORE_ROOT + ply - 1];
        // What happened before the root is not known: its captures are not taken for recaptures.
        let follows_noisy = ply > 0 && before.quiet.is_none();
        let is_recapture = candidate.noisy && traits.takes_last_mover && follows_noisy;
        let captures = &margins.capture_extension;
        let gives_check = self.game.gives_check(candidate.mv);
        let gathered = before.marks.quarters;
        let fraction = &margins.fractional_extension;
        let quarters = gathered + fraction.quarters(gives_check, is_recapture, &traits);
        let approach = &margins.queen_approach;
        let approaches = traits.approach <= approach.distance_max
            && ply as i32 <= self.root_depth + approach.plies_over;
        let reasons = [
            margins.recapture_extension.enabled() && is_recapture,
            captures.enabled() && captures.is_great(traits.prize, ply),
            margins.pawn_extension.enabled() && traits.reaches_seventh,
            approach.enabled() && approaches,
        ];
        Prospects {
            plies: i32::from(reasons.contains(&true)).max(quarters / 4 - gathered / 4),
            gives_check,
            great_gain: captures.is_great(traits.gain_step(), ply),
            quarters,
            pressure: self.game.king_pressure(1 - self.game.mover()),
        }
    }

    /// By how many plies the move just played is searched deeper, if so far it is by `extension`.
    /// Remembers it for those who look back.
    #[cold]
    #[inline(never)]
    pub(crate) fn classic_extension(
        &mut self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        prospects: &Prospects,
        extension: i32,
    ) -> i32 {
        let margins = self.margins;
        let mut plies = prospects.plies;
        if !candidate.noisy && !prospects.gives_check {
            let safety = &margins.king_safety_extension;
            let more = self.game.king_pressure(self.game.mover()) - prospects.pressure;
            if safety.enabled() && more >= safety.squares_min {
                plies = plies.max(1);
            }
            let change = &margins.score_change_extension;
            let known = self.frame(node.ply).static_eval;
            if change.enabled()
                && known != UNKNOWN
                && (known + self.evaluate()).abs() >= change.margin
            {
                plies = plies.max(1);
            }
        }
        let allowed = margins.extension_limit.allows(node.ply, self.root_depth);
        let extension = if allowed && plies > 0 { extension.max(plies) } else { extension };
        self.frame_mut(node.ply).marks = Marks {
            extended: extension > 0,
            forcing: extension > 0 || candidate.noisy || prospects.gives_check,
            great_gain: prospects.great_gain,
            at_trusted: node.trusted,
            quarters: prospects.quarters,
        };
        extension
    }

    /// LazyEval: the value of the move just played if the evaluation after it, and then a shallower
    /// search, leave it below alpha. Never within another such search.
    #[cold]
    #[inline(never)]
    pub(crate) fn reduced_computation(
        &mut self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        depth: i32,
        alpha: Value,
    ) -> Option<Value> {
        let margins = self.margins.lazy_eval;
        let calm = !self.frame(node.ply).marks.forcing && !node.in_check && !node.trusted;
        if !margins.enabled() || self.in_reduced || !calm || candidate.count == 1 {
            return None;
        }
        if is_decided(alpha) || -self.evaluate() + margins.margin > alpha {
            return None;
        }
        self.in_reduced = true;
        let less = depth - margins.plies;
        let value = -self.node::<ZeroWindow>(-alpha - 1, -alpha, less, node.ply + 1, true);
        self.in_reduced = false;
        (value <= alpha || self.stopped).then_some(value)
    }

    /// What methods that look back see of a move that they were not asked about, as a pass.
    #[cold]
    #[inline(never)]
    pub(crate) fn clear_marks(&mut self, ply: usize) {
        let quarters = self.stack[BEFORE_ROOT + ply - 1].marks.quarters;
        self.frame_mut(ply).marks = Marks { quarters, ..Marks::default() };
    }
}

impl CaptureExtension {
    /// Whether a capture of this prize is great enough at this ply: any one first, then one step more
    /// each ply, and none in the end.
    fn is_great(&self, prize: i32, ply: usize) -> bool {
        let least = (ply as i32 - self.pawn_plies + 2).max(1);
        prize >= least
    }
}

impl FractionalExtension {
    /// The reasons that a move has, in quarters of a ply.
    fn quarters(&self, gives_check: bool, is_recapture: bool, traits: &MoveTraits) -> i32 {
        if !self.enabled() {
            return 0;
        }
        i32::from(gives_check) * self.check
            + i32::from(is_recapture) * self.exchange
            + i32::from(traits.reaches_seventh) * self.pawn
    }
}

#[cfg(test)]
mod tests {
    use parameters::Switch;

    use super::*;
    use crate::Margins;

    fn zeroed() -> Margins {
        bytemuck::Zeroable::zeroed()
    }

    /// The source's table: a pawn for plies 0 to 5, a bishop for 6, a rook for 7, a queen for 8.
    #[test]
    fn captures_must_be_the_greater_the_farther_from_the_root() {
        let mut captures = zeroed().capture_extension;
        captures.pawn_plies = 6;
        let least = |ply| (1..=5).find(|&prize| captures.is_great(prize, ply)).expect("a prize");
        assert_eq!([0, 5, 6, 7, 8, 9].map(least), [1, 1, 2, 3, 4, 5]);
        assert!(!captures.is_great(0, 0), "no capture at all");
        let promotion = MoveTraits { promotes: true, ..MoveTraits::NONE };
        assert!(captures.is_great(promotion.gain_step(), 8), "as much as a queen");
    }

    #[test]
    fn four_exchanges_are_three_plies() {
        let mut fraction = zeroed().fractional_extension;
        (fraction.check, fraction.exchange, fraction.pawn) = (4, 3, 3);
        assert_eq!(fraction.quarters(true, true, &MoveTraits::NONE), 0, "off");
        fraction.enabled = Switch::ON;
        let each = fraction.quarters(false, true, &MoveTraits::NONE);
        let plies: i32 = (0..4).map(|past| (past + 1) * each / 4 - past * each / 4).sum();
        assert_eq!(plies, 3);
        assert_eq!(fraction.quarters(true, false, &MoveTraits::NONE), 4);
    }
}
