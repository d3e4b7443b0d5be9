//! Kamerton's tuner: fits the engine's evaluation terms to recorded positions, tests the result by
//! games, exports a tuned binary, and runs all of it as one loop.
//!
//! It holds no evaluation code of its own: the model is the engine's trace of a position, closed by
//! the engine's own formula over dual numbers.

pub mod auto;
pub mod export;
pub mod fit;
pub mod model;
pub mod positions;
pub mod record;

/// The command line of this process, as a shell takes it: what repeats the run.
pub fn invocation() -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+=:,@".contains(letter);
    let quoted = |argument: String| match !argument.is_empty() && argument.chars().all(plain) {
        true => argument,
        false => format!("'{}'", argument.replace('\'', r"'\''")),
    };
    let arguments = std::env::args_os().skip(1);
    let arguments = arguments.map(|argument| quoted(argument.to_string_lossy().into_owned()));
    std::iter::once("tuner".to_string()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// A mistake in how a command was called, rather than a failure of its work: exit status 2 instead
/// of 1.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongUse(pub String);
