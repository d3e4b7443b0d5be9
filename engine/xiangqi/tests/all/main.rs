//! Tests of xiangqi from outside.

#[path = "../../../../testing/game_suite.rs"]
mod game_suite;
mod notation;
mod opening_book;
mod perft;
mod properties;
mod records;
mod repetition;
mod source;
