//! What the session says, line by line, from either of its threads.

use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::uci::Info;

/// Standard output, shared by the session and its search. Every line is flushed at once: user
/// interfaces wait for it.
#[derive(Clone, Default)]
pub struct Output {
    closed: Arc<AtomicBool>,
}

impl Output {
    /// Prints a line, or several if the text holds line breaks.
    pub fn say(&self, text: impl Display) {
        let text = text.to_string();
        let text = text.trim_end_matches('\n');
        let mut stdout = std::io::stdout().lock();
        if writeln!(stdout, "{text}").and_then(|()| stdout.flush()).is_err() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }

    /// Prints an `info string` line.
    pub fn remark(&self, text: impl Display) {
        self.say(Info::text(text.to_string()));
    }

    /// True once nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
