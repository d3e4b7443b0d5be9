//! Files that grow, locks, folders; whole files are written by the engine's `files`.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use engine::files::partial_of;
pub use engine::files::{FileError, OutputError, check_outputs, is_stream, write_atomically};
use engine::text;

use crate::system::{is_deleted, lock_at_once};

/// The word that stands for the parameters or openings inside the binary instead of a file.
pub const EMBEDDED: &str = "embedded";

/// How long [`lock`] waits for another process: one that was killed keeps its locks until the system
/// has cleared it away.
const LOCK_PATIENCE: Duration = Duration::from_secs(3);

/// Locks a file against other processes; false if another one holds it and keeps it. The lock ends
/// with the file.
///
/// # Errors
/// The file system knows no locks.
pub fn lock(file: &File) -> io::Result<bool> {
    let started = Instant::now();
    loop {
        match lock_at_once(file) {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if started.elapsed() > LOCK_PATIENCE => return Ok(false),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// The right to make a file, which one process at a time has. While it lasts an empty hidden file lies
/// beside the place.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    /// Locked.
    _file: File,
}

impl Claim {
    /// Claims the place of a file, whether there is one or not; `None` if another process has claimed
    /// it and keeps it for a while.
    ///
    /// # Errors
    /// [`FileError`] if nothing can be written beside it.
    pub fn on(place: &Path) -> Result<Option<Claim>, FileError> {
        let mut name = OsString::from(".");
        name.push(place.file_name().unwrap_or_default());
        name.push(".claim");
        let path = place.with_file_name(name);
        loop {
            let opened = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
            let file = opened.map_err(FileError::at("write", place))?;
            if !lock(&file).map_err(FileError::at("lock", &path))? {
                return Ok(None);
            }
            // Whoever had it before has removed it.
            if !is_deleted(&file) {
                return Ok(Some(Claim { path, _file: file }));
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // What cannot be removed is empty, and the next claim takes it over.
        let _ = fs::remove_file(&self.path);
    }
}

/// A file that is written for a while before it takes its place, and appended to afterwards.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    writer: BufWriter<File>,
    /// Where it is until it takes its place.
    partial: Option<PathBuf>,
}

impl GrowingFile {
    /// Begins a file that will stand at `path`.
    ///
    /// # Errors
    /// [`FileError`] with the path.
    pub fn begin(path: &Path) -> Result<GrowingFile, FileError> {
        let partial = partial_of(path);
        let file = File::create(&partial).map_err(FileError::at("write", path))?;
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
        if let Some(partial) = &self.partial {
            fs::rename(partial, &self.path).map_err(FileError::at("write", &self.path))?;
            self.partial = None;
        }
        Ok(())
    }
}

impl Drop for GrowingFile {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            // Never put in its place: what was there stays, and nothing is left of the attempt.
            let _ = fs::remove_file(partial);
        }
    }
}

/// Writes a file whole or not at all, but not over another; false if there is one with other bytes.
///
/// # Errors
/// [`FileError`] with the path.
pub fn write_beside_others(path: &Path, bytes: &[u8]) -> Result<bool, FileError> {
    match fs::read(path) {
        Ok(there) => Ok(there == bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            write_atomically(path, |writer| writer.write_all(bytes))?;
            Ok(true)
        }
        Err(error) => Err(FileError::at("read", path)(error)),
    }
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
