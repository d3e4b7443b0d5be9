//! How long the machine kept an engine, or the thread that waits for it, from running.
//!
//! Linux counts for each thread the time it was ready to run and waited for a processor: the second
//! number of `/proc/…/schedstat`, in nanoseconds.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A thread of the engine.
#[derive(Debug)]
struct Thread {
    number: u32,
    file: File,
    /// Its count when the question was asked.
    before: u64,
}

/// Measures what the threads of an engine and this thread wait for a processor.
#[derive(Debug)]
pub(super) struct Meter {
    /// The folder of the engine's threads.
    folder: PathBuf,
    threads: Vec<Thread>,
    own: Option<File>,
    own_before: u64,
    /// The most that was seen since the question: what a thread that has ended had waited is gone.
    most: u64,
}

impl Meter {
    /// Measures the process of this number; to be used in the thread that made it.
    pub fn new(process: u32) -> Meter {
        Meter {
            folder: PathBuf::from(format!("/proc/{process}/task")),
            threads: Vec::new(),
            own: File::open("/proc/thread-self/schedstat").ok(),
            own_before: 0,
            most: 0,
        }
    }

    /// A question is about to be asked.
    pub fn begin(&mut self) {
        self.most = 0;
        self.own_before = self.own.as_ref().and_then(waited).unwrap_or(0);
        self.find_threads();
        self.threads.retain_mut(|thread| match waited(&thread.file) {
            Some(count) => {
                thread.before = count;
                true
            }
            None => false,
        });
    }

    /// What was waited since then, all threads together.
    pub fn waited(&mut self) -> Duration {
        self.find_threads();
        let own = self.own.as_ref().and_then(waited).unwrap_or(0).saturating_sub(self.own_before);
        let since = |thread: &Thread| waited(&thread.file)?.checked_sub(thread.before);
        let engine: u64 = self.threads.iter().filter_map(since).sum();
        self.most = self.most.max(own + engine);
        Duration::from_nanos(self.most)
    }

    /// Opens the counts of threads not yet known. Those that are new since the question have
    /// waited for its sake from their beginning.
    fn find_threads(&mut self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(number) = name.to_str().and_then(|name| name.parse().ok()) else { continue };
            if self.threads.iter().any(|thread| thread.number == number) {
                continue;
            }
            if let Ok(file) = File::open(self.folder.join(Path::new(&name)).join("schedstat")) {
                self.threads.push(Thread { number, file, before: 0 });
            }
        }
    }
}

/// The time a thread has waited for a processor since it began, in nanoseconds.
fn waited(file: &File) -> Option<u64> {
    let mut text = [0; 96];
    let count = file.read_at(&mut text, 0).ok()?;
    let text = std::str::from_utf8(&text[..count]).ok()?;
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}
