//! The engine's tests beyond the units: one binary, one module a subject.
mod audit;
mod chess_exchange;
mod chess_perft;
mod chess_rules;
mod chess_text;
mod command_line;
mod driver;
mod endgame_tables;
mod evaluation;
mod fuzz;
mod mates;
mod parameters;
mod search;
mod sessions;
mod shared_data;
mod toy_games;
mod uci;
