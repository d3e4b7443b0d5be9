//! The kind of a run, and the version of its journal.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Version of the journal's format. The one before has no selective depths, and is read as well.
pub(super) const VERSION: u32 = 4;
pub(super) const OLDEST_VERSION: u32 = 3;

/// The kind of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A sequential test of two contestants.
    Test,
    /// A tournament of several contestants.
    Tournament,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Test => "test",
            Kind::Tournament => "tournament",
        })
    }
}
