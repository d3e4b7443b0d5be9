//! The file of a page that is written again and again.

use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::files::{FileError, is_stream, write_atomically};

/// The file of a page: written whole, and not too often.
#[derive(Debug)]
pub struct PageFile {
    path: PathBuf,
    /// When it was last written, and how long that took.
    written: Cell<Option<(Instant, Duration)>>,
}

impl PageFile {
    /// Least time between two versions.
    const INTERVAL: Duration = Duration::from_secs(5);
    /// Pages take at most one part in so many of the time.
    const THRIFT: u32 = 100;

    /// A file that is not written yet.
    ///
    /// # Errors
    /// There is no folder to write it to.
    pub fn new(path: &Path) -> Result<PageFile, FileError> {
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        std::fs::read_dir(parent).map_err(FileError::at("write", path))?;
        Ok(PageFile { path: path.to_path_buf(), written: Cell::new(None) })
    }

    /// Writes the page that `make` makes.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, make: impl FnOnce() -> String) -> Result<(), FileError> {
        let started = Instant::now();
        let text = make();
        let written = write_atomically(&self.path, |writer| writer.write_all(text.as_bytes()));
        self.written.set(Some((Instant::now(), started.elapsed())));
        written
    }

    /// Writes the page if it is time. A failure must not end the run; if it lasts, the end tells.
    /// What cannot be rewritten, as a pipe, has the last page only.
    pub fn refresh(&self, make: impl FnOnce() -> String) {
        if is_stream(&self.path) {
            return;
        }
        let is_due = self
            .written
            .get()
            .is_none_or(|(when, took)| when.elapsed() >= Self::INTERVAL.max(Self::THRIFT * took));
        if is_due {
            let _ = self.write(make);
        }
    }
}
