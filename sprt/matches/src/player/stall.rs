//! How long the machine kept an engine, or the thread that waits for it, from running.
//!
//! Linux counts for each thread the time it was ready to run and waited for a processor: the second
//! number of `/proc/…/schedstat`, in nanoseconds; what the host of a virtual machine takes comes on
//! top. Where there is no such count, a thread of our own that wakes every few milliseconds tells
//! by how much it was late; on Windows, where that says nothing, no stall is ever told, and a run
//! with clocks says so.
//!
//! Nothing counts for more than the time that passed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use system::processes::{REPORTS_STALLS, links, read_at};
use system::threads;

use super::steal::{Run, Stolen};

/// Measures what an engine and the thread that waits for it wait for a processor.
#[derive(Debug)]
pub(super) struct Meter {
    source: Source,
    /// Threads the engine was told to think with: it is entitled to so many processors.
    entitled: u32,
    /// When the question was asked.
    begin: Instant,
    /// It was thinking when the question was asked.
    was_thinking: bool,
    /// Time that this thread had waited when it last began to wait for the engine, or the count of
    /// the watchdog when the question was asked (nanoseconds).
    before: u64,
}

#[derive(Debug)]
enum Source {
    Kernel {
        /// The counts of the thread that made the meter.
        own: File,
        engine: Engine,
        /// The host's share when the question was asked.
        stolen: Arc<Stolen>,
    },
    /// A thread that ought to wake in time.
    Watchdog(&'static AtomicU64),
}

#[derive(Debug)]
enum Engine {
    /// It is the thread that made the meter.
    Here(Thread),
    /// It is in processes of its own.
    Processes(Vec<Process>),
}

/// The engine, what launches it, or what it has started.
#[derive(Debug)]
struct Process {
    number: u32,
    folder: PathBuf,
    threads: Vec<Thread>,
    /// Processor time of all its threads, those that have ended included: when the question was
    /// asked, and when it was last looked at (nanoseconds).
    ran_before: u64,
    ran: u64,
}

#[derive(Debug)]
struct Thread {
    number: u32,
    folder: PathBuf,
    /// `None` once it has ended: what was counted when it was last seen still belongs to the question.
    file: Option<File>,
    /// Its counts when the question was asked, and when they were last looked at.
    before: Counts,
    now: Counts,
}

/// The kernel's counts of threads (nanoseconds).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Counts {
    /// Time on a processor.
    ran: u64,
    /// Time ready to run without one.
    pub waited: u64,
}

/// The counts of all threads of an engine since a question (nanoseconds).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Spent {
    /// Time on a processor.
    ran: u64,
    /// Time ready to run without one.
    waited: u64,
    /// The part of it that threads waited which hardly ran.
    waited_idle: u64,
}

impl Meter {
    /// Measures an engine that was told to think with so many threads, in the processes of these
    /// numbers; to be used in the thread that made it.
    pub fn new(processes: &[u32], threads: usize) -> Meter {
        let mut meter = Meter::with(|_| Some(Engine::Processes(Vec::new())), threads);
        meter.follow(processes);
        meter
    }

    /// Measures an engine that thinks in this thread, by which it is to be used.
    pub fn of_this_thread() -> Meter {
        let here = |own: &File| {
            let file = own.try_clone().ok()?;
            Some(Engine::Here(Thread::new(0, PathBuf::from("/proc/thread-self"), file)))
        };
        Meter::with(here, 1)
    }

    fn with(engine: impl FnOnce(&File) -> Option<Engine>, threads: usize) -> Meter {
        let own = File::open("/proc/thread-self/schedstat").ok();
        // A kernel that does not count says zero of everything.
        let own = own.filter(|own| counts(own).is_some_and(|counts| counts.ran > 0));
        let source = own.and_then(|own| {
            let engine = engine(&own)?;
            Some(Source::Kernel { own, engine, stolen: Stolen::recently() })
        });
        let source = source.unwrap_or_else(|| Source::Watchdog(watchdog()));
        let entitled = u32::try_from(threads).unwrap_or(u32::MAX).max(1);
        Meter { source, entitled, begin: Instant::now(), was_thinking: false, before: 0 }
    }

