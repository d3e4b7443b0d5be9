//! The search: alpha-beta for any two-player game in which players take turns.
//!
//! It knows of the game only what [`Game`] tells; pieces and boards have no name here. `root/` deepens,
//! `node/` is the tree with a file a technique, `quiescence.rs` its leaves, `ordering.rs` the order of
//! moves, `memory/` what is remembered, and `audit/` asks of a sample of cuts whether they were right.

mod audit;
mod game;
mod limits;
#[cfg(test)]
mod made_up;
mod memory;
mod node;
mod ordering;
mod prefetch;
mod quiescence;
mod root;
pub mod value;

use std::sync::Arc;

pub use audit::cutoffs::{Cutoffs, search_counting_cutoffs};
pub use audit::rule::{PricedMargin, PruningRule, Unit};
pub use audit::{AuditSettings, Audited, Cut, DEPTHS, NodeKind, Tally, Verdict, audit};
pub use game::{Game, GameMove, HistoryIndex, MoveClass, Ruling};
pub use limits::{ClockSide, Control, Limits, Outcome, Progress};
pub use memory::table::{Table, TableEntry};
pub use node::{Margins, Rule};
pub use prefetch::prefetch;
pub use root::iterate::{quiescence, search, wait_until_asked};
pub use root::threads::{Helper, STACK, THREADS_MAX, search_together};
pub use root::time::{Time, Timer};
pub use value::{Bound, Value};

use parameters::Source;

use audit::{Auditor, Change};
use memory::history::{CONTINUATIONS, Histories, Rows};
use node::known::Candidate;
use node::late_move_reduction::Reductions;
use ordering::Scored;
use root::iterate::RootMove;
use root::threads::Seat;
use value::{INFINITY, MAX_PLY, UNKNOWN, clear_of_decisions};

/// What a search leaves behind for the next one of the same game.
pub struct Memory<G> {
    /// Results by position, which other memories may share.
    pub table: Arc<Table>,
    histories: Histories<G>,
    reductions: Reductions,
}

impl<G: Game> Memory<G> {
    /// An empty memory with a table of this many megabytes.
    pub fn new(megabytes: usize) -> Memory<G> {
        Memory::sharing(Arc::new(Table::new(megabytes)))
    }

    /// An empty memory, but for what is in a table that others use too.
    pub fn sharing(table: Arc<Table>) -> Memory<G> {
        Memory { table, histories: Histories::new(), reductions: Reductions::new() }
    }

    /// Forgets everything, as for a new game.
    pub fn clear(&mut self) {
        self.clear_with(1);
    }

    /// [`Memory::clear`] with so many threads, which large tables are worth.
    pub fn clear_with(&mut self, threads: usize) {
        self.table.clear(threads);
        self.histories.clear();
    }
}

/// What belongs to one ply of the sequence of moves being searched.
#[derive(Clone, Copy)]
struct Frame<M> {
    /// Corrected static evaluation, unknown in check.
    static_eval: Value,
    /// Continuation row of the move played here, or the row for none.
    row: usize,
    /// Quiet moves that refuted siblings.
    killers: [M; 2],
    /// The quiet move played here, or none.
    quiet: Option<HistoryIndex>,
    /// The node lies, or once lay, on the line of best play.
    tt_pv: bool,
    /// Plies by which the move played here is reduced, for hindsight at the node after it; else 0.
    plies_reduced: i32,
    /// Nodes at this ply that failed high since the one two plies before was entered.
    cutoffs: i32,
    /// How many moves of the line up to here were extended by two plies or more.
    double_extensions: i32,
    /// The move that singular extension leaves out while it searches this position again, else NONE.
    excluded: M,
}

/// Frames before the root, so that looking back needs no question.
const BEFORE_ROOT: usize = 6;
/// Frames past the deepest ply, as killers of later plies are reset in advance.
const AFTER_LAST: usize = 3;
/// Nodes between two looks at the clock.
const CHECK_INTERVAL: u64 = 1024;

/// The bounds that the rules of the game set on the value of a node.
enum RuleBounds {
    /// Nothing is left to search: this is the value, or a bound that is enough.
    Settled(Value),
    /// The value lies between these two, whatever a search says, and may lie in the window.
    Within(Value, Value),
}

/// A sequence of best moves.
#[derive(Clone, Copy)]
struct Variation<M> {
    moves: [M; MAX_PLY],
    length: usize,
}

