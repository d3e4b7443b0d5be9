//! The crate's tests beyond the units: one binary, one module a subject.

// A test may say something.
#![allow(clippy::print_stderr)]

/// A runner's words for the end of a program that has aborted, with the text after them.
#[cfg(unix)]
macro_rules! aborted {
    ($($after:literal)?) => {
        concat!("SIGABRT" $(, $after)?)
    };
}

/// A runner's words for the end of a program that has aborted, with the text after them.
#[cfg(windows)]
macro_rules! aborted {
    ($($after:literal)?) => {
        concat!("exception 0xC0000409 (abort)" $(, $after)?)
    };
}

mod ablation;
mod audit;
mod check;
#[path = "../../../testing/child.rs"]
mod child;
mod counted_pairs;
mod dialects;
mod documents;
mod earlier_journals;
mod fastchess;
mod fault_files;
mod faults;
#[path = "../../../testing/files.rs"]
mod files;
mod game;
mod helpers;
mod identity;
mod json_schema;
#[path = "../../../testing/lanes.rs"]
mod lanes;
mod likeness;
mod openings;
mod outputs;
mod pgn;
#[path = "../../../testing/shared_data.rs"]
mod shared_data;
#[path = "../../../testing/skipping.rs"]
mod skipping;
// Revisions whose builds and engines are scripts of a shell.
#[cfg(unix)]
mod index;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod manual;
#[cfg(unix)]
mod regress;
#[cfg(unix)]
mod regress_builds;
#[cfg(unix)]
mod regress_foreign;
#[cfg(unix)]
mod regress_revisions;
#[cfg(unix)]
mod regress_worktree;
mod report;
mod runs;
#[cfg(unix)]
mod standstill;
#[cfg(unix)]
mod starting;
mod statistics;
mod statistics_commands;
mod statistics_designs;
mod statistics_ratings;
mod statistics_small_samples;
mod stream;
mod tablebase;
mod tournament;
mod uci;
mod versions;
mod viewer;
mod withdrawal;
