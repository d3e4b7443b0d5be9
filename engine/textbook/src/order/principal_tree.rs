//! Principal-variation tree: the program remembers the lines that it thought best, and does not
//! return to old mistakes.

use crate::prelude::*;

group! {
    /// Principal-variation tree: moves of earlier main lines are tried first, and neither they nor
    /// the answers to them are cut; the answers are not reduced either (Kornilov after p. 142,
    /// principal variation).
    PrincipalTree, sound {
        /// The tree on or off.
        enabled: Switch,
        /// Positions that it remembers (number).
        positions_max: i32 = 48 in 8..=256 step 16,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// Marks a node of the tree, of which the root is one, and a node after a move in one.
    pub(crate) fn trust(&self, node: &mut Node<G::Move>) {
        if !self.methods.principal_tree.enabled() {
            return;
        }
        let key = self.game.table_key();
        let known = self.tree.iter().rev().find(|(position, _)| *position == key);
        node.trusted = node.ply == 0 || known.is_some();
        node.uncut = node.trusted || self.step(1).is_some_and(|step| step.at_trusted);
        node.may_pass &= !node.trusted;
        if let Some(mv) = self.playable(known.map(|&(_, mv)| mv)) {
            node.first = mv;
        }
    }

    /// Puts the positions of the best line into the tree, the newest last; the oldest give way.
    pub(crate) fn grow_tree(&mut self, line: &[G::Move]) {
        if !self.methods.principal_tree.enabled() {
            return;
        }
        let mut played = 0;
        for &mv in line.iter().chain([&G::Move::NONE]) {
            let place = (self.game.table_key(), mv);
            self.tree.retain(|known| *known != place);
            self.tree.push(place);
            if self.playable(Some(mv)).is_none() {
                break;
            }
            self.game.play(mv);
            played += 1;
        }
        for _ in 0..played {
            self.game.undo();
        }
        let most = self.methods.principal_tree.positions_max as usize;
        self.tree.drain(..self.tree.len().saturating_sub(most));
    }
}
