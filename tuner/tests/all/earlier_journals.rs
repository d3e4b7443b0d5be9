//! Runs of earlier versions go on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::child::output;
use crate::command_line::tuner;

fn earlier(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/earlier").join(name)
}

/// The first lines of a file of an earlier version.
fn first_lines(name: &str, count: usize) -> String {
    let text = fs::read_to_string(earlier(name)).expect(name);
    text.split_inclusive('\n').take(count).collect()
}

fn succeed(command: &mut Command) -> String {
    let (status, _, stderr) = output(command);
    assert_eq!(status, Some(0), "{stderr}");
    stderr
}

/// The journal begins as it was cut off, and is as long as it was.
fn assert_went_on(path: &Path, name: &str, kept: &str) {
    let text = fs::read_to_string(path).expect(name);
    assert!(text.starts_with(kept), "{name}");
    assert_eq!(text.lines().count(), first_lines(name, usize::MAX).lines().count(), "{name}");
}

#[test]
fn tunings_of_earlier_versions_go_on() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for name in ["openings.epd", "settings.json", "start.toml"] {
        fs::copy(earlier("tuning").join(name), folder.path().join(name)).expect(name);
    }
    let kept = first_lines("tuning/journal", 6);
    fs::write(folder.path().join("journal"), kept.clone() + "0123abcd {").expect("writable");
    let mut command = tuner();
    command.args(["spsa", "--resume", "--allow-changed-engine", "--no-test", "--output"]);
    succeed(command.arg(folder.path()));
    assert_went_on(&folder.path().join("journal"), "tuning/journal", &kept);
}

#[test]
fn margins_of_earlier_versions_go_on() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let journal = folder.path().join("margins.toml.journal");
    let kept = first_lines("margins.journal", 4);
    fs::write(&journal, kept.clone() + "0123abcd {").expect("writable");
    let mut command = tuner();
    command
        .current_dir(folder.path())
        .arg("margins")
        .arg("--positions")
        .arg(earlier("games.kgames"));
    command.arg("--start").arg(earlier("tuning/start.toml"));
    command.args([
        "--only",
        "null_move",
        "--count",
        "60",
        "--nodes",
        "2000",
        "--k",
        "0.868588963806504",
    ]);
    command.args(["--judge-nodes", "3000", "--seed", "5", "--rounds", "2", "--replicates", "0"]);
    command.args(["--resume", "--allow-changed-engine", "--output", "margins.toml"]);
    let stderr = succeed(&mut command);
    assert!(stderr.contains("3 observations from before"), "{stderr}");
    assert_went_on(&journal, "margins.journal", &kept);
}

#[test]
fn recordings_of_earlier_versions_go_on() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let whole = fs::read(earlier("games.kgames")).expect("there");
    let path = folder.path().join("games.kgames");
    let half = &whole[..whole.len() / 2];
    fs::write(&path, half).expect("writable");
    let mut command = tuner();
    command.current_dir(folder.path()).arg("record");
    command.arg("--parameters").arg(earlier("tuning/start.toml"));
    command.args(["--games", "30", "--nodes", "60", "--seed", "4", "--block-plies", "500"]);
    command.args(["--resume", "--allow-changed-engine", "--output", "games.kgames"]);
    succeed(&mut command);
    let found = fs::read(&path).expect("there");
    // Blocks that were whole stay.
    let equal = found.iter().zip(half).take_while(|(now, then)| now == then).count();
    assert!(equal > half.len() / 2, "{equal} of {} bytes", half.len());
    let count = output(tuner().arg("positions").arg(&path).arg("--count")).1;
    let then = output(tuner().arg("positions").arg(earlier("games.kgames")).arg("--count")).1;
    let games = |text: &str| text.lines().find(|line| line.starts_with("games")).map(str::to_owned);
    assert!(games(&count).is_some() && games(&count) == games(&then), "{count}{then}");
}
