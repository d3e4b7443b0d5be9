//! Chess: its rules, what a position is worth, endgame tables, opening books and libraries, games as
//! PGN, and the game as the search sees it.

pub mod bench;
mod built;
pub mod endgame_tables;
pub mod evaluation;
pub mod game;
pub mod opening_book;
pub mod opening_library;
pub mod parameters;
pub mod pgn;
pub mod rules;

pub use rules::*;
