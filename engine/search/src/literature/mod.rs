//! Methods of the literature that are off in ordinary play, as far as nodes meet them before their
//! moves: which are on, what they remember of a line, and how a node is asked.
//!
//! Ordinary play pays for all of them with one question a node, move, order and leaf ([`Classics`]);
//! what is behind it lies out of line. Static cuts are in `static_search.rs`, extensions of moves in
//! `extensions.rs`, quiescence in `forced_checks.rs`, orders in `ordering.rs`.
//!
//! SOURCE: E. N. Kornilov, *Programming Chess and Other Logic Games* (in Russian, 2005), pages 107 to
//! 134 and what follows; an article on the single reply that repeats its section.

mod extensions;
mod forced_checks;
pub(super) mod margins;
mod static_search;

use crate::Margins;
use crate::audit::Auditor;
use crate::memory::history::Histories;
use crate::node::kinds::{Kind, ZeroWindow};
use crate::node::known::Node;
use crate::value::{DRAW, INFINITY, UNKNOWN, Value};
use crate::{BEFORE_ROOT, Bound, Game, GameMove, MoveClass, Search};

/// Where any of the methods is on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Classics {
    /// At nodes, before their moves.
    pub(crate) nodes: bool,
    /// At moves, before and after they are played.
    pub(crate) moves: bool,
    /// In the order of moves.
    pub(crate) order: bool,
    /// In quiescence.
    pub(crate) leaves: bool,
}

impl Classics {
    /// What these margins switch on.
    pub(crate) fn of(margins: &Margins) -> Classics {
        let cuts = margins.frontier.enabled() || margins.static_search.enabled();
        let extends = margins.recapture_extension.enabled()
            || margins.capture_extension.enabled()
            || margins.pawn_extension.enabled()
            || margins.queen_approach.enabled()
            || margins.king_safety_extension.enabled()
            || margins.score_change_extension.enabled()
            || margins.fractional_extension.enabled();
        Classics {
            nodes: cuts
                || margins.single_reply.enabled()
                || margins.internal_deepening.enabled()
                || margins.principal_tree.enabled(),
            moves: cuts
                || extends
                || margins.null_move_rules.enabled()
                || margins.principal_tree.enabled()
                || margins.lazy_eval.enabled(),
            order: margins.last_mover_first.enabled()
                || margins.lightest_attacker.enabled()
                || margins.quiet_lists.enabled()
                || margins.piece_order.enabled(),
            leaves: margins.quiescence_cap.enabled() || margins.forced_checks.enabled(),
        }
    }
}

/// What is remembered of the move played at a ply, while moves are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Marks {
    /// It is searched deeper.
    pub(crate) extended: bool,
    /// It takes, gives check or is searched deeper: its answers matter.
    pub(crate) forcing: bool,
    /// A capture or promotion that is great enough for its ply.
    pub(crate) great_gain: bool,
    /// It is tried at a trusted node, where every answer is to be looked at.
    pub(crate) at_trusted: bool,
    /// The reasons to search deeper that the line has gathered, in quarters of a ply.
    pub(crate) quarters: i32,
}

/// What the methods say of a node before its moves are tried.
pub(crate) enum Look {
    /// The node has this value.
    Answer(Value),
    /// The value is at least this.
    AtLeast(Value),
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Asks the methods about a node that is to be searched to `depth`: whether it is trusted, how
    /// deeply it is searched, and whether its evaluation answers for it.
    #[cold]
    #[inline(never)]
    pub(crate) fn look_classically<K: Kind>(
        &mut self,
        node: &mut Node<G::Move>,
        depth: i32,
        (alpha, beta): (Value, Value),
    ) -> Look {
        let margins = self.margins;
        if node.excluded != G::Move::NONE {
            return Look::AtLeast(-INFINITY);
        }
        if margins.principal_tree.enabled() {
            self.trust::<K>(node);
        }
        if K::ROOT {
            return Look::AtLeast(-INFINITY);
        }
        if margins.single_reply.enabled() && self.has_single_reply(node) {
            node.depth += margins.single_reply.plies;
        }
        if self.stopped {
            return Look::Answer(DRAW);
        }
        let look = self.look_statically::<K>(node, (alpha, beta));
        if matches!(look, Look::Answer(_)) {
            return look;
        }
        if margins.internal_deepening.enabled()
            && !self.stopped
            && let Some(value) = self.deepen_internally::<K>(node, depth, (alpha, beta))
        {
            return Look::Answer(value);
        }
        if self.stopped { Look::Answer(DRAW) } else { look }
    }

