//! Unix, and what of it only Linux has.

mod descendants;
mod pipes;
mod supervisor;
mod tree;

use std::fs::{File, Metadata, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeVal;
use rustix::process::Signal;

use crate::processes::common::ProcessorTime;

#[cfg(target_os = "linux")]
pub use descendants::with_descendants;
pub use pipes::Pipes;
pub use supervisor::{enable as enable_supervisor, supervise};
pub use tree::Tree;

/// The signal that ended a program from outside, by its name; none if no signal did.
pub fn violent_end(status: ExitStatus) -> Option<String> {
    let number = std::os::unix::process::ExitStatusExt::signal(&status)?;
    let known = [
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::ILL, "SIGILL"),
        (Signal::INT, "SIGINT"),
        (Signal::KILL, "SIGKILL"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::TERM, "SIGTERM"),
    ];
    let name = known.into_iter().find(|(signal, _)| signal.as_raw() == number);
    Some(name.map_or_else(|| format!("signal {number}"), |(_, name)| name.to_owned()))
}

/// How long the machine has slept since it was started; zero where the system does not tell.
pub fn asleep() -> Duration {
    #[cfg(target_os = "linux")]
    {
        use nix::time::ClockId;
        // While the machine sleeps, the first goes on and the second stands still.
        let [all, awake] = [ClockId::CLOCK_BOOTTIME, ClockId::CLOCK_MONOTONIC]
            .map(|clock| clock.now().map_or(Duration::ZERO, Duration::from));
        all.saturating_sub(awake)
    }
    #[cfg(not(target_os = "linux"))]
    Duration::ZERO
}

/// Locks a file against other processes without waiting. It can be read by all.
///
/// # Errors
/// Another one holds it, or the file system knows no locks.
pub fn lock_at_once(file: &File) -> Result<(), TryLockError> {
    file.try_lock()
}

/// Whether the file has no name any more, as when its folder was deleted.
pub fn is_deleted(file: &File) -> bool {
    file.metadata().is_ok_and(|file| file.nlink() == 0)
}

/// True for a file that its owner, its group or others may execute.
pub fn is_executable(path: &Path) -> bool {
    let is_it = |file: Metadata| file.is_file() && file.permissions().mode() & 0o111 != 0;
    path.metadata().is_ok_and(is_it)
}

/// How many names a file or folder has.
pub fn links(metadata: &Metadata) -> u64 {
    metadata.nlink()
}

/// Reads what is there at a place of a file, at most as many bytes as there is room for.
///
/// # Errors
/// The system's.
pub fn read_at(file: &File, room: &mut [u8], place: u64) -> io::Result<usize> {
    file.read_at(room, place)
}

/// Reads bytes from a place of a file; any thread may, at the same time.
///
/// # Errors
/// The system's, or that the file ends before.
pub fn read_exact_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    file.read_exact_at(bytes, place)
}

/// Writes bytes to a place of a file.
///
/// # Errors
/// The system's, for instance that the disk is full.
pub fn write_all_at(file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    file.write_all_at(bytes, place)
}

/// Processor time of this process.
///
/// # Errors
/// The system does not tell.
pub fn processor_time() -> io::Result<ProcessorTime> {
    used_by(UsageWho::RUSAGE_SELF)
}

/// Processor time of the programs that this process has started and seen the end of.
///
/// # Errors
/// The system does not tell.
pub fn processor_time_of_ended() -> io::Result<ProcessorTime> {
    used_by(UsageWho::RUSAGE_CHILDREN)
}

fn used_by(who: UsageWho) -> io::Result<ProcessorTime> {
    let usage = getrusage(who)?;
    Ok(ProcessorTime {
        user: duration(&usage, Usage::user_time),
        system: duration(&usage, Usage::system_time),
    })
}

fn duration(usage: &Usage, time: impl Fn(&Usage) -> TimeVal) -> Duration {
    let time = time(usage);
    Duration::new(time.tv_sec().unsigned_abs(), 1000 * time.tv_usec().unsigned_abs() as u32)
}

/// Memory of this machine in megabytes (2²⁰ bytes), where the system tells.
pub fn memory_megabytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024)
}

/// Numbers of the cores that this process may use.
#[cfg(target_os = "linux")]
pub fn available_cores() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    match sched_getaffinity(None) {
        Ok(set) => (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect(),
        Err(_) => numbered_cores(),
    }
}

/// Numbers of the cores that this process may use.
#[cfg(not(target_os = "linux"))]
pub fn available_cores() -> Vec<usize> {
    numbered_cores()
}

fn numbered_cores() -> Vec<usize> {
    (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
}

/// Binds the calling thread, and the programs that it starts from now on, to cores. Where the system
/// does not allow it, they go where it puts them.
#[cfg(target_os = "linux")]
pub fn bind_to(cores: &[usize]) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    // A refused binding costs precision of time, not the game.
    let _ = sched_setaffinity(None, &set);
}

/// Does nothing: this system binds no threads to cores.
#[cfg(not(target_os = "linux"))]
pub fn bind_to(_cores: &[usize]) {}

/// Closes the standard output of this process, so that its reader sees the end.
///
/// # Errors
/// The system's.
pub fn close_output() -> io::Result<()> {
    Ok(rustix::stdio::dup2_stdout(File::open("/dev/null")?)?)
}

/// A command that does nothing for so many seconds; out of reach of signals to our group if wanted.
pub fn sleeper(seconds: u64, is_apart: bool) -> Command {
    let mut command = Command::new(if is_apart { "setsid" } else { "sleep" });
    if is_apart {
        command.arg("sleep");
    }
    command.arg(seconds.to_string());
    command
}

/// Has this process stand still until another one wakes or ends it.
///
/// # Errors
/// The system's.
pub fn suspend_oneself() -> io::Result<()> {
    Ok(rustix::process::kill_process(rustix::process::getpid(), Signal::STOP)?)
}
