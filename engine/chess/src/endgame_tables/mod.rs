//! Endgame tables: what perfect play comes to when few pieces are left.
//!
//! pyrrhic-rs, a translation of C, reads what is in them
//! and trusts every byte; therefore no table is handed to it that [`verify_table`] has not read and
//! found whole, or that looks different since then.
//!
//! The search knows tables as rulings of its game (`search::Ruling`): won, lost or drawn, in a
//! range between evaluations and mates. It asks only where no halfmove counts, because only there
//! is a table's result true under the fifty-move rule. At the root it asks for a ranking of the
//! moves (`ranking.rs`), and then looks nothing up.
//!
//! Tables of up to five pieces are verified when `SyzygyPath` is set, larger ones by a thread. A
//! damaged or replaced file is named once. The search goes on without it, and without all from
//! which captures lead to it. A file that is overwritten in place while it is mapped cannot be
//! guarded against.

mod checksum;
mod file;
mod files;
mod material;
mod ranking;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use pyrrhic_rs::{
    DtzProbeResult, DtzProbeValue, EngineAdapter, TBError, TableBases, WdlProbeResult,
};
use system::threads;
use thiserror::Error;

use super::rules::{Bitboard, Board, Color, PieceType, Square, attacks};
use files::Files;
use material::Material;

pub use file::{DamagedTable, verify_table};
pub use ranking::Ranking;

/// The result of perfect play for the side to move, if no halfmove has counted towards the
/// fifty-move rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// It loses, whatever it plays.
    Loss,
    /// It would lose but for the fifty-move rule.
    BlessedLoss,
    /// Nobody can force a win.
    Draw,
    /// It would win but for the fifty-move rule.
    CursedWin,
    /// It wins, whatever the other plays.
    Win,
}

impl Wdl {
    /// The same for the other side.
    pub fn reversed(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// The same where there is no fifty-move rule.
    pub fn without_fifty_move_rule(self) -> Wdl {
        match self {
            Wdl::BlessedLoss => Wdl::Loss,
            Wdl::CursedWin => Wdl::Win,
            other => other,
        }
    }
}

/// Tables that cannot be used.
#[derive(Debug, Error)]
pub enum EndgameTablesError {
    /// A folder cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Folder {
        /// The folder that cannot be used.
        path: PathBuf,
        /// The system's reason.
        reason: std::io::Error,
    },
    /// No file of these folders is a table.
    #[error("{0}: no Syzygy table (KQvK.rtbw and the like) in it")]
    Empty(String),
    /// A file is not what its name says.
    #[error(transparent)]
    Damaged(#[from] DamagedTable),
    /// A name of a folder cannot be handed to the library.
    #[error("{}: no folder of tables may have a colon or other than UTF-8 in its name", .0.display())]
    Name(PathBuf),
    /// The library reads one set of tables in a process.
    #[error("tables of {open} are in use: one process reads one set of tables")]
    Other {
        /// The folders in use, by name.
        open: String,
    },
}

/// Syzygy tables. Clones share them; any thread may ask.
///
/// Each file of wins, draws and losses is read and verified when [`EndgameTables::probe`] first asks
/// it, or a file that a capture leads to, and is mapped into memory then. Tables asked in play were
/// verified when they were opened for it. All is closed when the last clone is gone.
#[derive(Clone)]
pub struct EndgameTables(Arc<Opened>);

struct Opened {
    /// The library's only handle: it lets nobody ask for distances while there is another.
    tables: TableBases<Attacks>,
    files: Arc<Files>,
    pieces: u32,
    fingerprint: String,
    /// Held while distances are asked for, which the library allows to one thread.
    distances: Mutex<()>,
}

/// The tables in use, by their folders: the library has room for one set in a process.
static OPEN: Mutex<Option<(String, Weak<Opened>)>> = Mutex::new(None);

/// Tables of up to so many pieces are verified before play; together they have less than a
/// gigabyte.
const PIECES_AT_ONCE: u32 = 5;

/// How a search uses tables.
#[derive(Clone, Debug)]
pub struct TableUse {
    /// The tables to look up in.
    pub tables: EndgameTables,
    /// Plies that must be left to search at a position for it to be looked up; at least 1.
    pub depth_min: i32,
    /// Wins that take longer than the fifty-move rule allows are draws.
    pub fifty_move_rule: bool,
}

impl EndgameTables {
    /// Opens the tables of these folders. Only those of wins, draws and losses (`.rtbw`) are needed.
    ///
    /// # Errors
    /// A folder cannot be read, there is no table, or one is cut off; and if tables of other folders
    /// are open in the process.
    pub fn open(folders: &[PathBuf]) -> Result<EndgameTables, EndgameTablesError> {
        EndgameTables::open_if(folders, Files::look)
    }

