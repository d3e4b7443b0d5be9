//! Recorded positions: their store, import and export, filter, and split by games.
//!
//! A file of positions is a [`Source`] with weight, limit and filter, from the command line or a
//! job (`job.rs`). All forms are streams that become rows or games, and end in one expansion
//! (`expand.rs`). Weights come last, as shares drawn or copies (`selection.rs`), so that a fit
//! knows nothing of them. A damaged record is counted, up to a share. Where nobody knows what
//! follows, the file is refused.

mod command;
pub mod compression;
mod counts;
mod expand;
mod filter;
pub mod games;
mod job;
pub mod logistic;
mod lookahead;
mod output;
mod packed;
mod parts;
pub mod record;
mod records;
mod rows;
mod sample;
mod selection;
mod source;
pub mod store;
mod text;
mod whole_games;

pub use command::{PositionsArguments, run};
pub use counts::{BadLines, Counts, Rejection};
pub use expand::{Samples, expand, expand_sources};
pub use filter::{Filter, PER_GAME_MAX};
pub use job::SourceArguments;
pub use packed::PackedPosition;
pub use parts::{FoundOn, Part, every_position, parted};
pub use sample::{Purpose, Sample, Shares, Split, purpose_of, split};
pub use source::{Form, Source, View};
pub use text::{Labelled, parse_epd, parse_result, parse_score, write_csv};
