//! Matches: openings, players, games in pairs, and runs of them that stop when the question is decided.
//!
//! Openings are played in pairs with colors reversed; the pair is the unit of statistics. Pairs are
//! counted in schedule order only, never in the order in which they finish, so that a verdict
//! depends neither on how many threads ran nor on how often the run was killed and resumed.
//!
//! A `Competition` is a function of its rules and the pairs counted so far; only `run/` touches
//! folder, threads and clock. A thread writes down its pair. The coordinator appends the line to
//! the journal, then counts. Each run says of which engines it is (`player/identity.rs`), and a
//! resumption with others is refused.

pub mod game;
mod game_option;
pub mod openings;
pub mod pgn;
pub mod player;
pub mod playing;
pub mod run;
mod schema;
pub mod sequential_test;
pub mod tournament;

pub use chess::games;
pub use game_option::GameOption;
