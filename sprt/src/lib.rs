//! Match runner and sequential probability ratio test.
//!
//! Openings are played in pairs with colors reversed; the pair is the unit of statistics. Pairs are
//! counted in schedule order only, never in the order in which they finish, so that a verdict
//! depends neither on how many threads ran nor on how often the run was killed and resumed.

pub mod ablation;
pub mod check;
mod cli;
pub mod regress;

pub use cli::main;
