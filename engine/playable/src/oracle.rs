//! Tables that know how positions with few men end.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::{GameResult, Position};

/// Tables that cannot be used, in words.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct OracleError(pub String);

/// Tables that know how positions with few men end, opened for a referee. Any thread may ask.
pub trait Oracle: fmt::Debug + Send + Sync {
    /// A checksum of the tables' names and sizes, which tells sets of tables apart.
    fn fingerprint(&self) -> &str;

    /// How many tables there are, and for how many men, in words.
    fn summary(&self) -> String;

    /// Faults found in tables since the last call, in words.
    fn take_troubles(&self) -> Vec<String>;

    /// The tables as their game has them.
    fn as_any(&self) -> &dyn Any;

    /// The result of best play from here if no move had counted towards such a rule yet; `None` where no
    /// table knows it.
    ///
    /// # Errors
    /// A table that would have to be read is damaged.
    fn result_anew(&self, position: &Position) -> Result<Option<GameResult>, OracleError>;

    /// The result of a game that stands so, if it has at most so many men and the tables are sure.
    ///
    /// Where a rule of the game makes draws of wins that take too long, these are draws unless
    /// `ignore_clock`; and a win is sure only where no move has counted towards that rule.
    ///
    /// # Errors
    /// A table that would have to be read is damaged.
    fn result(
        &self,
        position: &Position,
        men: u32,
        ignore_clock: bool,
    ) -> Result<Option<GameResult>, OracleError>;
}

/// How a search asks tables.
#[derive(Clone, Debug)]
pub struct OracleUse {
    /// The tables, opened for play.
    pub oracle: Arc<dyn Oracle>,
    /// Plies that must be left to search for a position to be looked up.
    pub depth_min: i32,
    /// Wins that take longer than a rule of the game allows are draws.
    pub clock_rule: bool,
}
