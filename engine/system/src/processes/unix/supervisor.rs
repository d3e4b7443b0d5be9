//! A second process that ends engines when this one is killed.
//!
//! On Linux an engine dies with the thread that started it. The processes that the engine has
//! started do not, and when nobody is left who knew of them, they may run for ever: a helper in a
//! session of its own does. Therefore a runner has a supervisor: the same program once more, which
//! waits at a pipe. The pipe closes however the runner ends; then the supervisor kills every
//! process that carries the runner's mark, a variable in the environment that engines are started
//! with and that all they start inherits, and whatever those have started. Only a process that has
//! emptied its environment and whose parents have all ended escapes it.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use super::descendants::{Handle, with_descendants};

/// The variable that holds the mark.
const VARIABLE: &str = "KAMERTON_RUNNER";
/// Looks for what is left, and the time between two: what is being killed may start others.
const LOOKS: usize = 200;
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// The arguments that make this program call [`supervise`], before the mark.
static ARGUMENTS: OnceLock<&'static [&'static str]> = OnceLock::new();
/// The supervisor of this process; `None` if there is none.
static SUPERVISOR: OnceLock<Option<Supervisor>> = OnceLock::new();

/// A supervisor at work. It ends when its input does.
struct Supervisor {
    mark: String,
    _process: Child,
    _input: Option<ChildStdin>,
}

/// Has this process supervised from its first engine on: its program, with these arguments and a
/// mark, must call [`supervise`]. Where this is not called, and elsewhere than on Linux, engines
/// play without a supervisor.
pub fn enable(arguments: &'static [&'static str]) {
    // A second caller gives the same arguments.
    let _ = ARGUMENTS.set(arguments);
}

/// Marks an engine that is about to be started.
pub(super) fn mark(command: &mut Command) {
    if let Some(supervisor) = SUPERVISOR.get_or_init(start) {
        command.env(VARIABLE, &supervisor.mark);
    }
}

fn start() -> Option<Supervisor> {
    let arguments = ARGUMENTS.get().filter(|_| cfg!(target_os = "linux"))?;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mark = format!("{}-{}", std::process::id(), now.as_nanos());
    // The file may have been replaced since it was started; this is what runs here. A group of its
    // own keeps it alive when the terminal interrupts all others, and a runner inside of a runner's
    // engine must not lose its supervisor before that has done its work.
    let mut process = Command::new("/proc/self/exe")
        .args(*arguments)
        .arg(&mark)
        .env_remove(VARIABLE)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .ok()?;
    let input = process.stdin.take();
    Some(Supervisor { mark, _process: process, _input: input })
}

/// Waits until the input ends, then kills all that carries the mark.
pub fn supervise(mark: &str) {
    // Nothing is ever written; an error is an end, too.
    let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    let entry = format!("{VARIABLE}={mark}");
    for _ in 0..LOOKS {
        let found = marked(&entry);
        if found.is_empty() {
            return;
        }
        found.iter().for_each(Handle::kill);
        std::thread::sleep(BETWEEN_LOOKS);
    }
}

/// The processes that were started with this entry in their environment, and all they have started.
fn marked(entry: &str) -> Vec<Handle> {
    let own = std::process::id();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_marked = |number: u32| {
        let environment = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|it| it == entry.as_bytes())
    };
    // Held before it is looked at: the number may be another's a moment later.
    let mut found: Vec<Handle> = numbers
        .filter(|&number| number != own)
        .filter_map(|number| Handle::new(number).filter(|_| is_marked(number)))
        .collect();
    let family = with_descendants(found.iter().map(|handle| handle.number));
    for &number in &family[found.len()..] {
        found.extend(Handle::new(number));
    }
    found
}
