//! A runner that was stopped for a while, as by Ctrl-Z, charges nobody for it.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::child::{Guarded, ended, output};
use crate::helpers::{SPRT, journal_length, read, sprt_line};

/// Stops that are tried until one falls into a game.
const MOST_STOPS: usize = 20;

/// Longer than the clocks of both players.
const STOP: Duration = Duration::from_millis(1_500);

fn signal(name: &str, processes: &[String]) {
    ended(0, Command::new("kill").arg(name).args(processes));
}

/// A process, and those that it has started if they are wanted.
fn family(parent: u32, with_children: bool) -> Vec<String> {
    let mut family = vec![parent.to_string()];
    if with_children {
        let (_, all, _) = output(Command::new("ps").args(["-A", "-o", "pid=,ppid="]));
        let pairs = all.lines().filter_map(|line| line.trim().split_once(' '));
        let children = pairs.filter(|(_, of)| of.trim() == family[0]);
        family.extend(children.map(|(process, _)| process.to_owned()).collect::<Vec<_>>());
    }
    family
}

/// Lets a run be stopped now and then, alone or with its engines, until that was within a game.
fn stopped_run(with_engines: bool) -> String {
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("run");
    let engine = format!("cmd={SPRT} arg=fake-engine");
    let mut command = sprt_line(&format!(
        "run --candidate {engine} --baseline {engine} name=other --tc 1 --pairs 100000 --threads 1 \
         --elo0 -1 --elo1 1 --output"
    ));
    command.arg(&folder).stdout(Stdio::null()).stderr(Stdio::null());
    let run = Guarded::spawn(&mut command);
    run.until("a pair", || journal_length(&folder) > 5_000);
    for _ in 0..MOST_STOPS {
        let stopped = family(run.id(), with_engines);
        signal("-STOP", &stopped);
        sleep(STOP);
        signal("-CONT", &stopped);
        let length = journal_length(&folder);
        run.until("more pairs", || journal_length(&folder) > length + 20_000);
        if read(&folder, "journal").contains("stood still") {
            break;
        }
    }
    run.kill();
    read(&folder, "journal")
}

#[test]
fn a_pair_is_played_again_in_which_the_runner_was_stopped() {
    for with_engines in [false, true] {
        let journal = stopped_run(with_engines);
        assert!(journal.contains("the runner itself stood still for "), "{journal}");
        assert!(!journal.contains("too late"), "{journal}");
        assert!(!journal.contains("\"fault\""), "{journal}");
    }
}
