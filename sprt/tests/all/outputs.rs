//! Where runs write: not over what is read, not over each other.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use system::files::Claim;
use tempfile::TempDir;

use crate::child::{Guarded, ended, output};
use crate::files::files;
use crate::helpers::sprt_line;
use crate::regress::Site;

/// A folder with a book of four openings.
fn home() -> TempDir {
    let home = tempfile::tempdir().expect("temporary folder");
    let text: String = ["e5", "d5", "c5", "e6"].map(book_line).concat();
    fs::write(home.path().join("book.epd"), text).expect("writable");
    home
}

/// The position after 1. e4 and an answer.
fn book_line(answer: &str) -> String {
    let mut position = chess::Position::start();
    for san in ["e4", answer] {
        let mv = position.parse_san(san).expect("legal");
        position.play(mv);
    }
    format!("{}\n", position.to_fen(false))
}

fn sprt(home: &Path, line: &str) -> Command {
    let mut command = sprt_line(line);
    command.current_dir(home);
    command
}

fn call(home: &Path, line: &str) -> (Option<i32>, String) {
    let (status, _, stderr) = output(&mut sprt(home, line));
    (status, stderr)
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
        ("index a --output a/result.json".to_owned(), "a/result.json"),
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
    let start =
        |line: &str| Guarded::spawn(sprt(home, line).stdout(Stdio::null()).stderr(Stdio::piped()));
    let ends = |children: Vec<Guarded>| -> Vec<(Option<i32>, String)> {
        let ended = children.into_iter().map(Guarded::finish);
        ended.map(|(status, _, stderr)| (status, stderr)).collect()
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
    use crate::helpers::SPRT;

    let home = home();
    let engine = |name: &str| format!("-engine cmd={SPRT} args=fake-engine name={name}");
    let line = format!("fastchess {} {} -each nodes=1 -rounds 1", engine("a"), engine("b"));
    let (status, stderr) = call(home.path(), &format!("{line} -pgnout file=/dev/full"));
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("cannot write /dev/full: No space left"), "{stderr}");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    let mut command = sprt(home.path(), &line);
    let ended = Guarded::spawn(command.stdout(full).stderr(Stdio::null())).wait();
    assert_eq!(ended.code(), Some(3));
    assert_eq!(call(home.path(), &line).0, Some(0));
}

#[test]
fn copies_that_a_run_keeps_are_not_written_over_other_files() {
    let home = home();
    let home = home.path();
    let textbook = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/parameters/textbook.toml");
    let text = fs::read_to_string(textbook).expect("readable");
    fs::create_dir(home.join("own")).expect("writable");
    fs::write(home.join("own/candidate.toml"), format!("{text}# my own notes\n"))
        .expect("writable");
    let run = "run --baseline random --nodes 1 --pairs 2 --threads 1";
    let changed = format!("{run} --candidate own/candidate.toml futility.margin=60");
    for (name, line) in [
        ("own/candidate.toml", format!("{changed} --output own")),
        ("other/openings.pgn", format!("{run} --candidate random --output other")),
        ("book/openings.epd", format!("{run} --candidate random --output book")),
    ] {
        let path = home.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        if !path.exists() {
            fs::write(&path, "somebody else's").expect("writable");
        }
        let before = fs::read(&path).expect("readable");
        let (status, stderr) = call(home, &line);
        assert_eq!(status, Some(3), "{line}: {stderr}");
        assert!(stderr.contains(name) && stderr.contains("choose another folder"), "{stderr}");
        assert!(fs::read(&path).expect("readable") == before, "{line}");
    }
    // The leftovers of a run that was killed before its first game are the same.
    assert_eq!(call(home, &format!("run {RANDOM} --output new")).0, Some(2));
    for name in ["journal", "games.pgn", "result.json"] {
        fs::remove_file(home.join("new").join(name)).expect("ours");
    }
    assert_eq!(call(home, &format!("run {RANDOM} --output new")).0, Some(2));
}

