//! Types that both Unix and Windows use.

use std::time::Duration;

/// Why somebody starts a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To play: it is killed with the thread that started it where the system can do that, always
    /// with this process, and has this niceness, if any.
    Engine {
        /// From -20, the most important, to 19.
        nice: Option<i32>,
    },
    /// To build or to measure something: it is killed with its group.
    Tool,
}

/// Processor time used by processes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ProcessorTime {
    /// Time in the programs' own code.
    pub user: Duration,
    /// In the system's kernel for them.
    pub system: Duration,
}

impl ProcessorTime {
    /// Time in programs and in the system together.
    pub fn total(self) -> Duration {
        self.user + self.system
    }
}

/// The state of a process's pipes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ready {
    /// Standard output has something, or its end.
    pub output: bool,
    /// Standard error has something, or its end.
    pub errors: bool,
    /// Standard input takes something, or is closed.
    pub input: bool,
}