    /// From the next question on the engine is in the processes of these numbers.
    pub fn follow(&mut self, processes: &[u32]) {
        let Source::Kernel { engine: Engine::Processes(engine), .. } = &mut self.source else {
            return;
        };
        engine.retain(|process| processes.contains(&process.number));
        for &number in processes {
            if engine.iter().all(|process| process.number != number) {
                let folder = PathBuf::from(format!("/proc/{number}/task"));
                engine.push(Process { number, folder, threads: Vec::new(), ran_before: 0, ran: 0 });
            }
        }
    }

    /// A question is about to be asked, of an engine that is at rest or thinking already.
    pub fn begin(&mut self, is_thinking: bool) {
        self.was_thinking = is_thinking;
        match &mut self.source {
            Source::Watchdog(late) => self.before = late.load(Ordering::Relaxed),
            Source::Kernel { engine, stolen, .. } => {
                *stolen = Stolen::recently();
                match engine {
                    Engine::Here(thread) => thread.begin(),
                    Engine::Processes(processes) => processes.iter_mut().for_each(Process::begin),
                }
            }
        }
        self.listen(|| true);
        self.begin = Instant::now();
    }

    /// This thread is about to wait for the engine to say something, if nothing is there yet. Its
    /// waiting for a processor before did not hold up an engine that had nothing to say then; but
    /// where something is there, it may have been for long.
    pub fn listen(&mut self, is_silent: impl FnOnce() -> bool) {
        if let Source::Kernel { own, engine: Engine::Processes(_), .. } = &self.source {
            let waited = counts(own).unwrap_or_default().waited;
            if is_silent() {
                self.before = waited;
            }
        }
    }

    /// Time that the machine has withheld since the question, at most the time that has passed.
    pub fn waited(&mut self) -> Duration {
        let spent = self.spent();
        let elapsed = self.begin.elapsed();
        let waited = match &self.source {
            Source::Watchdog(late) => late.load(Ordering::Relaxed).saturating_sub(self.before),
            Source::Kernel { own, engine, stolen } => {
                let reader = match engine {
                    Engine::Here(_) => 0,
                    Engine::Processes(_) => {
                        counts(own).unwrap_or_default().waited.saturating_sub(self.before)
                    }
                };
                let now = Stolen::now();
                let taken = match now.is_more_than(stolen) {
                    true => now.taken(stolen, &engine.runs(), elapsed),
                    false => Duration::ZERO,
                };
                let hearing = if self.was_thinking { spent.waited_idle } else { 0 };
                spent.withheld(self.entitled, hearing, elapsed) + reader + taken.as_nanos() as u64
            }
        };
        Duration::from_nanos(waited).min(elapsed)
    }

    /// The counts of the engine's threads since the question, all together.
    fn spent(&mut self) -> Spent {
        match &mut self.source {
            Source::Kernel { engine, .. } => engine.spent(),
            Source::Watchdog(_) => Spent::default(),
        }
    }
}

impl Engine {
    fn spent(&mut self) -> Spent {
        let mut spent = Spent::default();
        match self {
            Engine::Here(thread) => {
                thread.look();
                spent.ran = thread.spent().ran;
                spent.add_waiting(thread);
            }
            Engine::Processes(processes) => {
                for process in processes {
                    process.look();
                    spent.ran += process.ran.saturating_sub(process.ran_before);
                    process.threads.iter().for_each(|thread| spent.add_waiting(thread));
                }
            }
        }
        spent
    }

    /// Where its threads ran since the question, as it was when they were last looked at.
    fn runs(&self) -> Vec<Run> {
        match self {
            Engine::Here(thread) => vec![thread.run()],
            Engine::Processes(processes) => {
                processes.iter().flat_map(|it| it.threads.iter().map(Thread::run)).collect()
            }
        }
    }
}

