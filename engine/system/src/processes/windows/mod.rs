//! Windows, from 10 on.

mod job;
mod pipes;
mod tree;

use std::cell::Cell;
use std::fs::{File, Metadata, TryLockError};
use std::io;
use std::os::windows::fs::FileExt;
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use windows_sys::Win32::Foundation::{
    CloseHandle, ERROR_IO_PENDING, ERROR_LOCK_VIOLATION, FILETIME, HANDLE,
};
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, GetFileInformationByHandle, LOCKFILE_EXCLUSIVE_LOCK,
    LOCKFILE_FAIL_IMMEDIATELY, LockFileEx,
};
use windows_sys::Win32::System::Console::{GetStdHandle, STD_OUTPUT_HANDLE, SetStdHandle};
use windows_sys::Win32::System::IO::OVERLAPPED;
use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
use windows_sys::Win32::System::Threading::{
    DETACHED_PROCESS, GetCurrentProcess, GetCurrentThread, GetProcessAffinityMask, GetProcessTimes,
    SetThreadAffinityMask, SuspendThread,
};

use crate::processes::common::ProcessorTime;

pub use pipes::Pipes;
pub use tree::Tree;
pub use tree::processor_time_of_ended;

thread_local! {
    /// The cores of this thread and of the programs that it starts, as bits; 0 for all. Programs do
    /// not inherit what a thread is bound to.
    static CORES: Cell<usize> = const { Cell::new(0) };
}

/// The exception of the processor or the system that ended a program from outside: its number is
/// the exit status. None if the program ended by itself.
pub fn violent_end(status: ExitStatus) -> Option<String> {
    /// Numbers from here on say that something is wrong (`NTSTATUS` of severity "error").
    const FIRST: u32 = 0xC000_0000;
    let number = status.code()?.cast_unsigned();
    let known = [
        (0xC000_0005, "access violation"),
        (0xC000_0017, "out of memory"),
        (0xC000_001D, "illegal instruction"),
        (0xC000_0094, "integer division by zero"),
        (0xC000_00FD, "stack overflow"),
        (0xC000_0135, "a DLL is missing"),
        (0xC000_0139, "a DLL lacks a function"),
        (0xC000_013A, "interrupted"),
        (0xC000_0142, "a DLL could not be initialized"),
        (0xC000_0374, "heap corruption"),
        (0xC000_0409, "abort"),
    ];
    let name = known.into_iter().find(|&(status, _)| status == number);
    (number >= FIRST).then(|| match name {
        Some((_, name)) => format!("exception 0x{number:08X} ({name})"),
        None => format!("exception 0x{number:08X}"),
    })
}

/// How long the machine has slept in the eyes of no clock: the one of games goes on here.
pub fn asleep() -> Duration {
    Duration::ZERO
}

/// Locks a file against other processes without waiting. It can be read by all: locks keep readers
/// away here, so that a byte is locked which lies behind every file's end.
///
/// # Errors
/// Another one holds it, or the file system knows no locks.
pub fn lock_at_once(file: &File) -> Result<(), TryLockError> {
    /// The last place that a file could have.
    const PLACE: u64 = i64::MAX as u64 - 1;
    let mut place = OVERLAPPED::default();
    place.Anonymous.Anonymous.Offset = PLACE as u32;
    place.Anonymous.Anonymous.OffsetHigh = (PLACE >> 32) as u32;
    let flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    // SAFETY: the handle is open, and the call has ended when it returns: it does not wait, and the
    // file was not opened for overlapped use.
    let locked = unsafe { LockFileEx(file.as_raw_handle(), flags, 0, 1, 0, &raw mut place) };
    if locked != 0 {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    match error.raw_os_error().map(i32::cast_unsigned) {
        Some(ERROR_LOCK_VIOLATION | ERROR_IO_PENDING) => Err(TryLockError::WouldBlock),
        _ => Err(TryLockError::Error(error)),
    }
}

/// Whether the file has no name any more, as when its folder was deleted.
pub fn is_deleted(file: &File) -> bool {
    let mut information = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open, and the structure is there to be written to.
    let told = unsafe { GetFileInformationByHandle(file.as_raw_handle(), &raw mut information) };
    told != 0 && information.nNumberOfLinks == 0
}

/// True for a file whose name says that it can be run.
pub fn is_executable(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    path.is_file() && ["exe", "com", "bat", "cmd"].iter().any(|&known| extension == known)
}

/// How many names a file or folder has: not told here, and asked only where there are counts of
/// stalls.
pub fn links(_metadata: &Metadata) -> u64 {
    0
}

/// Reads what is there at a place of a file, at most as many bytes as there is room for.
///
/// # Errors
/// The system's.
pub fn read_at(file: &File, room: &mut [u8], place: u64) -> io::Result<usize> {
    file.seek_read(room, place)
}

/// Reads bytes from a place of a file; any thread may, at the same time.
///
/// # Errors
/// The system's, or that the file ends before.
pub fn read_exact_at(file: &File, mut bytes: &mut [u8], mut place: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_read(bytes, place)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                bytes = &mut bytes[count..];
                place += count as u64;
            }
        }
    }
    Ok(())
}

