//! The engine as its users see it: a position goes in, a move comes out.

use std::sync::Arc;

use crate::chess::game::ChessGame;
use crate::chess::parameters::Parameters;
use crate::chess::rules::{self, Move};
use crate::parameters::Switch;
use crate::search::{self, Game, Helper, Memory, Value};

pub use crate::search::value::{MATE, MATE_IN_MAX, MAX_PLY, is_mate, mate_in};
pub use crate::search::{Bound, ClockSide, Control, THREADS_MAX};

/// When a search is to stop.
pub type Limits = search::Limits<Move>;
/// What a search reports on its way.
pub type Progress = search::Progress<Move>;
/// What a search answers.
pub type Outcome = search::Outcome<Move>;

/// One or several threads of search with their memory.
pub struct Engine {
    game: ChessGame,
    memory: Memory<ChessGame>,
    /// The other threads.
    helpers: Vec<Helper<ChessGame>>,
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
            helpers: Vec::new(),
            blank: None,
        }
    }

    /// The numbers in play.
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
        self.memory.table = Arc::new(search::Table::new(megabytes));
        for helper in &mut self.helpers {
            helper.share(Arc::clone(&self.memory.table));
        }
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        1 + self.helpers.len()
    }

    /// Searches with so many threads from now on, at least one. With one a search under a limit of
    /// nodes or depth depends on nothing but what was searched before; with several it also depends
    /// on how the system shares out its processors.
    pub fn set_threads(&mut self, threads: usize) {
        let (game, table) = (&self.game, &self.memory.table);
        self.helpers.resize_with(threads.max(1) - 1, || {
            Helper::new(ChessGame::new(Arc::clone(game.parameters())), Arc::clone(table))
        });
    }

    /// Forgets everything: the next search is as from a fresh engine.
    pub fn new_game(&mut self) {
        self.memory.clear_with(self.threads());
        self.helpers.iter_mut().for_each(Helper::forget);
    }

    /// Searches within the limits; `on_info` hears of every finished line, and at the end of what a
    /// search that was broken off answers. Blocks until the search is over, which `control` may
    /// hasten from another thread.
    pub fn search(
        &mut self,
        position: &rules::Position,
        limits: &Limits,
        control: &Control,
        on_info: &mut dyn FnMut(&Progress),
    ) -> Outcome {
        let parameters = self.game.parameters().clone();
        self.game.set_position(position);
        for helper in &mut self.helpers {
            helper.game.set_position(position);
        }
        let (game, memory, margins) = (&mut self.game, &mut self.memory, &parameters.margins);
        let helpers = &mut self.helpers;
        search::search_together(game, margins, memory, helpers, limits, control, on_info)
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
