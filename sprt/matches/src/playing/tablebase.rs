//! Endgame tables as a referee: when what they know ends a game.
//!
//! A win counts right after a capture or a pawn's move, a draw at any time.

use std::path::PathBuf;
use std::sync::Arc;

use playable::{Game, Oracle, OracleError, Position};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::GameResult;

/// When a table ends a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablebaseRule {
    /// Most pieces, kings and pawns included, at which tables are asked.
    pub pieces: u32,
    /// Wins count although the fifty-move rule would save the loser.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignore_fifty_moves: bool,
}

/// Endgame tables that end games. Clones share them; any thread may ask.
#[derive(Clone, Debug)]
pub struct Tablebase {
    tables: Arc<dyn Oracle>,
}

impl Tablebase {
    /// Opens the tables of these folders for games of this kind, see [`playable::Playable::oracle`].
    ///
    /// # Errors
    /// A folder cannot be read, there is no table, or one is cut off; and if tables of other folders
    /// are open in the process.
    pub fn open(game: Game, folders: &[PathBuf]) -> Result<Tablebase, OracleError> {
        Ok(Tablebase { tables: game.oracle(folders)?.into() })
    }

    /// A checksum of the tables' names and sizes, which tells sets of tables apart.
    pub fn fingerprint(&self) -> &str {
        self.tables.fingerprint()
    }

    /// The result of a game that stands so, if the tables are sure of it, see [`Oracle::result`].
    ///
    /// # Errors
    /// A table that would have to be read is damaged.
    pub fn judge(
        &self,
        position: &Position,
        rule: TablebaseRule,
    ) -> Result<Option<GameResult>, OracleError> {
        self.tables.result(position, rule.pieces, rule.ignore_fifty_moves)
    }
}
