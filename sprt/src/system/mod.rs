//! What operating systems do in ways of their own: programs started with all that they start, their
//! pipes, locks of files, processors and their time.
//!
//! Everything else in this crate is written once. On Unix pipes are polled by the thread that waits,
//! and what belongs together is a process group; on Windows threads read the pipes, and what belongs
//! together is a job object. Both sides have the same names; what a system cannot do stands with it.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::time::Duration;

#[cfg(unix)]
use unix as here;
#[cfg(windows)]
use windows as here;

#[cfg(all(test, target_os = "linux"))]
pub(crate) use here::with_descendants;
pub(crate) use here::{
    Pipes, Tree, bind_to, is_deleted, is_executable, links, read_at, violent_end,
};
pub use here::{
    available_cores, close_output, enable_supervisor, lock_at_once, memory_megabytes,
    processor_time, processor_time_of_ended, read_exact_at, sleeper, supervise, suspend_oneself,
    write_all_at,
};

/// Whether this system tells, or a thread that only sleeps can find out, how long a player was kept
/// from running. Where not, no time is given back: what the machine delays is the player's own.
pub const TELLS_STALLS: bool = cfg!(unix);

/// Why somebody starts a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// To play: it is killed with the thread that started it where the system can do that, always
    /// with this process, and has this niceness, if any.
    Engine {
        /// From -20, the most important, to 19.
        nice: Option<i32>,
    },
    /// To build or to measure something: it is killed with its group.
    Tool,
}

/// Processor time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ProcessorTime {
    /// In programs.
    pub user: Duration,
    /// In the system's kernel for them.
    pub system: Duration,
}

impl ProcessorTime {
    /// Both together.
    pub fn total(self) -> Duration {
        self.user + self.system
    }
}

/// What can be done with pipes now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ready {
    /// Standard output has something, or its end.
    pub output: bool,
    /// Standard error has something, or its end.
    pub errors: bool,
    /// Standard input takes something, or is closed.
    pub input: bool,
}
