//! The game of a session, which the user interface may change.

use super::state::{EngineState, Session};

impl Session {
    /// Begins with the game whose numbers were chosen: with its start, and an engine of its own that
    /// knows nothing yet. Books and tables that another game has are put away until its return.
    pub(super) fn begin_game(&mut self) {
        let numbers = &self.options.numbers;
        let game = numbers.game();
        (self.position, self.refused, self.line) = (game.start(), false, Some(Vec::new()));
        self.banned.clear();
        // There is room for one transposition table: the old one must be gone before.
        self.engine = None;
        let mut engine = numbers.engine(self.options.hash);
        engine.set_threads(self.options.threads.min(game.features().threads_max));
        self.engine = Some(EngineState::Idle(engine));
        self.open_tables();
        self.read_book();
    }
}
