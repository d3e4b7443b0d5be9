//! Traces that a node leaves: points in the histories, an entry in the transposition table, a corrected
//! evaluation.

use crate::audit::events::Refuted;
use crate::audit::{Auditor, Change};
use crate::node::Best;
use crate::node::known::{Candidate, Node};
use crate::value::is_decided;
use crate::{Bound, Game, GameMove, Search, TableEntry};

/// Moves tried without a cutoff, whether they raised alpha or not; more than fit are not blamed.
pub(crate) struct TriedMoves<M> {
    moves: [M; 32],
    length: usize,
}

impl<M: GameMove> TriedMoves<M> {
    pub(crate) fn new() -> TriedMoves<M> {
        TriedMoves { moves: [M::NONE; 32], length: 0 }
    }

    pub(crate) fn push(&mut self, mv: M) {
        if self.length < self.moves.len() {
            self.moves[self.length] = mv;
            self.length += 1;
        }
    }

    pub(crate) fn moves(&self) -> &[M] {
        &self.moves[..self.length]
    }
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    /// Histories learn from a cutoff: the move that made it gains, those tried before it lose.
    pub(crate) fn learn(
        &mut self,
        node: &Node<G::Move>,
        refutation: &Candidate<G::Move>,
        quiets: &[G::Move],
        noisies: &[G::Move],
    ) {
        A::event(self, Refuted(refutation.count));
        A::before_change(self, Change::Histories);
        let margins = self.margins;
        let rows = self.rows(node.ply);
        self.frame_mut(node.ply).cutoffs += 1;
        let bonus = margins.history.bonus(node.depth);
        let penalty = margins.history.blame(bonus);
        if refutation.noisy {
            self.memory.histories.update_noisy(&margins, refutation.index, bonus);
        } else {
            let killers = &mut self.frame_mut(node.ply).killers;
            if margins.killer.enabled() && killers[0] != refutation.mv {
                *killers = [refutation.mv, killers[0]];
            }
            let threats = self.threats_of_histories(node.ply);
            let histories = &mut self.memory.histories;
            histories.set_counter(&margins, rows.last(), refutation.mv);
            histories.update_quiet(&margins, refutation.index, rows, bonus);
            for &mv in quiets {
                let index = self.game.history_index(mv, threats);
                histories.update_quiet(&margins, index, rows, penalty);
            }
        }
        for &mv in noisies {
            let index = self.game.history_index(mv, G::Threats::default());
            self.memory.histories.update_noisy(&margins, index, penalty);
        }
    }

    /// Remembers the result of a node in the transposition table.
    pub(crate) fn remember(&mut self, node: &Node<G::Move>, best: &Best<G::Move>, bound: Bound) {
        let entry = TableEntry {
            mv: best.mv,
            value: best.value,
            bound,
            evaluation: node.raw_eval,
            depth: node.depth,
            tt_pv: node.tt_pv || self.inherits_line(node, bound),
        };
        self.store(node.ply, entry);
    }

    /// Remembers the evaluation's error in the correction history: only where the search contradicts
    /// it for other reasons than a capture at hand.
    pub(crate) fn learn_correction(
        &mut self,
        node: &Node<G::Move>,
        best: &Best<G::Move>,
        bound: Bound,
    ) {
        let contradicts = match bound {
            Bound::Exact => true,
            Bound::Lower => best.value > node.raw_eval,
            Bound::Upper => best.value < node.raw_eval,
        };
        let by_capture = best.mv != G::Move::NONE && self.game.is_noisy(best.mv);
        if contradicts && !node.in_check && !by_capture && !is_decided(best.value) {
            let keys = self.game.correction_keys();
            let difference = best.value - node.raw_eval;
            A::before_change(self, Change::Histories);
            let pair = self.last_two(node.ply);
            self.memory.histories.correct(&self.margins, keys, pair, node.depth, difference);
        }
    }
}
