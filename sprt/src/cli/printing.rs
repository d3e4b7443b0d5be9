//! Printing on standard output, as all commands do it.

use std::fmt::Write;

use anyhow::{Context, Result};
use foreign::is_sign;
use serde::Serialize;
use system::paint;

/// Prints a line, or text that ends with one, on standard output. A full disk must not change what a
/// test has decided: that is only told.
pub fn say(text: impl std::fmt::Display) {
    if let Err(error) = answer(text) {
        paint::tell_warning(format_args!("{error:#}"));
    }
}

/// As [`answer`], of JSON: what would steer a terminal is escaped there, and so not lost.
///
/// # Errors
/// It cannot be written.
pub fn answer_json(value: &impl Serialize) -> Result<()> {
    let mut text = String::new();
    for letter in serde_json::to_string_pretty(value)?.chars() {
        match letter {
            '\n' => text.push('\n'),
            letter if is_sign(letter) => write!(text, "\\u{:04x}", letter as u32)?,
            letter => text.push(letter),
        }
    }
    answer(text)
}

/// Prints a line, or text that ends with one, on standard output, where it is all that the command
/// is for. Its reader may have heard enough.
///
/// # Errors
/// It cannot be written.
pub fn answer(text: impl std::fmt::Display) -> Result<()> {
    match paint::print(text) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}
