//! The runs in folders, however deep.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Row;
use super::rows::rows_of;

/// Runs, and what is none.
#[derive(Clone, Default, Debug)]
pub struct FoundRuns {
    /// The runs in the order of their folders.
    pub rows: Vec<Row>,
    /// Folders that were passed over.
    pub skipped: Vec<Skipped>,
    /// The folders that the user named.
    pub named: Vec<PathBuf>,
    /// Folders that were looked into, by the paths that tell them from all others.
    seen: BTreeSet<PathBuf>,
}

/// A folder that was passed over, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// The folder that was passed over.
    pub folder: PathBuf,
    /// Why it cannot be read.
    pub reason: String,
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.folder.display(), self.reason)
    }
}

/// No run is in any of the folders.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{}; name folders that `sprt run`, `sprt tournament` or `sprt regress` wrote as their --output, \
     or folders that hold such ones",
    .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
)]
pub struct NothingFound(Vec<Skipped>);

/// All runs in the folders and below them. Folders whose name begins with a point are not looked
/// into, nor are links.
///
/// # Errors
/// There is none.
pub fn find(folders: &[PathBuf]) -> Result<FoundRuns, NothingFound> {
    let mut found = FoundRuns { named: folders.to_vec(), ..FoundRuns::default() };
    for folder in folders {
        let before = (found.rows.len(), found.skipped.len());
        if !folder.is_dir() {
            found.skip(folder, "there is no such folder");
        } else if found.search(folder) && before == (found.rows.len(), found.skipped.len()) {
            found.skip(folder, "no run is in this folder or below it");
        }
    }
    if found.rows.is_empty() { Err(NothingFound(found.skipped)) } else { Ok(found) }
}

impl FoundRuns {
    fn skip(&mut self, folder: &Path, reason: impl fmt::Display) {
        self.skipped.push(Skipped { folder: folder.to_path_buf(), reason: reason.to_string() });
    }

    /// Takes in a folder and what is below it. False if that was done before.
    fn search(&mut self, folder: &Path) -> bool {
        let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        if !self.seen.insert(whole) {
            return false;
        }
        match rows_of(folder) {
            Some(Ok(rows)) => {
                self.rows.extend(rows);
                return true;
            }
            // Other runs may be in there, as those of the test that follows a tuning.
            Some(Err(error)) => self.skip(folder, error),
            None => {}
        }
        match subfolders(folder) {
            Ok(below) => below.iter().for_each(|it| {
                self.search(it);
            }),
            Err(error) => self.skip(folder, error),
        }
        true
    }
}

/// The folders in a folder, by name.
fn subfolders(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut below = Vec::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if entry.file_type()?.is_dir() && !is_hidden {
            below.push(entry.path());
        }
    }
    below.sort();
    Ok(below)
}
