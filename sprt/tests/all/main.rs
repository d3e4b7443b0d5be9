//! The crate's tests beyond the units: one binary, one module a subject.

mod game;
mod openings;
mod runs;
mod statistics;