/// A running search, with whoever looks at what it cuts and says where the margins are from.
struct Search<'a, G: Game, A: Auditor<G>> {
    auditor: A,
    game: &'a mut G,
    margins: A::Margins<'a>,
    memory: &'a mut Memory<G>,
    control: &'a Control,
    /// The place among several threads, unless this one is alone.
    seat: Option<Seat<'a>>,
    timer: Timer,
    node_limit: u64,
    nodes: u64,
    next_check: u64,
    stopped: bool,
    root_depth: i32,
    /// Ply before which nobody passes, while a cut by a pass is verified.
    pass_from: usize,
    selective_depth: usize,
    /// Which of several best variations is being searched, from 0.
    variation_index: usize,
    root_moves: Vec<RootMove<G::Move>>,
    /// Only some of the legal moves are considered at the root, and others may be better.
    root_is_restricted: bool,
    stack: Vec<Frame<G::Move>>,
    /// What is threatened at each ply, where moves are tried.
    threats: Vec<G::Threats>,
    variations: Vec<Variation<G::Move>>,
    /// Moves generated at all nodes up to the current one, see [`ordering::Picker`].
    moves: Vec<Scored<G::Move>>,
}

impl<'a, G: Game, A: Auditor<G>> Search<'a, G, A> {
    fn new(
        game: &'a mut G,
        margins: A::Margins<'a>,
        memory: &'a mut Memory<G>,
        limits: &Limits<G::Move>,
        control: &'a Control,
        auditor: A,
    ) -> Search<'a, G, A> {
        memory.reductions.suit(&margins.late_move_reduction);
        let timer = Timer::new(limits, &margins.time, game);
        let none = G::Move::NONE;
        let frame = Frame {
            static_eval: UNKNOWN,
            row: Histories::<G>::NO_ROW,
            killers: [none; 2],
            quiet: None,
            tt_pv: false,
            plies_reduced: 0,
            cutoffs: 0,
            double_extensions: 0,
            excluded: none,
        };
        let node_limit = limits.nodes.unwrap_or(u64::MAX).max(1);
        Search {
            auditor,
            game,
            margins,
            memory,
            control,
            seat: None,
            timer,
            node_limit,
            nodes: 0,
            next_check: node_limit.min(CHECK_INTERVAL),
            stopped: false,
            root_depth: 0,
            pass_from: 0,
            selective_depth: 0,
            variation_index: 0,
            root_moves: Vec::new(),
            root_is_restricted: false,
            stack: vec![frame; BEFORE_ROOT + MAX_PLY + AFTER_LAST],
            threats: vec![G::Threats::default(); MAX_PLY],
            variations: vec![Variation { moves: [none; MAX_PLY], length: 0 }; MAX_PLY + 1],
            moves: Vec::with_capacity(4096),
        }
    }

    /// Becomes one of several threads, which share the nodes that are allowed.
    fn join(&mut self, seat: Seat<'a>) {
        self.node_limit = seat.further_nodes();
        self.next_check = self.node_limit.min(CHECK_INTERVAL);
        self.stopped = self.node_limit == 0;
        self.seat = Some(seat);
    }

    /// Enters a node; true if the search is over and the node's value does not count.
    #[inline]
    fn enter(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.stopped
    }

    /// Tells other threads of the same search how far this one is.
    fn report(&self) {
        if let Some(seat) = self.seat {
            seat.report(self.nodes, self.game.look_ups());
        }
    }

    /// Looks whether the search is over. Out of line, so that nodes stay small.
    #[cold]
    #[inline(never)]
    fn check_limits(&mut self) {
        self.report();
        if let Some(seat) = self.seat {
            if self.nodes >= self.node_limit {
                self.node_limit = self.node_limit.saturating_add(seat.further_nodes());
            }
            self.stopped |= seat.is_halted();
        }
        self.next_check = self.node_limit.min(self.nodes + CHECK_INTERVAL);
        self.stopped |= self.nodes >= self.node_limit
            || self.control.is_stopped()
            || self.timer.is_over(self.control);
    }

    /// The bounds that the rules of the game set on a node's value, or its value if they settle it for
    /// this window. `depth` plies are still to be searched.
    #[inline]
    fn rule_bounds(&mut self, alpha: Value, beta: Value, ply: usize, depth: i32) -> RuleBounds {
        match self.game.ruling(ply, depth) {
            Ruling::Open => RuleBounds::Within(-INFINITY, INFINITY),
            Ruling::Exact(value) => RuleBounds::Settled(value),
            Ruling::AtLeast(value) if value >= beta => RuleBounds::Settled(value),
            Ruling::AtLeast(value) => RuleBounds::Within(value, INFINITY),
            Ruling::AtMost(value) if value <= alpha => RuleBounds::Settled(value),
            Ruling::AtMost(value) => RuleBounds::Within(-INFINITY, value),
        }
    }

    /// The evaluation of the current position. Margins of the build are only where the game has said
    /// that its weights are of the build, too ([`Game::built_margins`]).
    #[inline(always)]
    fn evaluate(&mut self) -> Value {
        if A::Margins::IS_BUILT { self.game.evaluate_as_built() } else { self.game.evaluate() }
    }

    /// Has fetched what the table knows of the position after a move, which may be played soon: the
    /// earlier the better, even if the move is then skipped.
    #[inline]
    fn prefetch_after(&self, mv: G::Move) {
        self.memory.table.prefetch(self.game.likely_table_key_after(mv));
    }

    /// Plays a noisy move or an answer to a check.
    #[inline]
    fn play(&mut self, mv: G::Move, ply: usize) {
        let row = self.game.history_index(mv, G::Threats::default()).piece_to;
        let frame = self.frame_mut(ply);
        (frame.row, frame.quiet) = (row, None);
        self.game.play(mv);
    }

    #[inline]
    fn play_candidate(&mut self, candidate: &Candidate<G::Move>, ply: usize) {
        let frame = self.frame_mut(ply);
        frame.row = candidate.index.piece_to;
        frame.quiet = (!candidate.noisy).then_some(candidate.index);
        self.game.play(candidate.mv);
    }

    /// Notes by how many plies the move played at this ply is extended.
    #[inline]
    fn note_extension(&mut self, ply: usize, plies: i32) {
        let doubles = self.stack[BEFORE_ROOT + ply - 1].double_extensions;
        self.frame_mut(ply).double_extensions = doubles + i32::from(plies >= 2);
    }

    #[inline]
    fn pass(&mut self, ply: usize) {
        self.note_extension(ply, 0);
        let frame = self.frame_mut(ply);
        (frame.row, frame.quiet) = (Histories::<G>::NO_ROW, None);
        self.game.pass();
    }

    #[inline]
    fn probe(&self, ply: usize) -> Option<TableEntry<G::Move>> {
        if !self.margins.table.enabled() {
            return None;
        }
        self.memory.table.probe(self.game.table_key(), ply)
    }

    #[inline]
    fn store(&mut self, ply: usize, entry: TableEntry<G::Move>) {
        if self.margins.table.enabled() {
            A::before_change(self, Change::Table);
            let (table, key) = (&self.memory.table, self.game.table_key());
            table.store(&self.margins.table, key, ply, entry);
        }
    }

    /// The evaluation before corrections, remembered at once: most nodes are cut before they have
    /// any other result.
    #[inline]
    fn raw_eval(&mut self, entry: &Option<TableEntry<G::Move>>, ply: usize) -> Value {
        if let Some(entry) = entry {
            return entry.evaluation;
        }
        let evaluation = self.evaluate();
        self.store(ply, TableEntry::of_evaluation(evaluation));
        evaluation
    }

    /// The evaluation before corrections, and with what the search made of similar positions.
    #[inline]
    fn evaluated(&mut self, entry: &Option<TableEntry<G::Move>>, ply: usize) -> (Value, Value) {
        // Looked up first, since it may come from afar: meanwhile the evaluation is computed.
        let keys = self.game.correction_keys();
        let correction = self.memory.histories.correction(&self.margins, keys, self.last_two(ply));
        let raw_eval = self.raw_eval(entry, ply);
        (raw_eval, clear_of_decisions(raw_eval + correction))
    }

    /// Rows of the last two moves before the node at `ply`.
    #[inline]
    fn last_two(&self, ply: usize) -> (usize, usize) {
        let row = |back: usize| self.stack[BEFORE_ROOT + ply - back].row;
        (row(1), row(2))
    }

    /// Looks for what is threatened at this ply, before its moves are tried.
    #[inline]
    fn look_for_threats(&mut self, ply: usize) {
        self.threats[ply] = self.game.threats();
    }

    /// What is threatened at this ply as far as histories tell moves apart by it.
    #[inline]
    fn threats_of_histories(&self, ply: usize) -> G::Threats {
        let by_threats = self.margins.quiet_history.by_threats();
        if by_threats { self.threats[ply] } else { G::Threats::default() }
    }

    #[inline]
    fn frame(&self, ply: usize) -> &Frame<G::Move> {
        &self.stack[BEFORE_ROOT + ply]
    }

    #[inline]
    fn frame_mut(&mut self, ply: usize) -> &mut Frame<G::Move> {
        &mut self.stack[BEFORE_ROOT + ply]
    }

    /// Rows of the histories for the node at `ply`, whose position stands on the board.
    #[inline]
    fn rows(&self, ply: usize) -> Rows {
        let continuation = CONTINUATIONS.map(|back| self.stack[BEFORE_ROOT + ply - back].row);
        Rows::new(continuation, self.game.structure_key())
    }

    /// Makes `mv`, followed by the variation of the next ply, the best variation at `ply`.
    fn update_variation(&mut self, ply: usize, mv: G::Move) {
        let (before, after) = self.variations.split_at_mut(ply + 1);
        let (variation, rest) = (&mut before[ply], &after[0]);
        let length = rest.length.min(MAX_PLY - 1);
        variation.moves[0] = mv;
        variation.moves[1..=length].copy_from_slice(&rest.moves[..length]);
        variation.length = length + 1;
    }
}
