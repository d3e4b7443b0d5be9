//! The search: alpha-beta for any two-player game in which players take turns.
//!
//! It knows of the game only what [`Position`] tells; pieces and boards have no name here.
//! `iterate.rs` deepens, `alpha_beta.rs` is the tree, `quiescence.rs` its leaves, `ordering.rs` the
//! order of moves, `history.rs` and `table.rs` what is remembered, `learning.rs` how it gets there,
//! `margins.rs` the numbers of all techniques, `time.rs` the clock.

mod alpha_beta;
mod history;
mod iterate;
mod learning;
mod limits;
pub mod margins;
mod ordering;
mod position;
mod quiescence;
mod table;
mod time;
pub mod value;

pub use iterate::{quiescence, search};
pub use limits::{ClockSide, Control, Info, Limits, Outcome};
pub use margins::Margins;
pub use position::{CORRECTION_KEYS, Cells, GameMove, Position, Ruling, Stage};
pub use table::{Entry, Table};
pub use value::{Bound, Value};

use history::{CONTINUATIONS, Histories, Rows};
use iterate::RootMove;
use margins::Logarithms;
use ordering::Scored;
use time::Timer;
use value::{MAX_PLY, UNKNOWN};

/// What a search leaves behind for the next one of the same game.
pub struct Memory<P> {
    /// Results by position.
    pub table: Table,
    histories: Histories<P>,
    logarithms: Logarithms,
}

impl<P: Position> Memory<P> {
    /// An empty memory with a table of this many megabytes.
    pub fn new(megabytes: usize) -> Memory<P> {
        let table = Table::new(megabytes);
        Memory { table, histories: Histories::new(), logarithms: Logarithms::new() }
    }

    /// Forgets everything, as for a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.clear();
    }
}

/// What belongs to one ply of the line being searched.
#[derive(Clone, Copy)]
struct Frame<M> {
    /// Corrected static evaluation, unknown in check.
    evaluation: Value,
    /// Continuation row of the move played here, or the row for none.
    row: usize,
    /// Quiet moves that refuted siblings.
    killers: [M; 2],
    /// A move left out, to see whether the others are worse.
    excluded: M,
}

/// Frames before the root, so that looking back needs no question.
const BEFORE_ROOT: usize = 4;
/// Frames past the deepest ply, as killers of later plies are reset in advance.
const AFTER_LAST: usize = 3;
/// Nodes between two looks at the clock.
const CHECK_INTERVAL: u64 = 1024;

/// One line of best play.
#[derive(Clone, Copy)]
struct Line<M> {
    moves: [M; MAX_PLY],
    length: usize,
}

/// A running search.
struct Search<'a, P: Position> {
    position: &'a mut P,
    margins: &'a Margins,
    memory: &'a mut Memory<P>,
    control: &'a Control,
    timer: Timer,
    node_limit: u64,
    nodes: u64,
    next_check: u64,
    stopped: bool,
    root_depth: i32,
    selective_depth: usize,
    /// Which of several best lines is being searched, from 0.
    line_index: usize,
    root_moves: Vec<RootMove<P::Move>>,
    stack: Vec<Frame<P::Move>>,
    lines: Vec<Line<P::Move>>,
    /// Moves generated at all nodes of the current line, see [`ordering::Picker`].
    moves: Vec<Scored<P::Move>>,
}

impl<'a, P: Position> Search<'a, P> {
    fn new(
        position: &'a mut P,
        margins: &'a Margins,
        memory: &'a mut Memory<P>,
        limits: &Limits<P::Move>,
        control: &'a Control,
    ) -> Search<'a, P> {
        let timer = Timer::new(limits, margins, position.mover());
        let none = P::Move::NONE;
        let frame = Frame {
            evaluation: UNKNOWN,
            row: Histories::<P>::NO_ROW,
            killers: [none; 2],
            excluded: none,
        };
        let node_limit = limits.nodes.unwrap_or(u64::MAX).max(1);
        Search {
            position,
            margins,
            memory,
            control,
            timer,
            node_limit,
            nodes: 0,
            next_check: node_limit.min(CHECK_INTERVAL),
            stopped: false,
            root_depth: 0,
            selective_depth: 0,
            line_index: 0,
            root_moves: Vec::new(),
            stack: vec![frame; BEFORE_ROOT + MAX_PLY + AFTER_LAST],
            lines: vec![Line { moves: [none; MAX_PLY], length: 0 }; MAX_PLY + 1],
            moves: Vec::with_capacity(4096),
        }
    }

    /// Enters a node; true if the search is over and the node's value does not count.
    #[inline]
    fn enter(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes >= self.next_check {
            self.next_check = self.node_limit.min(self.nodes + CHECK_INTERVAL);
            self.stopped |= self.nodes >= self.node_limit
                || self.control.is_stopped()
                || self.timer.is_over(self.control);
        }
        self.stopped
    }

    /// The value of a node that needs no search because the rules have spoken.
    #[inline]
    fn ruled(&mut self, alpha: Value, beta: Value, ply: usize) -> Option<Value> {
        match self.position.ruling(ply) {
            Ruling::Open => None,
            Ruling::Exact(value) => Some(value),
            Ruling::AtLeast(value) => (value >= beta).then_some(value),
            Ruling::AtMost(value) => (value <= alpha).then_some(value),
        }
    }

    #[inline]
    fn play(&mut self, mv: P::Move, ply: usize) {
        self.frame_mut(ply).row = self.position.cells(mv).piece_to;
        self.position.play(mv);
    }

    #[inline]
    fn pass(&mut self, ply: usize) {
        self.frame_mut(ply).row = Histories::<P>::NO_ROW;
        self.position.pass();
    }

    #[inline]
    fn probe(&self, ply: usize) -> Option<Entry<P::Move>> {
        if !self.margins.table.enabled() {
            return None;
        }
        self.memory.table.probe(self.position.key(), ply)
    }

    #[inline]
    fn store(&mut self, ply: usize, entry: Entry<P::Move>) {
        if self.margins.table.enabled() {
            self.memory.table.store(&self.margins.table, self.position.key(), ply, entry);
        }
    }

    #[inline]
    fn corrected(&self, evaluation: Value) -> Value {
        let keys = self.position.correction_keys();
        self.memory.histories.corrected(self.margins, keys, evaluation)
    }

    #[inline]
    fn frame(&self, ply: usize) -> &Frame<P::Move> {
        &self.stack[BEFORE_ROOT + ply]
    }

    #[inline]
    fn frame_mut(&mut self, ply: usize) -> &mut Frame<P::Move> {
        &mut self.stack[BEFORE_ROOT + ply]
    }

    /// Continuation rows of the moves that led to the node at `ply`.
    #[inline]
    fn rows(&self, ply: usize) -> Rows {
        CONTINUATIONS.map(|back| self.stack[BEFORE_ROOT + ply - back].row)
    }

    /// Makes `mv`, followed by the line of the next ply, the best line at `ply`.
    fn extend_line(&mut self, ply: usize, mv: P::Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let (line, rest) = (&mut before[ply], &after[0]);
        let length = rest.length.min(MAX_PLY - 1);
        line.moves[0] = mv;
        line.moves[1..=length].copy_from_slice(&rest.moves[..length]);
        line.length = length + 1;
    }
}
