//! A child process and what is said over its pipes.
//!
//! All waiting has a deadline, in the thread of the game.
//!
//! A ply costs 11 to 40 µs of the runner's processor, with clocks up to 400 µs.
//!
//! Late lines would pass for the answer to the next `go`. So in its first game a process is asked
//! `isready` before each move, and always if it ever said something unasked. A late move is still
//! waited for, after `stop`, so that the engine stays in step. After a fault everything that the
//! engine started is killed, and the next game begins with a new process.

use std::io;
use std::ops::Range;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use system::processes::{Pipes, Purpose, Tree, violent_end};

use super::hints::LastWords;
use super::lines::{Lines, shorten};
use super::recorder::Recorder;
use crate::game::{Direction, Exchange, Fault, FaultKind};
use crate::player::UciEngine;
use crate::player::line_log::ProcessLog;

/// A line longer than this is no line (bytes).
const LONGEST_LINE: usize = 1 << 20;
/// Output from one question to its answer that is more than any search can mean: bytes, and lines.
const MOST_OUTPUT: usize = 64 << 20;
const MOST_LINES: usize = 1 << 20;
/// Between two looks whether the process lives while its pipes are silent: something it started
/// may hold them open.
const LIFE_CHECK: Duration = Duration::from_millis(250);
/// How long a process may take to end after its output has ended.
const PARTING: Duration = Duration::from_millis(500);
/// How long it may take after `quit`: some save what they have learned.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long one that did not introduce itself may take after `quit` to say what it has held back.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Most of stderr that is kept: bytes, and lines shown.
const KEPT_ERRORS: usize = 8 << 10;
const SHOWN_ERRORS: usize = 20;

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// Nothing came in time.
    Timeout,
    /// The process has ended or closed its output.
    Ended,
    /// It wrote more than anybody can mean.
    Flood(&'static str),
}

const TOO_MUCH: Silence = Silence::Flood("more output than a search can mean");

/// A child process with its pipes. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Process {
    tree: Tree,
    pipes: Pipes,
    lines: Lines,
    recorder: Recorder,
    /// Bytes of output since the last question, and lines.
    received: usize,
    lines_taken: usize,
    last_errors: Vec<u8>,
}

