//! The engine's tests beyond the units: one binary, one module a subject.

// A test may say something.
#![allow(clippy::print_stderr)]

mod audit;
mod block;
mod chess_exchange;
mod chess_perft;
mod chess_rules;
mod chess_text;
#[path = "../../../testing/child.rs"]
mod child;
mod command_line;
mod draughts_sessions;
mod driver;
mod endgame_tables;
mod evaluation;
mod frozen;
mod fuzz;
#[path = "../../../testing/game_suite.rs"]
mod game_suite;
#[path = "../../../testing/lanes.rs"]
mod lanes;
mod literature;
mod mates;
mod opening_book;
mod opening_library;
mod parameters;
mod play;
mod recipes;
mod search;
mod session_options;
mod sessions;
#[path = "../../../testing/shared_data.rs"]
mod shared_data;
#[path = "../../../testing/skipping.rs"]
mod skipping;
mod table;
mod tables_in_play;
mod threads;
mod toy_games;
mod uci;
mod xiangqi_sessions;
