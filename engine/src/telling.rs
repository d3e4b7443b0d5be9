//! Lines on standard error, beside the output.

use std::fmt::Display;
use std::io::Write;

/// Says a line, or text that ends with one, on standard error, in colors only where these can be
/// shown. Where nobody reads it any more it is lost, which is no fault: `eprintln!` would panic.
pub fn tell(text: impl Display) {
    let text = text.to_string();
    let line = text.trim_end_matches('\n').to_owned() + "\n";
    let _ = anstream::stderr().lock().write_all(line.as_bytes());
}