impl Process {
    /// Starts the engine's program. All its lines go to the log, if
    /// there is one.
    ///
    /// # Errors
    /// The system's, for instance that there is no such program, or that its folder is gone.
    pub fn start(engine: &UciEngine, log: Option<ProcessLog>) -> io::Result<Process> {
        let mut command = Command::new(&engine.command);
        command
            .args(&engine.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &engine.folder {
            command.current_dir(folder);
        }
        // The system's words are the same for a program and for a folder that is not there.
        let started = Tree::start(&mut command, Purpose::Engine { nice: engine.nice });
        let mut tree = started.map_err(|error| match &engine.folder {
            Some(folder) if !folder.is_dir() => {
                io::Error::new(error.kind(), format!("no such folder: {}", folder.display()))
            }
            _ => error,
        })?;
        let (Some(input), Some(output), Some(errors)) = tree.take_streams() else {
            unreachable!("the pipes were asked for");
        };
        let pipes = match Pipes::new(input, output, errors) {
            Ok(pipes) => pipes,
            Err(error) => {
                let _ = tree.kill();
                return Err(error);
            }
        };
        Ok(Process {
            tree,
            pipes,
            lines: Lines::default(),
            recorder: Recorder::new(log),
            received: 0,
            lines_taken: 0,
            last_errors: Vec::new(),
        })
    }

    /// Looks for what the process has started; all of it is killed with the process. Returns the
    /// numbers of all, its own first.
    pub fn find_descendants(&mut self) -> Vec<u32> {
        self.tree.find_descendants()
    }

    /// Writes text, a question with its line ends. The output after it is counted as the answer.
    pub fn ask(&mut self, text: &str, deadline: Instant) -> Result<(), Silence> {
        self.received = 0;
        self.lines_taken = 0;
        self.recorder.sent(text);
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.pipes.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // Its output is read meanwhile: it may be waiting for that before it reads on.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.wait(deadline, true)?;
                }
                Err(_) => return Err(Silence::Ended),
            }
        }
        Ok(())
    }

    /// The next line of output; [`Process::text`] gives it until the next call.
    pub fn next_line(&mut self, deadline: Instant) -> Result<Range<usize>, Silence> {
        loop {
            if let Some(line) = self.lines.take() {
                self.lines_taken += 1;
                self.recorder.heard(self.lines.text(line.clone()));
                return if self.lines_taken <= MOST_LINES { Ok(line) } else { Err(TOO_MUCH) };
            }
            self.wait(deadline, false)?;
        }
    }

    /// Whether a complete line was read that is not taken yet.
    pub fn has_line(&self) -> bool {
        self.lines.has_line()
    }

    /// Whether nothing is there to be read.
    pub fn is_silent(&mut self) -> bool {
        !matches!(self.pipes.wait(Duration::ZERO, false), Ok(Some(ready)) if ready.output)
    }

    /// A line that is there already, if there is one.
    pub fn waiting_line(&mut self) -> Option<Range<usize>> {
        let mut line = self.lines.take();
        if line.is_none() {
            self.read_output().ok()?;
            line = self.lines.take();
        }
        let line = line?;
        self.recorder.heard(self.lines.text(line.clone()));
        Some(line)
    }

    /// The last lines of both sides, and of stderr.
    pub fn exchange(&self) -> Exchange {
        let kept = self.last_errors.len().saturating_sub(KEPT_ERRORS);
        self.recorder.exchange(&self.last_errors[kept..], self.lines.rest())
    }

    /// The bytes of a line, without its end.
    pub fn text(&self, line: Range<usize>) -> &[u8] {
        self.lines.text(line)
    }

    /// Waits until something was read, or until it can be written to if that is wanted.
    fn wait(&mut self, deadline: Instant, to_write: bool) -> Result<(), Silence> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let slice = left.min(LIFE_CHECK);
            let ready = match self.pipes.wait(slice, to_write) {
                Ok(ready) => ready,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return Err(Silence::Ended),
            };
            let Some(ready) = ready else {
                if self.tree.has_ended() {
                    self.pipes.settle();
                    return if self.read_output()? { Ok(()) } else { Err(Silence::Ended) };
                }
                if left.is_zero() {
                    return Err(Silence::Timeout);
                }
                continue;
            };
            if ready.errors {
                self.read_errors()?;
            }
            if ready.output && self.read_output()? {
                return Ok(());
            }
            if to_write && ready.input {
                return Ok(());
            }
        }
    }

    /// Reads what is there of stdout; true if it was something.
    fn read_output(&mut self) -> Result<bool, Silence> {
        if self.lines.unfinished() > LONGEST_LINE {
            return Err(Silence::Flood("a line without end"));
        }
        if self.received > MOST_OUTPUT {
            return Err(TOO_MUCH);
        }
        match self.pipes.read_output(self.lines.room()) {
            Ok(0) => Err(Silence::Ended),
            Ok(count) => {
                self.received += count;
                self.lines.add(count);
                Ok(true)
            }
            Err(error) if is_for_now(&error) => Ok(false),
            Err(_) => Err(Silence::Ended),
        }
    }

    /// Reads what is there of stderr and keeps the last of it.
    fn read_errors(&mut self) -> Result<(), Silence> {
        let mut chunk = [0; 4096];
        match self.pipes.read_errors(&mut chunk) {
            Ok(count) if count > 0 => {
                self.received += count;
                if self.received > MOST_OUTPUT {
                    return Err(Silence::Flood("more on stderr than a search can mean"));
                }
                if self.last_errors.len() + count > 2 * KEPT_ERRORS {
                    let excess = self.last_errors.len().saturating_sub(KEPT_ERRORS);
                    self.last_errors.drain(..excess);
                }
                self.last_errors.extend_from_slice(&chunk[..count]);
                self.recorder.errors(&chunk[..count]);
            }
            Err(error) if is_for_now(&error) => {}
            _ => self.pipes.close_errors(),
        }
        Ok(())
    }

    /// How a process came to its end whose output has ended; it is gone afterwards.
    pub fn end_of_output(&mut self) -> Fault {
        let ended = self.wait_for_end(PARTING);
        if ended {
            self.pipes.settle();
            // It may have ended before it could be asked: what it said is unread then.
            self.drain_output();
        }
        self.drain_errors();
        let status = self.kill();
        let (kind, text) = match status {
            _ if !ended => (FaultKind::Exit, "closed its output".to_owned()),
            Some(status) => match (violent_end(status), status.code()) {
                (Some(end), _) => (FaultKind::Crash, end),
                (None, Some(0)) => (FaultKind::Exit, "with status 0".to_owned()),
                (None, code) => {
                    (FaultKind::Crash, format!("exit status {}", code.unwrap_or_default()))
                }
            },
            None => (FaultKind::Exit, String::new()),
        };
        Fault::new(kind, text + &self.shown_errors())
    }

    /// Reads all that a process has said which has ended.
    fn drain_output(&mut self) {
        while matches!(self.read_output(), Ok(true)) || self.lines.has_line() {
            while let Some(line) = self.lines.take() {
                self.recorder.heard(self.lines.text(line));
            }
        }
    }

    /// The last words of a process that did not introduce itself; it is gone afterwards. One that lives
    /// is told to end, which shows whether it has held back an answer.
    pub fn last_words(&mut self) -> LastWords {
        let heard = |process: &Process| -> Vec<String> {
            let lines = process.exchange().lines.into_iter();
            lines.filter(|it| it.direction == Direction::Heard).map(|it| it.text).collect()
        };
        let is_answer =
            |line: &String| matches!(line.split_whitespace().next(), Some("uciok" | "readyok"));
        let answers = |process: &Process| heard(process).iter().filter(|it| is_answer(it)).count();
        let before = answers(self);
        if !self.tree.has_ended() && self.pipes.write(b"quit\n").is_ok() {
            self.drain_until_end(LAST_WORDS);
        }
        self.drain_errors();
        self.kill();
        LastWords::new(heard(self).into_iter(), answers(self) > before)
    }

    fn wait_for_end(&mut self, patience: Duration) -> bool {
        let begin = Instant::now();
        while !self.tree.has_ended() {
            if begin.elapsed() > patience {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Waits for the process to end, reading what it still writes; false if it does not in time.
    pub fn drain_until_end(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        while self.next_line(deadline).is_ok() {}
        self.wait_for_end(deadline.saturating_duration_since(Instant::now()))
    }

    /// How many processes live that it has started, as far as they were found.
    pub fn left_behind(&mut self) -> usize {
        self.tree.left_behind()
    }

    /// Reads all that is there of stderr.
    pub fn drain_errors(&mut self) {
        let mut before = usize::MAX;
        while self.pipes.has_errors() && before != self.received {
            before = self.received;
            if self.read_errors().is_err() {
                return;
            }
        }
    }

    /// The last lines on stderr, to be put behind a reason; empty if there are none.
    fn shown_errors(&self) -> String {
        let text = String::from_utf8_lossy(&self.last_errors);
        let mut lines: Vec<String> = text.lines().rev().take(SHOWN_ERRORS).map(shorten).collect();
        lines.reverse();
        if lines.is_empty() { String::new() } else { format!("; stderr: {}", lines.join(" | ")) }
    }

    /// Ends the process and all it has started at once. Returns how it ended.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        self.tree.kill().ok()
    }
}

impl Drop for Process {
    /// Says `quit` and waits a little before killing; what it leaves behind is killed, too.
    fn drop(&mut self) {
        if !self.tree.is_over() {
            self.find_descendants();
            if self.pipes.write(b"quit\n").is_ok() {
                self.wait_for_end(FAREWELL);
            }
            self.kill();
        }
    }
}

/// Whether an error only says that nothing is there now.
fn is_for_now(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
