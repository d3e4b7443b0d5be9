//! Endgame tables as a referee: when what they know ends a game.
//!
//! A win counts right after a capture or a pawn's move, a draw at any time.

use std::path::PathBuf;

use chess::Board;
use chess::endgame_tables::EndgameTables;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::GameResult;

pub use chess::endgame_tables::{DamagedTable, EndgameTablesError as TablebaseError, Wdl};

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
    tables: EndgameTables,
}

impl Tablebase {
    /// Opens the tables of these folders, see [`EndgameTables::open`].
    ///
    /// # Errors
    /// A folder cannot be read, there is no table, or one is cut off; and if tables of other folders
    /// are open in the process.
    pub fn open(folders: &[PathBuf]) -> Result<Tablebase, TablebaseError> {
        Ok(Tablebase { tables: EndgameTables::open(folders)? })
    }

    /// A checksum of the tables' names and sizes, which tells sets of tables apart.
    pub fn fingerprint(&self) -> &str {
        self.tables.fingerprint()
    }

    /// The result of a game that stands so, if the tables are sure of it.
    ///
    /// Draws are sure at any time. Wins are sure under the fifty-move rule only right after a capture
    /// or a pawn's move, because the tables take the halfmove clock for 0; a game comes to so few
    /// pieces by a capture, so that nearly every game is ended at once. Wins that take longer than
    /// the fifty-move rule allows are draws, unless the rule ignores that.
    ///
    /// # Errors
    /// A table that would have to be read is damaged.
    pub fn judge(
        &self,
        board: &Board,
        rule: TablebaseRule,
    ) -> Result<Option<GameResult>, DamagedTable> {
        if board.occupied().count() > rule.pieces {
            return Ok(None);
        }
        let Some(wdl) = self.tables.probe(board)? else { return Ok(None) };
        let us = board.side_to_move();
        let is_sure = rule.ignore_fifty_moves || board.halfmove_clock() == 0;
        Ok(match wdl {
            Wdl::Win if is_sure => Some(GameResult::win_of(us)),
            Wdl::Loss if is_sure => Some(GameResult::win_of(!us)),
            Wdl::CursedWin if rule.ignore_fifty_moves => Some(GameResult::win_of(us)),
            Wdl::BlessedLoss if rule.ignore_fifty_moves => Some(GameResult::win_of(!us)),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Some(GameResult::Draw),
            Wdl::Win | Wdl::Loss => None,
        })
    }
}
