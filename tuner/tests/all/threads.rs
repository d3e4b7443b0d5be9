//! A command that gets no thread or memory ends with a word, and does not hang.

use std::process::Command;

use crate::child::output;

const TUNER: &str = env!("CARGO_BIN_EXE_tuner");

/// Runs the tuner with a limit that a shell sets; exit status and standard error.
fn limited(limit: &str, arguments: &str) -> (Option<i32>, String) {
    let home = tempfile::tempdir().expect("temporary folder");
    let mut command = Command::new("sh");
    command.current_dir(home.path()).arg("-c");
    command.arg(format!("ulimit {limit}; exec '{TUNER}' {arguments}"));
    command.env("RUST_MIN_STACK", (1 << 30).to_string());
    let (status, _, stderr) = output(&mut command);
    (status, stderr)
}

const RECORD: &str = "record --games 8 --nodes 60 --output games.kgames";
const SPSA: &str = "spsa --start textbook --only futility.margin --nodes 60 --pairs 8 --no-test \
                    --output run";

/// Each thread wants a stack of a gigabyte here, of which there is room for two.
#[test]
fn threads_that_cannot_be_started_end_a_command_with_a_word() {
    for command in [RECORD, SPSA] {
        let (status, stderr) = limited("-v 3000000", &format!("{command} --threads 4"));
        assert_eq!(status, Some(3), "{stderr}");
        assert!(stderr.contains("error: cannot start threads: "), "{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
}

#[test]
fn files_that_may_not_grow_are_told_as_a_full_disk_is() {
    let (status, stderr) = limited("-f 1", RECORD);
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("cannot write ") && stderr.contains("File too large"), "{stderr}");
}