    /// Opens the tables of these folders for play, in which no time may be lost and damaged tables
    /// are left out. Tables of up to five pieces are verified at once, larger ones by a thread,
    /// smallest first; until then they are not asked. [`EndgameTables::take_troubles`] says what is
    /// wrong with any.
    ///
    /// # Errors
    /// A folder cannot be read, there is no table; and if tables of other folders are open in the
    /// process.
    pub fn open_for_play(folders: &[PathBuf]) -> Result<EndgameTables, EndgameTablesError> {
        let tables = EndgameTables::open_if(folders, |_| Ok(()))?;
        let files = &tables.0.files;
        let is_small = |material: &Material| material.count() <= PIECES_AT_ONCE;
        let (small, large): (Vec<Material>, Vec<Material>) =
            files.materials().into_iter().partition(is_small);
        small.into_iter().for_each(|material| files.verify_for_play(material));
        if !large.is_empty() {
            let files = Arc::downgrade(files);
            let verify = move || {
                for material in large {
                    // Once nobody has the tables any more, nobody waits for the rest.
                    let Some(files) = files.upgrade() else { return };
                    files.verify_for_play(material);
                }
            };
            if threads::start("tables", None, verify.clone()).is_err() {
                verify();
            }
        }
        Ok(tables)
    }

