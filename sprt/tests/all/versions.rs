//! Runs of other versions of the journal: refused by whatever reads them, and left as they are.

use std::fs;

use crate::child::output;
use crate::files::{files, with_version};
use crate::helpers::sprt_line;

#[test]
fn runs_of_other_versions_are_refused_and_left_alone() {
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("run");
    let line = "run --candidate random --baseline random --nodes 1 --pairs 2 --output";
    assert_eq!(output(sprt_line(line).arg(&folder)).0, Some(2));
    let journal = fs::read(folder.join("journal")).expect("written");
    // The version before differs in what it lacks.
    fs::write(folder.join("journal"), with_version(&journal, 4, 3)).expect("writable");
    let mut command = sprt_line("resume");
    assert_eq!(output(command.arg(&folder)).0, Some(2));
    for version in [2, 5] {
        fs::write(folder.join("journal"), with_version(&journal, 4, version)).expect("writable");
        let before = files(home.path(), &[]);
        for (start, end) in [
            ("resume", ""),
            ("report", "--output page.html"),
            ("index", ""),
            ("run --output other --like", ""),
        ] {
            let mut command = sprt_line(start);
            command.arg(&folder).args(end.split_whitespace()).current_dir(home.path());
            let (status, _, stderr) = output(&mut command);
            assert_eq!(status, Some(3), "{start}: {stderr}");
            let message = format!("a journal of a test, version {version}; expected is a test, ");
            assert!(stderr.contains(&message), "{start}: {stderr}");
            assert!(files(home.path(), &[]) == before, "{start}");
        }
    }
}
