//! Endgame tables: what perfect play comes to when few pieces are left.
//!
//! The only part of `chess` that reads files. pyrrhic-rs, a translation of C, reads what is in them
//! and trusts every byte; therefore no table is handed to it that [`verify_table`] has not read and
//! found whole.

mod checksum;
mod file;
mod material;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};
use thiserror::Error;

use super::rules::{Bitboard, Board, Color, PieceType, Square, attacks};
use material::Material;

pub use file::{DamagedTable, verify_table};

/// What perfect play comes to, for the side to move, if no halfmove has counted towards the fifty-move
/// rule.
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

/// Tables that cannot be used.
#[derive(Debug, Error)]
pub enum EndgameTablesError {
    /// A folder cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Folder {
        /// The folder that cannot be used.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// There is no table.
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
        /// The folders in use.
        open: String,
    },
}

/// Syzygy tables of wins, draws and losses. Clones share them; any thread may ask.
///
/// Each file is read and verified when it is first asked, or a file that a capture leads to; it is
/// mapped into memory then, and stays so until the process ends.
#[derive(Clone)]
pub struct EndgameTables {
    tables: TableBases<Attacks>,
    files: Arc<Files>,
    pieces: u32,
    fingerprint: String,
}

/// The tables in use, by their folders: the library has room for one set in a process.
static OPEN: Mutex<Option<(String, EndgameTables)>> = Mutex::new(None);

impl EndgameTables {
    /// Opens the tables of these folders. Only those of wins, draws and losses (`.rtbw`) are needed.
    ///
    /// # Errors
    /// A folder cannot be read, there is no table, or one is cut off; and if the process has opened
    /// other folders before.
    pub fn open(folders: &[PathBuf]) -> Result<EndgameTables, EndgameTablesError> {
        let mut names = Vec::new();
        for folder in folders {
            let name = folder.to_str().filter(|name| !name.contains(':'));
            names.push(name.ok_or_else(|| EndgameTablesError::Name(folder.clone()))?);
        }
        let joined = names.join(":");
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        match &*open {
            Some((known, tables)) if *known == joined => return Ok(tables.clone()),
            Some((known, _)) => return Err(EndgameTablesError::Other { open: known.clone() }),
            None => {}
        }
        let mut files = Files::default();
        let mut sizes = Vec::new();
        for folder in folders {
            files.find(folder, &mut sizes)?;
        }
        let Some(pieces) = files.paths.keys().map(Material::count).max() else {
            return Err(EndgameTablesError::Empty(joined));
        };
        let tables =
            TableBases::new(&joined).map_err(|_| EndgameTablesError::Empty(joined.clone()))?;
        let tables = EndgameTables {
            tables,
            files: Arc::new(files),
            pieces,
            fingerprint: fingerprint(sizes),
        };
        *open = Some((joined, tables.clone()));
        Ok(tables)
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
    /// no table for these pieces. The halfmove clock is taken for 0.
    ///
    /// # Errors
    /// A table that would have to be read is damaged.
    pub fn probe(&self, board: &Board) -> Result<Option<Wdl>, DamagedTable> {
        let may_castle = Color::ALL.into_iter().any(|color| board.castling_rooks(color).any());
        if may_castle || board.occupied().count() > self.pieces {
            return Ok(None);
        }
        self.files.verify(Material::of_board(board))?;
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
        Ok(result.ok().map(|result| match result {
            WdlProbeResult::Loss => Wdl::Loss,
            WdlProbeResult::BlessedLoss => Wdl::BlessedLoss,
            WdlProbeResult::Draw => Wdl::Draw,
            WdlProbeResult::CursedWin => Wdl::CursedWin,
            WdlProbeResult::Win => Wdl::Win,
        }))
    }
}

impl std::fmt::Debug for EndgameTables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EndgameTables({} pieces, {})", self.pieces, self.fingerprint)
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

/// The files of tables, and which of them are known to be whole.
#[derive(Default)]
struct Files {
    paths: HashMap<Material, Vec<PathBuf>>,
    /// What came out of verifying the tables of these pieces and of all that captures lead to.
    verified: RwLock<HashMap<Material, Result<(), DamagedTable>>>,
    /// Held by the thread that verifies: others wait instead of reading the same file.
    verifying: Mutex<()>,
}

impl Files {
    /// Adds the tables in a folder, and their names and sizes to `sizes`.
    fn find(
        &mut self,
        folder: &Path,
        sizes: &mut Vec<(String, u64)>,
    ) -> Result<(), EndgameTablesError> {
        let fail = |reason| EndgameTablesError::Folder { path: folder.to_path_buf(), reason };
        for entry in fs::read_dir(folder).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let Some(material) = file::wdl_material(&name) else { continue };
            let (_, bytes) = file::begin(&entry.path())?;
            sizes.push((name, bytes + checksum::LENGTH as u64));
            self.paths.entry(material).or_default().push(entry.path());
        }
        Ok(())
    }

    /// Verifies the table of these pieces and those that captures lead to, which a probe reads too.
    fn verify(&self, material: Material) -> Result<(), DamagedTable> {
        if let Some(known) = self.known(material) {
            return known;
        }
        let _alone = self.verifying.lock().unwrap_or_else(PoisonError::into_inner);
        self.verify_all(material)
    }

    fn known(&self, material: Material) -> Option<Result<(), DamagedTable>> {
        let verified = self.verified.read().unwrap_or_else(PoisonError::into_inner);
        verified.get(&material).cloned()
    }

    fn verify_all(&self, material: Material) -> Result<(), DamagedTable> {
        if material.is_bare() {
            return Ok(());
        }
        if let Some(known) = self.known(material) {
            return known;
        }
        let own = self.paths.get(&material).into_iter().flatten();
        let found: Result<(), DamagedTable> = own
            .map(|path| verify_table(path))
            .chain(material.after_captures().into_iter().map(|after| self.verify_all(after)))
            .collect();
        let mut verified = self.verified.write().unwrap_or_else(PoisonError::into_inner);
        verified.entry(material).or_insert(found).clone()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Copies of the small tables, of which one has a wrong bit.
    fn damaged_folder(damaged: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("temporary folder");
        let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy");
        for name in ["KQvK.rtbw", "KBvK.rtbw"] {
            let mut bytes = fs::read(tables.join(name)).expect("readable");
            if name == damaged {
                bytes[50] ^= 8;
            }
            fs::write(folder.path().join(name), bytes).expect("writable");
        }
        folder
    }

    fn material(name: &str) -> Material {
        Material::parse(name).expect("a name")
    }

    #[test]
    fn a_table_is_verified_with_those_that_captures_lead_to() {
        let folder = damaged_folder("KBvK.rtbw");
        let mut files = Files::default();
        files.find(folder.path(), &mut Vec::new()).expect("whole as far as their sizes tell");
        // Not looked at, or not needed.
        assert_eq!(files.verify(material("KQvK")), Ok(()));
        assert_eq!(files.verify(material("KRvKN")), Ok(()));
        for name in ["KBvK", "KQvKB", "KRPvKB", "KPvKP"] {
            let error = files.verify(material(name)).expect_err("it leads to KBvK");
            assert_eq!(error.path, folder.path().join("KBvK.rtbw"), "{name}");
        }
        // What is known is not read again.
        fs::remove_file(folder.path().join("KQvK.rtbw")).expect("it is there");
        assert_eq!(files.verify(material("KQvK")), Ok(()));
    }
}
