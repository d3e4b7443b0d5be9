//! What a system does not give ends a command with a word, and hangs none.

use std::process::Command;

use crate::child::output;

const TUNER: &str = env!("CARGO_BIN_EXE_tuner");

/// Runs the tuner with a limit that a shell sets; exit status and standard error.
fn limited(limit: &str, arguments: &str) -> (Option<i32>, String) {
    let home = tempfile::tempdir().expect("temporary folder");
    let mut command = Command::new("sh");
    command.current_dir(home.path()).arg("-c");
    command.arg(format!("ulimit {limit}; exec '{TUNER}' {arguments}"));
    let (status, _, stderr) = output(&mut command);
    (status, stderr)
}

const RECORD: &str = "record --games 8 --nodes 60 --threads 4 --output games.kgames";
const SPSA: &str = "spsa --start textbook --only futility.margin --nodes 60 --pairs 8 --no-test \
                    --threads 4 --output run";

#[test]
fn threads_that_cannot_be_started_end_a_command_with_a_word() {
    let mut refused = 0;
    // Each thread wants room for its stack; where too little is left for the program itself, it aborts.
    for kilobytes in (60_000..180_000).step_by(6_000) {
        for command in [RECORD, SPSA] {
            let (status, stderr) = limited(&format!("-v {kilobytes}"), command);
            assert!(!stderr.contains("panicked"), "{kilobytes}: {stderr}");
            if stderr.contains("cannot start threads: ") {
                assert_eq!(status, Some(3), "{kilobytes}: {stderr}");
                refused += 1;
            }
        }
    }
    assert!(refused > 0, "no limit is between those of the program and of its threads");
}

#[test]
fn files_that_may_not_grow_are_told_as_a_full_disk_is() {
    let (status, stderr) = limited("-f 1", RECORD);
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("cannot write ") && stderr.contains("File too large"), "{stderr}");
}
