//! The events of a search that audits look into, each with the question that a shadow search is asked.

use crate::audit::rule::{Seen, Unit};
use crate::audit::shadows::Shadows;
use crate::audit::{Cut, Event, NodeKind, Verdict};
use crate::node::kinds::ZeroWindow;
use crate::node::known::{Candidate, Node, reduced_depth};
use crate::ordering::Picker;
use crate::value::Value;
use crate::{Game, GameMove, Rule, Search};

/// A rule gave a node its value.
pub(crate) struct NodeWasCut<'e, M> {
    pub(crate) rule: Rule,
    pub(crate) node: &'e Node<M>,
    /// Of the node, in plies, however deep its moves were searched.
    pub(crate) depth: i32,
    /// Alpha and beta.
    pub(crate) window: (Value, Value),
    pub(crate) value: Value,
    /// Nodes of the search when the rule began.
    pub(crate) nodes_before: u64,
}

/// A rule spent all nodes after `nodes_before` and did not cut.
pub(crate) struct InVain {
    pub(crate) rule: Rule,
    pub(crate) depth: i32,
    pub(crate) nodes_before: u64,
}

/// The move with this number, from 1, refuted its node.
pub(crate) struct Refuted(pub(crate) usize);

/// A rule skipped a move.
pub(crate) struct MoveSkipped<'e, G: Game> {
    pub(crate) rule: Rule,
    pub(crate) node: &'e Node<G::Move>,
    pub(crate) is_principal: bool,
    pub(crate) candidate: &'e Candidate<G::Move>,
    pub(crate) alpha: Value,
}

/// Late-move pruning skipped a move and all quiet ones after it that the picker still has, but for those
/// that are spared.
pub(crate) struct LateMovesSkipped<'e, G: Game, P> {
    pub(crate) node: &'e Node<G::Move>,
    pub(crate) is_principal: bool,
    pub(crate) picker: &'e P,
    pub(crate) candidate: &'e Candidate<G::Move>,
    pub(crate) alpha: Value,
}

/// After this number of moves futility skipped all quiet ones that the picker still has, but for those
/// that are spared, with this reduction (hundredths of a ply).
pub(crate) struct FutileMovesSkipped<'e, G: Game, P> {
    pub(crate) node: &'e Node<G::Move>,
    pub(crate) is_principal: bool,
    pub(crate) picker: &'e P,
    pub(crate) count: usize,
    pub(crate) reduction: i32,
    pub(crate) alpha: Value,
}

/// The move that was just played was searched `plies` less deeply than `depth`, and had this value.
pub(crate) struct MoveReduced<'e, G: Game> {
    pub(crate) node: &'e Node<G::Move>,
    pub(crate) is_principal: bool,
    pub(crate) candidate: &'e Candidate<G::Move>,
    pub(crate) depth: i32,
    pub(crate) plies: i32,
    pub(crate) alpha: Value,
    pub(crate) value: Value,
    pub(crate) nodes_before: u64,
}

/// A rule skipped a move in quiescence; exchanges must reach this threshold there.
pub(crate) struct LeafMoveSkipped<M> {
    pub(crate) rule: Rule,
    pub(crate) mv: M,
    pub(crate) stand_pat: Value,
    pub(crate) alpha: Value,
    pub(crate) ply: usize,
    pub(crate) threshold: Value,
}

