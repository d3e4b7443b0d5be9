//! Iterative deepening: a search one ply deep, then two, and so on until a limit is reached. What
//! the iteration before found orders the next one, which costs far more than all before it
//! together; and whenever the time is over there is an answer.
//!
//! CITE: David J. Slate and Lawrence R. Atkin, "CHESS 4.5: The Northwestern University Chess
//! Program" (1977).

use search::{Control, Limits, Outcome, Progress, wait_until_asked};
use std::cmp::Reverse;
use std::ops::RangeInclusive;

use crate::prelude::*;
use crate::running::Answer;
use crate::{Memory, Methods};

group! {
    /// Iterative deepening: depth by depth until a limit is reached (Kornilov p. 46).
    IterativeDeepening, sound {
        /// Iterations on or off.
        enabled: Switch,
        /// Without iterations: the depth that is searched where no limit names one (plies).
        depth: i32 = 6 in 1..=100 step 1,
        /// Depth of the first iteration (plies).
        first: i32 in 1..=12 step 1,
        /// An only legal move is played after a search of one ply.
        plays_only_move: Switch,
    }
}

impl IterativeDeepening {
    /// The depths to search, one after the other.
    fn depths(&self, limit: Option<u32>, is_only: bool) -> RangeInclusive<i32> {
        let deepest = MAX_PLY as i32 - 1;
        let limit = limit.map(|depth| i32::try_from(depth).unwrap_or(deepest).clamp(1, deepest));
        let last = limit.unwrap_or(if self.enabled() { deepest } else { self.depth });
        match self.enabled() {
            _ if is_only && self.plays_only_move() => 1..=1,
            true => self.first.min(last)..=last,
            false => last..=last,
        }
    }
}

/// Searches the position of `game` within the limits and says what to play. The position is the
/// same afterwards. `on_info` hears of every finished line, and of the answer of a search that was
/// broken off.
pub fn search<G: TextbookGame>(
    game: &mut G,
    methods: &Methods,
    memory: &mut Memory<G::Move>,
    limits: &Limits<G::Move>,
    control: &Control,
    on_info: &mut dyn FnMut(&Progress<G::Move>),
) -> Outcome<G::Move> {
    memory.begin_search(methods);
    let outcome = Search::new(game, methods, memory, limits, control).deepen(limits, on_info);
    wait_until_asked(limits, control);
    outcome
}

impl<G: TextbookGame> Search<'_, G> {
    fn deepen(
        &mut self,
        limits: &Limits<G::Move>,
        on_info: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Outcome<G::Move> {
        let moves = limits.wanted(&self.game.legal_moves());
        let Some(&any) = moves.first() else { return self.nothing_to_play() };
        let evaluation = if self.game.in_check() { DRAW } else { self.game.evaluate() };
        let mut settled: Vec<Answer<G::Move>> = Vec::new();
        let is_only = moves.len() == 1 && limits.search_moves.is_empty();
        for depth in self.methods.iterative_deepening.depths(limits.depth, is_only) {
            self.root_depth = depth;
            let mut found = self.best_lines(&moves, limits, depth, (&settled, evaluation));
            if self.stopped {
                // A broken-off iteration counts as far as it has come: the best move was tried first.
                if !found.is_empty() {
                    settled = vec![found.swap_remove(0)];
                }
                break;
            }
            settled = found;
            self.grow_tree(&settled[0].line);
            for (index, answer) in settled.iter().enumerate() {
                on_info(&self.progress(index, answer));
            }
            let percent = if moves.len() == 1 { 0 } else { 100 };
            if limits.is_answered_by(settled[0].value)
                || self.timer.is_enough(self.control, percent)
            {
                break;
            }
        }
        let nothing = Answer { value: evaluation, bound: Bound::Exact, depth: 0, line: vec![any] };
        let best = settled.into_iter().next().unwrap_or(nothing);
        if self.stopped {
            on_info(&self.progress(0, &best));
        }
        Outcome {
            best: best.line[0],
            ponder: best.line.get(1).copied().unwrap_or(G::Move::NONE),
            score: best.value,
            depth: best.depth as u32,
            nodes: self.nodes,
            pv: best.line,
        }
    }

    /// As many best lines as are asked for, the best one first; fewer if the search is broken off.
    fn best_lines(
        &mut self,
        moves: &[G::Move],
        limits: &Limits<G::Move>,
        depth: i32,
        (before, evaluation): (&[Answer<G::Move>], Value),
    ) -> Vec<Answer<G::Move>> {
        let mut found: Vec<Answer<G::Move>> = Vec::new();
        for index in 0..limits.multi_pv.clamp(1, moves.len()) {
            self.root_moves = unshown(moves, &limits.tiers, &found);
            self.last_line = before.get(index).map_or_else(Vec::new, |answer| answer.line.clone());
            self.selective_depth = 0;
            self.search_root(depth, before.get(index).map_or(evaluation, |answer| answer.value));
            found.extend(self.answer.take());
            if self.stopped {
                break;
            }
        }
        if limits.tiers.is_empty() {
            found.sort_by_key(|answer| Reverse(answer.value));
        }
        found
    }

    /// Finds the best of the root's moves, whose value is expected to be this one.
    fn search_root(&mut self, depth: i32, expected: Value) {
        let methods = self.methods;
        if methods.alpha_beta.enabled() && methods.mtd.enabled() {
            self.search_by_zero_windows(depth, expected);
        } else if methods.alpha_beta.enabled() && methods.aspiration.enabled() {
            self.search_by_aspiration(depth, expected);
        } else {
            self.node(-INFINITY, INFINITY, depth, 0);
        }
    }

    /// Notes the best line of the root, of this value.
    pub(crate) fn answer(&mut self, value: Value, depth: i32, (alpha, beta): (Value, Value)) {
        let bound = Bound::of(value, alpha, beta);
        self.answer = Some(Answer { value, bound, depth, line: self.lines[0].clone() });
    }

    fn nothing_to_play(&self) -> Outcome<G::Move> {
        let stuck = self.game.legal_moves().is_empty();
        let score = if stuck { self.game.stuck(0) } else { DRAW };
        let none = G::Move::NONE;
        Outcome { best: none, ponder: none, score, depth: 0, nodes: 0, pv: Vec::new() }
    }

    fn progress(&self, index: usize, answer: &Answer<G::Move>) -> Progress<G::Move> {
        Progress {
            depth: answer.depth as u32,
            selective_depth: self.selective_depth as u32 + 1,
            multi_pv: index + 1,
            score: answer.value,
            bound: answer.bound,
            nodes: self.nodes,
            time: self.timer.elapsed(),
            look_ups: self.game.look_ups(),
            hash_full: self.memory.permille_full(),
            pv: answer.line.clone(),
        }
    }
}

/// The moves of which the next line is the best one's: of those that are not yet shown, the ones of
/// the best tier ([`Limits::tiers`]).
fn unshown<M: GameMove>(moves: &[M], tiers: &[usize], shown: &[Answer<M>]) -> Vec<M> {
    let is_left = |mv: &M| shown.iter().all(|answer| answer.line[0] != *mv);
    let ends = (1..=tiers.len()).map(|count| tiers[..count].iter().sum()).chain([moves.len()]);
    let mut left = ends.map(|end| moves.iter().take(end).copied().filter(is_left).collect());
    left.find(|left: &Vec<M>| !left.is_empty()).unwrap_or_default()
}
