//! The engine as runners and tuners see it.

use std::sync::Arc;

use parameters::Switch;
use playable::{Limits, Move, Numbers, Outcome, Position, Progress, Quiescence};
use search::{AuditSettings, Audited, Control, Helper, Memory, Value};

use crate::game::XiangqiGame;
use crate::rules;
use crate::sets::Parameters;

/// One or several threads of search with their memory.
pub(crate) struct Engine {
    game: XiangqiGame,
    memory: Memory<XiangqiGame>,
    /// The memory of the textbook's search.
    textbook: textbook::Memory<rules::Move>,
    helpers: Vec<Helper<XiangqiGame>>,
}

impl Engine {
    /// An engine that plays with these numbers and a transposition table of so many megabytes.
    pub fn new(numbers: &Numbers, hash_megabytes: usize) -> Engine {
        Engine {
            game: XiangqiGame::new(numbers.typed()),
            memory: Memory::new(hash_megabytes),
            textbook: textbook::Memory::default(),
            helpers: Vec::new(),
        }
    }

    fn parameters(&self) -> Arc<Parameters> {
        Arc::clone(self.game.parameters())
    }
}

impl playable::Engine for Engine {
    fn new_game(&mut self) {
        self.memory.clear_with(1 + self.helpers.len());
        self.textbook = textbook::Memory::default();
        self.helpers.iter_mut().for_each(Helper::forget);
    }

    fn numbers(&self) -> Numbers {
        self.parameters().into()
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
        let (parameters, table) = (self.parameters(), &self.memory.table);
        self.helpers.resize_with(threads.max(1) - 1, || {
            Helper::new(XiangqiGame::new(Arc::clone(&parameters)), Arc::clone(table))
        });
    }

    fn set_numbers(&mut self, numbers: &Numbers) {
        let parameters: Arc<Parameters> = numbers.typed();
        for helper in &mut self.helpers {
            helper.game.set_parameters(Arc::clone(&parameters));
        }
        self.game.set_parameters(parameters);
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
        let mut on_info = |progress: &search::Progress<rules::Move>| {
            on_info(&progress.map(|&mv| Move::of(mv)));
        };
        let on_info = &mut on_info;
        let Parameters { margins, textbook: methods, .. } = *self.parameters();
        let Engine { game, memory, textbook, helpers } = self;
        let found = match &methods {
            Some(methods) => textbook::search(game, methods, textbook, &limits, control, on_info),
            None => {
                search::search_together(game, &margins, memory, helpers, &limits, control, on_info)
            }
        };
        found.map(|&mv| Move::of(mv))
    }
}

impl Quiescence for Engine {
    fn evaluate(&mut self, position: &Position) -> Value {
        self.game.set_position(position.typed());
        self.game.plain_evaluation()
    }

    fn quiescence(&mut self, position: &Position) -> (Value, Vec<Move>) {
        self.game.set_position(position.typed());
        let mut margins = self.game.parameters().margins;
        // Earlier searches must not tell.
        margins.table.enabled = Switch::OFF;
        let (value, line) = search::quiescence(&mut self.game, &margins, &mut self.memory);
        (value, line.into_iter().map(Move::of).collect())
    }
}

impl playable::Auditing for Engine {
    fn audit(
        &mut self,
        position: &Position,
        limits: &Limits,
        settings: &AuditSettings,
        random: &mut dyn FnMut() -> u32,
    ) -> Audited<Move> {
        self.game.set_position(position.typed());
        let limits = limits.map(|&mv| mv.typed());
        let margins = self.game.parameters().margins;
        let (game, memory) = (&mut self.game, &mut self.memory);
        let Audited { outcome, cuts, tallies } =
            search::audit(game, &margins, memory, &limits, settings, random);
        Audited { outcome: outcome.map(|&mv| Move::of(mv)), cuts, tallies }
    }
}
