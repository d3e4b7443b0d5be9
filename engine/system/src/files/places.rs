//! Where a path leads.

use std::fs::File;
use std::path::Path;

use same_file::Handle;

/// Whether an open file is what stands at a path: not so where its folder was moved, or it was replaced.
pub fn is_at(file: &File, path: &Path) -> bool {
    let own = file.try_clone().and_then(Handle::from_file).ok();
    own.is_some() && own == Handle::from_path(path).ok()
}

/// The folder in which a file lies.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != "").unwrap_or(Path::new("."))
}