    /// Whether somebody passes on the line to this ply.
    pub(crate) fn line_has_pass(&self, ply: usize) -> bool {
        self.stack[BEFORE_ROOT..BEFORE_ROOT + ply]
            .iter()
            .any(|frame| frame.row == Histories::<G>::NO_ROW)
    }

    /// Null-move rules: no pass near the root, after a capture or after an extended move.
    #[cold]
    #[inline(never)]
    pub(crate) fn may_pass_by_rules(&self, ply: usize) -> bool {
        let rules = &self.margins.null_move_rules;
        let before = &self.stack[BEFORE_ROOT + ply - 1];
        ply as i32 >= rules.ply_min
            && before.quiet.is_some()
            && !before.marks.extended
            && !(rules.once() && self.line_has_pass(ply))
    }

    /// Null threat: whether the answer to a pass, worth `value` to who passed, wins so much that the
    /// node must be under a threat.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_threatened(&self, ply: usize, value: Value) -> bool {
        let mated = value <= -crate::value::DECIDED;
        let loses = value + self.margins.null_threat.loss_min <= self.frame(ply).static_eval;
        (mated || loses) && self.margins.extension_limit.allows(ply, self.root_depth)
    }

    /// Single reply: whether the node has one move only, or one that keeps the material.
    fn has_single_reply(&mut self, node: &Node<G::Move>) -> bool {
        let margins = &self.margins.single_reply;
        if !self.margins.extension_limit.allows(node.ply, self.root_depth) {
            return false;
        }
        let count = self.count_moves(node.in_check);
        count == 1
            || margins.by_material()
                && count > 1
                && node.depth >= margins.depth_min
                && self.one_move_keeps_material(node)
    }

    /// How many legal moves there are.
    pub(crate) fn count_moves(&self, in_check: bool) -> usize {
        let mut count = 0;
        if in_check {
            self.game.generate(MoveClass::Evasions, |_| count += 1);
        } else {
            self.game.generate(MoveClass::Noisy, |_| count += 1);
            self.game.generate(MoveClass::Quiet, |_| count += 1);
        }
        count
    }

    /// Whether all moves but one lose material, by a forced search after each.
    fn one_move_keeps_material(&mut self, node: &Node<G::Move>) -> bool {
        let known = self.frame(node.ply).static_eval;
        let stand = if known == UNKNOWN { self.evaluate() } else { known };
        let least = stand - self.margins.single_reply.loss_max;
        let mut kept = 0;
        for mv in self.game.legal_moves() {
            self.play(mv, node.ply);
            let value = -self.leaf::<ZeroWindow>(-least, 1 - least, node.ply + 1);
            self.game.undo();
            if self.stopped {
                return false;
            }
            kept += usize::from(value >= least);
            if kept > 1 {
                return false;
            }
        }
        kept == 1
    }

    /// Internal deepening: without a table move, a shallower search of the same node finds one to try
    /// first; its value, or that of the table, may be enough already, which is the node's value then.
    /// It begins with the depth that was asked for: what hindsight or an only reply adds to it, that
    /// search finds itself, once like the node.
    fn deepen_internally<K: Kind>(
        &mut self,
        node: &mut Node<G::Move>,
        depth: i32,
        (alpha, beta): (Value, Value),
    ) -> Option<Value> {
        let margins = &self.margins.internal_deepening;
        let (ply, depth) = (node.ply, depth - margins.plies);
        if depth < 1 {
            return None;
        }
        if node.table_move != G::Move::NONE {
            let known = node.entry.filter(|entry| entry.depth >= depth)?;
            let is_bound_below = known.bound != Bound::Upper;
            return (is_bound_below && self.is_lazily_cut(ply, beta, known.value)).then_some(beta);
        }
        let nested = std::mem::replace(&mut self.in_reduced, true);
        let value = self.unsettled_node::<K>(alpha, beta, depth, ply, node.cut_node);
        self.in_reduced = nested;
        if self.stopped {
            return None;
        }
        if K::PRINCIPAL {
            self.variations[ply].length = 0;
        }
        if let Some(entry) = self.probe(ply)
            && entry.mv != G::Move::NONE
            && self.game.is_plausible(entry.mv)
        {
            node.entry = Some(entry);
            self.try_first(node, entry.mv);
        }
        self.is_lazily_cut(ply, beta, value).then_some(beta)
    }

    /// Lazy cut: evaluation and the value of a shallower search lie above beta; not within another
    /// shallower search, nor where something has just happened.
    fn is_lazily_cut(&self, ply: usize, beta: Value, value: Value) -> bool {
        let margins = &self.margins.internal_deepening;
        let evaluation = self.frame(ply).static_eval;
        let is_calm = evaluation != UNKNOWN && self.stack[BEFORE_ROOT + ply - 1].quiet.is_some();
        margins.lazy_cut()
            && !self.in_reduced
            && is_calm
            && evaluation.min(value) - margins.margin >= beta
    }

    /// Makes a playable move the first of the node.
    fn try_first(&self, node: &mut Node<G::Move>, mv: G::Move) {
        node.table_move = mv;
        node.table_move_is_noisy = self.game.is_noisy(mv);
    }

    /// Principal-variation tree: its positions, of which the root is one, are not cut, nor are the
    /// answers there, whatever they are: the source gives each trusted move an exact answer. The move
    /// of the newest line comes first.
    fn trust<K: Kind>(&self, node: &mut Node<G::Move>) {
        let key = self.game.key();
        let known = self.tree.iter().rev().find(|(position, _)| *position == key);
        node.trusted = K::ROOT || known.is_some();
        node.uncut = node.trusted || self.stack[BEFORE_ROOT + node.ply - 1].marks.at_trusted;
        node.may_pass &= !node.trusted;
        if let Some(&(_, mv)) = known
            && mv != G::Move::NONE
            && self.game.is_plausible(mv)
        {
            self.try_first(node, mv);
        }
    }

    /// Puts the positions of the best line into the tree, the newest last; the oldest give way.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow_tree(&mut self) {
        let line = self.root_moves[0].variation.clone();
        let mut played = 0;
        for mv in line.into_iter().chain([G::Move::NONE]) {
            let place = (self.game.key(), mv);
            self.tree.retain(|known| *known != place);
            self.tree.push(place);
            if mv == G::Move::NONE || !self.game.is_plausible(mv) {
                break;
            }
            self.game.play(mv);
            played += 1;
        }
        for _ in 0..played {
            self.game.undo();
        }
        let most = self.margins.principal_tree.positions_max as usize;
        self.tree.drain(..self.tree.len().saturating_sub(most));
    }
}

