//! Recorded positions: their store, import and export, filter, and split by games.

mod command;
mod counts;
mod expand;
mod export;
mod filter;
mod import;
mod line;
mod packed;
mod sample;
pub mod store;

pub use command::{PositionsArguments, run};
pub use counts::{BadLines, Counts};
pub use expand::{Samples, expand};
pub use export::write_csv;
pub use filter::{Filter, Rejection};
pub use line::{Labelled, parse_epd, parse_result, parse_score};
pub use packed::{PACKED_BYTES, PackedError, PackedPosition};
pub use sample::{Sample, Split, is_held_out, split};
