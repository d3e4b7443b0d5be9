//! Cuts by the evaluation alone, as the literature has them: at the frontier, and wherever a search is
//! static, because its bounds are narrowed by evaluations.
//!
//! The source gives each rule twice: for a node ("the evaluation lies above beta") and for a move
//! before its node ("the evaluation after it lies below alpha"). Both give one value; here all stand
//! at the node, which looks back at the move that led to it.
//!
//! SOURCE: E. N. Kornilov, *Programming Chess and Other Logic Games* (in Russian, 2005), after p.
//! 142: futility, razoring, static search, selective search.

use crate::audit::Auditor;
use crate::literature::Look;
use crate::literature::margins::{Frontier, StaticSearch};
use crate::memory::history::Histories;
use crate::node::kinds::{Kind, ZeroWindow};
use crate::node::known::Node;
use crate::ordering::append;
use crate::value::{INFINITY, UNKNOWN, Value, is_decided};
use crate::{BEFORE_ROOT, Game, MoveClass, Search};

/// Half a pawn: how much a capture that is made good may leave open (centipawns).
const HALF_A_PAWN: Value = 50;

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// What the evaluation says of a node that is neither the root nor in check: an answer, a bound
    /// below, or a ply less.
    pub(crate) fn look_statically<K: Kind>(
        &mut self,
        node: &mut Node<G::Move>,
        (alpha, beta): (Value, Value),
    ) -> Look {
        let nothing = Look::AtLeast(-INFINITY);
        let evaluation = self.frame(node.ply).static_eval;
        let before = &self.stack[BEFORE_ROOT + node.ply - 1];
        let after_pass = before.row == Histories::<G>::NO_ROW;
        if node.in_check || node.uncut || evaluation == UNKNOWN || after_pass {
            return nothing;
        }
        let may_cut = !is_decided(beta);
        if may_cut && self.is_calm_frontier(node) {
            let frontier = &self.margins.frontier;
            if frontier.is_futile(node.depth, evaluation - beta) {
                return Look::Answer(beta);
            }
            if frontier.is_hopeless(node.depth, evaluation - beta) {
                if !frontier.reduces() {
                    return Look::Answer(beta);
                }
                node.depth -= 1;
            }
        }
        let rules = self.margins.static_search;
        if !rules.applies(node.ply, node.depth) || self.is_spared(node.ply) {
            return self.unless_at_leaf::<K>(node, (alpha, beta), nothing);
        }
        if may_cut
            && evaluation - rules.lead(node.depth) >= beta
            && self.is_made_good(node.ply, beta)
            && !(rules.sees_threats() && self.is_under_attack(node, beta))
        {
            if !rules.reduces() {
                return Look::Answer(evaluation);
            }
            node.depth -= 1;
        }
        let look = if rules.raises_alpha() { Look::AtLeast(evaluation) } else { nothing };
        self.unless_at_leaf::<K>(node, (alpha, beta), look)
    }

    /// The same, or the value of quiescence where a reduction has left no depth.
    fn unless_at_leaf<K: Kind>(
        &mut self,
        node: &Node<G::Move>,
        (alpha, beta): (Value, Value),
        look: Look,
    ) -> Look {
        if node.depth > 0 || self.stopped {
            return look;
        }
        Look::Answer(self.leaf::<K>(alpha, beta, node.ply))
    }

    /// Whether frontier cuts may be made: neither a capture nor an extended move led here, and no
    /// pass or shallower search is on the way.
    fn is_calm_frontier(&self, node: &Node<G::Move>) -> bool {
        let before = &self.stack[BEFORE_ROOT + node.ply - 1];
        self.margins.frontier.enabled()
            && before.quiet.is_some()
            && !before.marks.extended
            && !self.in_reduced
            && !self.line_has_pass(node.ply)
    }

    /// Whether static search leaves a node alone for the sake of the last two moves.
    fn is_spared(&self, ply: usize) -> bool {
        let rules = self.margins.static_search;
        let marks = |back: usize| self.stack[BEFORE_ROOT + ply - back].marks;
        rules.spares_captures() && marks(1).great_gain
            || rules.spares_extended() && marks(1).extended
            || rules.spares_answers() && marks(2).forcing
    }

    /// Dynamic margin: whether the mover stood as well before the last moves, so that nothing waits to
    /// be won back.
    fn is_made_good(&self, ply: usize, beta: Value) -> bool {
        let rules = self.margins.static_search;
        let evaluation = |back: usize| self.stack[BEFORE_ROOT + ply - back].static_eval;
        let (opponent, own) = (evaluation(1), evaluation(2));
        let calm = !rules.dynamic() || own != UNKNOWN && own + HALF_A_PAWN >= beta;
        let strong = !rules.dynamic_strong()
            || own != UNKNOWN
                && opponent != UNKNOWN
                && own > beta
                && -opponent > beta
                && self.frame(ply).static_eval > beta;
        calm && strong
    }

    /// Threat field: whether the opponent, moving on with the piece that he moved last, could take so
    /// much that beta is not reached.
    fn is_under_attack(&mut self, node: &Node<G::Move>, beta: Value) -> bool {
        if !node.may_pass {
            return true;
        }
        let ply = node.ply;
        self.pass(ply);
        let floor = self.moves.len();
        let Search { game, moves, .. } = self;
        let game = &**game;
        game.generate(MoveClass::Noisy, |mv| {
            if game.traits(mv).by_last_mover {
                append(moves, mv, 0);
            }
        });
        let mut attacked = false;
        for index in floor..self.moves.len() {
            self.play(self.moves[index].mv(), ply + 1);
            let value = self.leaf::<ZeroWindow>(beta - 1, beta, ply + 2);
            self.game.undo();
            attacked = value < beta || self.stopped;
            if attacked {
                break;
            }
        }
        self.moves.truncate(floor);
        self.game.undo();
        attacked
    }
}

