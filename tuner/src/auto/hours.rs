//! How long a run has taken, in a file of its own: the others depend on nothing but the settings. With
//! it goes the pace of this process, by which the steps to come are planned.
//!
//! A step adds its line when it ends or when the budget ends it. The time of a step in which a
//! process was killed is not told.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use system::files;
use system::processes;

use super::files::{HOURS, write_text};
use super::pace::Pace;

/// The first line of the file: whole seconds would hide short steps.
const HEADER: &str = "generation,step,seconds,processor_seconds";

/// How long each step took, by the file of a run, and how fast this machine is.
pub(super) struct Hours {
    path: PathBuf,
    pace: Cell<Pace>,
}

/// A step that began at a certain time.
pub(super) struct Lap {
    started: Instant,
    processor: Duration,
}

impl Lap {
    /// A step that begins now.
    pub fn start() -> Lap {
        Lap { started: Instant::now(), processor: processor_time() }
    }

    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Hours {
    pub fn of(folder: &Path) -> Hours {
        Hours { path: folder.join(HOURS), pace: Cell::default() }
    }

    /// Generation, name and seconds of each step so far.
    pub fn steps(&self) -> Vec<(u32, String, f64)> {
        let text = files::read_text(&self.path).unwrap_or_default();
        let step = |line: &str| {
            let mut cells = line.split(',');
            let [generation, step, seconds] = [(); 3].map(|()| cells.next());
            Some((generation?.parse().ok()?, step?.to_string(), seconds?.parse().ok()?))
        };
        text.lines().filter_map(step).collect()
    }

    /// How fast this machine is.
    pub fn pace(&self) -> Pace {
        self.pace.get()
    }

    /// Takes the pace that was measured, or learned from games; none where these were too few.
    pub fn learn(&self, pace: Option<Pace>) {
        pace.into_iter().for_each(|pace| self.pace.set(pace));
    }

    /// Adds how long a step took, or what this process did of it.
    pub fn add(&self, generation: u32, step: &str, lap: &Lap) -> anyhow::Result<()> {
        let seconds = lap.elapsed().as_secs_f64();
        let processor = processor_time().saturating_sub(lap.processor).as_secs_f64();
        let mut text =
            if self.path.exists() { files::read_text(&self.path)? } else { format!("{HEADER}\n") };
        text += &format!("{generation},{step},{seconds:.2},{processor:.2}\n");
        Ok(write_text(&self.path, &text)?)
    }
}

/// Time that all threads of this process have had of a processor; none where the system does not say.
fn processor_time() -> Duration {
    processes::processor_time().unwrap_or_default().total()
}
