//! The engine as its users see it: a position goes in, a move comes out.

use std::mem;
use std::sync::Arc;
use std::time::Instant;

use parameters::Switch;
use search::value::{DRAW, KNOWN_WIN, is_decided};
use search::{self, Game, Helper, Margins, Memory, Value};

use crate::endgame_tables::{TableUse, Wdl};
use crate::game::ChessGame;
use crate::rules::{self, Move};
use crate::sets::Parameters;

pub use search::value::{MATE, MATE_IN_MAX, MAX_PLY, is_mate, mate_in};
pub use search::{Bound, ClockSide, Control, THREADS_MAX};

/// When a search is to stop.
pub type Limits = search::Limits<Move>;
/// A search's report on its way.
pub type Progress = search::Progress<Move>;
/// A search's result.
pub type Outcome = search::Outcome<Move>;

/// One or several threads of search with their memory.
pub struct Engine {
    game: ChessGame,
    memory: Memory<ChessGame>,
    /// The memory of the textbook's search.
    textbook: textbook::Memory<Move>,
    helpers: Vec<Helper<ChessGame>>,
    tables: Option<TableUse>,
    /// Stays empty, so that [`Engine::quiescence`] depends on the position alone. Made by its first
    /// call.
    blank: Option<Box<Memory<ChessGame>>>,
}

impl Engine {
    /// An engine of one thread that plays with these numbers and a transposition table of this many
    /// megabytes.
    pub fn new(parameters: Arc<Parameters>, hash_megabytes: usize) -> Engine {
        Engine {
            game: ChessGame::new(parameters),
            memory: Memory::new(hash_megabytes),
            textbook: textbook::Memory::default(),
            helpers: Vec::new(),
            tables: None,
            blank: None,
        }
    }

    /// The parameters that it plays with.
    pub fn parameters(&self) -> &Arc<Parameters> {
        self.game.parameters()
    }

    /// Replaces the numbers and forgets what was learned with the old ones.
    pub fn set_parameters(&mut self, parameters: Arc<Parameters>) {
        for helper in &mut self.helpers {
            helper.game.set_parameters(Arc::clone(&parameters));
        }
        self.game.set_parameters(parameters);
        self.new_game();
    }

    /// Replaces the transposition table by an empty one of this many megabytes.
    pub fn set_hash(&mut self, megabytes: usize) {
        // The old table goes first: there need not be room for both.
        for megabytes in [0, megabytes] {
            self.memory.table = Arc::new(search::Table::new(megabytes));
            for helper in &mut self.helpers {
                helper.share(Arc::clone(&self.memory.table));
            }
        }
    }

    /// Number of threads that search, at least 1.
    pub fn threads(&self) -> usize {
        1 + self.helpers.len()
    }

    /// Searches with so many threads from now on, at least one. With one a search under a limit of
    /// nodes or depth depends on nothing but what was searched before; with several it also depends
    /// on how the system shares out its processors.
    pub fn set_threads(&mut self, threads: usize) {
        let (game, table) = (&self.game, &self.memory.table);
        self.helpers.resize_with(threads.max(1) - 1, || {
            Helper::new(game.with_same_settings(), Arc::clone(table))
        });
    }

    /// Says which endgame tables, opened for play, the next searches ask, if any.
    pub fn set_tables(&mut self, tables: Option<TableUse>) {
        self.tables = tables;
    }

    /// Says by how many centipawns a draw is worse than equality for whoever is to move in the positions
    /// that are asked about; 0 at first. A draw known from endgame tables is worth 0 all the same.
    pub fn set_contempt(&mut self, contempt: Value) {
        self.game.set_contempt(contempt);
        for helper in &mut self.helpers {
            helper.game.set_contempt(contempt);
        }
    }

    /// Says whether searches with the numbers of the build have them as constants; they do at first.
    /// Without that they find the same, but as slowly as with other numbers: which is fair where two
    /// sets of numbers are compared by time.
    pub fn set_constants(&mut self, constants: bool) {
        self.game.set_constants(constants);
        for helper in &mut self.helpers {
            helper.game.set_constants(constants);
        }
    }

    /// Forgets everything: the next search is as from a fresh engine.
    pub fn new_game(&mut self) {
        self.memory.clear_with(self.threads());
        self.textbook = textbook::Memory::default();
        self.helpers.iter_mut().for_each(Helper::forget);
    }

