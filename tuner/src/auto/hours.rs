//! How long a run has taken, in a file of its own: the others depend on nothing but the settings.
//!
//! A step adds its line when it ends or when the budget ends it. The time of a step in which a
//! process was killed is not told.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use system::files;
use system::processes;

use super::folder::HOURS;

/// The first line of the file: whole seconds would hide short steps.
const HEADER: &str = "generation,step,seconds,processor_seconds";

/// The file that says how long each step took.
pub(super) struct Hours {
    path: PathBuf,
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
        Hours { path: folder.join(HOURS) }
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

    /// Adds how long a step took, or what this process did of it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&self, generation: u32, step: &str, lap: &Lap) -> anyhow::Result<()> {
        let seconds = lap.elapsed().as_secs_f64();
        let processor = processor_time().saturating_sub(lap.processor).as_secs_f64();
        let mut text =
            if self.path.exists() { files::read_text(&self.path)? } else { format!("{HEADER}\n") };
        text += &format!("{generation},{step},{seconds:.2},{processor:.2}\n");
        files::write_atomically(&self.path, |file| {
            std::io::Write::write_all(file, text.as_bytes())
        })?;
        Ok(())
    }
}

/// Time that all threads of this process have had of a processor; none where the system does not say.
fn processor_time() -> Duration {
    processes::processor_time().unwrap_or_default().total()
}
