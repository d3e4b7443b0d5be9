//! Match runner and sequential probability ratio test.

pub mod files;
pub mod game;
pub mod openings;
pub mod player;
pub mod random;
pub mod statistics;
