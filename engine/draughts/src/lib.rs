//! Russian draughts on 8 × 8 squares: its rules, what a position is worth, and its engine.

mod boxed;
pub mod evaluation;
pub mod game;
mod notation;
mod packed;
pub mod rules;
mod sets;

pub use boxed::GAME;
pub use sets::Parameters;
