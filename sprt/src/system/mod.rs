//! What operating systems do in ways of their own: programs started with all that they start, their
//! pipes, locks of files, processors and their time.
//!
//! Everything else in this crate is written once. On Unix pipes are polled by the thread that waits,
//! and what belongs together is a process group; on Windows threads read the pipes, and what belongs
//! together is a job object. Both sides have the same names; what a system cannot do stands with it.

mod common;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as here;
#[cfg(windows)]
use windows as here;

pub use common::ProcessorTime;
pub(crate) use common::Purpose;
#[cfg(all(test, target_os = "linux"))]
pub(crate) use here::with_descendants;
pub(crate) use here::{Pipes, Tree, asleep, bind_to, is_executable, links, read_at, violent_end};
pub use here::{
    available_cores, close_output, enable_supervisor, is_deleted, lock_at_once, memory_megabytes,
    processor_time, processor_time_of_ended, read_exact_at, sleeper, supervise, suspend_oneself,
    write_all_at,
};

/// Whether this system tells, or a thread that only sleeps can find out, how long a player was kept
/// from running. Where not, no time is given back: what the machine delays is the player's own.
pub const TELLS_STALLS: bool = cfg!(unix);
