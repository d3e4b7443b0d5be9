//! Writing files whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A file that could not be read or written, with what was tried.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct FileError {
    /// What was tried: "read", "write", …
    pub action: &'static str,
    /// The file.
    pub path: PathBuf,
    /// Why it failed.
    pub source: io::Error,
}

impl FileError {
    /// For `map_err`: names the action and the file.
    pub fn at(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError {
        let path = path.to_path_buf();
        move |source| FileError { action, path, source }
    }
}

/// Writes a file whole or not at all: into a hidden file beside it, flushed and synchronized to the
/// disk, which then takes its place. On failure nothing is left, and what was there stays.
///
/// # Errors
/// [`FileError`] with the path, whatever `write` or the file system says.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), FileError> {
    let Some(name) = path.file_name() else {
        let source = io::Error::new(io::ErrorKind::InvalidInput, "it names no file");
        return Err(FileError { action: "write", path: path.to_path_buf(), source });
    };
    let mut partial_name = std::ffi::OsString::from(".");
    partial_name.push(name);
    partial_name.push(".partial");
    let partial = path.with_file_name(partial_name);
    let written = (|| {
        let mut writer = BufWriter::new(File::create(&partial)?);
        write(&mut writer)?;
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&partial, path)
    })();
    written.map_err(|source| {
        // The first error is the one to tell; the partial file may never have been created.
        let _ = fs::remove_file(&partial);
        FileError { action: "write", path: path.to_path_buf(), source }
    })
}

/// Reads a text file.
///
/// # Errors
/// [`FileError`] with the path, also when the file is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    fs::read_to_string(path).map_err(FileError::at("read", path))
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
    use std::io::Write;

    use super::*;

    #[test]
    fn a_failed_write_leaves_what_was_there() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("file.txt");
        write_atomically(&path, |writer| writer.write_all(b"first")).expect("writable");
        let failed = write_atomically(&path, |writer| {
            writer.write_all(b"half")?;
            Err(io::Error::other("disk full"))
        });
        let message = failed.expect_err("the closure failed").to_string();
        assert!(message.contains("file.txt") && message.contains("disk full"), "{message}");
        assert_eq!(read_text(&path).expect("readable"), "first");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let path = Path::new("/nonexistent/folder/file.txt");
        let message = write_atomically(path, |_| Ok(())).expect_err("no folder").to_string();
        assert!(message.starts_with("cannot write /nonexistent/folder/file.txt: "), "{message}");
    }
}
