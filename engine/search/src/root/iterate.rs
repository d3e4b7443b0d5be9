//! The root: deepening iteration by iteration until a limit is reached.

use std::cmp::Reverse;
use std::time::Duration;

use parameters::group;
use parameters::{Source, Switch};

use crate::audit::{Auditor, Unaudited};
use crate::node::kinds::Principal;
use crate::value::{DRAW, INFINITY, MAX_PLY, Value, is_decided};
use crate::{Bound, Control, Game, GameMove, Limits, Margins, Memory, Outcome, Progress, Search};

/// Deepest iteration in plies.
const DEPTH_MAX: u32 = MAX_PLY as u32 - 1;

group! {
    /// Order of the root's moves: those that took more nodes come earlier.
    RootOrder, sound {
        /// Order by nodes on or off.
        enabled: Switch = true,
    }
}

/// A move of the root and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<M> {
    pub(crate) mv: M,
    /// Which of [`Limits::tiers`] it is of.
    tier: usize,
    /// Score in the current iteration; minus infinity if the move was not better than others.
    pub(crate) score: Value,
    bound: Bound,
    /// Score in the last iteration.
    pub(crate) previous: Value,
    nodes: u64,
    selective_depth: usize,
    pub(crate) variation: Vec<M>,
}

/// Searches the position of `game` within the limits and says what to play. The position is the
/// same afterwards.
///
/// CITE: David J. Slate and Lawrence R. Atkin, "CHESS 4.5: The Northwestern University Chess
/// Program" (1977), for deepening iteration by iteration.
pub fn search<G: Game>(
    game: &mut G,
    margins: &Margins,
    memory: &mut Memory<G>,
    limits: &Limits<G::Move>,
    control: &Control,
    on_info: &mut dyn FnMut(&Progress<G::Move>),
) -> Outcome<G::Move> {
    memory.table.grow_older();
    let outcome = match game.built_margins(margins) {
        Some(built) => search_alone(game, built, memory, limits, control, on_info),
        None => search_alone(game, margins, memory, limits, control, on_info),
    };
    wait_until_asked(limits, control);
    outcome
}

fn search_alone<G: Game, M: Source<Margins>>(
    game: &mut G,
    margins: M,
    memory: &mut Memory<G>,
    limits: &Limits<G::Move>,
    control: &Control,
    on_info: &mut dyn FnMut(&Progress<G::Move>),
) -> Outcome<G::Move> {
    let mut search = Search::new(game, margins, memory, limits, control, Unaudited::<M>::new());
    search.collect_root_moves(limits);
    search.deepen(limits, on_info)
}

