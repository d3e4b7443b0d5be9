//! The engine's tests beyond the units: one binary, one module a subject.
mod evaluation;
mod parameters;
mod toy_games;
mod uci;
