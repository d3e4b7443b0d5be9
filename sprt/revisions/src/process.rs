//! Other programs: run to their end with their output kept, or ended when the user, the budget or
//! their own time limit says so; what they have started ends with them.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use foreign::last_lines;
use system::budget::Budget;
use system::processes::{Purpose, Tree, processor_time_of_ended};
use system::threads::{self, ThreadError};
use thiserror::Error;

/// Bytes kept of each stream of a program; what it says beyond is read and dropped.
const MOST_OUTPUT: usize = 64 << 20;

/// How long the streams of a program that has ended may stay open: a daemon that made itself
/// independent may hold them for ever.
const STREAM_PATIENCE: Duration = Duration::from_secs(2);

/// Reasons to end work before it is done: the budget and the user.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Time for all of the work.
    pub budget: Budget,
    /// True when the user wants it to end.
    pub is_interrupted: &'a dyn Fn() -> bool,
}

/// Why work ended before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Halt {
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
    /// The budget is used up.
    #[error("the budget is used up")]
    BudgetOver,
}

impl Control<'_> {
    /// Whether to go on.
    ///
    /// # Errors
    /// The user or the budget has ended the work.
    pub fn check(&self) -> Result<(), Halt> {
        if (self.is_interrupted)() {
            Err(Halt::Interrupted)
        } else if self.budget.is_over() {
            Err(Halt::BudgetOver)
        } else {
            Ok(())
        }
    }
}

