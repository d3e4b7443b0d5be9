//! Endgame tables: what perfect play comes to when few pieces are left.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use engine::chess::{Bitboard, Board, Color, PieceType, Square, attacks};
use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game::GameResult;

/// What perfect play comes to, for the side to move, if no halfmove has counted towards the fifty-move
/// rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// It loses.
    Loss,
    /// It would lose but for the fifty-move rule.
    BlessedLoss,
    /// A draw.
    Draw,
    /// It would win but for the fifty-move rule.
    CursedWin,
    /// It wins.
    Win,
}

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

/// Tables that cannot be used.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// A folder cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// There is no table.
    #[error("{0}: no Syzygy table (KQvK.rtbw and the like) in it")]
    Empty(String),
    /// A file is not what its name says.
    #[error("{}: not a whole Syzygy table: download it again", .0.display())]
    Damaged(PathBuf),
    /// A name of a folder cannot be handed to the library.
    #[error("{}: no folder of tables may have a colon or other than UTF-8 in its name", .0.display())]
    Name(PathBuf),
    /// The library reads one set of tables in a process.
    #[error("tables of {open} are in use: one process reads one set of tables")]
    Other {
        /// The folders in use.
        open: String,
    },
}

/// Syzygy tables of wins, draws and losses. Clones share them; any thread may ask.
///
/// Files are mapped into memory when first asked, and stay so until the process ends.
#[derive(Clone)]
pub struct Tablebase {
    tables: TableBases<Attacks>,
    pieces: u32,
    fingerprint: String,
}

/// The tables in use, by their folders: the library has room for one set in a process.
static OPEN: Mutex<Option<(String, Tablebase)>> = Mutex::new(None);

impl Tablebase {
    /// Opens the tables of these folders. Only those of wins, draws and losses (`.rtbw`) are needed.
    ///
    /// # Errors
    /// A folder cannot be read, there is no table, or one is cut off; and if the process has opened
    /// other folders before.
    pub fn open(folders: &[PathBuf]) -> Result<Tablebase, TablebaseError> {
        let mut names = Vec::new();
        for folder in folders {
            let name = folder.to_str().filter(|name| !name.contains(':'));
            names.push(name.ok_or_else(|| TablebaseError::Name(folder.clone()))?);
        }
        let joined = names.join(":");
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        match &*open {
            Some((known, tablebase)) if *known == joined => return Ok(tablebase.clone()),
            Some((known, _)) => return Err(TablebaseError::Other { open: known.clone() }),
            None => {}
        }
        let mut found = Vec::new();
        for folder in folders {
            find_tables(folder, &mut found)?;
        }
        found.sort();
        found.dedup();
        let pieces =
            found.iter().map(|(name, _)| name.trim_end_matches(WDL_ENDING).len() as u32 - 1);
        let Some(pieces) = pieces.max() else { return Err(TablebaseError::Empty(joined)) };
        let tables = TableBases::new(&joined).map_err(|_| TablebaseError::Empty(joined.clone()))?;
        let mut hasher = crc32fast::Hasher::new();
        for (name, bytes) in &found {
            hasher.update(format!("{name} {bytes}\n").as_bytes());
        }
        let fingerprint = format!("{:08x}", hasher.finalize());
        let tablebase = Tablebase { tables, pieces, fingerprint };
        *open = Some((joined, tablebase.clone()));
        Ok(tablebase)
    }

    /// Most pieces of any table, kings and pawns included.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// What tells sets of tables apart: a checksum of their names and sizes.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// What perfect play comes to for the side to move; `None` if a side may still castle or there is
    /// no table for these pieces. The halfmove clock is taken for 0: see [`Tablebase::judge`].
    pub fn probe(&self, board: &Board) -> Option<Wdl> {
        let may_castle = Color::ALL.into_iter().any(|color| board.castling_rooks(color).any());
        if may_castle || board.occupied().count() > self.pieces {
            return None;
        }
        let of = |kind| board.kind(kind).0;
        let result = self.tables.probe_wdl(
            board.color(Color::White).0,
            board.color(Color::Black).0,
            of(PieceType::King),
            of(PieceType::Queen),
            of(PieceType::Rook),
            of(PieceType::Bishop),
            of(PieceType::Knight),
            of(PieceType::Pawn),
            // The library takes a1, which no pawn passes over, for none.
            board.en_passant().map_or(0, |square| square.index() as u32),
            board.side_to_move() == Color::White,
        );
        Some(match result.ok()? {
            WdlProbeResult::Loss => Wdl::Loss,
            WdlProbeResult::BlessedLoss => Wdl::BlessedLoss,
            WdlProbeResult::Draw => Wdl::Draw,
            WdlProbeResult::CursedWin => Wdl::CursedWin,
            WdlProbeResult::Win => Wdl::Win,
        })
    }

