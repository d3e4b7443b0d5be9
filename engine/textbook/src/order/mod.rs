//! In which order a node tries its moves: the sooner a good one comes, the more of the others are
//! cut.

pub(crate) mod captures;
pub(crate) mod history;
pub(crate) mod killer;
pub(crate) mod last_mover_first;
pub(crate) mod lightest_attacker;
pub(crate) mod piece_order;
pub(crate) mod principal_tree;
pub(crate) mod quiet_lists;

use std::cmp::Reverse;

use crate::prelude::*;

/// The rank of a move by each order, the strongest order first; the greatest rank comes first.
type Rank = [i32; 8];

impl<G: TextbookGame> Search<'_, G> {
    /// The moves in the order in which they are tried; among equals as they were generated.
    pub(crate) fn sorted(
        &self,
        mut moves: Vec<G::Move>,
        ply: usize,
        first: G::Move,
    ) -> Vec<G::Move> {
        moves.sort_by_cached_key(|&mv| Reverse(self.rank(mv, ply, first)));
        moves
    }

    /// Noisy moves come before quiet ones, in check as well, unless captures lose material.
    fn rank(&self, mv: G::Move, ply: usize, first: G::Move) -> Rank {
        let methods = self.methods;
        let is_first = i32::from(mv == first);
        let traits = self.game.traits_of(mv);
        if self.game.is_noisy(mv) {
            let (stage, gain) = methods.ordering.stage_and_gain(&*self.game, mv);
            let recaptures = methods.last_mover_first.points(&traits);
            let lightness = methods.lightest_attacker.points(&traits);
            return [is_first, recaptures, stage, gain, lightness, 0, 0, 0];
        }
        let [advances, weight] = methods.piece_order.points(&traits);
        let list = methods.quiet_lists.points(&traits);
        [is_first, 0, 0, self.killer_points(mv, ply), advances, weight, list, self.history_of(mv)]
    }
}
