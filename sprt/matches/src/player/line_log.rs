//! A file of all lines between a runner and its engines.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use system::files::FileError;
use system::tell;

use crate::game::Direction;

/// A file of all lines between a runner and its engines: seconds since it was opened, who speaks or
/// is spoken to with the number of its process, the direction (`>` to the engine, `<` from it, `!` on
/// its standard error), the line. Clones write into the same file.
#[derive(Clone, Debug)]
pub struct LineLog(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    file: Mutex<File>,
    begin: Instant,
    /// Processes that were given a number.
    processes: AtomicU64,
    has_failed: AtomicBool,
}

/// The log as one process writes into it.
#[derive(Clone, Debug)]
pub(super) struct ProcessLog {
    log: LineLog,
    label: String,
}

impl PartialEq for LineLog {
    fn eq(&self, other: &LineLog) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for LineLog {}

impl LineLog {
    /// Opens a file; what is in it stays, and new lines go behind.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn open(path: &Path) -> Result<LineLog, FileError> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(FileError::at("write", path))?;
        Ok(LineLog(Arc::new(Inner {
            path: path.to_path_buf(),
            file: Mutex::new(file),
            begin: Instant::now(),
            processes: AtomicU64::new(0),
            has_failed: AtomicBool::new(false),
        })))
    }

    /// The log of one more process of the engine of this name.
    pub(super) fn process(&self, name: &str) -> ProcessLog {
        let number = self.0.processes.fetch_add(1, Ordering::Relaxed) + 1;
        ProcessLog { log: self.clone(), label: format!("{name}#{number}") }
    }
}

impl ProcessLog {
    /// Writes a line. A full disk must not end the run: that is told once.
    pub fn write(&self, direction: Direction, line: &[u8]) {
        let inner = &self.log.0;
        let seconds = inner.begin.elapsed().as_secs_f64();
        let mut text = format!("{seconds:.6} {} {} ", self.label, direction.sign()).into_bytes();
        text.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
        text.push(b'\n');
        let written = inner.file.lock().expect("nobody panics while writing").write_all(&text);
        if let Err(error) = written
            && !inner.has_failed.swap(true, Ordering::Relaxed)
        {
            tell(format_args!("warning: cannot write {}: {error}", inner.path.display()));
        }
    }
}
