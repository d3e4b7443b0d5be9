//! Where runs write: not over what is read, not over each other.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder with a book of four openings.
fn home() -> TempDir {
    let home = tempfile::tempdir().expect("temporary folder");
    let text: String = ["e5", "d5", "c5", "e6"].map(book_line).concat();
    fs::write(home.path().join("book.epd"), text).expect("writable");
    home
}

/// The position after 1. e4 and an answer.
fn book_line(answer: &str) -> String {
    let mut position = engine::chess::Position::start();
    for san in ["e4", answer] {
        let mv = position.parse_san(san).expect("legal");
        position.play(mv);
    }
    format!("{}\n", position.to_fen(false))
}

fn sprt(home: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sprt"));
    command.args(line.split_whitespace()).current_dir(home);
    command
}

fn call(home: &Path, line: &str) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = sprt(home, line).output().expect("it starts");
    (status.code(), String::from_utf8(stderr).expect("UTF-8"))
}

const RANDOM: &str = "--candidate random --baseline random --nodes 1 --pairs 2 --threads 1";

#[test]
fn nothing_is_written_over_what_is_read_or_kept() {
    let home = home();
    let home = home.path();
    let textbook = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/parameters/textbook.toml");
    fs::copy(textbook, home.join("own.toml")).expect("writable");
    assert_eq!(call(home, &format!("run {RANDOM} --output a")).0, Some(2));
    let programs = "-engine cmd=x name=x -engine cmd=y name=y -each nodes=1 -rounds 1";
    let book = "-openings file=book.epd format=epd";
    for (line, file) in [
        (format!("run {RANDOM} --openings book.epd --report book.epd --output b"), "book.epd"),
        (format!("run {RANDOM} --openings book.epd --log ./book.epd --output b"), "book.epd"),
        (
            "run --candidate own.toml --baseline random --nodes 1 --report own.toml".to_owned(),
            "own.toml",
        ),
        (
            "tournament --player random --player own.toml --nodes 1 --report own.toml".to_owned(),
            "own.toml",
        ),
        ("report a --output a/journal".to_owned(), "a/journal"),
        ("report a --output ./a/games.pgn".to_owned(), "a/games.pgn"),
        ("resume a --report a/openings.epd".to_owned(), "a/openings.epd"),
        ("compare a --report a/result.json".to_owned(), "a/result.json"),
        (format!("fastchess {programs} {book} -pgnout file=book.epd append=false"), "book.epd"),
        (format!("fastchess {programs} {book} -log file=book.epd"), "book.epd"),
    ] {
        let before = fs::read(home.join(file)).expect("readable");
        let (status, stderr) = call(home, &line);
        assert_eq!(status, Some(64), "{line}: {stderr}");
        assert!(stderr.contains(file) && stderr.contains("choose another file"), "{stderr}");
        assert!(fs::read(home.join(file)).expect("readable") == before, "{line}");
    }
    // The folder that such a run would have had is not left behind.
    assert_eq!(fs::read_dir(home.join("runs")).expect("a folder").count(), 0);
    // A page of its own may lie in the folder of a run.
    assert_eq!(call(home, "report a --output a/page.html").0, Some(0));
    assert!(home.join("a/page.html").exists());
}

#[test]
fn runs_that_begin_at_once_do_not_share_a_folder() {
    let home = home();
    let home = home.path();
    let start = |line: &str| {
        let mut command = sprt(home, line);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
    };
    let ends = |children: Vec<std::process::Child>| -> Vec<(Option<i32>, String)> {
        let end = |child: std::process::Child| {
            let Output { status, stderr, .. } = child.wait_with_output().expect("it ends");
            (status.code(), String::from_utf8(stderr).expect("UTF-8"))
        };
        children.into_iter().map(end).collect()
    };
    // Without a folder each has its own.
    let ended = ends((0..4).map(|_| start(&format!("run {RANDOM}"))).collect());
    for (status, stderr) in &ended {
        assert_eq!(*status, Some(2), "{stderr}");
    }
    for number in 1..=4 {
        let folder = home.join(format!("runs/random-vs-random-{number}"));
        assert!(folder.join("result.json").exists(), "{number}");
    }
    // With one, the first has it, and the others leave it alone.
    for round in 0..5 {
        let line = format!("run {RANDOM} --openings book.epd --output same-{round}");
        let children = (1..=4).map(|seed| start(&format!("{line} --seed {seed}"))).collect();
        let ended = ends(children);
        let played = ended.iter().filter(|(status, _)| *status == Some(2)).count();
        assert_eq!(played, 1, "{ended:?}");
        for (status, stderr) in ended.iter().filter(|(status, _)| *status != Some(2)) {
            let is_told = stderr.contains("another run is writing this journal")
                || stderr.contains("holds a run already")
                || stderr.contains("would be overwritten");
            assert!(*status != Some(0) && is_told, "{status:?} {stderr}");
        }
        assert_eq!(call(home, &format!("resume same-{round}")).0, Some(2));
        let left = fs::read_dir(home.join(format!("same-{round}"))).expect("a folder");
        let names = left.map(|entry| entry.expect("readable").file_name());
        let hidden: Vec<_> = names.filter(|it| it.to_string_lossy().starts_with('.')).collect();
        assert!(hidden.is_empty(), "{hidden:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_match_for_scripts_that_could_not_be_written_has_failed() {
    let home = home();
    let program = env!("CARGO_BIN_EXE_sprt");
    let engine = |name: &str| format!("-engine cmd={program} args=fake-engine name={name}");
    let line = format!("fastchess {} {} -each nodes=1 -rounds 1", engine("a"), engine("b"));
    let (status, stderr) = call(home.path(), &format!("{line} -pgnout file=/dev/full"));
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("cannot write /dev/full: No space left"), "{stderr}");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let ended = sprt(home.path(), &line).stdout(full).output().expect("it starts");
    assert_eq!(ended.status.code(), Some(3));
    assert_eq!(call(home.path(), &line).0, Some(0));
}