    /// Opens tables whose files are good enough for whoever asks.
    fn open_if(
        folders: &[PathBuf],
        check: impl FnOnce(&Files) -> Result<(), DamagedTable>,
    ) -> Result<EndgameTables, EndgameTablesError> {
        let mut names = Vec::new();
        for folder in folders {
            let name = folder.to_str().filter(|name| !name.contains(':'));
            names.push(name.ok_or_else(|| EndgameTablesError::Name(folder.clone()))?);
        }
        let joined = names.join(":");
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, opened)) = &*open
            && let Some(opened) = opened.upgrade()
        {
            if *known != joined {
                return Err(EndgameTablesError::Other { open: known.clone() });
            }
            check(&opened.files)?;
            return Ok(EndgameTables(opened));
        }
        let mut files = Files::default();
        let mut sizes = Vec::new();
        for folder in folders {
            files
                .find(folder, &mut sizes)
                .map_err(|reason| EndgameTablesError::Folder { path: folder.clone(), reason })?;
        }
        let Some(pieces) = files.pieces() else {
            return Err(EndgameTablesError::Empty(joined));
        };
        check(&files)?;
        let tables = read_folders(&joined)?;
        let opened = Arc::new(Opened {
            tables,
            files: Arc::new(files),
            pieces,
            fingerprint: fingerprint(sizes),
            distances: Mutex::new(()),
        });
        *open = Some((joined, Arc::downgrade(&opened)));
        Ok(EndgameTables(opened))
    }

    /// Most pieces of any table, kings and pawns included.
    pub fn pieces(&self) -> u32 {
        self.0.pieces
    }

    /// A checksum of the tables' names and sizes, which tells sets of tables apart.
    pub fn fingerprint(&self) -> &str {
        &self.0.fingerprint
    }

    /// The result of perfect play for the side to move; `None` if a side may still castle or there
    /// is no table for these pieces. The halfmove clock is taken for 0.
    ///
    /// # Errors
    /// A table that would have to be read is damaged.
    pub fn probe(&self, board: &Board) -> Result<Option<Wdl>, DamagedTable> {
        let Some(material) = self.material(board) else { return Ok(None) };
        self.0.files.verify(material)?;
        Ok(self.read_result(board))
    }

    /// As [`EndgameTables::probe`], but asks only tables that are known to be whole, and reads no
    /// file to find out. For tables that were opened for play.
    #[inline(never)]
    pub fn probe_verified(&self, board: &Board) -> Option<Wdl> {
        let material = self.material(board)?;
        if !self.0.files.is_mapped(material) && !self.map(material) {
            return None;
        }
        let result = self.read_result(board);
        if result.is_none() {
            self.0.files.withdraw(material);
        }
        result
    }

    /// Has the library map the tables of results that a probe of these pieces reads, if they are known
    /// to be whole and still are what was verified. Later they may be replaced or removed: what is
    /// mapped stays.
    #[cold]
    fn map(&self, material: Material) -> bool {
        let files = &self.0.files;
        if material.is_bare() || files.is_mapped(material) {
            return true;
        }
        if !files.is_complete(material) {
            return false;
        }
        let may_be_read = material.after_captures().into_iter().all(|after| self.map(after))
            && files.is_unchanged(material)
            && material.example().is_none_or(|board| self.read_result(&board).is_some());
        if may_be_read {
            files.note_mapped(material);
        } else {
            files.withdraw(material);
        }
        may_be_read
    }

    /// As [`EndgameTables::map`], with the distances of these pieces, which must be known to be whole.
    fn map_distances(&self, material: Material) -> bool {
        let files = &self.0.files;
        if files.is_mapped_for_distances(material) {
            return true;
        }
        let mut read_too = material.after_promotions();
        read_too.push(material);
        let may_be_read = read_too.into_iter().all(|material| self.map(material))
            && files.is_unchanged_for_distances(material)
            && material.example().is_none_or(|board| self.read_distance(&board).is_some());
        if may_be_read {
            files.note_mapped_for_distances(material);
        } else {
            files.withdraw_distances(material);
        }
        may_be_read
    }

    /// Faults found since the last call in tables that were opened for play.
    pub fn take_troubles(&self) -> Vec<DamagedTable> {
        self.0.files.take_troubles()
    }

    /// How many tables of wins, draws and losses there are, and how many of distances.
    pub fn counts(&self) -> (usize, usize) {
        self.0.files.counts()
    }

    /// The pieces of a board that tables may know.
    fn material(&self, board: &Board) -> Option<Material> {
        let may_castle = Color::ALL.into_iter().any(|color| board.castling_rooks(color).any());
        let known = !may_castle && board.occupied().count() <= self.0.pieces;
        known.then(|| Material::of_board(board))
    }

    fn read_result(&self, board: &Board) -> Option<Wdl> {
        let of = |kind| board.kind(kind).0;
        let result = self.0.tables.probe_wdl(
            board.color(Color::White).0,
            board.color(Color::Black).0,
            of(PieceType::King),
            of(PieceType::Queen),
            of(PieceType::Rook),
            of(PieceType::Bishop),
            of(PieceType::Knight),
            of(PieceType::Pawn),
            en_passant(board),
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

    /// Plies to the next capture or pawn's move with which the side to move wins, or if negative
    /// loses; 0 for a draw. A mate is one ply away from whoever gives it, none from whoever is
    /// mated. May be one too few, as tables that count in moves keep them, but not where 100 plies
    /// are exceeded.
    fn read_distance(&self, board: &Board) -> Option<i32> {
        let of = |kind| board.kind(kind).0;
        let _alone = self.0.distances.lock().unwrap_or_else(PoisonError::into_inner);
        let result = self.0.tables.probe_root(
            board.color(Color::White).0,
            board.color(Color::Black).0,
            of(PieceType::King),
            of(PieceType::Queen),
            of(PieceType::Rook),
            of(PieceType::Bishop),
            of(PieceType::Knight),
            of(PieceType::Pawn),
            0,
            en_passant(board),
            board.side_to_move() == Color::White,
        );
        match result {
            Ok(DtzProbeResult { root: DtzProbeValue::DtzResult(found), .. }) => {
                let plies = i32::from(found.dtz);
                Some(match found.wdl {
                    WdlProbeResult::Win | WdlProbeResult::CursedWin => plies,
                    WdlProbeResult::Draw => 0,
                    WdlProbeResult::Loss | WdlProbeResult::BlessedLoss => -plies,
                })
            }
            Ok(DtzProbeResult { root: DtzProbeValue::Stalemate, .. }) => Some(0),
            _ => None,
        }
    }
}

/// The square to capture en passant on as the library takes it: a1, which no pawn passes over, for
/// none.
fn en_passant(board: &Board) -> u32 {
    board.en_passant().map_or(0, |square| square.index() as u32)
}

/// Lets the library look for tables in these folders.
fn read_folders(joined: &str) -> Result<TableBases<Attacks>, EndgameTablesError> {
    loop {
        match TableBases::new(joined) {
            Ok(tables) => return Ok(tables),
            // Another thread is just closing the tables that were open before.
            Err(TBError::AlreadyInitialized) => std::thread::yield_now(),
            Err(_) => return Err(EndgameTablesError::Empty(joined.to_owned())),
        }
    }
}

impl std::fmt::Debug for EndgameTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EndgameTables({} pieces, {})", self.0.pieces, self.0.fingerprint)
    }
}

fn fingerprint(mut sizes: Vec<(String, u64)>) -> String {
    sizes.sort();
    sizes.dedup();
    let mut hasher = crc32fast::Hasher::new();
    for (name, bytes) in &sizes {
        hasher.update(format!("{name} {bytes}\n").as_bytes());
    }
    format!("{:08x}", hasher.finalize())
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
