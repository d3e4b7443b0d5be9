//! Static search: behind the plies of full width a move is believed to be worth no more than the
//! evaluation after it, so a node above beta by its evaluation is cut. What a move does not gain at
//! once it will not gain.
//! Most of the source's eight variants spare some nodes.

use crate::prelude::*;

/// Half a pawn: how much a capture that is made good may leave open (centipawns).
const HALF_A_PAWN: Value = 50;

group! {
    /// Static search: after the plies of full width a move is worth no more than the evaluation
    /// after it (Kornilov pp. 104, 126, and after p. 142, static search).
    StaticSearch {
        /// Static search on or off.
        enabled: Switch,
        /// From this ply on (plies from the root).
        ply_min: i32 = 4 in 1..=32 step 1,
        /// Or with at most this depth left (plies).
        depth_max: i32 = 2 in 0..=16 step 1,
        /// How far above beta the evaluation must be for a cut (centipawns).
        margin: i32 in 0..=500 step 20,
        /// How much further above per ply of depth left (centipawns).
        margin_per_ply: i32 in 0..=200 step 10,
        /// The evaluation raises alpha, too: the mover may always stand pat (variant 1).
        raises_alpha: Switch,
        /// Captures that the table of plies allows are not cut, nor promotions as long as a queen
        /// is enough (capture_extension.pawn_plies; program B p. 126).
        spares_captures: Switch,
        /// Moves that are searched deeper, quiet ones too, are not cut (variant 5).
        spares_extended: Switch,
        /// Answers to checks, captures and extended moves are not cut (variant 6).
        spares_answers: Switch,
        /// Nothing is cut until a loss is made good: the mover stood above beta two plies before as
        /// well, but for half a pawn (dynamic margin).
        dynamic: Switch,
        /// The stronger dynamic margin: above beta now, a ply and two plies before.
        dynamic_strong: Switch,
        /// A node that would be cut is searched a ply less deep instead (depth reductions).
        reduces: Switch,
        /// Nothing is cut where the piece that moved last could capture with gain if it moved on
        /// (older selective search).
        sees_threats: Switch,
    }
}

impl<G: TextbookGame> Search<'_, G> {
    /// The evaluation, where it answers for a node that is searched statically.
    pub(crate) fn try_static_search(
        &mut self,
        node: &mut Node<G::Move>,
        beta: Value,
    ) -> Option<Value> {
        let rules = &self.methods.static_search;
        let applies = node.ply as i32 >= rules.ply_min || node.depth <= rules.depth_max;
        if !rules.enabled() || !applies || node.uncut || self.is_spared(node.ply) {
            return None;
        }
        let evaluation = node.evaluation?;
        if !is_decided(beta)
            && evaluation - rules.margin - rules.margin_per_ply * node.depth >= beta
            && self.is_made_good(node.ply, beta)
            && !(rules.sees_threats() && self.is_under_attack(node, beta))
        {
            if !rules.reduces() {
                return Some(evaluation);
            }
            node.depth -= 1;
        }
        if rules.raises_alpha() && evaluation < beta {
            node.at_least = evaluation;
        }
        None
    }

    /// Whether a node is left alone for the sake of the last two moves.
    fn is_spared(&self, ply: usize) -> bool {
        let rules = &self.methods.static_search;
        let table = &self.methods.capture_extension;
        let Some(last) = self.step(1) else { return false };
        last.is_pass()
            || rules.spares_captures() && table.is_great(last.traits.gain_step(), ply - 1)
            || rules.spares_extended() && last.extension > 0
            || rules.spares_answers() && self.step(2).is_some_and(|step| step.is_forcing())
    }

    /// Dynamic margin: whether the mover stood as well before the last moves, so that nothing waits
    /// to be won back.
    fn is_made_good(&self, ply: usize, beta: Value) -> bool {
        let rules = &self.methods.static_search;
        let known = |back: usize| self.evaluations[ply.checked_sub(back)?];
        let calm = || known(2).is_some_and(|own| own + HALF_A_PAWN >= beta);
        let above = |evaluation: Option<Value>| evaluation.is_some_and(|value| value > beta);
        let strong = || above(known(2)) && above(known(1).map(|it| -it)) && above(known(0));
        (!rules.dynamic() || calm()) && (!rules.dynamic_strong() || strong())
    }

    /// Threat field: whether the opponent, moving on with the piece that he moved last, could take
    /// so much that beta is not reached.
    fn is_under_attack(&mut self, node: &Node<G::Move>, beta: Value) -> bool {
        if !node.may_pass {
            return true;
        }
        self.pass();
        let mut captures = Vec::new();
        self.game.generate(MoveClass::Noisy, |mv| captures.push(mv));
        captures.retain(|&mv| self.game.traits_of(mv).by_last_mover);
        let attacked = captures.into_iter().any(|mv| {
            self.play(mv, false);
            let value = self.leaf(beta - 1, beta, node.ply + 2);
            self.undo();
            value < beta || self.stopped
        });
        self.undo();
        attacked
    }
}
