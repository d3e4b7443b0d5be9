//! Files that grow, locks, folders; whole files are written by the engine's `files`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use engine::files::lock_patiently;
pub use engine::files::{
    Claim, FileError, OutputError, check_outputs, claim_outputs, folder_of, is_stream, partial_of,
    write_atomically,
};
use engine::text;
use tempfile::TempPath;

pub use crate::system::is_deleted;
use crate::system::lock_at_once;

/// The word that stands for the parameters or openings inside the binary instead of a file.
pub const EMBEDDED: &str = "embedded";

/// Locks a file against other processes; false if another one holds it and keeps it. The lock ends
/// with the file.
///
/// # Errors
/// The file system knows no locks.
pub fn lock(file: &File) -> io::Result<bool> {
    lock_patiently(|| lock_at_once(file))
}

/// A file that is written for a while before it takes its place, and appended to afterwards.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    writer: BufWriter<File>,
    /// Where it is until it takes its place.
    partial: Option<TempPath>,
}

impl GrowingFile {
    /// Begins a file that will stand at `path`.
    ///
    /// # Errors
    /// [`FileError`] with the path.
    pub fn begin(path: &Path) -> Result<GrowingFile, FileError> {
        let (file, partial) = partial_of(path).map_err(FileError::at("write", path))?;
        let writer = BufWriter::with_capacity(1 << 18, file);
        Ok(GrowingFile { path: path.to_path_buf(), writer, partial: Some(partial) })
    }

    /// Appends a text.
    ///
    /// # Errors
    /// [`FileError`] with the path.
    pub fn append(&mut self, text: &str) -> Result<(), FileError> {
        self.writer.write_all(text.as_bytes()).map_err(FileError::at("write", &self.path))
    }

    /// Hands everything to the operating system; the first call puts the file in its place.
    ///
    /// # Errors
    /// [`FileError`] with the path.
    pub fn publish(&mut self) -> Result<(), FileError> {
        self.writer.flush().map_err(FileError::at("write", &self.path))?;
        if let Some(partial) = self.partial.take() {
            let placed = partial.persist(&self.path).map_err(io::Error::from);
            placed.map_err(FileError::at("write", &self.path))?;
            // In its place it is for all to read. Where there are no locks it is so anyway.
            let _ = self.writer.get_ref().unlock();
        }
        Ok(())
    }
}

/// Checks that nothing is in the way of files that a new run will write into its folder.
///
/// # Errors
/// [`OutputError::Occupied`] with the first that is there already.
pub fn check_free<'a>(
    folder: &Path,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<(), OutputError> {
    let mut paths = names.into_iter().map(|name| folder.join(name));
    paths.find(|path| path.exists()).map_or(Ok(()), |path| Err(OutputError::Occupied(path)))
}

/// Writes a file whole or not at all, but not over one with other bytes.
///
/// # Errors
/// [`OutputError::Occupied`] where there is such a file; one that cannot be read or written.
pub fn write_beside_others(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    match fs::read(path) {
        Ok(there) if there == bytes => Ok(()),
        Ok(_) => Err(OutputError::Occupied(path.to_path_buf())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(write_atomically(path, |writer| writer.write_all(bytes))?)
        }
        Err(error) => Err(FileError::at("read", path)(error).into()),
    }
}

/// Keeps a second process out of a folder as long as the file that is returned is open; `None` if there
/// is one already. Within it lies an empty file `lock` for that.
///
/// # Errors
/// The file cannot be made or locked.
pub fn lock_folder(folder: &Path) -> Result<Option<File>, FileError> {
    let path = folder.join("lock");
    let lock = File::options().write(true).create(true).truncate(false).open(&path);
    let lock = lock.map_err(FileError::at("write", &path))?;
    Ok(self::lock(&lock).map_err(FileError::at("lock", &path))?.then_some(lock))
}

/// Largest text that is read whole, in bytes.
const LARGEST: u64 = 64 << 20;
/// The same of TOML that people write: it takes fifty times as much memory while it is read.
const LARGEST_TOML: u64 = 4 << 20;

/// Reads a text file: see [`engine::text`].
///
/// # Errors
/// [`FileError`] with the path, also when the file is larger than any such text or not UTF-8: then with
/// the line.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    text::read(path, LARGEST).map_err(FileError::at("read", path))
}

/// As [`read_text`], of a file in TOML.
///
/// # Errors
/// As [`read_text`].
pub fn read_toml(path: &Path) -> Result<String, FileError> {
    text::read(path, LARGEST_TOML).map_err(FileError::at("read", path))
}

/// Creates a folder and those above it.
///
/// # Errors
/// [`FileError`] with the path.
pub fn create_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(FileError::at("create folder", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_growing_file_appears_when_published() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("games.pgn");
        fs::write(&path, "old").expect("writable");
        let mut file = GrowingFile::begin(&path).expect("writable");
        file.append("one").expect("writable");
        drop(file);
        assert_eq!(read_text(&path).expect("readable"), "old");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
        let mut file = GrowingFile::begin(&path).expect("writable");
        for text in ["one", "two"] {
            file.append(text).expect("writable");
            file.publish().expect("writable");
        }
        assert_eq!(read_text(&path).expect("readable"), "onetwo");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }
}