impl Frontier {
    /// Futility: whether an evaluation so far above beta answers at this depth.
    fn is_futile(&self, depth: i32, above: Value) -> bool {
        depth <= self.futility_depth && above >= self.futility_margin
    }

    /// Razoring: whether an evaluation so far above beta is beyond the opponent at this depth.
    fn is_hopeless(&self, depth: i32, above: Value) -> bool {
        depth <= self.razoring_depth && above >= self.razoring_margin
    }
}

impl StaticSearch {
    /// Whether a node is searched statically.
    fn applies(&self, ply: usize, depth: i32) -> bool {
        self.enabled() && (ply as i32 >= self.ply_min || depth <= self.depth_max)
    }

    /// How far above beta an evaluation must be.
    fn lead(&self, depth: i32) -> Value {
        self.margin + self.margin_per_ply * depth
    }
}

#[cfg(test)]
mod tests {
    use parameters::Switch;

    use crate::Margins;

    fn zeroed() -> Margins {
        bytemuck::Zeroable::zeroed()
    }

    #[test]
    fn the_frontier_has_two_margins() {
        let mut frontier = zeroed().frontier;
        (frontier.futility_depth, frontier.futility_margin) = (2, 50);
        (frontier.razoring_depth, frontier.razoring_margin) = (4, 900);
        assert_eq!(
            [(2, 50), (2, 49), (3, 50)].map(|(d, a)| frontier.is_futile(d, a)),
            [true, false, false]
        );
        assert_eq!(
            [(4, 900), (4, 899), (5, 900)].map(|(d, a)| frontier.is_hopeless(d, a)),
            [true, false, false]
        );
    }

    #[test]
    fn static_search_begins_at_a_ply_or_a_depth() {
        let mut rules = zeroed().static_search;
        (rules.ply_min, rules.depth_max, rules.margin, rules.margin_per_ply) = (5, 2, 20, 10);
        assert!(!rules.applies(9, 1), "off");
        rules.enabled = Switch::ON;
        assert!(rules.applies(5, 9) && rules.applies(1, 2) && !rules.applies(4, 3));
        assert_eq!([rules.lead(1), rules.lead(4)], [30, 60]);
    }
}
