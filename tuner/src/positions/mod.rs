//! Recorded positions: their store, import and export, filter, and split by games.

mod command;
mod counts;
mod expand;
mod filter;
pub mod games;
mod packed;
mod sample;
pub mod store;
mod text;

pub use command::{PositionsArguments, run};
pub use counts::{BadLines, Counts};
pub use expand::{Samples, expand};
pub use filter::{Filter, Rejection};
pub use packed::{PACKED_BYTES, PackedError, PackedPosition};
pub use sample::{Purpose, Sample, Shares, Split, purpose_of, split};
pub use text::{Labelled, parse_epd, parse_result, parse_score, write_csv};
