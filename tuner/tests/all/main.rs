//! The crate's tests beyond the units: one binary, one module a subject.
mod architecture;
mod automatic;
mod command_line;
mod export;
mod fit;
mod gauge;
mod import;
mod normal_equations;
mod positions;
mod record;
mod shared_data;
mod store;
mod traces;
