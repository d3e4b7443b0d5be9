//! Revisions of an engine: git, builds and their cache, bench and speed, and what a comparison of two
//! of them came to.

mod bench;
mod build;
mod built;
mod git;
mod outcome;
mod process;
mod speed;
mod toolchain;
pub(crate) mod words;

pub use bench::{Bench, BenchError, BenchSettings};
pub(crate) use build::Builder;
pub use build::{BuildError, Method, Recipe};
pub(crate) use built::Built;
pub(crate) use git::Repository;
pub use git::{GitError, Revision};
pub use outcome::{BuildReport, Change, Decision, GamesReport, Outcome, RevisionReport};
pub(crate) use process::Control;
pub use process::{Halt, ProcessError};
pub(crate) use speed::compare;
pub use speed::{SpeedRatio, SpeedReport, SpeedSettings, SpeedTurn};
