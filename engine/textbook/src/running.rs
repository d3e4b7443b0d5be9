//! A running search: what it knows, the line it stands in, and when it stops.

use search::{Control, Limits, Timer};

use crate::prelude::*;
use crate::{Memory, Methods};

/// Nodes between two looks at the clock.
const CHECK_INTERVAL: u64 = 1024;
/// Plies that anything may look at: a threat is looked for two plies below the deepest node.
const PLIES: usize = MAX_PLY + 4;

/// A move of the line that is being searched, as methods look back at it.
#[derive(Clone, Copy)]
pub(crate) struct Step<M> {
    /// The move; NONE is a pass.
    pub(crate) mv: M,
    pub(crate) noisy: bool,
    pub(crate) gives_check: bool,
    pub(crate) traits: MoveTraits,
    /// By how many plies it is searched deeper.
    pub(crate) extension: i32,
    /// The reasons to search deeper that the line has gathered, in quarters of a ply.
    pub(crate) quarters: i32,
    /// It is tried in a position of the principal tree.
    pub(crate) at_trusted: bool,
}

impl<M: GameMove> Step<M> {
    pub(crate) fn is_pass(&self) -> bool {
        self.mv == M::NONE
    }

    pub(crate) fn is_quiet(&self) -> bool {
        !self.noisy && !self.is_pass()
    }

    /// Its answers matter: it takes, gives check or is searched deeper.
    pub(crate) fn is_forcing(&self) -> bool {
        self.noisy || self.gives_check || self.extension > 0
    }
}

/// The best move of the root so far.
#[derive(Clone, Debug)]
pub(crate) struct Answer<M> {
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    pub(crate) depth: i32,
    /// The moves expected to be played, the best one first.
    pub(crate) line: Vec<M>,
}

/// A running search.
pub(crate) struct Search<'a, G: TextbookGame> {
    pub(crate) game: &'a mut G,
    pub(crate) methods: &'a Methods,
    pub(crate) memory: &'a mut Memory<G::Move>,
    pub(crate) control: &'a Control,
    pub(crate) timer: Timer,
    node_limit: u64,
    next_check: u64,
    pub(crate) nodes: u64,
    pub(crate) stopped: bool,
    pub(crate) selective_depth: usize,
    /// Depth of the iteration in plies.
    pub(crate) root_depth: i32,
    /// The moves that are asked for at the root.
    pub(crate) root_moves: Vec<G::Move>,
    pub(crate) answer: Option<Answer<G::Move>>,
    /// The best line of the last iteration.
    pub(crate) last_line: Vec<G::Move>,
    /// The moves from the root to the current position, one a ply.
    pub(crate) path: Vec<Step<G::Move>>,
    /// Evaluation by ply from the mover's view, none in check.
    pub(crate) evaluations: Vec<Option<Value>>,
    /// The best line from each ply on.
    pub(crate) lines: Vec<Vec<G::Move>>,
    pub(crate) killers: Vec<Vec<G::Move>>,
    pub(crate) history: Vec<i32>,
    /// Positions of earlier best lines with their moves, the newest last.
    pub(crate) tree: Vec<(u64, G::Move)>,
    /// A search is running that a method makes less deep, and makes no further one.
    pub(crate) in_reduced: bool,
    /// The ply where quiescence began, and the one up to which it tries checks.
    pub(crate) horizon: usize,
    pub(crate) check_limit: usize,
}

impl<'a, G: TextbookGame> Search<'a, G> {
    pub(crate) fn new(
        game: &'a mut G,
        methods: &'a Methods,
        memory: &'a mut Memory<G::Move>,
        limits: &Limits<G::Move>,
        control: &'a Control,
    ) -> Search<'a, G> {
        let timer = Timer::new(limits, &methods.time, game);
        let node_limit = limits.nodes.unwrap_or(u64::MAX).max(1);
        Search {
            game,
            methods,
            memory,
            control,
            timer,
            node_limit,
            next_check: node_limit.min(CHECK_INTERVAL),
            nodes: 0,
            stopped: false,
            selective_depth: 0,
            root_depth: 0,
            root_moves: Vec::new(),
            answer: None,
            last_line: Vec::new(),
            path: Vec::new(),
            evaluations: vec![None; PLIES],
            lines: vec![Vec::new(); PLIES],
            killers: vec![Vec::new(); PLIES],
            history: vec![0; G::ROUTE_COUNT],
            tree: Vec::new(),
            in_reduced: false,
            horizon: 0,
            check_limit: 0,
        }
    }

    /// Counts a node; true if the search is over and no value counts any more.
    pub(crate) fn enter(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        self.lines[ply].clear();
        if self.nodes >= self.next_check {
            self.next_check = self.node_limit.min(self.nodes + CHECK_INTERVAL);
            self.stopped |= self.nodes >= self.node_limit
                || self.control.is_stopped()
                || self.timer.is_over(self.control);
        }
        self.stopped
    }

    /// The value of a node: the rules of the game settle it for this window, or bound what `search`
    /// finds.
    pub(crate) fn by_rules(
        &mut self,
        (alpha, beta): (Value, Value),
        (depth, ply): (i32, usize),
        search: impl FnOnce(&mut Self, Value, Value) -> Value,
    ) -> Value {
        let (least, most) = match self.ruling(depth, ply) {
            Ruling::Exact(value) => return value,
            Ruling::AtLeast(value) if value >= beta => return value,
            Ruling::AtMost(value) if value <= alpha => return value,
            Ruling::AtLeast(value) => (value, INFINITY),
            Ruling::AtMost(value) => (-INFINITY, value),
            Ruling::Open => (-INFINITY, INFINITY),
        };
        let (alpha, beta) = self.methods.alpha_beta.within((alpha, beta), (least, most));
        search(self, alpha, beta).clamp(least, most)
    }

    /// The move that led to the current position, or one before it; none before the root.
    pub(crate) fn step(&self, back: usize) -> Option<&Step<G::Move>> {
        self.path.iter().rev().nth(back - 1)
    }

    /// Plays a move, in a position of the principal tree or not.
    pub(crate) fn play(&mut self, mv: G::Move, at_trusted: bool) {
        let (noisy, traits) = (self.game.is_noisy(mv), self.game.traits_of(mv));
        self.game.play(mv);
        self.push(mv, noisy, traits, at_trusted);
    }

    /// Gives the turn to the opponent.
    pub(crate) fn pass(&mut self) {
        self.game.pass();
        self.push(G::Move::NONE, false, MoveTraits::default(), false);
    }

    fn push(&mut self, mv: G::Move, noisy: bool, traits: MoveTraits, at_trusted: bool) {
        let gives_check = self.game.in_check();
        let quarters = self.step(1).map_or(0, |step| step.quarters);
        self.path.push(Step { mv, noisy, gives_check, traits, extension: 0, quarters, at_trusted });
    }

    /// Takes back the last move or pass.
    pub(crate) fn undo(&mut self) {
        self.game.undo();
        self.path.pop();
    }

    /// Makes the move, followed by the best line of the next ply, the best line at this one.
    pub(crate) fn improve_line(&mut self, ply: usize, mv: G::Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(mv);
        before[ply].extend_from_slice(&after[0]);
    }
}