/// Waits while an answer must not come because nobody has asked for it.
pub fn wait_until_asked<M>(limits: &Limits<M>, control: &Control) {
    let asked = || control.is_stopped() || (limits.ponder && control.is_ponder_hit());
    while (limits.infinite || limits.ponder) && !asked() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The value of the position of `game` from the mover's view when only noisy moves are tried, and the
/// moves that lead to it.
pub fn quiescence<G: Game>(
    game: &mut G,
    margins: &Margins,
    memory: &mut Memory<G>,
) -> (Value, Vec<G::Move>) {
    let control = Control::new();
    let limits = Limits::default();
    let mut search = Search::new(game, margins, memory, &limits, &control, Unaudited::new());
    let value = search.quiescence::<Principal>(-INFINITY, INFINITY, 0);
    let best = &search.variations[0];
    (value, best.moves[..best.length].to_vec())
}

impl<G: Game, A: Auditor<G>> Search<'_, G, A> {
    pub(crate) fn collect_root_moves(&mut self, limits: &Limits<G::Move>) {
        let legal = self.game.legal_moves();
        let moves = limits.wanted(&legal);
        let tiers = limits.tiers.iter().enumerate();
        let tiers = tiers.flat_map(|(tier, &count)| std::iter::repeat_n(tier, count));
        let last = limits.tiers.len().saturating_sub(1);
        self.root_moves = moves
            .into_iter()
            .zip(tiers.chain(std::iter::repeat(last)))
            .map(|(mv, tier)| RootMove {
                mv,
                tier,
                score: -INFINITY,
                bound: Bound::Exact,
                previous: -INFINITY,
                nodes: 0,
                selective_depth: 0,
                variation: vec![mv],
            })
            .collect();
        self.root_is_restricted = self.root_moves.len() < legal.len() && !limits.others_are_worse;
    }

    /// The moves of which the variation now searched is the best one's: from its index on those of its
    /// tier.
    pub(crate) fn root_moves_of_variation(&mut self) -> &mut [RootMove<G::Move>] {
        let rest = &mut self.root_moves[self.variation_index..];
        let tier = rest[0].tier;
        let count = rest.partition_point(|root_move| root_move.tier == tier);
        &mut rest[..count]
    }

    /// Whether what the root is worth is what the position is: all legal moves are considered there that
    /// may be best, and not only those that are not yet shown.
    pub(crate) fn asks_all_of_root(&self) -> bool {
        !self.root_is_restricted && self.variation_index == 0
    }

    pub(crate) fn deepen(
        &mut self,
        limits: &Limits<G::Move>,
        on_info: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Outcome<G::Move> {
        if self.root_moves.is_empty() {
            return self.nothing_to_play();
        }
        let variations = limits.multi_pv.clamp(1, self.root_moves.len());
        let depth_max = limits.depth.unwrap_or(DEPTH_MAX).clamp(1, DEPTH_MAX);
        let mut settled = self.root_moves[0].clone();
        settled.score = if self.game.in_check() { DRAW } else { self.evaluate() };
        let mut finished = 0;
        // The lines of the last finished iteration, where there are several.
        let mut lines = Vec::new();
        let mut stable_iterations = 0;
        // Scores of the last two iterations.
        let mut scores = [settled.score; 2];
        for depth in 1..=depth_max {
            if self.stopped {
                break;
            }
            if self.seat.is_some_and(|seat| seat.skips(depth)) {
                continue;
            }
            self.root_depth = depth as i32;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
                root_move.score = -INFINITY;
            }
            for variation_index in 0..variations {
                self.variation_index = variation_index;
                self.selective_depth = 0;
                self.search_variation(depth, on_info);
                if self.stopped {
                    break;
                }
            }
            self.root_moves[..variations]
                .sort_by_key(|root_move| (root_move.tier, -root_move.score));
            if self.stopped {
                break;
            }
            if self.margins.root_order.enabled() {
                self.root_moves[variations..]
                    .sort_by_key(|root_move| (root_move.tier, Reverse(root_move.nodes)));
            }
            finished = depth;
            for (index, root_move) in self.root_moves[..variations].iter().enumerate() {
                on_info(&self.info(depth, index, root_move));
            }
            if variations > 1 {
                lines = self.root_moves[..variations].to_vec();
            }
            let same = self.root_moves[0].mv == settled.mv;
            stable_iterations = if same { stable_iterations + 1 } else { 0 };
            settled = self.root_moves[0].clone();
            let before = scores[0];
            scores = [scores[1], settled.score];
            if self.is_settled(limits, stable_iterations, before) {
                break;
            }
        }
        // A broken-off iteration counts as far as it has come, but for a loss: moves that it has not
        // come to may avoid it.
        let last = &self.root_moves[0];
        let is_new_loss = is_decided(last.score) && last.score < settled.score.min(DRAW);
        let mut settled_at = finished;
        if self.stopped && last.bound != Bound::Upper && !is_new_loss {
            settled = last.clone();
            settled_at = self.root_depth as u32;
        }
        if self.stopped {
            on_info(&self.info(settled_at, 0, &settled));
            // The others of the last finished depth once more: the settled move may have been one of
            // them, and stood there twice.
            let others = lines.iter().filter(|line| line.mv != settled.mv).take(variations - 1);
            for (index, root_move) in others.enumerate() {
                on_info(&self.info(finished, index + 1, root_move));
            }
        }
        Outcome {
            best: settled.mv,
            ponder: self.expected_reply(&settled),
            score: settled.score,
            depth: settled_at,
            nodes: self.nodes,
            pv: settled.variation,
        }
    }

    /// The reply in a root move's variation, or the one that the table knows: a move that failed high
    /// is a variation by itself.
    fn expected_reply(&mut self, root_move: &RootMove<G::Move>) -> G::Move {
        if let Some(&reply) = root_move.variation.get(1) {
            return reply;
        }
        self.game.play(root_move.mv);
        let known = self.probe(1).map_or(G::Move::NONE, |entry| entry.mv);
        let is_reply = known != G::Move::NONE && self.game.is_plausible(known);
        self.game.undo();
        if is_reply { known } else { G::Move::NONE }
    }

    fn nothing_to_play(&mut self) -> Outcome<G::Move> {
        let stuck = self.game.legal_moves().is_empty();
        let score = if stuck { self.game.stuck(0) } else { DRAW };
        let none = G::Move::NONE;
        Outcome { best: none, ponder: none, score, depth: 0, nodes: 0, pv: Vec::new() }
    }

    /// Notes what a root move is worth. Called by the root node after each move, whose number is
    /// `count`.
    pub(crate) fn judge_root_move(
        &mut self,
        count: usize,
        value: Value,
        alpha: Value,
        beta: Value,
        nodes_before: u64,
    ) {
        let rest = &self.variations[1];
        let root_move = &mut self.root_moves[self.variation_index + count - 1];
        root_move.nodes += self.nodes - nodes_before;
        if count > 1 && value <= alpha {
            // Not better than another: its place in the order stays as it was.
            root_move.score = -INFINITY;
            return;
        }
        root_move.score = value;
        root_move.selective_depth = self.selective_depth;
        root_move.bound = Bound::of(value, alpha, beta);
        root_move.variation.truncate(1);
        root_move.variation.extend_from_slice(&rest.moves[..rest.length]);
    }

    /// True if another iteration would be of no use, or cost more of the clock than it is worth.
    fn is_settled(
        &mut self,
        limits: &Limits<G::Move>,
        stable_iterations: i32,
        score_before: Value,
    ) -> bool {
        let best = &self.root_moves[0];
        if limits.is_answered_by(best.score) {
            return true;
        }
        if self.root_moves.len() == 1 {
            // Time saved on this move is won for others, if a clock runs.
            return self.timer.is_enough(self.control, 0);
        }
        let share = (best.nodes * 100 / self.nodes.max(1)) as i32;
        let percent = self.margins.time_stability.percent(stable_iterations)
            * self.margins.time_node_share.percent(share)
            / 100
            * self.margins.time_falling_score.percent(score_before, best.score)
            / 100;
        self.timer.is_enough(self.control, percent)
    }

    pub(crate) fn info(
        &self,
        depth: u32,
        index: usize,
        root_move: &RootMove<G::Move>,
    ) -> Progress<G::Move> {
        let [nodes, look_ups] = self.seat.map_or([0; 2], |seat| seat.counts_of_others());
        Progress {
            depth,
            selective_depth: root_move.selective_depth as u32 + 1,
            multi_pv: index + 1,
            score: root_move.score,
            bound: root_move.bound,
            nodes: self.nodes + nodes,
            time: self.timer.elapsed(),
            hash_full: self.memory.table.permille_full(),
            look_ups: self.game.look_ups() + look_ups,
            pv: root_move.variation.clone(),
        }
    }
}
