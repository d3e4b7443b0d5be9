//! Runs of earlier versions go on.

use std::fs;
use std::path::Path;

use crate::child::output;
use crate::helpers::{new_folder, resume};

#[test]
fn runs_of_earlier_versions_go_on() {
    for kind in ["test", "tournament"] {
        let earlier = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/earlier").join(kind);
        let read = |name: &str| fs::read(earlier.join(name)).expect(name);
        let (journal, games) = (read("journal"), read("games.pgn"));
        // After its header, in the middle, and in the midst of a line.
        for lines in [1, 4] {
            for torn in [0, 25] {
                let folder = new_folder();
                let whole = journal.split_inclusive(|&byte| byte == b'\n').take(lines);
                let end = whole.map(<[u8]>::len).sum::<usize>() + torn;
                fs::write(folder.path().join("journal"), &journal[..end]).expect("writable");
                fs::write(folder.path().join("openings.epd"), read("openings.epd"))
                    .expect("writable");
                // Both are undecided at their ends.
                let (_, _, stderr) = output(resume(folder.path()).args(["--threads", "2"]));
                for (name, expected) in [("journal", &journal), ("games.pgn", &games)] {
                    let found = fs::read(folder.path().join(name)).expect(name);
                    assert!(found == *expected, "{kind}, {lines} lines, {name}: {stderr}");
                }
            }
        }
    }
}
