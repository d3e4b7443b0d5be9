//! The engine of a game that needs nothing but the search.

use std::sync::Arc;

use parameters::{Declared, Embedded, ParameterSet, Switch};
use search::{AuditSettings, Audited, Control, Helper, Margins, Memory, Value};

use crate::{
    Auditing, Engine, Limits, Move, Numbers, OfGame, Outcome, Position, Progress, Quiescence, Rules,
};

/// A game as the search sees it, with the numbers that it is played with.
pub trait Searched: search::Game<Move: Send + Sync> + Send {
    /// A position of the game, with its past.
    type Position: Rules + 'static;
    /// The weights of its evaluation.
    type Weights: OfGame + Embedded<Margins, Self::Methods>;
    /// The numbers of another search that they may select; `()` if there is none.
    type Methods: Declared + Send + Sync + 'static;

    /// The start of a game that is played with these numbers.
    fn new(parameters: Arc<ParameterSet<Self::Weights, Margins, Self::Methods>>) -> Self;

    /// Replaces the position, its past included.
    fn set_position(&mut self, position: &Self::Position);

    /// The numbers of the search.
    fn margins(&self) -> &Margins;

    /// Another search than the usual one, where the numbers select it.
    fn other_search(
        &mut self,
        _limits: &search::Limits<Self::Move>,
        _control: &Control,
        _on_info: &mut dyn FnMut(&search::Progress<Self::Move>),
    ) -> Option<search::Outcome<Self::Move>> {
        None
    }

    /// Forgets what that search has learned.
    fn forget(&mut self) {}

    /// The evaluation in centipawns from the mover's view as positions are fitted to it: no counter
    /// changes it.
    fn plain_evaluation(&mut self) -> Value {
        self.evaluate()
    }
}

/// One or several threads of search with their memory.
pub struct Searcher<G> {
    numbers: Numbers,
    game: G,
    memory: Memory<G>,
    helpers: Vec<Helper<G>>,
}

impl<G: Searched> Searcher<G> {
    /// An engine that plays with these numbers and a transposition table of so many megabytes (2²⁰
    /// bytes).
    ///
    /// # Panics
    /// If the numbers are of another game.
    pub fn new(numbers: &Numbers, hash_megabytes: usize) -> Searcher<G> {
        Searcher {
            numbers: numbers.clone(),
            game: G::new(numbers.typed()),
            memory: Memory::new(hash_megabytes),
            helpers: Vec::new(),
        }
    }
}

impl<G: Searched> Engine for Searcher<G> {
    fn new_game(&mut self) {
        self.memory.clear_with(1 + self.helpers.len());
        self.game.forget();
        self.helpers.iter_mut().for_each(Helper::forget);
    }

    fn numbers(&self) -> Numbers {
        self.numbers.clone()
    }

    fn set_hash(&mut self, megabytes: usize) {
        // The old table goes first: there need not be room for both.
        for megabytes in [0, megabytes] {
            self.memory.table = Arc::new(search::Table::new(megabytes));
            for helper in &mut self.helpers {
                helper.share(Arc::clone(&self.memory.table));
            }
        }
    }

    fn set_threads(&mut self, threads: usize) {
        let (numbers, table) = (&self.numbers, &self.memory.table);
        self.helpers.resize_with(threads.max(1) - 1, || {
            Helper::new(G::new(numbers.typed()), Arc::clone(table))
        });
    }

    fn set_numbers(&mut self, numbers: &Numbers) {
        self.numbers = numbers.clone();
        self.game = G::new(numbers.typed());
        for helper in &mut self.helpers {
            helper.game = G::new(numbers.typed());
        }
        self.new_game();
    }

    /// It has none.
    fn set_constants(&mut self, _: bool) {}

    fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        on_info: &mut dyn FnMut(&Progress),
    ) -> Outcome {
        self.game.set_position(position.typed());
        for helper in &mut self.helpers {
            helper.game.set_position(position.typed());
        }
        let limits = limits.map(|&mv| mv.typed());
        let mut on_info = |progress: &search::Progress<G::Move>| {
            on_info(&progress.map(|&mv| Move::of(mv)));
        };
        let margins = *self.game.margins();
        let Searcher { game, memory, helpers, .. } = self;
        let found = match game.other_search(&limits, control, &mut on_info) {
            Some(found) => found,
            None => search::search_together(
                game,
                &margins,
                memory,
                helpers,
                &limits,
                control,
                &mut on_info,
            ),
        };
        found.map(|&mv| Move::of(mv))
    }
}

impl<G: Searched> Quiescence for Searcher<G> {
    fn evaluate(&mut self, position: &Position) -> Value {
        self.game.set_position(position.typed());
        self.game.plain_evaluation()
    }

    fn quiescence(&mut self, position: &Position) -> (Value, Vec<Move>) {
        self.game.set_position(position.typed());
        let mut margins = *self.game.margins();
        // Earlier searches must not tell.
        margins.table.enabled = Switch::OFF;
        let (value, line) = search::quiescence(&mut self.game, &margins, &mut self.memory);
        (value, line.into_iter().map(Move::of).collect())
    }
}

impl<G: Searched> Auditing for Searcher<G> {
    fn audit(
        &mut self,
        position: &Position,
        limits: &Limits,
        settings: &AuditSettings,
        random: &mut dyn FnMut() -> u32,
    ) -> Audited<Move> {
        self.game.set_position(position.typed());
        let limits = limits.map(|&mv| mv.typed());
        let margins = *self.game.margins();
        let (game, memory) = (&mut self.game, &mut self.memory);
        let Audited { outcome, cuts, tallies } =
            search::audit(game, &margins, memory, &limits, settings, random);
        Audited { outcome: outcome.map(|&mv| Move::of(mv)), cuts, tallies }
    }
}