/// Why a program gave no result.
#[derive(Debug, Error)]
pub enum ProcessError {
    /// It could not be started.
    #[error("cannot run {program}: {reason}")]
    Start {
        /// Name of the program that was started.
        program: String,
        /// The system's reason.
        reason: io::Error,
    },
    /// It ran longer than it may.
    #[error("{program} did not end within {} s", limit.as_secs_f64())]
    TimedOut {
        /// Name of the program that was started.
        program: String,
        /// How long it may run.
        limit: Duration,
    },
    /// The thread that reads its output cannot be started.
    #[error(transparent)]
    Threads(#[from] ThreadError),
    /// The user or the budget ended it.
    #[error(transparent)]
    Halted(#[from] Halt),
}

/// A program that ran to its end.
#[derive(Debug)]
pub struct Finished {
    /// Exit status, or the signal that ended it.
    pub status: ExitStatus,
    /// Text of standard output.
    pub output: String,
    /// Text of standard error.
    pub errors: String,
    /// Time from start to end.
    pub elapsed: Duration,
    /// Processor time in user mode of the program and its children; zero where the system does not
    /// tell. Right only while this process runs no other program.
    pub processor: Duration,
}

impl Finished {
    /// The last `count` lines of both streams.
    pub fn last_lines(&self, count: usize) -> String {
        let mut lines = last_lines(&self.output, count);
        lines.extend(last_lines(&self.errors, count));
        lines.split_off(lines.len().saturating_sub(count)).join("\n")
    }
}

/// Runs a program without input until it ends. Processes that it leaves running in its group are
/// ended then, so that they disturb no measurement and write into no later build.
///
/// # Errors
/// It cannot be started, takes longer than `limit`, or is ended by `control`.
pub fn run(
    command: &mut Command,
    limit: Option<Duration>,
    control: &Control,
) -> Result<Finished, ProcessError> {
    run_with_input(command, Stdio::null(), limit, control)
}

/// As [`run`], with something as standard input: a locked file there stays locked until the program
/// and its children have ended, also those that outlive a killed runner.
///
/// # Errors
/// As [`run`].
pub fn run_with_input(
    command: &mut Command,
    input: Stdio,
    limit: Option<Duration>,
    control: &Control,
) -> Result<Finished, ProcessError> {
    let program = command.get_program().to_string_lossy().into_owned();
    control.check()?;
    command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    let before = processor_time();
    let started = Instant::now();
    let start_error = |reason: io::Error| {
        let program = program.clone();
        let reason = match cfg!(windows) && program == "sh" {
            true => io::Error::other(format!(
                "{reason} (commands are a Unix shell's: put one into PATH, as that of Git for Windows)"
            )),
            false => reason,
        };
        ProcessError::Start { program, reason }
    };
    let mut group = Group(Tree::start(command, Purpose::Tool).map_err(start_error)?);
    let (_, output, errors) = group.0.take_streams();
    let (output, errors) = (Collector::new(output)?, Collector::new(errors)?);
    while !group.0.has_ended() {
        control.check()?;
        if let Some(limit) = limit
            && started.elapsed() > limit
        {
            return Err(ProcessError::TimedOut { program, limit });
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let elapsed = started.elapsed();
    let status = group.0.kill().map_err(start_error)?;
    let processor = processor_time().saturating_sub(before);
    Ok(Finished { status, output: output.text(), errors: errors.text(), elapsed, processor })
}

/// A program with its children, which are ended when this is dropped.
struct Group(Tree);

impl Drop for Group {
    fn drop(&mut self) {
        if !self.0.is_over() {
            let _ = self.0.kill();
        }
    }
}

/// User time of all children that have ended.
fn processor_time() -> Duration {
    processor_time_of_ended().unwrap_or_default().user
}

/// Reads a stream in a thread of its own, so that the program never waits for a reader.
struct Collector {
    text: Arc<Mutex<Vec<u8>>>,
    ended: Receiver<()>,
}

impl Collector {
    fn new(stream: Option<impl Read + Send + 'static>) -> Result<Collector, ThreadError> {
        let text = Arc::new(Mutex::new(Vec::new()));
        let (end, ended) = channel::<()>();
        if let Some(mut stream) = stream {
            let text = text.clone();
            threads::start("collector", None, move || {
                let mut buffer = [0; 1 << 16];
                while let Ok(length @ 1..) = stream.read(&mut buffer) {
                    let mut text = text.lock().expect("appending does not panic");
                    let kept = length.min(MOST_OUTPUT - text.len());
                    text.extend_from_slice(&buffer[..kept]);
                }
                drop(end);
            })?;
        }
        Ok(Collector { text, ended })
    }

    fn text(self) -> String {
        // The sender is dropped at the end of the stream.
        let _ = self.ended.recv_timeout(STREAM_PATIENCE);
        let bytes = self.text.lock().expect("appending does not panic");
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

// The programs here are in the language of a Unix shell, and looked for by `ps`.
#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(line: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", line]);
        command
    }

    fn control(is_interrupted: &dyn Fn() -> bool) -> Control<'_> {
        Control { budget: Budget::starting_now(None), is_interrupted }
    }

    #[test]
    fn both_streams_and_the_status_are_kept() {
        let line = "echo one; echo two >&2; exit 3";
        let finished = run(&mut shell(line), None, &control(&|| false)).expect("it runs");
        assert_eq!((finished.status.code(), finished.output.as_str()), (Some(3), "one\n"));
        assert_eq!(finished.last_lines(1), "two");
    }

    #[test]
    fn a_program_is_ended_with_its_children() {
        let line = "sleep 1000 & echo $!; wait";
        let limit = Some(Duration::from_millis(300));
        let failed = run(&mut shell(line), limit, &control(&|| false));
        assert!(matches!(failed, Err(ProcessError::TimedOut { .. })), "{failed:?}");
        let asked = std::cell::Cell::new(0);
        let interrupted = || asked.replace(asked.get() + 1) > 5;
        let failed = run(&mut shell(line), None, &control(&interrupted));
        assert!(matches!(failed, Err(ProcessError::Halted(Halt::Interrupted))), "{failed:?}");
        let missing = run(&mut Command::new("/no/program"), None, &control(&|| false));
        let message = missing.expect_err("it is missing").to_string();
        assert!(message.starts_with("cannot run /no/program: "), "{message}");
    }

    /// True while there is such a process; one that has ended may wait for whoever adopted it.
    fn runs(process: &str) -> bool {
        let asked = Command::new("ps").args(["-o", "stat=", "-p", process]).output();
        let state = String::from_utf8(asked.expect("ps is installed").stdout).expect("ASCII");
        !state.trim().is_empty() && !state.starts_with('Z')
    }

    #[test]
    fn what_a_program_leaves_behind_is_ended() {
        let home = tempfile::tempdir().expect("temporary folder");
        let survived = home.path().join("survived");
        let line = format!("(sleep 60; echo > '{}') & echo $!; exit 7", survived.display());
        let finished = run(&mut shell(&line), None, &control(&|| false)).expect("it runs");
        assert_eq!(finished.status.code(), Some(7));
        // It dies a moment later.
        while runs(finished.output.trim()) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!survived.exists());
    }

    #[test]
    fn a_child_that_keeps_the_streams_does_not_hold_us() {
        let home = tempfile::tempdir().expect("temporary folder");
        let pipe = home.path().join("pipe");
        // A session of its own is beyond reach; it is there once it says its number.
        let line = format!(
            "mkfifo '{0}'; setsid sh -c 'echo $$ > \"{0}\"; exec sleep 60' & cat '{0}'",
            pipe.display()
        );
        let finished = run(&mut shell(&line), None, &control(&|| false)).expect("it runs");
        let sleeper = finished.output.trim();
        assert!(runs(sleeper), "it was waited for");
        assert!(Command::new("kill").arg(sleeper).status().expect("kill is installed").success());
    }
}
