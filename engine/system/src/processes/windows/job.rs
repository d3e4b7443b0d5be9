//! Job objects: processes with all that they start, which end together.
//!
//! The crates for this lack a part: process-wrap keeps its job, with its processes and their time,
//! to itself, and win32job cannot start a program suspended. windows-sys has all of it.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::process::Child;

use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_AFFINITY,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectBasicAccountingInformation, JobObjectBasicProcessIdList,
    JobObjectExtendedLimitInformation, QueryInformationJobObject, SetInformationJobObject,
    TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{OpenThread, ResumeThread, THREAD_SUSPEND_RESUME};

use super::{close, hundreds_of_nanoseconds};
use crate::processes::common::ProcessorTime;

/// Processes of a job that are told by their numbers; those beyond are ended like all others.
const MOST_NUMBERS: usize = 1024;

/// A job object. All that is in it ends when this is dropped, or with this process.
#[derive(Debug)]
pub(super) struct Job {
    handle: HANDLE,
}

// SAFETY: handles of job objects may be used by any thread.
unsafe impl Send for Job {}

impl Job {
    /// An empty job whose processes run on these cores, given as bits; 0 for all.
    ///
    /// # Errors
    /// The system's.
    pub fn new(cores: usize) -> io::Result<Job> {
        // SAFETY: no name and no attributes are given.
        let handle = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        let job = Job { handle };
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        // A crash must be an end, and not a window that somebody has to close.
        limits.BasicLimitInformation.LimitFlags =
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        if cores != 0 {
            limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_AFFINITY;
            limits.BasicLimitInformation.Affinity = cores;
        }
        // SAFETY: the structure is the one that this question is about, and its size is given.
        let set = unsafe {
            SetInformationJobObject(
                handle,
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_val(&limits) as u32,
            )
        };
        done(set).map(|()| job)
    }

    /// Takes in a process that was started suspended, and has it run.
    ///
    /// # Errors
    /// The system's.
    pub fn take_in(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles are open.
        done(unsafe { AssignProcessToJobObject(self.handle, child.as_raw_handle()) })?;
        resume(child.id())
    }

    /// Ends all that is in it.
    pub fn end(&self) {
        // SAFETY: the handle is open. An ended job cannot be ended, and need not be.
        unsafe { TerminateJobObject(self.handle, 1) };
    }

    /// Numbers of the processes in it that live.
    pub fn numbers(&self) -> Vec<u32> {
        /// The system's answer: how many there are, how many are listed, and these.
        #[repr(C)]
        struct List {
            there: u32,
            listed: u32,
            numbers: [usize; MOST_NUMBERS],
        }
        let mut list = List { there: 0, listed: 0, numbers: [0; MOST_NUMBERS] };
        // SAFETY: the structure is laid out as the system's own of that name, with room for more
        // numbers, and its size is given. Where there are too many it is filled all the same.
        unsafe {
            QueryInformationJobObject(
                self.handle,
                JobObjectBasicProcessIdList,
                (&raw mut list).cast(),
                size_of::<List>() as u32,
                std::ptr::null_mut(),
            )
        };
        let listed = list.numbers.iter().take(list.listed as usize);
        listed.filter_map(|&number| u32::try_from(number).ok()).collect()
    }

    /// Processor time of all that is or was in it; none where the system does not tell.
    pub fn processor_time(&self) -> ProcessorTime {
        let mut account = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
        // SAFETY: the structure is the one that this question is about, and its size is given.
        unsafe {
            QueryInformationJobObject(
                self.handle,
                JobObjectBasicAccountingInformation,
                (&raw mut account).cast(),
                size_of_val(&account) as u32,
                std::ptr::null_mut(),
            )
        };
        let time = |it: i64| hundreds_of_nanoseconds(it.max(0).cast_unsigned());
        ProcessorTime { user: time(account.TotalUserTime), system: time(account.TotalKernelTime) }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        // SAFETY: the handle is open and nobody else's.
        unsafe { close(self.handle) };
    }
}

/// Has a process run that was started suspended. The standard library keeps the handle of its thread
/// to itself, which is therefore looked for.
fn resume(process: u32) -> io::Result<()> {
    // SAFETY: a snapshot of all threads is asked for, which needs no process.
    let snapshot = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) };
    if snapshot == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    let resumed = resume_threads(snapshot, process);
    // SAFETY: the handle is open and nobody else's.
    unsafe { close(snapshot) };
    resumed
}

fn resume_threads(snapshot: HANDLE, process: u32) -> io::Result<()> {
    let mut entry =
        THREADENTRY32 { dwSize: size_of::<THREADENTRY32>() as u32, ..Default::default() };
    let mut found = false;
    // SAFETY: the snapshot is open, and the structure says how long it is.
    let mut more = unsafe { Thread32First(snapshot, &raw mut entry) };
    while more != 0 {
        if entry.th32OwnerProcessID == process {
            // SAFETY: nothing is asked of the number but to be that of a thread.
            let thread = unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID) };
            if thread.is_null() {
                return Err(io::Error::last_os_error());
            }
            // SAFETY: the handle is open, nobody else's, and closed once.
            let resumed = unsafe {
                let before = ResumeThread(thread);
                close(thread);
                before
            };
            if resumed == u32::MAX {
                return Err(io::Error::last_os_error());
            }
            found = true;
        }
        // SAFETY: as above.
        more = unsafe { Thread32Next(snapshot, &raw mut entry) };
    }
    match found {
        true => Ok(()),
        false => Err(io::Error::other("the program has no thread that could begin")),
    }
}

/// A system call's result as a `Result`: it returns 0 where it fails.
fn done(returned: i32) -> io::Result<()> {
    match returned {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
