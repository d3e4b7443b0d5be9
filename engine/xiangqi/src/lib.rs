//! Xiangqi: its rules, what a position is worth, and the engine that plays it.

mod boxed;
mod engine;
pub mod evaluation;
pub mod game;
pub mod notation;
mod packed;
pub mod records;
pub mod rules;
mod sets;

pub use boxed::GAME;
pub use sets::Parameters;
