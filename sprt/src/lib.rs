//! Match runner and sequential probability ratio test.
//!
//! Openings are played in pairs with colors reversed; the pair is the unit of statistics. Pairs are
//! counted in schedule order only, never in the order in which they finish, so that a verdict
//! depends neither on how many threads ran nor on how often the run was killed and resumed.

pub mod adjudication;
pub mod audit;
pub mod budget;
mod clock;
pub mod contestant;
pub mod faults;
pub mod files;
pub mod game;
pub mod journal;
pub mod limits;
pub mod openings;
mod page;
pub mod pair;
pub mod pgn;
pub mod player;
pub mod random;
pub mod regress;
pub mod report;
pub mod run;
pub mod schedule;
mod schema;
pub mod shell;
pub mod simulation;
pub mod statistics;
pub mod tablebase;
pub mod test;
pub mod tournament;
