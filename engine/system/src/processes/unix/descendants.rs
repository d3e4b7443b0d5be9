//! The descendants of a process: a launcher starts the engine, an engine starts helpers.

use std::fs;
use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The processes of these numbers and all that they have started, themselves or through others.
///
/// Linux tells where its kernel was built to (`CONFIG_PROC_CHILDREN`); elsewhere none are found
/// besides those given. A process whose parent has ended has another parent now.
pub fn with_descendants(processes: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut family: Vec<u32> = processes.into_iter().collect();
    let mut seen = 0;
    while let Some(&parent) = family.get(seen) {
        seen += 1;
        let Ok(threads) = fs::read_dir(format!("/proc/{parent}/task")) else { continue };
        for thread in threads.flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            for child in children.split_ascii_whitespace().filter_map(|word| word.parse().ok()) {
                // A number that was given anew meanwhile must not lead in circles.
                if !family.contains(&child) {
                    family.push(child);
                }
            }
        }
    }
    family
}

/// A hold on a process that is not our child. Its number may be another's once it has ended; this
/// never means another.
#[derive(Debug)]
pub(super) struct Handle {
    pub number: u32,
    descriptor: OwnedFd,
}

impl Handle {
    /// A hold on the process of this number; `None` if it has ended, or where there is no such
    /// thing (it needs Linux 5.3).
    pub fn new(number: u32) -> Option<Handle> {
        Some(Handle { number, descriptor: open(number)? })
    }

    /// Whether the process has not ended yet.
    pub fn is_alive(&self) -> bool {
        let mut end = [PollFd::new(&self.descriptor, PollFlags::IN)];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        matches!(poll(&mut end, Some(&at_once)), Ok(0))
    }

    /// Ends the process, if it has not ended.
    pub fn kill(&self) {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::pidfd_send_signal(&self.descriptor, rustix::process::Signal::KILL);
    }
}

#[cfg(target_os = "linux")]
fn open(number: u32) -> Option<OwnedFd> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    let number = Pid::from_raw(i32::try_from(number).ok()?)?;
    pidfd_open(number, PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn open(_number: u32) -> Option<OwnedFd> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn what_is_started_through_others_is_found_and_can_be_killed() {
        // A shell that waits for another one, which is in a session of its own.
        let script = "setsid sh -c 'echo ready; read line; exit 1'; exit 7";
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut launcher = command.spawn().expect("there is a shell");
        let mut line = String::new();
        let output = launcher.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("readable");
        assert_eq!(line, "ready\n");
        let family = with_descendants([launcher.id()]);
        let own = launcher.id();
        if !fs::exists(format!("/proc/{own}/task/{own}/children")).is_ok_and(|it| it) {
            assert_eq!(family, [own]);
            launcher.kill().expect("it runs");
            launcher.wait().expect("it was killed");
            return eprintln!("skipped: the kernel does not tell who has started whom");
        }
        assert_eq!((family[0], family.len()), (own, 2), "{family:?}");
        let helper = Handle::new(family[1]).expect("it runs");
        assert!(helper.is_alive());
        helper.kill();
        // The launcher goes on when the other has ended.
        assert_eq!(launcher.wait().expect("it ends").code(), Some(7));
        assert!(!helper.is_alive());
    }
}
