//! A run in its folder, and how far it is.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use report::html::PageFile;
use statistics::Verdict;
use system::budget::Budget;

use super::display::Voice;
use super::folder::{START, generation_folder};
use super::hours::Hours;
use super::ledger::{Fitted, Generation};
use super::pace::Pace;
use super::settings::Settings;

/// A run in its folder.
pub(super) struct Run {
    pub folder: PathBuf,
    pub settings: Settings,
    pub threads: usize,
    /// The engine may be another than the run was begun with.
    pub allows_changes: bool,
    pub budget: Budget,
    /// Time left of it for showcase matches.
    pub show_time: Option<Duration>,
    pub generations: Vec<Generation>,
    /// The fit of the next generation.
    pub next_step: Fitted,
    /// How fast the machine is, to plan by.
    pub pace: Pace,
    /// How long steps took in all.
    pub hours: Hours,
    pub voice: Voice,
    pub page: PageFile,
    /// Held as long as the run goes on.
    pub _lock: File,
}

impl Run {
    pub fn generation_folder(&self, generation: u32) -> PathBuf {
        generation_folder(&self.folder, generation)
    }

    pub fn accepted(&self) -> Option<&Generation> {
        self.generations.iter().rev().find(|generation| generation.verdict == Verdict::Accepted)
    }

    /// The file of the champion: the last accepted candidate, or the start.
    pub fn champion_file(&self) -> PathBuf {
        match self.accepted() {
            Some(generation) => {
                self.generation_folder(generation.generation).join(generation.file())
            }
            None => self.folder.join(START),
        }
    }
}

pub(super) enum State {
    /// This process takes steps.
    Running,
    /// It broke off, and why.
    Failed(String),
    /// It came to its end, or to that of its budget.
    Ended,
}
