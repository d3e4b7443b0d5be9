//! Chess: its rules, what a position is worth, endgame tables, opening books and libraries, the game
//! as the search sees it, and the engine that plays it.
//!
//! The numbers that shape play are named, documented, ranged parameters. A number stays a constant
//! if it is a rule of the game, a unit (plies, points of history), says how much is remembered, or
//! keeps scores apart from mates.

pub mod auditing;
pub mod bench;
mod boxed;
mod built;
pub mod endgame_tables;
pub mod engine;
pub mod evaluation;
pub mod game;
pub mod games;
pub mod opening_book;
pub mod opening_library;
pub mod packed;
pub mod rules;
mod sets;
pub mod textbook;

pub use boxed::GAME;
pub use engine::Engine;
pub use evaluation::weights::Weights;
pub use rules::*;
pub use search::Margins;
pub use sets::Parameters;
