//! Outputs are written by one process at a time, values before pages, and never over what is somebody
//! else's.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use system::files::Claim;

use crate::child::{Guarded, ended, output};
use crate::command_line::{parameters, tuner, write_book};
use crate::files::files;

/// The words of a command line, in a folder.
fn call(folder: &Path, line: &str) -> Command {
    let mut command = tuner();
    command.current_dir(folder).args(line.split_whitespace());
    command
}

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/positions/sample.kgames");

/// A fit that takes a second.
const FIT: &str = "fit --positions book.epd --start textbook --only material --output tuned.toml";

#[test]
fn two_conversions_into_one_file_do_not_mix() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| folder.path().join(name);
    for number in 1..=5 {
        write_book(&at(&format!("{number}.epd")), 300 * number);
        let line = format!("positions {number}.epd --keep-noisy --output {number}.csv");
        assert_eq!(output(&mut call(folder.path(), &line)).0, Some(0));
    }
    let line = |number| format!("positions {number}.epd --keep-noisy --output all.csv");
    let start = |number| {
        let mut command = call(folder.path(), &line(number));
        Guarded::spawn(command.stdout(Stdio::null()).stderr(Stdio::piped()))
    };
    let ended: Vec<_> = (1..=5).map(start).collect::<Vec<_>>();
    let ended = ended.into_iter().map(Guarded::finish);
    let told: Vec<_> = ended.filter(|(status, ..)| *status != Some(0)).collect();
    assert!(
        told.iter().all(|(_, _, told)| told.contains("another process is writing")),
        "{told:?}"
    );
    let all = fs::read(at("all.csv")).expect("written");
    let is_one_of =
        (1..=5).any(|number| fs::read(at(&format!("{number}.csv"))).expect("there") == all);
    assert!(is_one_of);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 11, "nothing is left");
}

#[test]
fn a_file_that_another_process_is_making_is_refused_at_the_start() {
    let folder = tempfile::tempdir().expect("temporary folder");
    write_book(&folder.path().join("book.epd"), 500);
    for (line, file) in [
        ("positions book.epd --output all.csv", "all.csv"),
        (FIT, "tuned.toml"),
        (&format!("{FIT} --report report"), "report"),
        (&format!("audit --positions {GAMES} --start default --report page.html"), "page.html"),
        (&format!("margins --positions {GAMES} --start default --output m.toml"), "m.toml"),
        ("export --parameters textbook --output kamerton", "kamerton"),
    ] {
        let claim = Claim::on(&folder.path().join(file)).expect("writable").expect("nobody's");
        let (status, _, told) = output(&mut call(folder.path(), line));
        assert_eq!(status, Some(3), "{line}: {told}");
        assert!(told.contains(&format!("another process is writing {file}: wait")), "{told}");
        drop(claim);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

/// Pages go where all writing fails.
#[cfg(target_os = "linux")]
#[test]
fn values_stay_where_a_page_cannot_be_written() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| folder.path().join(name);
    write_book(&at("book.epd"), 4000);
    fs::create_dir(at("report")).expect("writable");
    for name in ["report.html", "report.json"] {
        symlink("/dev/full", at("report").join(name)).expect("writable");
    }
    let margins = format!(
        "margins --positions {GAMES} --start default --only futility --count 40 --nodes 30 \
         --judge-nodes 60 --rounds 1 --replicates 0 --output margins.toml --report /dev/full"
    );
    let audit = format!(
        "audit --positions {GAMES} --start default --count 20 --nodes 300 --output audit.toml \
         --csv cuts.csv --report /dev/full"
    );
    for (line, values) in [
        (format!("{FIT} --report report"), "tuned.toml"),
        (margins, "margins.toml"),
        (audit, "audit.toml"),
    ] {
        let (status, _, told) = output(&mut call(folder.path(), &line));
        assert_eq!(status, Some(3), "{line}: {told}");
        assert!(told.contains("No space left"), "{told}");
        chess::Parameters::load(&at(values)).expect("whole");
    }
    assert!(at("cuts.csv").exists());
}

#[test]
fn a_new_loop_is_not_begun_over_files_of_somebody_else() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let run = folder.path().join("run");
    let line = "auto --sample none --no-export --generations 1 --output run";
    for name in ["champion.toml", "ledger.csv", "start.toml", "report.html", "hours.csv"] {
        fs::create_dir(&run).expect("writable");
        fs::write(run.join(name), "somebody else's").expect("writable");
        fs::write(run.join("lock"), "and this").expect("writable");
        let before = files(&run, &[]);
        let (_, told) = ended(3, &mut call(folder.path(), line));
        let expected = format!("{name} would be overwritten: choose another folder");
        assert!(told.contains(&expected), "{told}");
        assert!(files(&run, &[]) == before);
        fs::remove_dir_all(&run).expect("ours");
    }
}

#[cfg(unix)]
#[test]
fn who_reads_the_first_line_alone_is_told_of_no_fault() {
    let folder = tempfile::tempdir().expect("temporary folder");
    write_book(&folder.path().join("book.epd"), 3000);
    let mut command = call(folder.path(), "positions book.epd --keep-noisy --per-game 0");
    let child = Guarded::spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    drop(child.take_stdout());
    let (status, _, told) = child.finish();
    assert_eq!(status, Some(0), "{told}");
    assert!(!told.contains("pipe") && !told.contains("error"), "{told}");
}

/// A limit of the size of files stands in for a full disk.
#[cfg(unix)]
#[test]
fn an_export_without_room_does_not_ask_for_another_engine() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg("trap '' XFSZ; ulimit -f 100; exec \"$0\" export --parameters \"$1\" --output o");
    shell.arg(env!("CARGO_BIN_EXE_tuner")).arg(parameters("textbook.toml"));
    let (_, told) = ended(3, shell.current_dir(folder.path()));
    assert!(told.contains("cannot write o: File too large"), "{told}");
    assert!(!told.contains("no engine to copy") && !told.contains("cannot use"), "{told}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
