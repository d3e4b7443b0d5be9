//! A conversation with an engine, line by line, for whoever judges it rather than playing with it.

use std::time::{Duration, Instant};

use playable::{Move, Position};

use super::answer::{Findings, LastInfoLines};
use super::hints;
use super::process::{Process, Silence};
use crate::game::{Exchange, Fault, FaultKind, Warning};
use crate::player::UciEngine;
use crate::player::line_log::LineLog;
use crate::player::stall::Meter;

/// A conversation with a process of an engine, in the thread that began it. Dropping it kills the
/// process and what it has started.
#[derive(Debug)]
pub struct Dialogue {
    process: Process,
    meter: Meter,
}

/// A line that an engine said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heard {
    /// The line without its end; what is not UTF-8 is replaced.
    pub text: String,
    /// Whether it was UTF-8.
    pub is_utf8: bool,
}

/// How a process took its leave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parting {
    /// Whether it ended by itself within the time given.
    pub has_ended: bool,
    /// How, if it ended and not as programs do that succeed: its status or signal.
    pub failure: Option<String>,
    /// Processes that it had started and left running.
    pub left_behind: usize,
}

impl Dialogue {
    /// Starts the engine's program and says nothing yet. All lines go to the log, if there is one.
    ///
    /// # Errors
    /// The system's, for instance that there is no such program.
    pub fn start(engine: &UciEngine, log: Option<(&LineLog, &str)>) -> Result<Dialogue, Fault> {
        let process = Process::start(engine, log.map(|(log, name)| log.process(name)));
        let told = |error| Fault::new(FaultKind::Start, hints::told(engine, &error));
        let mut process = process.map_err(told)?;
        let meter = Meter::new(&process.find_descendants(), engine.threads());
        Ok(Dialogue { process, meter })
    }

    /// Sends a line, given without its end. The output after it is counted as the answer.
    ///
    /// # Errors
    /// It cannot be written within this time.
    pub fn say(&mut self, line: &str, patience: Duration) -> Result<(), Silence> {
        self.process.ask(&format!("{line}\n"), Instant::now() + patience)
    }

    /// The next line.
    ///
    /// # Errors
    /// There is none until the deadline, or never will be.
    pub fn next_line(&mut self, deadline: Instant) -> Result<Heard, Silence> {
        if !self.process.has_line() {
            self.meter.listen(|| self.process.is_silent());
        }
        let line = self.process.next_line(deadline)?;
        let bytes = self.process.text(line);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        Ok(Heard {
            text: String::from_utf8_lossy(bytes).into_owned(),
            is_utf8: std::str::from_utf8(bytes).is_ok(),
        })
    }

    /// Begins to measure what the machine withholds.
    pub fn begin_measuring(&mut self) {
        self.meter.follow(&self.process.find_descendants());
        self.meter.begin(false);
    }

    /// For how long the machine has kept the engine, or its listener, from running since then.
    pub fn withheld(&mut self) -> Duration {
        self.meter.waited()
    }

    /// How the process came to its end, after its output has ended.
    pub fn end(&mut self) -> Fault {
        self.process.end_of_output()
    }

    /// The last words of a process that did not introduce itself, and a hint; it is gone afterwards.
    pub fn give_up(&mut self, engine: &UciEngine, fault: &Fault) -> (Vec<String>, Option<String>) {
        let words = self.process.last_words();
        let hint = hints::of_fault(engine, fault, &words);
        (words.output, hint)
    }

    /// The last lines of both directions, with the end of standard error.
    pub fn exchange(&mut self) -> Exchange {
        self.process.drain_errors();
        self.process.exchange()
    }

    /// Memory that the process and all it has started hold (bytes); `None` where the system does not
    /// tell.
    pub fn memory(&mut self) -> Option<u64> {
        let resident = |number: u32| {
            let text = std::fs::read_to_string(format!("/proc/{number}/status")).ok()?;
            let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
            let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
            Some(kilobytes << 10)
        };
        let family = self.process.find_descendants();
        let known: Vec<u64> = family.into_iter().filter_map(resident).collect();
        (!known.is_empty()).then(|| known.iter().sum())
    }

    /// Says a last line and waits for the process to end by itself; it is killed then if it has not.
    pub fn part(mut self, last: &str, patience: Duration) -> Parting {
        self.process.find_descendants();
        // A process that is gone hears nothing, which shows.
        let _ = self.say(last, patience);
        let has_ended = self.process.drain_until_end(patience);
        let left_behind = if has_ended { self.process.left_behind() } else { 0 };
        let status = self.process.kill();
        let failed = status.filter(|status| has_ended && !status.success());
        Parting { has_ended, failure: failed.map(|status| status.to_string()), left_behind }
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        self.process.kill();
    }
}

/// Oddities of the `info` lines of a search that ended with this move, and the score that the last
/// of them give it (centipawns from the mover's view, mates as [`crate::game::plies_to_mate`] reads
/// them). The moves of the lines are in a dialect of the game.
pub fn judge_lines<'a>(
    position: &Position,
    best: Move,
    dialect: usize,
    lines: impl Iterator<Item = &'a str>,
) -> (Option<i32>, Vec<Warning>) {
    let mut last = LastInfoLines::default();
    lines.filter(|line| line.starts_with("info")).for_each(|line| last.hear(line));
    let mut warnings = Vec::new();
    let Findings { score, .. } = last.findings(position, best, dialect, &mut warnings);
    (score, warnings)
}
