//! A program in a job object of its own, with what it has started.

use std::io;
use std::os::windows::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use windows_sys::Win32::System::Threading::{
    ABOVE_NORMAL_PRIORITY_CLASS, BELOW_NORMAL_PRIORITY_CLASS, CREATE_NEW_PROCESS_GROUP,
    CREATE_SUSPENDED, HIGH_PRIORITY_CLASS, IDLE_PRIORITY_CLASS, NORMAL_PRIORITY_CLASS,
};

use super::bound_cores;
use super::job::Job;
use crate::processes::common::{ProcessorTime, Purpose};

/// Processor time of all trees that have ended.
static ENDED: Mutex<ProcessorTime> =
    Mutex::new(ProcessorTime { user: Duration::ZERO, system: Duration::ZERO });

/// A running program and what it has started. Dropping it ends them.
#[derive(Debug)]
pub struct Tree {
    child: Child,
    job: Job,
    is_over: bool,
}

impl Tree {
    /// Starts a program. It stands still until it is in its job, so that nothing it starts is
    /// outside; and it is in a group of its own, so that who interrupts this process by the
    /// keyboard does not interrupt it.
    ///
    /// # Errors
    /// The system's.
    pub fn start(command: &mut Command, purpose: Purpose) -> io::Result<Tree> {
        let priority = match purpose {
            Purpose::Engine { nice: Some(nice) } => priority_class(nice),
            _ => 0,
        };
        command.creation_flags(CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP | priority);
        let job = Job::new(bound_cores())?;
        let mut child = command.spawn()?;
        if let Err(error) = job.take_in(&child) {
            // It has not done anything yet.
            let _ = child.kill();
            let _ = child.wait();
            return Err(error);
        }
        Ok(Tree { child, job, is_over: false })
    }

    /// The pipes that were asked for, each once.
    pub fn take_streams(
        &mut self,
    ) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// True if the program has ended. Its number stays its own as long as its handle is open.
    pub fn has_ended(&mut self) -> bool {
        self.is_over || !matches!(self.child.try_wait(), Ok(None))
    }

    /// True once it was killed.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The numbers of the program and of all it has started, its own first.
    pub fn find_descendants(&mut self) -> Vec<u32> {
        let own = self.child.id();
        let others = self.job.numbers().into_iter().filter(|&number| number != own);
        std::iter::once(own).chain(others).collect()
    }

    /// How many processes live that it has started.
    pub fn left_behind(&mut self) -> usize {
        self.find_descendants().len() - 1
    }

    /// Ends the program and all it has started at once. Returns how it ended.
    ///
    /// # Errors
    /// The system's.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        let first_time = !std::mem::replace(&mut self.is_over, true);
        if first_time {
            self.job.end();
        }
        let status = self.child.wait();
        if first_time {
            let time = self.job.processor_time();
            let mut ended = ENDED.lock().unwrap_or_else(PoisonError::into_inner);
            ended.user += time.user;
            ended.system += time.system;
        }
        status
    }
}

/// Processor time of the programs that this process has started and seen the end of.
///
/// # Errors
/// None here.
pub fn processor_time_of_ended() -> io::Result<ProcessorTime> {
    Ok(*ENDED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The class of priority that is nearest to a niceness.
fn priority_class(nice: i32) -> u32 {
    match nice {
        ..=-10 => HIGH_PRIORITY_CLASS,
        -9..=-1 => ABOVE_NORMAL_PRIORITY_CLASS,
        0 => NORMAL_PRIORITY_CLASS,
        1..=9 => BELOW_NORMAL_PRIORITY_CLASS,
        10.. => IDLE_PRIORITY_CLASS,
    }
}
