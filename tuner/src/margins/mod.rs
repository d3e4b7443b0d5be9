//! Fits margins to recorded positions.
//!
//! Texel's method needs an error that falls when the engine gets better. For a search it is the
//! **regret**: what the move that is chosen with few nodes is worth less than the best move known,
//! as a search with many more nodes sees both. It asks nothing of the search but moves, so that it
//! sees every margin of every technique, present and future.
//!
//! `places.rs` draws the positions, `chooser.rs` has the moves chosen, over the whole life of each
//! search (`life.rs`), `judge.rs` says what they are worth and remembers it; `bench.rs` joins them.
//! `design.rs` says which values are tried, `surface.rs` what follows from them, `tuning.rs` leads
//! from round to round, `journal.rs` survives kills, and `measure.rs` compares sets of values on
//! positions that have chosen nothing.

mod bench;
mod chooser;
mod command;
mod design;
mod journal;
mod judge;
mod life;
mod measure;
mod places;
mod regret;
mod surface;
mod tuning;

pub use command::{MarginsArguments, run};
pub use life::MOMENTS;
pub use measure::Estimate;
pub use regret::{RegretArguments, run as run_regret};

/// What an expected score of one hundredth of a percent a move is worth (Elo), as changes of margins
/// showed when they were measured both ways.
pub const ELO_PER_SCORE: f64 = 2.2e4;
