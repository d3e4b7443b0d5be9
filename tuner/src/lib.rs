//! Kamerton's tuner: fits the engine's evaluation terms to recorded positions, tests the result by
//! games, exports a tuned binary, and runs all of it as one loop.

mod allocator;
pub mod auto;
mod entry;
pub mod export;

pub use entry::main;
