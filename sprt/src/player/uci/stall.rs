//! How long the machine kept an engine, or the thread that waits for it, from running.
//!
//! Linux counts for each thread the time it was ready to run and waited for a processor: the second
//! number of `/proc/…/schedstat`, in nanoseconds; what the host of a virtual machine takes comes on
//! top. Where there is no such count, a thread of our own that wakes every few milliseconds tells by
//! how much it was late.

use std::fs::File;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::steal::Stolen;

/// Measures what an engine and the thread that waits for it wait for a processor.
#[derive(Debug)]
pub(super) struct Meter {
    source: Source,
    /// What this thread, or the one that stands in for all, had waited when the question was asked
    /// (nanoseconds).
    before: u64,
    /// The most that was seen since the question: what a thread that has ended had waited is gone.
    most: u64,
}

#[derive(Debug)]
enum Source {
    /// The kernel's counts.
    Kernel {
        own: File,
        /// The folder of the engine's threads.
        folder: PathBuf,
        threads: Vec<Thread>,
        /// What the host had taken when the question was asked.
        stolen: Arc<Stolen>,
    },
    /// A thread that ought to wake in time.
    Watchdog(&'static AtomicU64),
}

/// A thread of the engine.
#[derive(Debug)]
struct Thread {
    number: u32,
    file: File,
    /// What it had waited when the question was asked, and when it was last looked at
    /// (nanoseconds).
    before: u64,
    now: u64,
}

impl Meter {
    /// Measures the process of this number; to be used in the thread that made it.
    pub fn new(process: u32) -> Meter {
        let own = File::open("/proc/thread-self/schedstat").ok();
        let source = match own.filter(|own| counts(own).is_some()) {
            Some(own) => {
                let folder = PathBuf::from(format!("/proc/{process}/task"));
                Source::Kernel { own, folder, threads: Vec::new(), stolen: Arc::default() }
            }
            None => Source::Watchdog(watchdog()),
        };
        Meter { source, before: 0, most: 0 }
    }

    /// A question is about to be asked.
    pub fn begin(&mut self) {
        self.most = 0;
        self.before = match &mut self.source {
            Source::Watchdog(late) => late.load(Ordering::Relaxed),
            Source::Kernel { own, folder, threads, stolen } => {
                *stolen = Stolen::recently();
                look(folder, threads);
                threads.iter_mut().for_each(|thread| thread.before = thread.now);
                counts(own).unwrap_or(0)
            }
        };
    }

    /// What was waited since then, all threads together: they hand work to each other, and where
    /// several search at once the sum errs on the side of blaming the machine.
    pub fn waited(&mut self) -> Duration {
        let waited = match &mut self.source {
            Source::Watchdog(late) => late.load(Ordering::Relaxed).saturating_sub(self.before),
            Source::Kernel { own, folder, threads, stolen } => {
                // Threads that are new since the question have waited for its sake all their time.
                look(folder, threads);
                let engine: u64 = threads.iter().map(|it| it.now.saturating_sub(it.before)).sum();
                let taken = Stolen::now().since(stolen).as_nanos() as u64;
                engine + counts(own).unwrap_or(0).saturating_sub(self.before) + taken
            }
        };
        self.most = self.most.max(waited);
        Duration::from_nanos(self.most)
    }
}

/// Reads all counts. Threads that have ended are forgotten, new ones found.
fn look(folder: &Path, threads: &mut Vec<Thread>) {
    threads.retain_mut(|thread| match counts(&thread.file) {
        Some(count) => {
            thread.now = count;
            true
        }
        None => false,
    });
    // A folder has two links and one for each folder in it: most often nothing is new.
    let links = std::fs::metadata(folder).map_or(0, |folder| folder.nlink());
    if links == threads.len() as u64 + 2 {
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(number) = name.to_str().and_then(|name| name.parse().ok()) else { continue };
        if threads.iter().any(|thread| thread.number == number) {
            continue;
        }
        if let Ok(file) = File::open(folder.join(Path::new(&name)).join("schedstat")) {
            let now = counts(&file).unwrap_or(0);
            threads.push(Thread { number, file, before: 0, now });
        }
    }
}

/// The time a thread has waited for a processor since it began, in nanoseconds; `None` if it has
/// ended, or if nothing is counted here.
fn counts(file: &File) -> Option<u64> {
    let mut text = [0; 96];
    let count = file.read_at(&mut text, 0).ok()?;
    let text = std::str::from_utf8(&text[..count]).ok()?;
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
    let (Some(Ok(ran)), Some(Ok(waited))) = (numbers.next(), numbers.next()) else { return None };
    // A kernel that does not count says zero of everything.
    (ran > 0).then_some(waited)
}

/// The nanoseconds by which a thread that only sleeps has woken too late so far.
fn watchdog() -> &'static AtomicU64 {
    const NAP: Duration = Duration::from_millis(2);
    /// What waking costs where nothing is in the way.
    const USUAL: Duration = Duration::from_micros(200);
    static LATE: AtomicU64 = AtomicU64::new(0);
    static STARTED: OnceLock<()> = OnceLock::new();
    STARTED.get_or_init(|| {
        std::thread::spawn(|| {
            loop {
                let begin = Instant::now();
                std::thread::sleep(NAP);
                let late = begin.elapsed().saturating_sub(NAP + USUAL);
                LATE.fetch_add(late.as_nanos() as u64, Ordering::Relaxed);
            }
        });
    });
    &LATE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_for_a_processor_is_told_from_sleeping() {
        let mut meter = Meter::new(std::process::id());
        meter.begin();
        let begin = Instant::now();
        std::thread::sleep(Duration::from_millis(50));
        // Other tests run in this process and may wait, each of their threads as long as we slept.
        let threads = 64;
        assert!(meter.waited() <= threads * begin.elapsed());
        let first = meter.waited();
        assert!(meter.waited() >= first);
    }

    #[test]
    fn the_watchdog_only_counts_forward() {
        let before = watchdog().load(Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(10));
        assert!(watchdog().load(Ordering::Relaxed) >= before);
    }
}
