//! Audits of the search in positions of chess: see [`search::audit()`].

use std::sync::Arc;

use search::{AuditSettings, Audited, Memory};

use crate::engine::Limits;
use crate::game::ChessGame;
use crate::rules::Position;
use crate::sets::Parameters;

/// A search that looks into its own cuts.
pub struct Auditing {
    game: ChessGame,
    memory: Memory<ChessGame>,
}

impl Auditing {
    /// One with these numbers and a transposition table of so many megabytes.
    pub fn new(parameters: Arc<Parameters>, hash_megabytes: usize) -> Auditing {
        Auditing { game: ChessGame::new(parameters), memory: Memory::new(hash_megabytes) }
    }

    /// Searches a position from an empty memory and looks into a sample of the cuts, which is drawn by
    /// `random`.
    pub fn audit(
        &mut self,
        position: &Position,
        limits: &Limits,
        settings: &AuditSettings,
        random: &mut dyn FnMut() -> u32,
    ) -> Audited<crate::Move> {
        self.game.set_position(position);
        let margins = self.game.parameters().margins;
        search::audit(&mut self.game, &margins, &mut self.memory, limits, settings, random)
    }
}