    /// The result of a game that stands so, if the tables are sure of it.
    ///
    /// Draws are sure at any time. Wins are sure under the fifty-move rule only right after a capture
    /// or a pawn's move, because the tables take the halfmove clock for 0; a game comes to so few
    /// pieces by a capture, so that nearly every game is ended at once. Wins that take longer than
    /// the fifty-move rule allows are draws, unless the rule ignores that.
    pub fn judge(&self, board: &Board, rule: TablebaseRule) -> Option<GameResult> {
        if board.occupied().count() > rule.pieces {
            return None;
        }
        let wdl = self.probe(board)?;
        let us = board.side_to_move();
        let is_sure = rule.ignore_fifty_moves || board.halfmove_clock() == 0;
        match wdl {
            Wdl::Win if is_sure => Some(GameResult::win_of(us)),
            Wdl::Loss if is_sure => Some(GameResult::win_of(!us)),
            Wdl::CursedWin if rule.ignore_fifty_moves => Some(GameResult::win_of(us)),
            Wdl::BlessedLoss if rule.ignore_fifty_moves => Some(GameResult::win_of(!us)),
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Some(GameResult::Draw),
            Wdl::Win | Wdl::Loss => None,
        }
    }
}

impl std::fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tablebase({} pieces, {})", self.pieces, self.fingerprint)
    }
}

/// Ending of the names of tables of wins, draws and losses.
const WDL_ENDING: &str = ".rtbw";
/// First bytes of such a table.
const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
/// Tables are written in whole blocks of this many bytes, and a checksum.
const BLOCK_BYTES: u64 = 64;
const CHECKSUM_BYTES: u64 = 16;

/// Adds the names and sizes of the tables in a folder; each must be whole, as the library trusts them.
fn find_tables(folder: &Path, found: &mut Vec<(String, u64)>) -> Result<(), TablebaseError> {
    let fail = |path: &Path| {
        let path = path.to_path_buf();
        move |reason| TablebaseError::Folder { path, reason }
    };
    for entry in fs::read_dir(folder).map_err(fail(folder))? {
        let entry = entry.map_err(fail(folder))?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if !is_table_name(&name) {
            continue;
        }
        let path = entry.path();
        let mut start = [0; 4];
        let mut file = fs::File::open(&path).map_err(fail(&path))?;
        let bytes = file.metadata().map_err(fail(&path))?.len();
        let begins_well = file.read_exact(&mut start).is_ok() && start == WDL_MAGIC;
        if !begins_well || bytes % BLOCK_BYTES != CHECKSUM_BYTES {
            return Err(TablebaseError::Damaged(path));
        }
        found.push((name, bytes));
    }
    Ok(())
}

/// Whether it is a name such as `KQPvKR.rtbw`.
fn is_table_name(name: &str) -> bool {
    let sides = name.strip_suffix(WDL_ENDING).and_then(|pieces| pieces.split_once('v'));
    sides.is_some_and(|(white, black)| {
        [white, black].into_iter().all(|side| {
            side.starts_with('K') && side[1..].bytes().all(|letter| b"QRBNP".contains(&letter))
        })
    })
}

/// How pieces move, for the library.
#[derive(Clone)]
struct Attacks;

fn square(index: u64) -> Square {
    Square::new(index as u8)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        attacks::pawn(color, square(from)).0
    }

    fn knight_attacks(from: u64) -> u64 {
        attacks::knight(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        attacks::bishop(square(from), Bitboard(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        attacks::rook(square(from), Bitboard(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        Self::bishop_attacks(from, occupied) | Self::rook_attacks(from, occupied)
    }

    fn king_attacks(from: u64) -> u64 {
        attacks::king(square(from)).0
    }
}