impl<G: Game> Search<'_, G, Shadows<G>> {
    /// A cut as its rule saw it, not looked into yet; of a move, unless that is NONE.
    fn cut(&self, rule: Rule, seen: Seen, mv: G::Move, node: NodeKind, spent: u64) -> Cut {
        let declared = rule.declared();
        let is_loss = declared.unit == Unit::ExchangeLoss;
        let seen = Seen { loss: if is_loss { self.loss(mv) } else { 0 }, ..seen };
        let (gap, margin) = (declared.gap)(self.margins, &seen);
        Cut {
            rule,
            depth: (declared.depth)(&seen),
            gap,
            lead: gap - margin,
            improving: seen.improving,
            history: seen.history,
            count: seen.count,
            node,
            verdict: Verdict::Unknown,
            shift: 0,
            covered: false,
            nodes: 0,
            spent,
            weight: 0.0,
        }
    }

    /// All that a rule may look at where it skips or reduces a move.
    fn seen_of_move(
        &self,
        node: &Node<G::Move>,
        candidate: &Candidate<G::Move>,
        alpha: Value,
    ) -> Seen {
        Seen {
            depth: node.depth,
            eval: node.eval,
            alpha,
            improving: node.improving,
            tt_pv: node.tt_pv,
            count: candidate.count,
            history: candidate.history,
            reduced_depth: candidate.reduced_depth(node),
            base_reduction: candidate.base_reduction,
            gain: if candidate.noisy { self.game.gain(candidate.mv) } else { 0 },
            ..Seen::default()
        }
    }
}

impl<M: Copy> Node<M> {
    fn kind(&self, is_principal: bool) -> NodeKind {
        match (is_principal, self.cut_node) {
            (true, _) => NodeKind::Principal,
            (false, true) => NodeKind::Cut,
            (false, false) => NodeKind::All,
        }
    }
}

impl<G: Game> Event<G> for NodeWasCut<'_, G::Move> {
    fn look_into(self, search: &mut Search<'_, G, Shadows<G>>) {
        let NodeWasCut { rule, node, depth, window: (alpha, beta), value, nodes_before } = self;
        let Some(wanted) = search.count(rule, depth) else { return };
        let seen = Seen {
            depth,
            depth_of_moves: node.depth,
            eval: node.eval,
            alpha,
            beta,
            value,
            improving: node.improving,
            tt_pv: node.tt_pv,
            ..Seen::default()
        };
        let spent = search.nodes - nodes_before;
        let cut = search.cut(rule, seen, G::Move::NONE, node.kind(false), spent);
        let answer = search.shadow(Some((rule, node.ply)), |search| {
            // The depth is that after hindsight, which looks back only once.
            search.frame_mut(node.ply - 1).plies_reduced = 0;
            search.unsettled_node::<ZeroWindow>(alpha, beta, depth, node.ply, node.cut_node)
        });
        let is_wrong = |shadow: Value| (shadow >= beta) != (value >= beta);
        search.auditor.note(cut, wanted.weight, &answer, value, is_wrong);
    }
}

impl<G: Game> Event<G> for InVain {
    fn look_into(self, search: &mut Search<'_, G, Shadows<G>>) {
        let nodes = search.nodes - self.nodes_before;
        search.auditor.count_in_vain(self.rule, self.depth, nodes);
    }
}

impl<G: Game> Event<G> for Refuted {
    fn refutation(&self) -> Option<usize> {
        Some(self.0)
    }

    fn look_into(self, _search: &mut Search<'_, G, Shadows<G>>) {}
}

impl<G: Game> Event<G> for MoveSkipped<'_, G> {
    fn look_into(self, search: &mut Search<'_, G, Shadows<G>>) {
        let MoveSkipped { rule, node, is_principal, candidate, alpha } = self;
        let seen = search.seen_of_move(node, candidate, alpha);
        let Some(wanted) = search.count(rule, (rule.declared().depth)(&seen)) else { return };
        let cut = search.cut(rule, seen, candidate.mv, node.kind(is_principal), 0);
        let answer = search.shadow_of_move(Some(rule), (node, is_principal), candidate, alpha);
        search.auditor.note(cut, wanted.weight, &answer, alpha, |value| value > alpha);
    }
}

