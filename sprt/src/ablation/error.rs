//! Errors of comparisons of methods.

use std::path::PathBuf;

use matches::run::RunError;
use system::files::{FileError, OutputError};
use thiserror::Error;

/// Why methods cannot be compared.
#[derive(Debug, Error)]
pub enum AblationError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of somebody else would be overwritten, or another process is writing it.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The parameter file is wrong.
    #[error(transparent)]
    Parameters(#[from] parameters::ParametersError),
    /// A run failed or was interrupted.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The suite cannot be used.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// A part of the evaluation that says nothing.
    #[error("{0:?} is nothing in this file already: there is nothing to take away")]
    Nothing(String),
    /// A name that no method has.
    #[error(
        "there is no method {name:?} to switch in this file; there are the weights of `kamerton \
         params`, whole or by their halves, and {}",
        known.join(", ")
    )]
    Unknown {
        /// The name as it was given.
        name: String,
        /// The names of all methods.
        known: Vec<String>,
    },
    /// The folder was begun with something else.
    #[error("{} was begun with {what}: give the same, or another folder", folder.display())]
    Other {
        /// The folder of the comparison.
        folder: PathBuf,
        /// The part that differs.
        what: String,
    },
    /// A file of the folder cannot be understood.
    #[error("{}:{line}: {reason}: take the file away to count anew", path.display())]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// Line number from 1.
        line: usize,
        /// The reason in words.
        reason: String,
    },
}

/// Why a suite cannot be used.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line makes no sense.
    #[error("{}:{line}: {reason}; a line is a position with `bm` or `am`, as in EPD", path.display())]
    Line {
        /// The suite's file.
        path: PathBuf,
        /// Line number from 1.
        line: usize,
        /// The reason in words.
        reason: String,
    },
}
