//! Frontier cuts. Futility: on the last two plies a quiet move gains half a pawn at most, so who
//! stands so far above beta stays there. Razoring: hardly a combination wins a queen in four plies.
//!
//! The source gives each rule twice: for a node ("the evaluation lies above beta") and for a move
//! before its node ("the evaluation after it lies below alpha"). Both give one value; here it
//! stands at the node, which looks back at the move that led to it.

use crate::prelude::*;

group! {
    /// Frontier cuts by two fixed margins, at nodes that no capture, check or extended move led to
    /// (Kornilov p. 112, and after p. 142, futility and razoring, after Heinz).
    Frontier {
        /// Frontier cuts on or off.
        enabled: Switch,
        /// Futility up to this depth left (plies).
        futility_depth: i32 = 2 in 0..=8 step 1,
        /// How far above beta the evaluation must be there (centipawns).
        futility_margin: i32 = 50 in 0..=300 step 10,
        /// Razoring up to this depth left (plies).
        razoring_depth: i32 = 4 in 0..=16 step 1,
        /// How far above beta the evaluation must be there (centipawns).
        razoring_margin: i32 = 900 in 100..=2000 step 100,
        /// Razoring takes a ply of depth instead of cutting.
        reduces: Switch,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// Beta, where the evaluation lies far enough above it.
    pub(crate) fn try_frontier(&self, node: &mut Node<G::Move>, beta: Value) -> Option<Value> {
        let frontier = &self.methods.frontier;
        let came_quietly = self.step(1).is_some_and(|step| step.is_quiet() && step.extension == 0);
        let spares = node.uncut || is_decided(beta) || self.in_reduced || self.line_has_pass();
        if !frontier.enabled() || !came_quietly || spares {
            return None;
        }
        let above = node.evaluation? - beta;
        if node.depth <= frontier.futility_depth && above >= frontier.futility_margin {
            return Some(beta);
        }
        let razors = node.depth <= frontier.razoring_depth && above >= frontier.razoring_margin;
        if razors && frontier.reduces() {
            node.depth -= 1;
        }
        (razors && !frontier.reduces()).then_some(beta)
    }
}