impl<G: Game, P: Picker<G>> Event<G> for LateMovesSkipped<'_, G, P> {
    fn look_into(self, search: &mut Search<'_, G, Shadows<G>>) {
        let LateMovesSkipped { node, is_principal, picker, candidate, alpha } = self;
        let rule = Rule::LateMovePruning;
        let Some(wanted) = search.count(rule, node.depth) else { return };
        let kept = search.margins.late_move_pruning.kept();
        let mut skipped = vec![(0, candidate.mv)];
        let others = search.quiets_left_out(node, picker, kept).into_iter();
        skipped.extend(others.map(|(place, mv)| (place + 1, mv)));
        let (place, mv) = skipped[(wanted.random as usize * skipped.len()) >> 32];
        let rows = search.rows(node.ply);
        let chosen = search.candidate(node, mv, candidate.count + place, rows);
        let seen = search.seen_of_move(node, &chosen, alpha);
        let cut = search.cut(rule, seen, mv, node.kind(is_principal), 0);
        let answer = search.shadow_of_move(None, (node, is_principal), &chosen, alpha);
        let weight = wanted.weight * skipped.len() as f64;
        search.auditor.note(cut, weight, &answer, alpha, |value| value > alpha);
    }
}

impl<G: Game, P: Picker<G>> Event<G> for FutileMovesSkipped<'_, G, P> {
    fn look_into(self, search: &mut Search<'_, G, Shadows<G>>) {
        let FutileMovesSkipped { node, is_principal, picker, count, reduction, alpha } = self;
        if search.auditor.is_running() {
            return;
        }
        let rule = Rule::Futility;
        let depth = reduced_depth(node.depth, reduction);
        let rows = search.rows(node.ply);
        let kept = search.margins.futility.kept();
        for (place, mv) in search.quiets_left_out(node, picker, kept) {
            let Some(wanted) = search.count(rule, depth) else { continue };
            let candidate = search.candidate(node, mv, count + 1 + place, rows);
            let answer = search.shadow_of_move(Some(rule), (node, is_principal), &candidate, alpha);
            let as_seen = Candidate { pruning_reduction: reduction, ..candidate };
            let seen = search.seen_of_move(node, &as_seen, alpha);
            let cut = search.cut(rule, seen, mv, node.kind(is_principal), 0);
            search.auditor.note(cut, wanted.weight, &answer, alpha, |value| value > alpha);
        }
    }
}

impl<G: Game> Event<G> for MoveReduced<'_, G> {
    fn look_into(self, search: &mut Search<'_, G, Shadows<G>>) {
        let MoveReduced { node, is_principal, candidate, depth, plies, alpha, value, .. } = self;
        let rule = Rule::LateMoveReduction;
        let spent = search.nodes - self.nodes_before;
        if value > alpha {
            return search.auditor.count_in_vain(rule, depth, spent);
        }
        let Some(wanted) = search.count(rule, depth) else { return };
        let seen = Seen {
            depth,
            plies,
            base_reduction: candidate.base_reduction,
            improving: node.improving,
            history: candidate.history,
            count: candidate.count,
            ..Seen::default()
        };
        let cut = search.cut(rule, seen, candidate.mv, node.kind(is_principal), spent);
        let answer = search.shadow(None, |search| {
            -search.node::<ZeroWindow>(-alpha - 1, -alpha, depth, node.ply + 1, !node.cut_node)
        });
        search.auditor.note(cut, wanted.weight, &answer, value, |value| value > alpha);
    }
}

impl<G: Game> Event<G> for LeafMoveSkipped<G::Move> {
    fn look_into(self, search: &mut Search<'_, G, Shadows<G>>) {
        let LeafMoveSkipped { rule, mv, stand_pat, alpha, ply, threshold } = self;
        let Some(wanted) = search.count(rule, 0) else { return };
        let seen = Seen { eval: stand_pat, alpha, gain: search.game.gain(mv), ..Seen::default() };
        // The rule that comes after futility would have skipped the move as well.
        let is_covered = rule == Rule::QuiescenceFutility
            && search.margins.quiescence_exchange.enabled()
            && !search.game.exchange_at_least(mv, threshold);
        let cut = search.cut(rule, seen, mv, NodeKind::Leaf, 0);
        let answer = search.shadow(None, |search| {
            if is_covered {
                return alpha;
            }
            search.play(mv, ply);
            let value = -search.quiescence::<ZeroWindow>(-alpha - 1, -alpha, ply + 1);
            search.game.undo();
            value
        });
        search.auditor.note(cut, wanted.weight, &answer, alpha, |value| value > alpha);
    }
}