/// Writes bytes to a place of a file.
///
/// # Errors
/// The system's, for instance that the disk is full.
pub fn write_all_at(file: &File, mut bytes: &[u8], mut place: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_write(bytes, place)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => {
                bytes = &bytes[count..];
                place += count as u64;
            }
        }
    }
    Ok(())
}

/// Processor time of this process.
///
/// # Errors
/// The system does not tell.
pub fn processor_time() -> io::Result<ProcessorTime> {
    let [mut created, mut ended, mut system, mut user] = [FILETIME::default(); 4];
    // SAFETY: the pseudo handle is always valid, and the structures are there to be written to.
    let told = unsafe {
        GetProcessTimes(
            GetCurrentProcess(),
            &raw mut created,
            &raw mut ended,
            &raw mut system,
            &raw mut user,
        )
    };
    if told == 0 {
        return Err(io::Error::last_os_error());
    }
    let time = |it: FILETIME| {
        hundreds_of_nanoseconds(u64::from(it.dwHighDateTime) << 32 | u64::from(it.dwLowDateTime))
    };
    Ok(ProcessorTime { user: time(user), system: time(system) })
}

/// A time as Windows counts it.
fn hundreds_of_nanoseconds(count: u64) -> Duration {
    Duration::from_nanos(count.saturating_mul(100))
}

/// Memory of this machine in megabytes (2²⁰ bytes), where the system tells.
pub fn memory_megabytes() -> Option<u64> {
    let mut status =
        MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure is there to be written to and says how long it is.
    let told = unsafe { GlobalMemoryStatusEx(&raw mut status) };
    (told != 0).then_some(status.ullTotalPhys >> 20)
}

/// Numbers of the cores that this process may use, of the first 64.
pub fn available_cores() -> Vec<usize> {
    let [mut own, mut all] = [0; 2];
    // SAFETY: the pseudo handle is always valid, and the numbers are there to be written to.
    let told = unsafe { GetProcessAffinityMask(GetCurrentProcess(), &raw mut own, &raw mut all) };
    match told {
        0 => (0..std::thread::available_parallelism().map_or(1, usize::from)).collect(),
        _ => (0..usize::BITS as usize).filter(|core| own >> core & 1 == 1).collect(),
    }
}

/// Binds the calling thread, and the programs that it starts from now on, to cores. Where the system
/// does not allow it, they go where it puts them.
pub fn bind_to(cores: &[usize]) {
    let mask = cores.iter().filter(|&&core| core < usize::BITS as usize);
    let mask = mask.fold(0, |mask, core| mask | 1 << core);
    CORES.set(mask);
    // SAFETY: the pseudo handle is always valid. A refusal costs precision of time, not the game.
    unsafe { SetThreadAffinityMask(GetCurrentThread(), mask) };
}

/// The cores that programs of this thread are bound to, as bits; 0 for all.
fn bound_cores() -> usize {
    CORES.get()
}

/// Closes the standard output of this process, so that its reader sees the end.
///
/// # Errors
/// The system's.
pub fn close_output() -> io::Result<()> {
    use std::os::windows::io::IntoRawHandle;
    let nothing = File::options().write(true).open("NUL")?.into_raw_handle();
    // SAFETY: both handles are open. The old one is used by nobody afterwards: the standard library
    // asks for the handle whenever it writes.
    unsafe {
        let old = GetStdHandle(STD_OUTPUT_HANDLE);
        if SetStdHandle(STD_OUTPUT_HANDLE, nothing) == 0 {
            return Err(io::Error::last_os_error());
        }
        close(old);
    }
    Ok(())
}

/// A command that does nothing for so many seconds; without our console if wanted.
pub fn sleeper(seconds: u64, is_apart: bool) -> Command {
    // One echo at once, and another one after each second.
    let echoes = seconds.saturating_add(1).to_string();
    let mut command = Command::new("ping");
    command.args(["-n", &echoes, "127.0.0.1"]).stdout(Stdio::null());
    if is_apart {
        command.creation_flags(DETACHED_PROCESS);
    }
    command
}

/// Has the calling thread stand still until another process wakes or ends it.
///
/// # Errors
/// The system's.
pub fn suspend_oneself() -> io::Result<()> {
    // SAFETY: the pseudo handle is always valid.
    match unsafe { SuspendThread(GetCurrentThread()) } {
        u32::MAX => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Nothing is needed: programs are in job objects, which end with this process however that ends.
pub fn enable_supervisor(_arguments: &'static [&'static str]) {}

/// Nothing is to be done: job objects have ended what there was.
pub fn supervise(_mark: &str) {}

/// Closes a handle.
///
/// # Safety
/// It is open and this process's own, and nobody uses it afterwards.
unsafe fn close(handle: HANDLE) {
    // SAFETY: the caller says so. An error would mean that it is closed already.
    unsafe { CloseHandle(handle) };
}
