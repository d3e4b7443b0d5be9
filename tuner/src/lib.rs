//! Kamerton's tuner: fits the engine's evaluation terms to recorded positions, tests the result by
//! games, exports a tuned binary, and runs all of it as one loop.
//!
//! It holds no evaluation code of its own: the model is the engine's trace of a position, closed by
//! the engine's own formula over dual numbers.

/// Says a line on standard output, as [`command_line::say`].
macro_rules! say_line {
    ($($words:tt)*) => { $crate::command_line::say(format_args!("{}\n", format_args!($($words)*))) };
}

/// Says a text on standard output as it is, as [`command_line::say`].
macro_rules! say_text {
    ($text:expr) => {
        $crate::command_line::say($text)
    };
}

pub mod audit;
pub mod auto;
pub mod command_line;
pub mod export;
pub mod fit;
pub mod freed_memory;
#[cfg(test)]
#[path = "../../testing/lanes.rs"]
mod lanes;
pub mod logistic;
pub mod margins;
pub mod model;
pub mod positions;
pub mod record;
pub mod spsa;
pub mod traces;
pub mod tunables;
