//! The crate's tests beyond the units: one binary, one module a subject.

/// What a runner says of the end of a program that has aborted, with what is said after it.
#[cfg(unix)]
macro_rules! aborted {
    ($($after:literal)?) => {
        concat!("SIGABRT" $(, $after)?)
    };
}

/// What a runner says of the end of a program that has aborted, with what is said after it.
#[cfg(windows)]
macro_rules! aborted {
    ($($after:literal)?) => {
        concat!("exception 0xC0000409 (abort)" $(, $after)?)
    };
}

mod ablation;
mod audit;
mod check;
mod documents;
mod fastchess;
mod fault_files;
mod faults;
mod game;
mod json_schema;
mod likeness;
mod openings;
mod outputs;
mod pgn;
// Revisions whose builds and engines are scripts of a shell.
#[cfg(unix)]
mod compare;
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
mod report;
mod runs;
mod shared_data;
mod statistics;
mod statistics_commands;
mod statistics_designs;
mod statistics_ratings;
mod statistics_small_samples;
mod stream;
mod tablebase;
mod tournament;
mod uci;
mod viewer;
mod withdrawal;
