//! An engine of a game, which searches positions of it.

use search::{AuditSettings, Audited, Control, Value};

use crate::{Move, Numbers, OracleUse, Position};

/// When a search is to stop.
pub type Limits = search::Limits<Move>;
/// A search's report on its way.
pub type Progress = search::Progress<Move>;
/// A search's result.
pub type Outcome = search::Outcome<Move>;

/// An engine with its memory, of one thread unless more are asked for.
pub trait Engine: Send {
    /// Forgets everything: the next search is as from a fresh engine.
    fn new_game(&mut self);

    /// The numbers that it plays with.
    fn numbers(&self) -> Numbers;

    /// Replaces the transposition table by an empty one of so many megabytes (2²⁰ bytes).
    fn set_hash(&mut self, megabytes: usize);

    /// Searches with so many threads from now on, where the game can ([`Features::threads_max`]).
    ///
    /// [`Features::threads_max`]: crate::Features::threads_max
    fn set_threads(&mut self, _threads: usize) {}

    /// Says by how many centipawns a draw is worse than equality for the side to move in positions to
    /// come; games without draws take no notice.
    fn set_contempt(&mut self, _contempt: Value) {}

    /// Says which endgame tables the next searches ask, if any.
    fn set_tables(&mut self, _tables: Option<OracleUse>) {}

    /// Replaces the numbers by others of the same game and forgets what was learned with the old ones.
    fn set_numbers(&mut self, numbers: &Numbers);

    /// Says whether searches with the numbers of the build have them as constants; they do at first.
    fn set_constants(&mut self, constants: bool);

    /// Searches within the limits; `on_info` hears of every finished line. Under a limit of nodes or
    /// depth the outcome depends on nothing but what was searched before.
    ///
    /// # Panics
    /// If the position is of another game.
    fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        on_info: &mut dyn FnMut(&Progress),
    ) -> Outcome;
}

/// A judge of whether positions are quiet.
pub trait Quiescence: Send {
    /// The static evaluation in centipawns from the mover's view.
    fn evaluate(&mut self, position: &Position) -> Value;

    /// The value in centipawns from the mover's view when only noisy moves and answers to checks are
    /// tried, and the moves that lead to it. Depends on position and numbers alone.
    fn quiescence(&mut self, position: &Position) -> (Value, Vec<Move>);
}

/// A search that looks into its own cuts, see [`search::audit()`].
pub trait Auditing {
    /// Searches a position from an empty memory and looks into a sample of the cuts, which is drawn by
    /// `random`.
    ///
    /// # Panics
    /// If the position is of another game.
    fn audit(
        &mut self,
        position: &Position,
        limits: &Limits,
        settings: &AuditSettings,
        random: &mut dyn FnMut() -> u32,
    ) -> Audited<Move>;
}

impl Numbers {
    /// An engine that plays with these numbers and a transposition table of so many megabytes (2²⁰
    /// bytes).
    pub fn engine(&self, hash_megabytes: usize) -> Box<dyn Engine> {
        self.game().engine(self, hash_megabytes)
    }
}
