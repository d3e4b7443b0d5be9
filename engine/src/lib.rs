//! Kamerton's engine: rules of chess, evaluation and search in which the numbers that shape play are
//! named, documented, ranged parameters.
//!
//! What stays a constant is a rule of the game, a unit (plies, points of history), a number that
//! says how much is remembered, or one that keeps scores apart from mates.

pub mod block;
pub mod chess;
pub mod console;
pub mod engine;
pub mod files;
pub mod foreign;
pub mod parameters;
mod prefetch;
pub mod search;
mod telling;
pub mod text;
pub mod threads;
pub mod toys;
pub mod uci;

pub use crate::chess::evaluation::weights::Weights;
pub use crate::chess::parameters::Parameters;
pub use crate::engine::Engine;
pub use crate::search::Margins;
pub use crate::telling::tell;
