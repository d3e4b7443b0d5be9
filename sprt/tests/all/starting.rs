//! Engines that do not start: what they said is told, and what may help.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::child::{ended, output};
use crate::files::write_program;
use crate::helpers::{SPRT, sprt, sprt_line};

/// Standard error of a test of an engine against chance, which is not begun.
fn refused(home: &Path, words: &[&str]) -> String {
    let mut command = sprt();
    command.arg("run").arg("--candidate").args(words).args(["--baseline", "random"]);
    command.args(["--nodes", "1", "--pairs", "1", "--output"]).arg(home.join("run"));
    let (status, stdout, stderr) = output(command.current_dir(home));
    assert!(matches!(status, Some(3 | 64)), "{stdout}{stderr}");
    assert!(!home.join("run").exists());
    stderr
}

/// A program in a folder of its own, which is not the one that tests run in.
fn program(home: &Path, script: &str) -> PathBuf {
    let folder = home.join("engine");
    fs::create_dir_all(&folder).expect("writable");
    let path = folder.join("engine");
    write_program(&path, script);
    path
}

fn assert_parts(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

fn check(engine: &Path, more: &[&str]) -> String {
    let mut command = Command::new(SPRT);
    command.arg("check").arg(engine).args(["--only", "start"]).args(more);
    let (stdout, _) = ended(1, &mut command);
    stdout
}

#[test]
fn the_last_words_of_both_streams_are_told_with_the_folder_to_try() {
    let home = TempDir::new().expect("temporary folder");
    let words = "echo 'info string network nn-1.nnue is missing'; echo all is lost >&2; exit 1";
    // It ends before it is asked, after the question, and without an end of line.
    for script in [
        format!("#!/bin/sh\n{words}\n"),
        format!("#!/bin/sh\nread line\n{words}\n"),
        "#!/bin/sh\nprintf 'network nn-1.nnue is missing'; echo all is lost >&2; exit 1\n".into(),
    ] {
        let engine = program(home.path(), &script);
        let text = engine.to_str().expect("a text");
        let own = engine.parent().expect("a folder").canonicalize().expect("there");
        let folder = format!("dir={}", own.display());
        let told = refused(home.path(), &[text]);
        let parts =
            ["cannot play", "exit status 1", "nn-1.nnue is missing", "all is lost", &folder];
        assert_parts(&told, &parts);
        assert_parts(&check(&engine, &[]), &["nn-1.nnue is missing", "all is lost", &folder]);
        // Who has said where it runs is not told again.
        let told = refused(home.path(), &[text, &folder]);
        assert!(told.contains("nn-1.nnue") && !told.contains("dir="), "{told}");
    }
}

#[test]
fn the_file_of_a_fault_has_what_was_said_before_the_end() {
    let home = TempDir::new().expect("temporary folder");
    // The second process, the first of the games, ends as soon as it is started.
    let script = format!(
        "#!/bin/sh\nif [ -e '{0}' ]; then echo 'network is gone'; exit 1; fi\ntouch '{0}'\n\
         exec '{SPRT}' fake-engine\n",
        home.path().join("started").display()
    );
    let engine = program(home.path(), &script);
    let mut command = sprt();
    command.arg("run").arg("--candidate").arg(&engine).args(["--baseline", "random"]);
    command.args(["--nodes", "1", "--pairs", "1", "--output"]).arg(home.path().join("run"));
    ended(2, &mut command);
    let file = home.path().join("run/faults/pair-000001-game-1-white.txt");
    let text = fs::read_to_string(file).expect("a file of the fault");
    assert_parts(&text, &["< network is gone", "stdout: network is gone"]);
}

#[test]
fn output_that_is_held_back_is_told() {
    let home = TempDir::new().expect("temporary folder");
    // A buffer that is written at the end alone.
    let script = "#!/bin/sh\nwhile read line; do\n\
                  case $line in uci) held=uciok;; quit) echo $held; exit;; esac\ndone\n";
    let engine = program(home.path(), script);
    let text = engine.to_str().expect("a text");
    let told = refused(home.path(), &[text, "start-timeout=0.5"]);
    assert_parts(&told, &["gave no reply: to `uci` within 0.5 s", "flush its output"]);
    assert_parts(&check(&engine, &["--patience", "0.5"]), &["flush its output"]);
    let silent = program(home.path(), "#!/bin/sh\nwhile read line; do :; done\n");
    let told = refused(home.path(), &[silent.to_str().expect("a text"), "start-timeout=0.5"]);
    assert_parts(&told, &["it says nothing", "start-timeout=SECONDS"]);
}

#[test]
fn engines_for_xboard_are_known_by_what_they_say() {
    let home = TempDir::new().expect("temporary folder");
    let script = "#!/bin/sh\nwhile read line; do echo \"Error (unknown command): $line\"; done\n";
    let engine = program(home.path(), script);
    let told = refused(home.path(), &[engine.to_str().expect("a text"), "start-timeout=0.5"]);
    assert_parts(&told, &["xboard", "stdout: Error (unknown command): uci"]);
}

#[test]
fn files_that_the_system_does_not_run_say_why() {
    let home = TempDir::new().expect("temporary folder");
    for (script, parts) in [
        ("#!/bin/sh\r\necho uciok\r\n", &["CR LF"][..]),
        ("#!/usr/bin/env sh\r\necho uciok\r\n", &["CR LF"]),
        ("#!/no/such/python\n", &["interpreter /no/such/python, which is not there"]),
        ("MZ\u{1}\u{2}\n", &["made for windows"]),
        ("no-such-command\n", &["names no interpreter"]),
    ] {
        let engine = program(home.path(), script);
        assert_parts(&refused(home.path(), &[engine.to_str().expect("a text")]), parts);
        assert_parts(&check(&engine, &[]), parts);
    }
    let plain = home.path().join("plain");
    fs::write(&plain, "#!/bin/sh\n").expect("writable");
    assert_parts(&refused(home.path(), &["./plain"]), &["chmod +x"]);
}

#[test]
fn a_program_that_is_not_there_is_told_with_where_it_was_looked_for() {
    let home = TempDir::new().expect("temporary folder");
    let engine = program(home.path(), "#!/bin/sh\n");
    let here = home.path().canonicalize().expect("there");
    let absolute = |name: &str| format!("there is no file {}", here.join(name).display());
    for (words, parts) in [
        (&["./missing"][..], &[&*absolute("missing")][..]),
        (&["missing"], &["nor one of that name in PATH"]),
        (&["./engine"], &["is a folder"]),
        (&["cmd=engine/engine --uci -x"], &["cmd=engine/engine arg=--uci arg=-x"]),
        (&["cmd=./engine", "dir=engine"], &["is a folder"]),
        (&["cmd=./engine/other", "dir=engine"], &[&*absolute("engine/other")]),
    ] {
        assert_parts(&refused(home.path(), words), parts);
    }
    fs::create_dir_all(engine.parent().expect("a folder").join("bin")).expect("writable");
    write_program(&home.path().join("engine/bin/other"), "#!/bin/sh\n");
    let told = refused(home.path(), &["cmd=./bin/other", "dir=engine"]);
    assert_parts(&told, &["not from dir=: write engine/./bin/other"]);
}

#[test]
fn a_link_is_started_by_its_own_name() {
    let home = TempDir::new().expect("temporary folder");
    let script = "#!/bin/sh\necho \"info string called $0\"; exit 1\n";
    let engine = program(home.path(), script);
    std::os::unix::fs::symlink(&engine, home.path().join("link")).expect("a link");
    let link = home.path().canonicalize().expect("there").join("link");
    let told = refused(home.path(), &["./link"]);
    assert_parts(&told, &[&format!("called {}", link.display())]);
}

/// Lines that an engine with odd declarations is sent for these words, and what the user is told.
fn told_to(declared: &str, words: &[&str]) -> (Vec<String>, String) {
    let home = TempDir::new().expect("temporary folder");
    let script = format!(
        "#!/bin/sh\nwhile read line; do\ncase $line in\nuci) printf '{declared}'; echo uciok;;\n\
         isready) echo readyok;;\ngo*) echo bestmove 0000;;\nquit) exit;;\nesac\ndone\n"
    );
    let engine = program(home.path(), &script);
    let log = home.path().join("log");
    let mut command = sprt();
    command.arg("run").arg("--candidate").arg(&engine).args(words);
    command.args(["--baseline", "random", "--nodes", "1", "--pairs", "1", "--no-probe", "--log"]);
    command.arg(&log).arg("--output").arg(home.path().join("run"));
    let (_, _, stderr) = output(&mut command);
    let lines = fs::read_to_string(&log).unwrap_or_default();
    let sent = lines.lines().filter_map(|line| line.split_once(" > setoption ")).map(|it| it.1);
    let mut sent: Vec<String> = sent.map(str::to_owned).collect();
    sent.dedup();
    // The first process is the one of the trial before the games.
    let half = sent.len() / 2;
    if sent.len() > 1 && sent[..half] == sent[half..] {
        sent.truncate(half);
    }
    (sent, stderr)
}

#[test]
fn options_that_are_declared_in_any_way_are_set_in_their_own_spelling() {
    for (declared, word, sent, remark) in [
        (
            "option name Rate type spin default 0.5 min 0 max 1",
            "option.rate=0.25",
            "name Rate value 0.25",
            "\"Rate\" is a spin without a range of whole numbers",
        ),
        (
            "option name Rate type spin default 1",
            "option.Rate=7",
            "name Rate value 7",
            "\"Rate\" is a spin without a range of whole numbers",
        ),
        (
            "option name Net type file default <empty>",
            "option.net=/a b",
            "name Net value /a b",
            "\"Net\" is of the type \"file\"",
        ),
        ("option name X", "option.x=1", "name X value 1", "\"X\" has no type"),
        (
            "option\\tname\\tSize\\ttype\\tspin\\tdefault\\t1\\tmin\\t1\\tmax\\t9",
            "option.SIZE=4",
            "name Size value 4",
            "",
        ),
        (
            "option name Style type combo default Solid var Solid var Risky",
            "option.style=RISKY",
            "name Style value Risky",
            "",
        ),
        (
            "option name Use NNUE type check default false",
            "option.use nnue=ON",
            "name Use NNUE value true",
            "",
        ),
        (
            "option name OwnBook type check default true",
            "option.ownbook=1",
            "name OwnBook value true",
            "",
        ),
    ] {
        let (lines, stderr) = told_to(&format!("{declared}\\n"), &[word]);
        assert_eq!(lines, [sent], "{declared}: {stderr}");
        assert!(!stderr.contains("has no option"), "{stderr}");
        match remark {
            "" => assert!(!stderr.contains("sent as it is"), "{stderr}"),
            remark => assert!(stderr.contains(&format!("engine: option {remark}")), "{stderr}"),
        }
    }
    let (lines, stderr) =
        told_to("option name S type combo default a var a var b\\n", &["option.S=c"]);
    assert!(lines.is_empty() && stderr.contains("takes one of a, b, not `c`"), "{stderr}");
}

#[test]
fn words_of_other_runners_get_a_tip() {
    for (line, tip) in [
        ("run --engine ./a --engine ./b", "tip: say who is tested, and against whom: --candidate"),
        ("run --candidate a --baseline b --games 100", "--pairs 50 at most"),
    ] {
        let (_, stderr) = ended(64, &mut sprt_line(line));
        assert_parts(&stderr, &[tip]);
    }
    let home = TempDir::new().expect("temporary folder");
    let told = refused(home.path(), &["./a", "option.Use", "NNUE=false"]);
    assert_parts(&told, &["what has a space is quoted as a whole, \"option.Use NNUE=false\""]);
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let players = "run --candidate embedded --baseline embedded --nodes 20 --pairs 1";
    for (line, reason) in [
        (format!("{players} --resign never --resign-one-sided"), "--resign never makes none"),
        (format!("{players} --margin 50"), "--margin says something where time is limited"),
        (format!("{players} --max-time-losses 5"), "--max-time-losses says something"),
        (
            format!("{players} --draw never --resign never --audit-adjudication 10%"),
            "no rule ends games",
        ),
        (
            "run --candidate embedded margin=9 --baseline random --nodes 5".to_owned(),
            "margin=9 says something where time is limited",
        ),
        (
            "run --candidate x ponder=true --baseline random --nodes 5".to_owned(),
            "ponder=true says",
        ),
        (
            "tournament --player embedded --player random --nodes 5 --seeds 2".to_owned(),
            "in a round robin everybody plays",
        ),
        ("regress --history-pairs 5".to_owned(), "--history <FROM..TO|N>"),
        ("regress --against previous".to_owned(), "--history <FROM..TO|N>"),
        ("regress --history 3 --pairs 5".to_owned(), "cannot be used with"),
        ("regress --no-bench --speed-benches 9".to_owned(), "cannot be used with"),
        ("fake-engine --delay 5".to_owned(), "--misbehave <KIND>"),
    ] {
        let home = TempDir::new().expect("temporary folder");
        let (status, _, stderr) = output(sprt_line(&line).current_dir(home.path()));
        assert_eq!(status, Some(64), "{line}: {stderr}");
        assert!(stderr.contains(reason), "{line}: {stderr}");
        let is_empty = fs::read_dir(home.path()).expect("there").next().is_none();
        assert!(is_empty, "{line} left something");
    }
    ended(64, &mut sprt_line("check --list x"));
}
