//! The pipes of a child process. They cannot be waited for together here, so that a thread reads or
//! writes each; what they have read lies between them and the thread of the game.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::processes::common::Ready;

/// Bytes that wait on our side of a pipe; a process that writes more waits itself, as ever.
const MOST_WAITING: usize = 1 << 18;
/// How long the pipes of a process that has ended may stay open: something it started may hold them.
const PARTING: Duration = Duration::from_millis(500);

/// The three pipes of a child process. Nothing but [`Pipes::wait`] and [`Pipes::settle`] waits.
#[derive(Debug)]
pub struct Pipes {
    input: Sender<Vec<u8>>,
    shared: Arc<Shared>,
    has_errors: bool,
}

/// The state that the threads of the pipes share with that of the game.
#[derive(Default, Debug)]
struct Shared {
    state: Mutex<State>,
    /// Told whenever the state changes.
    changed: Condvar,
}

#[derive(Default, Debug)]
struct State {
    output: Stream,
    errors: Stream,
    /// Bytes that are still to be written.
    unwritten: usize,
    /// Nothing can be written any more.
    is_broken: bool,
    /// Nobody wants anything of the pipes any more.
    is_abandoned: bool,
}

/// A pipe that is read.
#[derive(Default, Debug)]
struct Stream {
    bytes: VecDeque<u8>,
    has_ended: bool,
}

impl Stream {
    fn has_news(&self) -> bool {
        self.has_ended || !self.bytes.is_empty()
    }

    /// Reads what is there; 0 at the end.
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if !self.has_news() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.bytes.read(room)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pipes {
    /// Takes over the pipes.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub fn new(input: ChildStdin, output: ChildStdout, errors: ChildStderr) -> io::Result<Pipes> {
        let shared = Arc::new(Shared::default());
        let (sender, receiver) = channel();
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let its = shared.clone();
        thread("engine input").spawn(move || write_all(input, &receiver, &its))?;
        let its = shared.clone();
        thread("engine output").spawn(move || read_all(output, &its, |state| &mut state.output))?;
        let its = shared.clone();
        thread("engine errors").spawn(move || read_all(errors, &its, |state| &mut state.errors))?;
        Ok(Pipes { input: sender, shared, has_errors: true })
    }

    /// Waits until something can be read, or written if that is wanted; `None` if the time is over.
    ///
    /// # Errors
    /// None here.
    pub fn wait(&self, time: Duration, to_write: bool) -> io::Result<Option<Ready>> {
        let deadline = Instant::now() + time;
        let mut state = self.shared.lock();
        loop {
            let ready = Ready {
                output: state.output.has_news(),
                errors: self.has_errors && state.errors.has_news(),
                input: state.is_broken || state.unwritten < MOST_WAITING,
            };
            if ready.output || ready.errors || (to_write && ready.input) {
                return Ok(Some(ready));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            let waited = self.shared.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Has text written, all of it or nothing.
    ///
    /// # Errors
    /// `WouldBlock` if much is still unwritten, `BrokenPipe` if the process reads no more.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.shared.lock();
        if state.is_broken {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if state.unwritten >= MOST_WAITING {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        state.unwritten += bytes.len();
        drop(state);
        let sent = self.input.send(bytes.to_vec());
        sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// Reads what is there of standard output; 0 at its end.
    ///
    /// # Errors
    /// `WouldBlock` if nothing is there.
    pub fn read_output(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.shared.lock().output.read(room);
        self.shared.changed.notify_all();
        count
    }

    /// Reads what is there of standard error; 0 at its end.
    ///
    /// # Errors
    /// `WouldBlock` if nothing is there.
    pub fn read_errors(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.shared.lock().errors.read(room);
        self.shared.changed.notify_all();
        count
    }

    /// Whether standard error may still say something.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Reads standard error no more.
    pub fn close_errors(&mut self) {
        self.has_errors = false;
    }

    /// The process has ended: waits until all it has written was read, or there is more of it than
    /// is taken at once.
    pub fn settle(&self) {
        let begin = Instant::now();
        let mut state = self.shared.lock();
        let is_unread = |it: &Stream| !it.has_ended && it.bytes.len() < MOST_WAITING;
        while is_unread(&state.output) || is_unread(&state.errors) {
            let left = PARTING.saturating_sub(begin.elapsed());
            if left.is_zero() {
                return;
            }
            let waited = self.shared.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.shared.lock().is_abandoned = true;
        self.shared.changed.notify_all();
    }
}

/// Reads a pipe to its end.
fn read_all(mut pipe: impl Read, shared: &Shared, stream: fn(&mut State) -> &mut Stream) {
    let mut chunk = vec![0; 1 << 16];
    loop {
        // An error is an end, too.
        let count = pipe.read(&mut chunk).unwrap_or(0);
        let mut state = shared.lock();
        let its = stream(&mut state);
        its.bytes.extend(&chunk[..count]);
        its.has_ended = count == 0;
        shared.changed.notify_all();
        if count == 0 {
            return;
        }
        while stream(&mut state).bytes.len() >= MOST_WAITING && !state.is_abandoned {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_abandoned {
            return;
        }
    }
}

/// Writes all that comes, until nobody sends any more.
fn write_all(mut pipe: impl Write, texts: &Receiver<Vec<u8>>, shared: &Shared) {
    for text in texts {
        let written = pipe.write_all(&text).and_then(|()| pipe.flush());
        let mut state = shared.lock();
        state.unwritten -= text.len();
        state.is_broken = written.is_err();
        shared.changed.notify_all();
        if written.is_err() {
            return;
        }
    }
}
