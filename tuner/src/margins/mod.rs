//! Fits margins to recorded positions.
//!
//! Texel's method needs an error that falls when the engine gets better. For a search with few nodes
//! there are two, as one with many more sees them: its **regret**, by which the move it chooses is
//! worth less than the best one known, and its **misjudgement**, by which its own score of that move
//! is off. Both follow the strength; regret is what counts, misjudgement is known far sooner,
//! because a changed tree changes choices among equals by chance, and scores hardly. They ask
//! nothing of a search but moves and scores, so that they see every margin of every technique,
//! present and future.
//!
//! `places.rs` draws the positions, `chooser.rs` has the moves chosen, over the whole life of each
//! search (`life.rs`), `judge.rs` says what they are worth and remembers it; `bench.rs` joins them, with
//! the threads of `workers.rs`.
//! `design.rs` says which values are tried, `surface.rs` what follows from them, `tuning.rs` leads
//! from round to round, `job.rs` is the whole of a run, `journal.rs` survives kills, and `measure.rs` compares sets of values on
//! positions that have chosen nothing.

mod bench;
mod chooser;
mod command;
mod design;
mod job;
mod journal;
mod judge;
mod life;
mod measure;
pub mod page;
mod places;
mod regret;
mod show;
mod surface;
mod tuning;
mod workers;

pub use command::{MarginsArguments, run};
pub use job::{Comparison, Job, Tuned, with_ending};
pub use judge::JudgeSettings;
pub use life::MOMENTS;
pub use measure::Estimate;
pub use regret::{RegretArguments, run as run_regret};
pub use tuning::{Finding, Listener};

/// What merit is worth (Elo), as changes of margins showed when they were measured both ways.
pub const ELO_PER_MERIT: f64 = 5e3;
