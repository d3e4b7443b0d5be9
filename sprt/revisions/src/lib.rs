//! Revisions of an engine: git, builds and their cache, bench and speed, and what a comparison of two
//! of them came to.

mod bench;
mod build;
mod built;
mod checkout;
mod git;
#[cfg(test)]
#[path = "../../../testing/lanes.rs"]
mod lanes;
mod outcome;
mod process;
mod recipe;
mod snapshot;
mod speed;
mod toolchain;
pub mod words;

pub use bench::{Bench, BenchError, BenchSettings};
pub use build::{BuildError, Builder};
pub use built::Built;
pub use git::Repository;
pub use git::{GitError, Revision};
pub use outcome::{BuildReport, Change, Decision, GamesReport, Outcome, RevisionReport};
pub use process::Control;
pub use process::{Halt, ProcessError};
pub use recipe::{Method, Recipe};
pub use speed::compare;
pub use speed::{SpeedRatio, SpeedReport, SpeedSettings, SpeedTurn};
