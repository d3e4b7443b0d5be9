//! The task of a process: settings of the run, budget, threads. Nothing of it changes while the run goes
//! on.

use std::time::Duration;

use system::budget::Budget;

use super::arguments::AutoArguments;
use super::display::Voice;
use super::settings::{Choices, Settings};

/// Generations of a run without a budget.
const GENERATIONS: u32 = 3;
/// Time kept for making the binary: a second of work, most of which is its bench.
pub(super) const EXPORT_RESERVE: Duration = Duration::from_secs(10);

/// The task of this process.
pub(super) struct Task {
    settings: Settings,
    /// Generations at most, with those already in the folder.
    generations: u32,
    threads: usize,
    /// The engine may be another than the run was begun with.
    allows_changes: bool,
    budget: Budget,
    voice: Voice,
}

impl Task {
    /// The task by the settings of the run, and by the options that do not decide its course.
    pub fn new(
        arguments: &AutoArguments,
        settings: Settings,
        budget: Budget,
        voice: Voice,
    ) -> Task {
        let begun_for = settings.generations.filter(|_| arguments.resume);
        let usual = if arguments.budget.is_some() { u32::MAX } else { GENERATIONS };
        Task {
            settings,
            generations: arguments.generations.or(begun_for).unwrap_or(usual),
            threads: command_line::useful_threads(arguments.threads),
            allows_changes: arguments.allow_changed_engine,
            budget,
            voice,
        }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn choices(&self) -> &Choices {
        &self.settings.choices
    }

    pub fn generations(&self) -> u32 {
        self.generations
    }

    pub fn threads(&self) -> usize {
        self.threads
    }

    pub fn allows_changes(&self) -> bool {
        self.allows_changes
    }

    pub fn budget(&self) -> Budget {
        self.budget
    }

    pub fn voice(&self) -> Voice {
        self.voice
    }

    /// Until when tests go on that begin now.
    pub fn test_end(&self) -> Budget {
        let left = self.budget.remaining();
        Budget::starting_now(left.map(|left| left.saturating_sub(EXPORT_RESERVE)))
    }
}
