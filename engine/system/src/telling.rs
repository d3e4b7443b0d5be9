//! Lines on standard error, beside the output.

use std::fmt::Display;
use std::io::Write;

use foreign::told;

/// Says a line, or text that ends with one, on standard error, in colors only where these can be
/// shown. Other people's text in it steers no terminal and is cut where it is very long. Where nobody
/// reads it any more it is lost, which is no fault: `eprintln!` would panic.
pub fn tell(text: impl Display) {
    let line = told(text.to_string().trim_end_matches('\n')) + "\n";
    let _ = anstream::stderr().lock().write_all(line.as_bytes());
}
