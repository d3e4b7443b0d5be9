//! Fits margins to recorded positions.
//!
//! Texel's method needs an error that falls when the engine gets better. For a search with few nodes
//! it is the **regret**: by how much the move it chooses is worth less than the best one known, as a
//! search with many more nodes sees them. It asks nothing of a search but moves, so that it sees
//! every margin of every technique, present and future.
//!
//! `places.rs` draws passages of games, some of which are held out; `chooser.rs` has the moves
//! chosen in them, `judge.rs` says what they are worth and remembers it; `bench.rs` joins them, with
//! the threads of `workers.rs`. `design.rs` says which values are tried, `surface.rs` what follows
//! from them, `tuning.rs` leads from round to round, `job.rs` is the whole of a run, `journal.rs`
//! survives kills (both it and the judgements are files of `lines.rs`), and `measure.rs` compares sets of
//! values on games that have chosen nothing.

mod bench;
mod chooser;
mod command;
mod design;
mod job;
mod journal;
mod judge;
mod lines;
mod measure;
pub mod page;
mod places;
mod regret;
mod searches;
mod show;
mod surface;
mod tuning;

pub use command::{MarginsArguments, run};
pub use job::{Comparison, Tuned, TuningSettings, with_ending};
pub use journal::rounds_in;
pub use judge::JudgeSettings;
pub use measure::Estimate;
pub use regret::{RegretArguments, run as run_regret};
pub use tuning::{Finding, Listener};

/// Elo for a gain of 1 in the expected score of the chosen moves, as changes of margins showed
/// when they were measured both ways.
pub const ELO_PER_WORTH: f64 = 2.2e4;