#[cfg(test)]
mod tests {
    use parameters::Switch;

    use super::*;
    use crate::audit::Unaudited;
    use crate::made_up::{MadeUp, Numbered, Set, What};
    use crate::{Control, Limits, Memory};

    /// The depth of the shallower search of a node that is asked to six plies after a reduced move, with
    /// this evaluation before the move.
    fn depth_within(before: Value) -> i32 {
        let mut margins = Set::zero().margins;
        (margins.table.enabled, margins.quiescence.enabled) = (Switch::ON, Switch::ON);
        margins.hindsight.enabled = Switch::ON;
        (margins.hindsight.deeper_min, margins.hindsight.shallower_min) = (1, 1);
        (margins.internal_deepening.enabled, margins.internal_deepening.lazy_cut) =
            (Switch::ON, Switch::ON);
        margins.internal_deepening.plies = 2;
        // White is a queen ahead, and answers a quiet move.
        let moves = vec![What::Quiet; 3];
        let mut game = MadeUp { moves, lead: 1_000, played: vec![Numbered(1)] };
        let (mut memory, control) = (Memory::new(1), Control::new());
        let limits = Limits::depth(6);
        let mut search =
            Search::new(&mut game, &margins, &mut memory, &limits, &control, Unaudited::new());
        let index = search.game.history_index(Numbered(1), ());
        let frame = search.frame_mut(0);
        (frame.static_eval, frame.plies_reduced, frame.quiet) = (before, 2, Some(index));
        search.game.play(Numbered(1));
        let value = search.unsettled_node::<ZeroWindow>(99, 100, 6, 1, true);
        assert_eq!(value, 100, "the lazy cut leaves what the shallower search has stored");
        search.probe(1).expect("it was stored").depth
    }

    #[test]
    fn a_node_that_is_deepened_internally_gets_hindsight_once() {
        assert_eq!(depth_within(UNKNOWN), 6 - 2, "hindsight knows nothing");
        assert_eq!(depth_within(-5_000), 6 - 2 + 1, "no better for White than he thought");
        assert_eq!(depth_within(5_000), 6 - 2 - 1, "good for both");
    }
}
