//! Files of faults: one each, with the last lines, named where the fault is told.

use std::fs;
use std::path::Path;

use crate::child::{ended, output};
use crate::helpers::{SPRT, fake, read, sprt, sprt_line};

/// `sprt run` of an engine that misbehaves this way against the random mover.
fn run(folder: &Path, kind: &str, words: &str, options: &str) -> (Option<i32>, String, String) {
    let arguments = format!("--misbehave {kind} --after-moves 3 --delay 900");
    let mut command = sprt();
    command.arg("run").arg("--candidate").args(fake(&arguments, "name=culprit"));
    command.args(words.split_whitespace());
    command.args(["--baseline", "random", "nodes=1", "--no-early-stop", "--output"]).arg(folder);
    output(command.args(options.split_whitespace()))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("faults")).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn each_fault_has_a_file_that_shows_why() {
    let home = tempfile::tempdir().expect("temporary folder");
    let page = home.path().join("page.html");
    let log = home.path().join("lines.txt");
    let folder = home.path().join("run");
    let options = format!(
        "--nodes 1 --pairs 2 --max-faults 4,100% --threads 2 --report {} --log {}",
        page.display(),
        log.display()
    );
    let (status, stdout, stderr) = run(&folder, "abort", "", &options);
    assert!(matches!(status, Some(0..=2)), "{stderr}");
    // The set of files does not depend on threads.
    let expected: Vec<String> = (1..=2)
        .flat_map(|pair| {
            [(1, "white"), (2, "black")]
                .map(|(game, color)| format!("pair-{pair:06}-game-{game}-{color}.txt"))
        })
        .collect();
    assert_eq!(names(&folder), expected);
    let file = format!("faults/{}", expected[0]);
    let text = read(&folder, &file);
    for part in [
        concat!("Fault       crashed: ", aborted!()),
        "Player      culprit",
        "Played in   pair 1, game 1",
        "Position    ",
        "Game        position fen ",
        "Limits      1 nodes",
        "Clocks      White none, Black none",
        " > uci\n",
        " < uciok\n",
        " > go nodes 1\n",
        "first line of the last words\nall is lost\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    // The game as it was sent leads to the position.
    let of = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.expect("a line").trim().to_owned()
    };
    let game = of("Game");
    let (start, moves) = game.split_once(" moves ").expect("some were played");
    let start = start.strip_prefix("position fen ").expect("a FEN");
    let mut position = chess::Position::from_fen(start).expect("legal");
    for text in moves.split(' ') {
        let mv = position.parse_uci(text).expect("legal");
        position.play(mv);
    }
    assert_eq!(position.to_fen(false), of("Position"));
    // It is named where the fault is told, as it happens and at the end, and linked from the page.
    let told = concat!("fault: culprit, pair 1, game 1: crashed: ", aborted!());
    assert!(stderr.contains(told), "{stderr}");
    assert!(stderr.contains(&format!("[{file}]")), "{stderr}");
    assert!(stdout.contains(&format!("[{file}]")), "{stdout}");
    let page = fs::read_to_string(page).expect("a page");
    assert!(page.contains(&format!("href=\"run/{file}\"")), "{page}");
    // All lines of all engines.
    let log = fs::read_to_string(log).expect("a log");
    for part in
        [" culprit#1 > uci\n", " culprit#1 < readyok\n", " ! all is lost\n", "culprit#3 > go"]
    {
        assert!(log.contains(part), "{part:?} is not in\n{log}");
    }
    // Made again from the journal, the page links them still.
    let again = folder.join("again.html");
    assert_eq!(output(sprt_line("report").arg(&folder).arg("--output").arg(&again)).0, Some(0));
    let again = fs::read_to_string(again).expect("a page");
    assert!(again.contains(&format!("href=\"{file}\"")), "{again}");
}

#[test]
fn faults_of_all_kinds_leave_their_last_lines() {
    let home = tempfile::tempdir().expect("temporary folder");
    for (kind, words, parts) in [
        ("hang", "move-timeout=0.4", &["Fault       gave no reply", " > go nodes 1\n"][..]),
        ("illegal-move", "", &["Fault       illegal move: e3e3", " < bestmove e3e3\n"]),
        ("garbage-move", "", &["unreadable move", " < bestmove castles, I think\n"]),
        ("no-line-end", "move-timeout=0.4", &[" < bestmove ", " [no end of line]\n"]),
        ("flood-info", "", &["flooded", "lines before these are not kept", " > go nodes 1\n"]),
        (
            "late",
            "tc=0.3",
            &["lost on time", "Clocks      White 0.", " > go wtime ", " < bestmove "],
        ),
    ] {
        let folder = home.path().join(kind);
        let (status, _, stderr) =
            run(&folder, kind, words, "--nodes 1 --pairs 1 --max-faults 9,100% --threads 1");
        assert!(matches!(status, Some(0..=2)), "{kind}: {stderr}");
        let text = fs::read_to_string(folder.join("faults/pair-000001-game-1-white.txt"));
        let text = text.unwrap_or_else(|error| panic!("{kind}: {error}: {stderr}"));
        for part in parts {
            assert!(text.contains(part), "{kind}: {part:?} is not in\n{text}");
        }
        assert!(text.len() < 400_000, "{kind}: {} bytes", text.len());
    }
}

#[test]
fn a_run_without_faults_has_no_such_folder() {
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("run");
    let (status, _, stderr) = run(&folder, "spaces", "", "--nodes 1 --pairs 1");
    assert!(matches!(status, Some(0..=2)), "{stderr}");
    assert!(!folder.join("faults").exists());
}

#[test]
fn the_other_command_line_logs_lines_too() {
    let home = tempfile::tempdir().expect("temporary folder");
    let log = home.path().join("log.txt");
    fs::write(&log, "old\n").expect("writable");
    let (program, file) = (format!("cmd={SPRT}"), format!("file={}", log.display()));
    let mut command = sprt_line("fastchess");
    for name in ["name=one", "name=other"] {
        command.args(["-engine", &program, name, "args=fake-engine", "nodes=1"]);
    }
    command.args(["-rounds", "1", "-srand", "1", "-log", &file, "engine=true", "level=info"]);
    ended(0, &mut command);
    let log = fs::read_to_string(log).expect("a log");
    for part in [" one#1 > uci\n", " other#2 < uciok\n", "Started game 1 of 2", "Finished game 2"] {
        assert!(log.contains(part), "{part:?} is not in\n{log}");
    }
    assert!(!log.contains("old"), "{log}");
}
