//! The file of a table: whether it is whole, and of the pieces that its name says.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::checksum::{self, checksum};
use super::material::Material;

/// Ending of the names of tables of wins, draws and losses.
const WDL_ENDING: &str = ".rtbw";
/// Ending of the names of tables of distances to the next capture or pawn's move.
const DTZ_ENDING: &str = ".rtbz";
/// First bytes of the two kinds of tables.
const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];
/// Tables are written in whole blocks of this many bytes, and a checksum.
const BLOCK_BYTES: u64 = 64;

/// A table that must not be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}: {reason}", path.display())]
pub struct DamagedTable {
    /// The file whose bytes are not what its checksum says.
    pub path: PathBuf,
    /// The fault, in words.
    pub reason: String,
}

impl DamagedTable {
    fn new(path: &Path, reason: impl Into<String>) -> DamagedTable {
        DamagedTable { path: path.to_path_buf(), reason: reason.into() }
    }

    fn unreadable(path: &Path) -> impl Fn(io::Error) -> DamagedTable {
        move |error| DamagedTable::new(path, format!("cannot be read: {error}"))
    }
}

/// The pieces of a table of wins, draws and losses, by its file's name; `None` for other files.
pub(super) fn wdl_material(name: &str) -> Option<Material> {
    Material::parse(name.strip_suffix(WDL_ENDING)?)
}

/// The pieces of a table of distances, by its file's name; `None` for other files.
pub(super) fn dtz_material(name: &str) -> Option<Material> {
    Material::parse(name.strip_suffix(DTZ_ENDING)?)
}

/// Opens a file and looks at its first bytes and its size, which takes no time. Returns the bytes
/// before the checksum.
pub(super) fn begin(path: &Path) -> Result<(File, u64), DamagedTable> {
    let unreadable = DamagedTable::unreadable(path);
    let mut file = File::open(path).map_err(&unreadable)?;
    let bytes = file.metadata().map_err(&unreadable)?.len();
    let is_distances = path.extension().is_some_and(|it| it == &DTZ_ENDING[1..]);
    let magic = if is_distances { DTZ_MAGIC } else { WDL_MAGIC };
    let mut start = [0; 4];
    let begins_well = file.read_exact(&mut start).is_ok() && start == magic;
    if !begins_well || bytes % BLOCK_BYTES != checksum::LENGTH as u64 {
        return Err(DamagedTable::new(path, "not a whole Syzygy table: download it again"));
    }
    Ok((file, bytes - checksum::LENGTH as u64))
}

/// Reads a table (`KQvK.rtbw`, `KQvK.rtbz`) from its first byte to its last and says whether all of
/// it is what its writer wrote. The library that reads tables trusts every byte, so that a single
/// wrong bit may mean a wrong result, or memory that is not its own.
///
/// # Errors
/// The table is cut off, damaged, or of other pieces than its name says.
pub fn verify_table(path: &Path) -> Result<(), DamagedTable> {
    let (mut file, length) = begin(path)?;
    let unreadable = DamagedTable::unreadable(path);
    file.seek(SeekFrom::Start(0)).map_err(&unreadable)?;
    let computed = checksum(&mut file, length).map_err(&unreadable)?;
    let mut stored = [0; checksum::LENGTH];
    file.read_exact(&mut stored).map_err(&unreadable)?;
    if computed != stored {
        return Err(DamagedTable::new(path, "its checksum is wrong: download it again"));
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let Some(material) = Material::parse(&stem) else {
        return Err(DamagedTable::new(path, "its name is not one of a Syzygy table"));
    };
    let mut start = [0; HEADER_BYTES];
    file.seek(SeekFrom::Start(0)).map_err(&unreadable)?;
    file.read_exact(&mut start).map_err(&unreadable)?;
    match pieces_of(&start, &material) == Some(material) {
        true => Ok(()),
        false => Err(DamagedTable::new(path, "a table of other pieces than its name says")),
    }
}

/// Bytes read of a table to know its pieces.
const HEADER_BYTES: usize = 16;

/// The pieces that a table says it is of, if it is laid out as one of `expected` is.
fn pieces_of(start: &[u8; HEADER_BYTES], expected: &Material) -> Option<Material> {
    // Behind magic and flags the order of pawns, and that of pieces or the other side's pawns; then
    // a byte for each piece, of which the lower half is for White to move.
    let first = if expected.has_pawns_on_both_sides() { 7 } else { 6 };
    let codes = start.get(first..first + expected.count() as usize)?;
    Material::of_codes(codes.iter().map(|code| code & 15))
}
