//! Errors of regression tests.

use std::path::PathBuf;

use matches::run::RunError;
use revisions::{BenchError, BuildError, GitError, Halt, ProcessError};
use system::files::{FileError, OutputError};
use thiserror::Error;

/// Why there is no outcome.
#[derive(Debug, Error)]
pub enum RegressError {
    /// The repository or a revision cannot be used.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A revision cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The bench of a revision fails.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// The games cannot be played.
    #[error(transparent)]
    Games(#[from] RunError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of somebody else would be overwritten, or another process is writing it.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The folder for the results holds something else.
    #[error(
        "{} holds the games of another test ({difference}): name another --output, or remove it",
        folder.display()
    )]
    Occupied {
        /// The folder that was to take the results.
        folder: PathBuf,
        /// The first difference.
        difference: String,
    },
    /// A report cannot be made.
    #[error("the report cannot be made: {0}")]
    Report(String),
    /// The user or the budget ended it.
    #[error(transparent)]
    Halted(#[from] Halt),
}

impl RegressError {
    /// The user or the budget, if either ended the work.
    pub fn halt(&self) -> Option<Halt> {
        match self {
            RegressError::Git(GitError::Process(ProcessError::Halted(halt)))
            | RegressError::Halted(halt) => Some(*halt),
            RegressError::Build(error) => error.halt(),
            RegressError::Bench(error) => error.halt(),
            RegressError::Games(RunError::Interrupted { .. }) => Some(Halt::Interrupted),
            _ => None,
        }
    }
}