impl Thread {
    fn new(number: u32, folder: PathBuf, file: File) -> Thread {
        let now = counts(&file).unwrap_or_default();
        Thread { number, folder, file: Some(file), before: Counts::default(), now }
    }

    /// A question is about to be asked.
    fn begin(&mut self) {
        self.look();
        self.before = self.now;
    }

    /// Reads its counts; false if it has ended.
    fn look(&mut self) -> bool {
        match self.file.as_ref().and_then(counts) {
            Some(now) => self.now = now,
            None => self.file = None,
        }
        self.file.is_some()
    }

    fn spent(&self) -> Counts {
        Counts {
            ran: self.now.ran.saturating_sub(self.before.ran),
            waited: self.now.waited.saturating_sub(self.before.waited),
        }
    }

    fn run(&self) -> Run {
        let stat = std::fs::read_to_string(self.folder.join("stat"));
        let processor = stat.ok().and_then(|stat| processor(&stat));
        let Counts { ran, waited } = self.spent();
        let [time, waited] = [ran, waited].map(Duration::from_nanos);
        Run { processor, time, waited }
    }
}

impl Spent {
    /// A thread that has run for less (nanoseconds) only listened, or handed something on.
    const IDLE: u64 = 1_000_000;

    fn add_waiting(&mut self, thread: &Thread) {
        let Counts { ran, waited } = thread.spent();
        self.waited += waited;
        self.waited_idle += if ran < Self::IDLE { waited } else { 0 };
    }

    /// Time of processors that the machine has withheld from the engine, of those that were its due
    /// in this time (nanoseconds). Its threads hand work to each other, so that their waiting is
    /// added up; but threads beyond those it was told to have wait at its own risk: nothing was
    /// withheld from an engine that had its processors all the time. But for `hearing`
    /// (nanoseconds): an engine that thinks already uses its processors while the message that ends
    /// that thinking waits to be heard.
    fn withheld(self, entitled: u32, hearing: u64, elapsed: Duration) -> u64 {
        let due = elapsed.as_nanos() * u128::from(entitled);
        let missing = due.saturating_sub(u128::from(self.ran)) / u128::from(entitled);
        let waited = self.waited.saturating_sub(hearing);
        hearing + waited.min(u64::try_from(missing).unwrap_or(u64::MAX))
    }
}

impl Process {
    /// A question is about to be asked.
    fn begin(&mut self) {
        self.look();
        self.threads.retain(|thread| thread.file.is_some());
        self.threads.iter_mut().for_each(|thread| thread.before = thread.now);
        self.ran_before = self.ran;
    }

    /// Reads all counts. Threads that are new since the question have waited for its sake all their
    /// time.
    fn look(&mut self) {
        // Some engines have new threads for every move: what these ran must not go with them.
        self.ran = processor_time(self.number).unwrap_or(self.ran);
        let alive = self.threads.iter_mut().map(|thread| u64::from(thread.look())).sum::<u64>();
        // A folder has two links and one for each folder in it: most often nothing is new.
        let links = std::fs::metadata(&self.folder).map_or(0, |folder| links(&folder));
        if links == alive + 2 {
            return;
        }
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(number) = name.to_str().and_then(|name| name.parse().ok()) else { continue };
            let is_it = |thread: &Thread| thread.number == number && thread.file.is_some();
            if self.threads.iter().any(is_it) {
                continue;
            }
            let folder = self.folder.join(Path::new(&name));
            if let Ok(file) = File::open(folder.join("schedstat")) {
                self.threads.push(Thread::new(number, folder, file));
            }
        }
    }
}

/// The time that all threads of a process have run, in nanoseconds; `None` if it has ended.
#[cfg(target_os = "linux")]
fn processor_time(process: u32) -> Option<u64> {
    let process = nix::unistd::Pid::from_raw(i32::try_from(process).ok()?);
    let time = nix::time::ClockId::pid_cpu_clock_id(process).ok()?.now().ok()?;
    u64::try_from(Duration::from(time).as_nanos()).ok()
}

/// Not known, nor asked for, where the kernel does not count what threads wait.
#[cfg(not(target_os = "linux"))]
fn processor_time(_process: u32) -> Option<u64> {
    None
}