    /// Searches within the limits; `on_info` hears of every finished line, and at the end of what a
    /// search that was broken off answers. Blocks until the search is over, which `control` may
    /// hasten from another thread.
    ///
    /// Where endgame tables know all moves, only those that keep the win or draw are searched, unless
    /// more lines are asked for than these are, and scores say what the tables say unless a mate is
    /// found.
    ///
    /// A mate in few moves that is asked for without a limit of nodes or time is looked for in all
    /// lines first, so that none is missed.
    pub fn search(
        &mut self,
        position: &rules::Position,
        limits: &Limits,
        control: &Control,
        on_info: &mut dyn FnMut(&Progress),
    ) -> Outcome {
        let margins = self.game.parameters().margins;
        let asked = limits.asked.unwrap_or_else(Instant::now);
        let limits = &Limits { asked: Some(asked), ..limits.clone() };
        let is_textbook = self.parameters().textbook.is_some();
        if let Some(exhaustive) = exhaustive(limits).filter(|_| !is_textbook) {
            // A memory of its own: what is known from searches with cuts may be wrong.
            let memory = mem::replace(&mut self.memory, Memory::new(EXHAUSTIVE_HASH));
            let helpers = mem::take(&mut self.helpers);
            let whole = margins.without_cuts();
            let known = TablesAsked::AtRoot;
            let outcome = self.search_with(&whole, position, &exhaustive, known, control, on_info);
            (self.memory, self.helpers) = (memory, helpers);
            if limits.is_answered_by(outcome.score) || control.is_stopped() {
                return outcome;
            }
            // The nodes of both searches are told together, as their time is.
            let nodes = outcome.nodes;
            let mut on_later = |found: &Progress| {
                on_info(&Progress { nodes: nodes + found.nodes, ..found.clone() });
            };
            let known = TablesAsked::Everywhere;
            let outcome =
                self.search_with(&margins, position, limits, known, control, &mut on_later);
            return Outcome { nodes: nodes + outcome.nodes, ..outcome };
        }
        self.search_with(&margins, position, limits, TablesAsked::Everywhere, control, on_info)
    }

    fn search_with(
        &mut self,
        margins: &Margins,
        position: &rules::Position,
        limits: &Limits,
        tables_asked: TablesAsked,
        control: &Control,
        on_info: &mut dyn FnMut(&Progress),
    ) -> Outcome {
        self.game.set_position(position);
        for helper in &mut self.helpers {
            helper.game.set_position(position);
        }
        let ranking = self.tables.as_ref().and_then(|tables| {
            tables.tables.rank(position, &limits.search_moves, tables.fifty_move_rule)
        });
        let hits = ranking.as_ref().map_or(0, |ranking| ranking.moves.len() as u64);
        // Who knows the distances needs no results on the way: the search is free to look for a mate.
        let knows_the_way = ranking.as_ref().is_some_and(|ranking| ranking.by_distance);
        let is_asked = tables_asked == TablesAsked::Everywhere && !knows_the_way;
        let asked = self.tables.clone().filter(|_| is_asked);
        self.set_tables_of_games(asked, hits);
        let outcome = match &ranking {
            None => self.run_search(margins, limits, control, on_info),
            Some(ranking) => {
                let (search_moves, tiers) = if limits.multi_pv > ranking.moves.len() {
                    ranking.tiers()
                } else {
                    (ranking.moves.clone(), Vec::new())
                };
                let others_are_worse = limits.search_moves.is_empty();
                let limits = Limits { search_moves, tiers, others_are_worse, ..limits.clone() };
                let known = |found, pv: &[Move]| {
                    let value = pv.first().map_or(ranking.value, |&mv| ranking.value_of(mv));
                    known_score(found, value, position.board(), pv)
                };
                let mut on_ranked =
                    |found: &Progress| on_info(&told(found, known(found.score, &found.pv)));
                let outcome = self.run_search(margins, &limits, control, &mut on_ranked);
                Outcome { score: known(outcome.score, &outcome.pv), ..outcome }
            }
        };
        self.set_tables_of_games(None, 0);
        outcome
    }

