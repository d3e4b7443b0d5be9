//! The pipes of a child process, read without threads: all waiting is `poll` in the thread of the
//! game.

use std::io::{self, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{ioctl_fionbio, read};

use crate::processes::common::Ready;

/// The three pipes of a child process. Nothing but [`Pipes::wait`] waits.
#[derive(Debug)]
pub struct Pipes {
    input: ChildStdin,
    output: ChildStdout,
    /// `None` once it was closed.
    errors: Option<ChildStderr>,
}

impl Pipes {
    /// Takes over the pipes.
    ///
    /// # Errors
    /// The system's.
    pub fn new(input: ChildStdin, output: ChildStdout, errors: ChildStderr) -> io::Result<Pipes> {
        ioctl_fionbio(&input, true)?;
        ioctl_fionbio(&output, true)?;
        ioctl_fionbio(&errors, true)?;
        Ok(Pipes { input, output, errors: Some(errors) })
    }

    /// Waits until something can be read, or written if that is wanted; `None` if the time is over.
    ///
    /// # Errors
    /// The system's, also that it was interrupted.
    pub fn wait(&self, time: Duration, to_write: bool) -> io::Result<Option<Ready>> {
        let timeout = Timespec {
            tv_sec: time.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: i64::from(time.subsec_nanos()),
        };
        let output = PollFd::new(&self.output, PollFlags::IN);
        let errors = match &self.errors {
            Some(errors) => PollFd::new(errors, PollFlags::IN),
            None => output.clone(),
        };
        let mut places = [output, errors, PollFd::new(&self.input, PollFlags::OUT)];
        let used = if to_write { 3 } else { 2 };
        if poll(&mut places[..used], Some(&timeout))? == 0 {
            return Ok(None);
        }
        let [output, errors, input] = places.map(|place| !place.revents().is_empty());
        Ok(Some(Ready { output, errors: errors && self.errors.is_some(), input }))
    }

    /// Writes what the pipe takes now.
    ///
    /// # Errors
    /// The system's, `WouldBlock` if it takes nothing now.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.input.write(bytes)
    }

    /// Reads what is there of standard output; 0 at its end.
    ///
    /// # Errors
    /// The system's, `WouldBlock` if nothing is there.
    pub fn read_output(&mut self, room: &mut [u8]) -> io::Result<usize> {
        Ok(read(&self.output, room)?)
    }

    /// Reads what is there of standard error; 0 at its end.
    ///
    /// # Errors
    /// The system's, `WouldBlock` if nothing is there.
    pub fn read_errors(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let Some(errors) = &self.errors else { return Ok(0) };
        Ok(read(errors, room)?)
    }

    /// Whether standard error may still say something.
    pub fn has_errors(&self) -> bool {
        self.errors.is_some()
    }

    /// Reads standard error no more.
    pub fn close_errors(&mut self) {
        self.errors = None;
    }

    /// The process has ended: all it has written can be read afterwards. Here it always can.
    pub fn settle(&self) {}
}
