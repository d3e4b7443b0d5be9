//! The crate's tests beyond the units: one binary, one module a subject.
mod automatic;
mod command_line;
mod export;
mod fit;
mod import;
mod positions;
mod record;
mod shared_data;
mod store;
