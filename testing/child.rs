//! Programs that tests start: none outlives its test, and none that hangs makes the test hang.

// Each crate uses a part of it.
#![allow(dead_code)]

use std::io::Read;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, sleep};
use std::time::Duration;

/// Only so that a bug fails a test instead of hanging it; nothing here is about speed.
const PATIENCE: Duration = Duration::from_secs(900);

/// A running program. A thread kills it when it has run too long: whoever reads from it, writes to it
/// or waits for it then goes on, and fails.
pub struct Guarded {
    child: Arc<Mutex<Child>>,
    _alive: Sender<()>,
}

impl Guarded {
    /// Starts a program, and the thread that watches it.
    pub fn spawn(command: &mut Command) -> Guarded {
        let child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let child = Arc::new(Mutex::new(child));
        let (_alive, gone) = channel();
        let (watched, name) = (child.clone(), format!("{command:?}"));
        thread::spawn(move || {
            if gone.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                eprintln!("killed, since it did not end in {PATIENCE:?}: {name}");
                let _ = watched.lock().expect("no panic inside").kill();
            }
        });
        Guarded { child, _alive }
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().expect("no panic inside")
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child().id()
    }

    /// Its standard input, which must be a pipe.
    pub fn take_stdin(&self) -> ChildStdin {
        self.child().stdin.take().expect("a pipe")
    }

    /// Its standard output, which must be a pipe.
    pub fn take_stdout(&self) -> ChildStdout {
        self.child().stdout.take().expect("a pipe")
    }

    /// Its standard error, which must be a pipe.
    pub fn take_stderr(&self) -> ChildStderr {
        self.child().stderr.take().expect("a pipe")
    }

    /// How it has ended, if it has.
    pub fn try_wait(&self) -> Option<ExitStatus> {
        self.child().try_wait().expect("our child")
    }

    /// Waits for its end, its standard input closed.
    pub fn wait(&self) -> ExitStatus {
        drop(self.child().stdin.take());
        loop {
            if let Some(status) = self.try_wait() {
                return status;
            }
            sleep(Duration::from_millis(1));
        }
    }

    /// Kills the program and waits for its end.
    pub fn kill(&self) {
        self.child().kill().expect("our child");
        self.wait();
    }

    /// Waits for something that it does; fails if it ends before.
    pub fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        while !is_so() {
            let ended = self.try_wait();
            assert!(ended.is_none() || is_so(), "{what}: ended with {ended:?} before");
            sleep(Duration::from_millis(2));
        }
    }

    /// Waits for its end: exit status, and what it has written to those of standard output and
    /// standard error that are pipes.
    pub fn finish(self) -> (Option<i32>, String, String) {
        let stdout = self.child().stdout.take().map(read);
        let stderr = self.child().stderr.take().map(read);
        let code = self.wait().code();
        (code, text(stdout), text(stderr))
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // After a failed assertion; otherwise it has ended already.
        if let Ok(mut child) = self.child.lock() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The chunks read from a pipe, on a thread of their own.
fn read(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, pieces) = channel();
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(length @ 1..) = pipe.read(&mut buffer) {
            if sender.send(buffer[..length].to_vec()).is_err() {
                break;
            }
        }
    });
    pieces
}

/// All pieces as one text.
fn text(pieces: Option<Receiver<Vec<u8>>>) -> String {
    let mut bytes = Vec::new();
    let end = pieces.map(|pieces| {
        loop {
            match pieces.recv_timeout(PATIENCE) {
                Ok(piece) => bytes.extend(piece),
                Err(end) => break end,
            }
        }
    });
    let text = String::from_utf8(bytes).expect("UTF-8");
    let is_held = end == Some(RecvTimeoutError::Timeout);
    assert!(!is_held, "what it has started still holds its output: {text}");
    text
}

/// Runs a program without input: exit status, standard output, standard error.
pub fn output(command: &mut Command) -> (Option<i32>, String, String) {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Guarded::spawn(command).finish()
}

/// Runs a program without input that must end with this status: standard output, standard error.
#[track_caller]
pub fn ended(status: i32, command: &mut Command) -> (String, String) {
    let (found, stdout, stderr) = output(command);
    assert_eq!(found, Some(status), "{command:?}: {stdout}{stderr}");
    (stdout, stderr)
}

/// The same program where it may map no more than so many megabytes of memory.
#[cfg(target_os = "linux")]
pub fn in_memory(megabytes: u64, command: &Command) -> Command {
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes << 10)]);
    limited.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    limited
}

/// Starts what `next` makes of the number of kills so far, and kills it once `written` has grown by
/// the bytes that `step` says; again and again until one ends by itself, whose exit status is given.
/// Fails if none was killed: on a busy machine a run may end before it is seen to write.
pub fn kill_in_the_middle(
    next: impl Fn(u32) -> Command,
    written: impl Fn() -> u64,
    mut step: impl FnMut() -> u64,
) -> Option<i32> {
    let mut kills = 0;
    loop {
        let until = written() + step();
        let child = Guarded::spawn(next(kills).stdout(Stdio::null()).stderr(Stdio::null()));
        while written() < until {
            if let Some(status) = child.try_wait() {
                assert!(kills > 0, "{status} before it was killed");
                return status.code();
            }
            sleep(Duration::from_millis(1));
        }
        child.kill();
        kills += 1;
    }
}
