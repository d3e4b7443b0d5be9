//! Tests of draughts from outside.

#[path = "../../../../testing/game_suite.rs"]
mod game_suite;
mod positions;
mod properties;
mod records;
mod referee;
