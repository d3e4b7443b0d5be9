//! Colors on the terminal: of verdicts, faults, warnings. Where there is no terminal, or NO_COLOR or
//! CLICOLOR=0 asks for none, the same text stands without them.

use std::fmt::{Display, Formatter};
use std::io::{Result, Write};

use anstyle::AnsiColor;
pub use anstyle::Style;

use foreign::harmless;

use crate::tell;

/// Of an accepted candidate, and of what is right.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Of a rejected candidate, faults and errors.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// Of what is open, and of warnings.
pub const OPEN: Style = AnsiColor::Yellow.on_default().bold();

/// A text in a color.
pub fn painted(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// As [`painted`] where the alternate form is asked for, as `{:#}` does; else the text alone.
pub fn painted_in(f: &Formatter<'_>, style: Style, text: impl Display) -> String {
    if f.alternate() { painted(style, text) } else { text.to_string() }
}

/// Whether standard output shows colors.
pub fn is_colored() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// Prints a line, or text that ends with one, whose colors standard output can show or does without,
/// at once.
///
/// # Errors
/// It cannot be written, or nobody reads it any more.
pub fn print(text: impl Display) -> Result<()> {
    write(text.to_string().trim_end_matches('\n').to_owned() + "\n")
}

/// As [`print()`] of a text as it is, but for what other people's text in it would do to a terminal.
///
/// # Errors
/// It cannot be written, or nobody reads it any more.
pub fn write(text: impl Display) -> Result<()> {
    let mut output = anstream::stdout().lock();
    output.write_all(harmless(&text.to_string()).as_bytes())?;
    output.flush()
}

/// Writes an error message to standard error.
pub fn tell_error(text: impl Display) {
    tell(format_args!("{} {text}", painted(BAD, "error:")));
}

/// Says what may be wrong.
pub fn tell_warning(text: impl Display) {
    tell(format_args!("{} {text}", painted(OPEN, "warning:")));
}

/// Says what a player did wrong.
pub fn tell_fault(text: impl Display) {
    tell(format_args!("{} {text}", painted(BAD, "fault:")));
}
