//! The folder of a new run.

use std::fs;
use std::path::PathBuf;

use matches::run;
use system::files::FileError;

/// The folder of a new run.
pub struct OutputFolder {
    pub path: PathBuf,
    /// It was created for the run.
    is_ours: bool,
}

impl OutputFolder {
    /// The folder that was given, or else a new one that is named after the run.
    pub fn new(given: Option<PathBuf>, name: &str) -> Result<OutputFolder, FileError> {
        let is_ours = given.is_none();
        let path = given.map_or_else(|| run::next_folder(name), Ok)?;
        Ok(OutputFolder { path, is_ours })
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        if self.is_ours {
            // Where the run did not even begin it is empty; any other one stays.
            let _ = fs::remove_dir(&self.path);
        }
    }
}
