//! The fit of evaluation terms to recorded positions, our own and those of other engines.
//!
//! It holds no evaluation code of its own: the model is the engine's trace of a position, closed by
//! the engine's own formula over dual numbers.

pub mod fit;
pub mod model;
pub mod traces;
