//! Kamerton's engine: rules of chess, evaluation and search in which every number is a named, documented, ranged
//! parameter.

pub mod chess;
pub mod console;
pub mod engine;
pub mod parameters;
pub mod search;
pub mod uci;

pub use crate::chess::evaluation::weights::Weights;
pub use crate::chess::parameters::Parameters;
pub use crate::engine::Engine;
pub use crate::search::Margins;
