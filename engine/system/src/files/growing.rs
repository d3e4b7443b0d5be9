//! Files that are appended to.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{FileError, Partial, partial_of};

/// A file that is written for a while before it takes its place, and appended to afterwards.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    writer: BufWriter<File>,
    /// Where it is until it takes its place.
    partial: Option<Partial>,
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
            partial.persist().map_err(FileError::at("write", &self.path))?;
            // In its place it is for all to read. Where there are no locks it is so anyway.
            let _ = self.writer.get_ref().unlock();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::files::read_text;

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
