//! Positions as text: lines in the forms in which tuners exchange their data, and CSV.

mod line;
mod read;
mod table;
mod write;

pub use line::{Labelled, parse_epd, parse_result, parse_score};
pub use write::write_csv;

pub(super) use read::read;
pub(super) use write::{write_lines, write_rows};
