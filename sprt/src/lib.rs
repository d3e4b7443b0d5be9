//! Match runner and sequential probability ratio test.
//!
//! Openings are played in pairs with colors reversed; the pair is the unit of statistics. Pairs are
//! counted in schedule order only, never in the order in which they finish, so that a verdict
//! depends neither on how many threads ran nor on how often the run was killed and resumed.

pub mod ablation;
pub mod budget;
pub mod check;
pub mod game;
#[cfg(test)]
#[path = "../../testing/lanes.rs"]
mod lanes;
pub mod openings;
pub mod paint;
pub mod pgn;
pub mod player;
pub mod playing;
pub mod random;
pub mod regress;
pub mod report;
pub mod revisions;
pub mod run;
mod schema;
pub mod sequential_test;
pub mod shell;
pub mod statistics;
pub mod tournament;
