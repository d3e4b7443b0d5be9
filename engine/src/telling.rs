//! Messages beside a program's output.

use std::fmt::Display;
use std::io::Write;

/// Says a line on standard error. Where nobody reads it any more it is lost, which is no fault:
/// `eprintln!` would panic.
pub fn tell(text: impl Display) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
