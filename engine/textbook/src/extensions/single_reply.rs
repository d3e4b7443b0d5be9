//! Single reply: one move makes no tree, so an only answer costs nothing. One good move is forced,
//! too.

use crate::prelude::*;

group! {
    /// Single reply: a node with only one move is searched deeper (Kornilov p. 111, and an article
    /// on the single reply).
    SingleReply, sound {
        /// The extension on or off.
        enabled: Switch,
        /// How much deeper (plies).
        plies: i32 in 1..=2 step 1,
        /// Also a node where only one move keeps the material, by a forced search of each.
        by_material: Switch,
        /// Least depth left at which material is asked (plies).
        depth_min: i32 = 4 in 1..=12 step 1,
        /// Most that a move may lose of the evaluation and still keep the material (centipawns).
        loss_max: i32 = 100 in 0..=400 step 25,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// By how many plies the node is searched deeper.
    pub(crate) fn single_reply(&mut self, node: &Node<G::Move>) -> i32 {
        let single_reply = &self.methods.single_reply;
        if !single_reply.enabled() || !self.may_extend(node.ply) {
            return 0;
        }
        let moves = self.game.legal_moves();
        let asks_material = single_reply.by_material() && node.depth >= single_reply.depth_min;
        let is_single = moves.len() == 1
            || asks_material && moves.len() > 1 && self.one_keeps_material(node, moves);
        if is_single { single_reply.plies } else { 0 }
    }

    /// Whether all moves but one lose material, by a forced search after each.
    fn one_keeps_material(&mut self, node: &Node<G::Move>, moves: Vec<G::Move>) -> bool {
        let stand: Value = node.evaluation.unwrap_or_else(|| self.game.evaluate());
        let least = stand - self.methods.single_reply.loss_max;
        let mut kept = 0;
        for mv in moves {
            self.play(mv, false);
            let value = -self.leaf(-least, 1 - least, node.ply + 1);
            self.undo();
            kept += usize::from(value >= least);
            if self.stopped || kept > 1 {
                return false;
            }
        }
        kept == 1
    }
}
