//! Xiangqi: its rules, what a position is worth, and the engine that plays it.

mod boxed;
pub mod evaluation;
pub mod game;
pub mod notation;
pub mod opening_book;
mod packed;
pub mod rules;
mod sets;
mod textbook;

pub use boxed::GAME;
pub use sets::Parameters;
