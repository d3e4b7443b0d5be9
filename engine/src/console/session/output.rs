//! The session's output, line by line, from either of its threads.

use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use foreign::shown;
use uci::{InfoLine, Protocol, Reply};

/// Characters of an `info string` line.
const REMARK: usize = 2000;

/// Standard output, shared by the session and its search. Every line is flushed at once: user
/// interfaces wait for it.
#[derive(Clone, Default)]
pub struct Output {
    closed: Arc<AtomicBool>,
    /// The words that it is said in.
    pub protocol: Protocol,
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

    /// Prints a reply.
    pub fn reply(&self, reply: &Reply) {
        self.say(self.protocol.reply_text(reply));
    }

    /// Prints a remark: an `info string` line in UCI.
    pub fn remark(&self, text: impl Display) {
        self.say(self.remark_text(text));
    }

    /// The line of a remark, of any text.
    pub fn remark_text(&self, text: impl Display) -> String {
        let line = InfoLine::text(shown(&text.to_string(), REMARK));
        self.protocol.reply_text(&Reply::Info(Box::new(line)))
    }

    /// Looks whether anybody can still read: who writes seldom would not notice otherwise. On
    /// systems without `poll` only writing tells.
    pub fn look(&self) {
        #[cfg(unix)]
        {
            use rustix::event::{PollFd, PollFlags, Timespec, poll};
            let stdout = std::io::stdout();
            let mut asked = [PollFd::new(&stdout, PollFlags::empty())];
            let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
            let gone = PollFlags::ERR | PollFlags::HUP;
            if poll(&mut asked, Some(&at_once)).is_ok() && asked[0].revents().intersects(gone) {
                self.closed.store(true, Ordering::Relaxed);
            }
        }
    }

    /// True once it was found that nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