/// The counts of a thread; `None` if it has ended, or if nothing is counted here.
pub(super) fn counts(file: &File) -> Option<Counts> {
    let mut text = [0; 96];
    let count = read_at(file, &mut text, 0).ok()?;
    let text = std::str::from_utf8(&text[..count]).ok()?;
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
    let (Some(Ok(ran)), Some(Ok(waited))) = (numbers.next(), numbers.next()) else { return None };
    Some(Counts { ran, waited })
}

/// The processor that a thread was last on, of its `stat`.
fn processor(stat: &str) -> Option<usize> {
    /// Its place behind the name, which ends with the last parenthesis.
    const PLACE: usize = 36;
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(PLACE)?.parse().ok()
}

/// The nanoseconds by which a thread that only sleeps has woken too late so far. Where sleep is not
/// exact even if nothing is in the way, nothing is ever counted.
fn watchdog() -> &'static AtomicU64 {
    const NAP: Duration = Duration::from_millis(2);
    /// The usual delay of waking where nothing is in the way.
    const USUAL: Duration = Duration::from_micros(200);
    static LATE: AtomicU64 = AtomicU64::new(0);
    static STARTED: OnceLock<()> = OnceLock::new();
    if !REPORTS_STALLS {
        return &LATE;
    }
    STARTED.get_or_init(|| {
        // Without it no stall is told.
        let _ = threads::start("watchdog", None, || {
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
    fn nothing_exceeds_the_time_that_has_passed() {
        let mut meter = Meter::new(&[std::process::id()], 64);
        meter.begin(false);
        let begin = Instant::now();
        std::thread::sleep(Duration::from_millis(50));
        // Other tests run in this process and may wait.
        let waited = meter.waited();
        assert!(waited <= begin.elapsed() + (begin - meter.begin));
    }

    #[test]
    fn only_the_processors_it_was_told_to_have_are_withheld_from_an_engine() {
        let withheld = |ran, waited, threads| {
            let second = |tenths: u64| tenths * 100_000_000;
            let spent = Spent { ran: second(ran), waited: second(waited), waited_idle: 0 };
            spent.withheld(threads, 0, Duration::from_secs(1)) / second(1)
        };
        // One thread that waited, and one that slept.
        assert_eq!(withheld(4, 6, 1), 6);
        assert_eq!(withheld(4, 0, 1), 0);
        // Two processors shared by eight threads of which one was declared, two, or eight.
        assert_eq!(withheld(20, 60, 1), 0);
        assert_eq!(withheld(20, 60, 2), 0);
        assert_eq!(withheld(20, 60, 8), 7);
        // Half of the processor for two threads that hand work to each other.
        assert_eq!(withheld(5, 5, 1), 5);
        assert_eq!(withheld(5, 9, 1), 5);
    }

    /// It thinks in the opponent's time, and what ends that waits to be heard.
    #[test]
    fn an_engine_that_thinks_already_may_hear_late() {
        let tenth = 100_000_000;
        let spent = Spent { ran: 10 * tenth, waited: 7 * tenth, waited_idle: 6 * tenth };
        let second = Duration::from_secs(1);
        assert_eq!(spent.withheld(1, 0, second), 0);
        assert_eq!(spent.withheld(1, spent.waited_idle, second), 6 * tenth);
        let spent = Spent { ran: 8 * tenth, ..spent };
        assert_eq!(spent.withheld(1, spent.waited_idle, second), 7 * tenth);
    }

    /// An answer may lie there while the thread that reads it waits for a processor.
    #[test]
    fn what_the_reader_waits_counts_from_the_last_silence() {
        let mut meter = Meter::new(&[std::process::id()], 1);
        if matches!(meter.source, Source::Watchdog(_)) {
            return eprintln!("skipped: the kernel does not count");
        }
        meter.begin(false);
        meter.before = 7;
        meter.listen(|| false);
        assert_eq!(meter.before, 7);
        meter.listen(|| true);
        let Source::Kernel { own, .. } = &meter.source else { unreachable!("it counts") };
        assert!(meter.before != 7 || counts(own).is_some_and(|counts| counts.waited == 7));
    }

    #[test]
    fn the_processor_of_a_thread_is_read() {
        let stat = format!("7 (a) b) S {} 5 0", ["1"; 35].join(" "));
        assert_eq!(processor(&stat), Some(5));
        assert_eq!(processor("7 (a) S 1"), None);
        if let Ok(own) = std::fs::read_to_string("/proc/thread-self/stat") {
            assert!(processor(&own).is_some(), "{own}");
        }
    }

    /// A player in this process is measured as one over pipes is.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_measures_itself() {
        let mut meter = Meter::of_this_thread();
        if matches!(meter.source, Source::Watchdog(_)) {
            return eprintln!("skipped: the kernel does not count");
        }
        meter.begin(false);
        // Time that the host of a virtual machine takes is neither run nor waited.
        let now = || {
            let clock = nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID;
            Duration::from(clock.now().expect("Linux counts it"))
        };
        let begin = now();
        while now() - begin < Duration::from_millis(30) {
            std::hint::spin_loop();
        }
        let spent = meter.spent();
        assert!(spent.ran > 20_000_000, "{spent:?}");
        let Source::Kernel { engine, .. } = &meter.source else { unreachable!("it counts") };
        let runs = engine.runs();
        assert!(runs.len() == 1 && runs[0].processor.is_some(), "{runs:?}");
        assert!(meter.waited() <= meter.begin.elapsed());
    }

    /// As of engines that have new threads for every move.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_threads_have_run_is_known_when_they_have_ended() {
        let mut meter = Meter::new(&[std::process::id()], 1);
        if matches!(meter.source, Source::Watchdog(_)) {
            return eprintln!("skipped: the kernel does not count");
        }
        meter.begin(false);
        let thread = std::thread::spawn(|| {
            (0..2_000_000_u64).fold(0, |sum, number| std::hint::black_box(sum ^ number));
            nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID.now().expect("Linux counts it")
        });
        let ran = Duration::from(thread.join().expect("it only counts"));
        assert!(Duration::from_nanos(meter.spent().ran) >= ran, "{ran:?} {meter:?}");
    }

    /// An engine behind a launcher that waits for it.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_launcher_has_started_is_measured() {
        use std::io::{BufRead, BufReader, Write};
        use std::process::{Command, Stdio};

        use system::processes::with_descendants;

        let engine = "echo ready; read go; \
            i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; echo done; read end";
        let mut command = Command::new("sh");
        command.args(["-c", "sh -c \"$0\"; exit 0", engine]);
        let mut launcher =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
        let mut input = launcher.stdin.take().expect("a pipe");
        let mut output = BufReader::new(launcher.stdout.take().expect("a pipe")).lines();
        let mut next_line = || output.next().expect("a line").expect("readable");
        assert_eq!(next_line(), "ready");
        let family = with_descendants([launcher.id()]);
        let mut alone = Meter::new(&family[..1], 1);
        let mut all = Meter::new(&family, 1);
        alone.begin(false);
        all.begin(false);
        input.write_all(b"go\n").expect("it reads");
        assert_eq!(next_line(), "done");
        let (alone, all_spent) = (alone.spent(), all.spent());
        drop(input);
        launcher.wait().expect("it ends when its input does");
        if family.len() == 1 || matches!(all.source, Source::Watchdog(_)) {
            return eprintln!("skipped: the kernel does not count, or not who has started whom");
        }
        assert!(all_spent.ran > alone.ran, "{all_spent:?} {alone:?}");
        // The counts of an ended thread stay until the next question.
        assert!(all.spent().ran >= all_spent.ran);
        all.begin(false);
        assert_eq!(all.spent(), Spent::default());
    }

    #[test]
    fn the_watchdog_only_counts_forward() {
        let before = watchdog().load(Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(10));
        assert!(watchdog().load(Ordering::Relaxed) >= before);
    }
}
