//! A program in a process group of its own, with what it has started.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::descendants::{Handle, with_descendants};
use super::supervisor;
use crate::processes::common::Purpose;

/// A running program and what it has started. Who drops it kills it first.
#[derive(Debug)]
pub struct Tree {
    child: Child,
    purpose: Purpose,
    /// The processes it has started, as far as they were seen.
    descendants: Vec<Handle>,
    /// True once the program is reaped: its number may then be that of another one.
    is_over: bool,
}

impl Tree {
    /// Starts a program.
    ///
    /// # Errors
    /// The system's.
    pub fn start(command: &mut Command, purpose: Purpose) -> io::Result<Tree> {
        command.process_group(0);
        if let Purpose::Engine { nice } = purpose {
            prepare(command, nice);
            supervisor::mark(command);
        }
        let child = command.spawn()?;
        Ok(Tree { child, purpose, descendants: Vec::new(), is_over: false })
    }

    /// The pipes that were asked for, each once.
    pub fn take_streams(
        &mut self,
    ) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// True if the program has ended. It is not yet reaped, so that its number stays its own.
    pub fn has_ended(&mut self) -> bool {
        if self.is_over {
            return true;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        matches!(waitid(WaitId::Pid(self.group()), options), Ok(Some(_)) | Err(_))
    }

    /// True once it was killed.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Looks for what an engine has started; all of it is killed with it. Returns the numbers of
    /// all, its own first.
    pub fn find_descendants(&mut self) -> Vec<u32> {
        self.descendants.retain(Handle::is_alive);
        // Processes whose parent has ended are found only through those known before.
        let known = self.descendants.iter().map(|known| known.number);
        let family = with_descendants(std::iter::once(self.child.id()).chain(known));
        for &number in &family[1..] {
            if self.descendants.iter().all(|known| known.number != number) {
                self.descendants.extend(Handle::new(number));
            }
        }
        family
    }

    /// How many processes live that it has started, as far as they were found.
    pub fn left_behind(&mut self) -> usize {
        self.descendants.retain(Handle::is_alive);
        self.descendants.len()
    }

    /// Ends the program and all it has started at once. Returns how it ended.
    ///
    /// # Errors
    /// The system's.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        if !self.is_over {
            if let Purpose::Engine { .. } = self.purpose {
                // They may have left the group, and are orphans when their parents are gone.
                self.find_descendants();
            }
            // The group goes before the program is reaped: until then nobody else can have its
            // number. A process that has ended by itself cannot be ended, and need not be.
            let _ = kill_process_group(self.group(), Signal::KILL);
            self.descendants.drain(..).for_each(|descendant| descendant.kill());
        }
        self.is_over = true;
        self.child.wait()
    }

    fn group(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

/// Has the child die with the thread that started it, and gives it its priority.
fn prepare(command: &mut Command, nice: Option<i32>) {
    let set_up = move || {
        #[cfg(target_os = "linux")]
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        if let Some(nice) = nice {
            rustix::process::setpriority_process(None, nice)?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure only makes two system calls; it neither allocates
    // nor takes locks.
    unsafe { command.pre_exec(set_up) };
}
