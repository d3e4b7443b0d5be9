//! What a search is asked and what it answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::value::{Bound, Value, mate_in};

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockSide {
    /// Time left for all moves to come.
    pub time: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// When a search is to stop: at the first limit reached. Without any limit it goes to the greatest
/// depth.
#[derive(Clone, Debug)]
pub struct Limits<M> {
    /// Greatest depth in plies.
    pub depth: Option<u32>,
    /// Number of nodes; the search stops at exactly this count.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// The clocks of both sides, by [`super::Game::mover`].
    pub clock: [Option<ClockSide>; 2],
    /// Moves until the clock is refilled.
    pub moves_to_go: Option<u32>,
    /// Stop when a forced win (or loss) in this many moves is found.
    pub mate: Option<u32>,
    /// Do not answer before [`Control::stop`] is set.
    pub infinite: bool,
    /// Think on the opponent's time: clocks do not count until [`Control::ponder_hit`] is set. Then
    /// shares of the clock are measured from the start, and [`Limits::move_time`] from the hit.
    pub ponder: bool,
    /// Consider only these moves, at first in this order; empty means all.
    pub search_moves: Vec<M>,
    /// All other moves are known to be worse, so that the position is worth what these are.
    pub others_are_worse: bool,
    /// Where it is known which of [`Limits::search_moves`] are better than others: how many are equally
    /// good, the best ones first. All lines of these are shown before those of others, whatever the
    /// search thinks of them. Empty: nothing is known.
    pub tiers: Vec<usize>,
    /// How many of the best moves to search out, at least 1.
    pub multi_pv: usize,
    /// Time lost per move between engine and clock.
    pub move_overhead: Duration,
    /// When the search was asked for, since when the clock runs; none: when it begins.
    pub asked: Option<Instant>,
}

impl<M> Default for Limits<M> {
    fn default() -> Limits<M> {
        Limits {
            depth: None,
            nodes: None,
            move_time: None,
            clock: [None; 2],
            moves_to_go: None,
            mate: None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
            others_are_worse: false,
            tiers: Vec::new(),
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            asked: None,
        }
    }
}

impl<M> Limits<M> {
    /// Stops at exactly this many nodes.
    pub fn nodes(nodes: u64) -> Limits<M> {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Stops after this depth in plies.
    pub fn depth(depth: u32) -> Limits<M> {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// The same limits with other moves.
    pub fn map<N>(&self, each: impl Fn(&M) -> N) -> Limits<N> {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time,
            clock: self.clock,
            moves_to_go: self.moves_to_go,
            mate: self.mate,
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves: self.search_moves.iter().map(each).collect(),
            others_are_worse: self.others_are_worse,
            tiers: self.tiers.clone(),
            multi_pv: self.multi_pv,
            move_overhead: self.move_overhead,
            asked: self.asked,
        }
    }

    /// Those of the legal moves that are asked for, each once and in the order asked for.
    pub fn wanted(&self, legal: &[M]) -> Vec<M>
    where
        M: Copy + PartialEq,
    {
        if self.search_moves.is_empty() {
            return legal.to_vec();
        }
        let mut wanted = Vec::new();
        for mv in &self.search_moves {
            if legal.contains(mv) && !wanted.contains(mv) {
                wanted.push(*mv);
            }
        }
        wanted
    }

    /// True if a forced win or loss was asked for, and this score is one in so many moves.
    pub fn is_answered_by(&self, score: Value) -> bool {
        let found = mate_in(score).map(i32::unsigned_abs);
        found.zip(self.mate).is_some_and(|(found, asked)| found <= asked)
    }
}

/// Signals to a running search, shared with whoever may send them.
#[derive(Debug, Default)]
pub struct Control {
    /// Stop as soon as possible.
    pub stop: AtomicBool,
    /// The move pondered on was played: from now on the clock counts.
    pub ponder_hit: AtomicBool,
}

impl Control {
    /// Signals that nobody has sent.
    pub fn new() -> Control {
        Control::default()
    }

    /// True once [`Control::stop`] is set.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// True once [`Control::ponder_hit`] is set.
    pub fn is_ponder_hit(&self) -> bool {
        self.ponder_hit.load(Ordering::Relaxed)
    }
}

/// What the search thinks after a finished variation of an iteration.
#[derive(Clone, Debug)]
pub struct Progress<M> {
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// Longest sequence of moves followed, in plies.
    pub selective_depth: u32,
    /// Which of the best variations this is, from 1.
    pub multi_pv: usize,
    /// Score from the mover's view.
    pub score: Value,
    /// What the score says about the true value.
    pub bound: Bound,
    /// Nodes visited so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Positions that were looked up where their outcome is known, and found.
    pub look_ups: u64,
    /// How full the transposition table is, in permille.
    pub hash_full: u32,
    /// The moves expected to be played.
    pub pv: Vec<M>,
}

impl<M> Progress<M> {
    /// The same report with other moves.
    pub fn map<N>(&self, each: impl Fn(&M) -> N) -> Progress<N> {
        Progress {
            depth: self.depth,
            selective_depth: self.selective_depth,
            multi_pv: self.multi_pv,
            score: self.score,
            bound: self.bound,
            nodes: self.nodes,
            time: self.time,
            look_ups: self.look_ups,
            hash_full: self.hash_full,
            pv: self.pv.iter().map(each).collect(),
        }
    }
}

/// The answer of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome<M> {
    /// The move to play; none if there is no legal move.
    pub best: M,
    /// The answer expected, to ponder on; may be none.
    pub ponder: M,
    /// Score from the mover's view.
    pub score: Value,
    /// Depth in plies of the iteration that the answer is of: the last one that was finished, or the
    /// one that was broken off if it had come to an answer.
    pub depth: u32,
    /// Nodes visited until the answer was found.
    pub nodes: u64,
    /// The moves expected to be played, beginning with `best`.
    pub pv: Vec<M>,
}

impl<M> Outcome<M> {
    /// The same answer with other moves.
    pub fn map<N>(&self, each: impl Fn(&M) -> N) -> Outcome<N> {
        Outcome {
            best: each(&self.best),
            ponder: each(&self.ponder),
            score: self.score,
            depth: self.depth,
            nodes: self.nodes,
            pv: self.pv.iter().map(each).collect(),
        }
    }
}
