//! The crate's tests beyond the units: one binary, one module a subject.
mod positions;
mod record;
mod store;
mod fit;
