//! Kamerton's engine: rules of chess, evaluation and search in which every number is a named, documented, ranged
//! parameter.

pub mod bench;
pub mod chess;
pub mod engine;
pub mod evaluation;
pub mod game;
pub mod parameters;
pub mod search;
pub mod session;
pub mod show;
pub mod uci;

pub use crate::engine::Engine;