#[test]
fn reports_are_not_written_over_files_of_somebody_else() {
    let site = Site::of_a_change();
    let folder = site.output();
    for (name, options) in [
        ("summary.md", "--base HEAD~1"),
        ("result.json", "--base HEAD~1"),
        ("page.html", "--base HEAD~1"),
        ("history.csv", "--history 1"),
        ("history.svg", "--history 1"),
    ] {
        fs::create_dir(&folder).expect("writable");
        fs::write(folder.join(name), "{\"schema\": \"somebody else's\"}").expect("writable");
        let before = files(&folder, &[]);
        let (status, _, stderr) = output(&mut site.regress(options));
        assert_eq!(status, Some(3), "{name}: {stderr}");
        let expected = format!("{name} would be overwritten: choose another folder");
        assert!(stderr.contains(&expected), "{stderr}");
        assert!(files(&folder, &[]) == before, "{name}");
        fs::remove_dir_all(&folder).expect("ours");
    }
    let ablate = "ablate --parameters textbook --only futility --pairs 2 --nodes 5 --output own";
    for name in ["table.csv", "table.md", "counts.csv"] {
        let own = site.home.path().join("own");
        fs::create_dir(&own).expect("writable");
        fs::write(own.join(name), "somebody else's").expect("writable");
        let (status, stderr) = call(site.home.path(), ablate);
        assert_eq!(status, Some(3), "{name}: {stderr}");
        assert!(stderr.contains(&format!("{name} would be overwritten")), "{stderr}");
        assert_eq!(fs::read_dir(&own).expect("a folder").count(), 1);
        fs::remove_dir_all(&own).expect("ours");
    }
}

#[test]
fn a_page_or_folder_that_another_process_writes_is_refused_at_the_start() {
    let home = home();
    let home = home.path();
    let claim = Claim::on(&home.join("page.html")).expect("writable").expect("nobody's");
    let (status, stderr) = call(home, &format!("run {RANDOM} --output run --report page.html"));
    assert_eq!(status, Some(3), "{stderr}");
    assert!(stderr.contains("another process is writing page.html"), "{stderr}");
    assert!(!home.join("run").exists());
    drop(claim);
    let site = Site::of_a_change();
    fs::create_dir(site.output()).expect("writable");
    let claim = Claim::on(&site.output().join("result.json")).expect("writable").expect("nobody's");
    let (_, stderr) = ended(3, &mut site.regress("--base HEAD~1"));
    assert!(stderr.contains("another process is writing"), "{stderr}");
    drop(claim);
    assert_eq!(fs::read_dir(site.output()).expect("a folder").count(), 0);
}

#[test]
fn colors_are_for_terminals_and_those_who_ask() {
    let home = home();
    let line = "run --candidate embedded --baseline random --nodes 20 --hash 1 --pairs 3";
    let said = |variables: &[(&str, &str)]| {
        let mut command = sprt(home.path(), line);
        command.env_remove("CLICOLOR").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        let (_, stdout, _) = output(command.envs(variables.iter().copied()));
        stdout
    };
    let verdict = |text: &str| text.lines().find(|it| it.starts_with("Verdict")).map(str::to_owned);
    let plain = verdict(&said(&[]));
    assert!(plain.as_deref().is_some_and(|it| !it.contains('\x1b')), "{plain:?}");
    // Colors are asked for as if there were a terminal.
    let colored = verdict(&said(&[("CLICOLOR_FORCE", "1")]));
    assert!(colored.as_deref().is_some_and(|it| it.contains("\x1b[")), "{colored:?}");
    for refusal in [("NO_COLOR", "1"), ("CLICOLOR", "0")] {
        assert_eq!(verdict(&said(&[refusal])), plain);
    }
    assert_eq!(verdict(&said(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")])), plain);
    // So are errors and warnings.
    let mut command = sprt(home.path(), "report nowhere");
    let (_, _, stderr) = output(command.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR"));
    assert!(stderr.starts_with("\x1b[") && stderr.contains("error:"), "{stderr:?}");
    let (_, _, stderr) = output(&mut sprt(home.path(), "report nowhere"));
    assert!(stderr.starts_with("error: "), "{stderr:?}");
}