    /// Searches with these margins, or as the textbook does where its methods are in play.
    fn run_search(
        &mut self,
        margins: &Margins,
        limits: &Limits,
        control: &Control,
        on_info: &mut dyn FnMut(&Progress),
    ) -> Outcome {
        let (game, memory, helpers) = (&mut self.game, &mut self.memory, &mut self.helpers);
        match game.parameters().textbook {
            Some(methods) => {
                let memory = &mut self.textbook;
                crate::textbook::search(game, &methods, memory, limits, control, on_info)
            }
            None => {
                search::search_together(game, margins, memory, helpers, limits, control, on_info)
            }
        }
    }

    /// Lets the games of all threads ask tables, the main one's having asked so often before.
    fn set_tables_of_games(&mut self, tables: Option<TableUse>, hits: u64) {
        for helper in &mut self.helpers {
            helper.game.set_tables(tables.clone(), 0);
        }
        self.game.set_tables(tables, hits);
    }

    /// The value in centipawns from the mover's view when only captures, promotions and answers to
    /// checks are tried. Depends on nothing but the position and the numbers.
    pub fn quiescence(&mut self, position: &rules::Position) -> Value {
        self.quiescence_line(position).0
    }

    /// As [`Engine::quiescence`], with the best line, at whose end the position is quiet.
    pub fn quiescence_line(&mut self, position: &rules::Position) -> (Value, Vec<Move>) {
        let mut margins = self.game.parameters().margins;
        margins.table.enabled = Switch::OFF;
        self.game.set_position(position);
        let memory = self.blank.get_or_insert_with(|| Box::new(Memory::new(0)));
        search::quiescence(&mut self.game, &margins, memory)
    }

    /// The static evaluation in centipawns from the mover's view.
    pub fn evaluate(&mut self, position: &rules::Position) -> Value {
        self.game.set_position(position);
        self.game.evaluate()
    }
}

/// Where a search asks endgame tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TablesAsked {
    /// Of the moves at the root alone: what they say of a node would end it, and hide a mate.
    AtRoot,
    /// Of the moves at the root and of nodes.
    Everywhere,
}

/// Most moves of a mate that is looked for in all lines. One move more would take minutes.
pub const EXHAUSTIVE_MATE_MAX: u32 = 3;

/// Megabytes of the table of a search of all lines.
const EXHAUSTIVE_HASH: usize = 16;

/// The limits of a search of all lines for the mate that is asked for, if they are few enough.
fn exhaustive(limits: &Limits) -> Option<Limits> {
    let is_free = limits.nodes.is_none()
        && limits.move_time.is_none()
        && limits.clock.iter().all(Option::is_none)
        && !limits.infinite
        && !limits.ponder;
    let moves = limits.mate.filter(|&moves| is_free && moves <= EXHAUSTIVE_MATE_MAX)?;
    let plies = 2 * moves - 1;
    // Who asks for less depth is not asked for more.
    let may_go_so_deep = limits.depth.is_none_or(|depth| depth >= plies);
    may_go_so_deep.then(|| Limits { depth: Some(plies), ..limits.clone() })
}

/// A report of a search among ranked moves, with the score that is known.
fn told(found: &Progress, score: Value) -> Progress {
    let bound = if score == found.score { found.bound } else { Bound::Exact };
    Progress { score, bound, ..found.clone() }
}

/// The score of a position whose value is known; a mate that the search has found says more, and
/// tables that do not know whether it comes before the fifty-move rule say less.
fn known_score(found: Value, value: Wdl, board: &rules::Board, pv: &[Move]) -> Value {
    let plies = (MATE - found.abs()).cast_unsigned();
    let is_in_time = || {
        plies + board.halfmove_clock() <= rules::Board::CLOCK_DRAWS_AT || mates_in_time(board, pv)
    };
    match value {
        Wdl::CursedWin if found > 0 && is_mate(found) && is_in_time() => found,
        Wdl::BlessedLoss if found < 0 && is_mate(found) && is_in_time() => found,
        Wdl::Win if found < 0 || !is_decided(found) => KNOWN_WIN,
        Wdl::Loss if found > 0 || !is_decided(found) => -KNOWN_WIN,
        Wdl::Win | Wdl::Loss => found,
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => DRAW,
    }
}

/// Whether a line ends in mate and no fifty moves without capture or pawn's move come before.
fn mates_in_time(board: &rules::Board, line: &[Move]) -> bool {
    let mut board = *board;
    for &mv in line {
        if board.halfmove_clock() >= rules::Board::CLOCK_DRAWS_AT {
            return false;
        }
        board.play(mv);
    }
    board.in_check() && !board.has_legal_move()
}
