//! Work that each operating system does in its own way: programs started with all that they start,
//! their pipes, locks of files, processors and their time.
//!
//! Everything else is written once. On Unix pipes are polled by the thread that waits,
//! and what belongs together is a process group; on Windows threads read the pipes, and what belongs
//! together is a job object. Both sides have the same names; what a system cannot do stands with it.
//!
//! If a runner is killed, its supervisor kills the engines that are left (`unix/supervisor.rs`); on
//! Windows a job object does. Nothing outside this crate knows which.

mod common;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as here;
#[cfg(windows)]
use windows as here;

pub use common::{ProcessorTime, Purpose, Ready};
#[cfg(target_os = "linux")]
pub use here::with_descendants;
pub use here::{
    Pipes, Tree, asleep, available_cores, bind_to, close_output, enable_supervisor, is_deleted,
    is_executable, links, lock_at_once, memory_megabytes, processor_time, processor_time_of_ended,
    read_at, read_exact_at, sleeper, supervise, suspend_oneself, violent_end, write_all_at,
};

/// Whether this system tells, or a thread that only sleeps can find out, how long a player was kept
/// from running. Where not, no time is given back: what the machine delays is the player's own.
pub const REPORTS_STALLS: bool = cfg!(unix);
