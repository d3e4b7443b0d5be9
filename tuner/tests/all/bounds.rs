//! Memory is bounded by what is kept of a file, not by what stands in it.

use std::fs;
use std::path::Path;

use crate::child::{in_memory, output};
use crate::command_line::tuner;
use crate::store::scratch;

/// The output of `tuner` with these words and a file, in so many megabytes.
fn said(megabytes: u64, words: &[&str], file: &Path) -> (Option<i32>, String, String) {
    let mut command = tuner();
    command.args(words).arg(file).args(["--threads", "1"]);
    output(&mut in_memory(megabytes, &command))
}

/// A kilobyte a line was too much.
#[test]
fn a_line_takes_no_more_than_its_position() {
    let folder = scratch();
    let path = folder.path().join("lines.epd");
    let line = "8/8/8/4k3/8/3K4/3P4/8 w - - 0 1 [1.0]\n";
    fs::write(&path, line.repeat(500_000)).expect("writable");
    let words = ["positions", "--count", "--keep-noisy"];
    let (status, stdout, stderr) = said(300, &words, &path);
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("positions                                   500000"), "{stdout}");
}

#[test]
fn what_has_no_end_is_refused() {
    let folder = scratch();
    let (columns, brackets) = (folder.path().join("columns.csv"), folder.path().join("brackets"));
    let row = ",".repeat(10_000) + "\n";
    fs::write(&columns, format!("fen,result\n{}", row.repeat(20_000))).expect("writable");
    fs::write(&brackets, "[".repeat(50_000_000)).expect("writable");
    let zero = Path::new("/dev/zero");
    let (out, values) = (folder.path().join("out"), folder.path().join("values.toml"));
    fs::write(&values, "").expect("writable");
    let (out, values) = (out.to_str().expect("a text"), values.to_str().expect("a text"));
    let fit = ["fit", "--traces", values, "--output", out, "--parameters"];
    for (words, file, reason) in [
        (&["positions", "--count"][..], columns.as_path(), "more than 1000 columns"),
        (&["positions", "--count"], zero, "the line is longer than a megabyte"),
        (&["positions", "--count", "--job"], zero, "larger than 4194304 bytes"),
        (&["positions", "--count", "--job"], &brackets, "larger than 4194304 bytes"),
        (&fit, zero, "larger than 4194304 bytes"),
        (&fit, &brackets, "larger than 4194304 bytes"),
    ] {
        let (status, _, stderr) = said(400, words, file);
        assert!(matches!(status, Some(3 | 64)), "{words:?} {}: {stderr}", file.display());
        assert!(stderr.contains(reason), "{words:?} {}: {stderr}", file.display());
    }
}
