//! The crate's tests beyond the units: one binary, one module a subject.

// A test may say something.
#![allow(clippy::print_stderr)]

mod architecture;
mod audit;
mod automatic;
#[cfg(target_os = "linux")]
mod bounds;
#[path = "../../../testing/child.rs"]
mod child;
mod command_line;
mod earlier_journals;
mod export;
#[path = "../../../testing/files.rs"]
mod files;
mod fit;
mod forms;
mod gauge;
mod import;
mod jobs;
mod labels;
#[path = "../../../testing/lanes.rs"]
mod lanes;
mod margins;
mod normal_equations;
mod outputs;
mod positions;
mod record;
mod selection;
#[path = "../../../testing/shared_data.rs"]
mod shared_data;
#[path = "../../../testing/skipping.rs"]
mod skipping;
mod spsa;
mod spsa_path;
mod store;
#[cfg(unix)]
mod threads;
mod traces;
mod uncertainty;
