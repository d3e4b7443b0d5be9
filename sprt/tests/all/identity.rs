//! A run goes on with the engines that it was begun with, or says so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::child::{ended, output};
use crate::helpers::{SPRT, read, resume, sprt};

/// A finished run of six pairs, cut back to two.
fn begun(command: &mut Command, folder: &Path) {
    command.args(["--nodes", "60", "--max-plies", "30", "--pairs", "6", "--no-early-stop"]);
    command.args(["--threads", "1", "--output"]).arg(folder);
    let (status, _, stderr) = output(command);
    assert!(matches!(status, Some(0..=2)), "{stderr}");
    cut(folder);
}

fn cut(folder: &Path) {
    let journal = read(folder, "journal");
    let kept: Vec<&str> = journal.split_inclusive('\n').take(3).collect();
    fs::write(folder.join("journal"), kept.concat()).expect("writable");
    fs::remove_file(folder.join("result.json")).expect("there");
}

/// Replaces a part of a journal's header, with the checksum that it then has.
fn change_header(folder: &Path, change: impl Fn(&str) -> String) {
    let journal = read(folder, "journal");
    let (header, pairs) = journal.split_once('\n').expect("a header");
    let (_, json) = header.split_once(' ').expect("behind its checksum");
    let json = change(json);
    let sum = crc32fast::hash(json.as_bytes());
    fs::write(folder.join("journal"), format!("{sum:08x} {json}\n{pairs}")).expect("writable");
}

/// The part between two texts.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(begin).expect("it begins");
    rest.split_once(end).expect("it ends").0
}

/// The run is refused with these words, changes nothing, and goes on where that is allowed.
fn refused_unless_allowed(folder: &Path, parts: &[&str]) {
    let before = read(folder, "journal");
    let (_, stderr) = ended(3, &mut resume(folder));
    let advice = format!("resume {} --allow-changed-engine", folder.display());
    for part in parts.iter().chain(&["another engine than this was begun with", &*advice]) {
        assert!(stderr.contains(part), "{part:?} is not in {stderr}");
    }
    assert_eq!(read(folder, "journal"), before);
    let (status, _, stderr) = output(resume(folder).arg("--allow-changed-engine"));
    assert!(matches!(status, Some(0..=2)), "{stderr}");
    assert!(stderr.contains("another engine than this was begun with"), "{stderr}");
    assert_eq!(read(folder, "journal").lines().count(), 7);
    // One that is over needs nobody.
    assert!(matches!(output(&mut resume(folder)).0, Some(0..=2)));
}

#[test]
fn another_build_of_the_engine_in_this_program_is_refused() {
    let home = TempDir::new().expect("temporary folder");
    let folder = home.path().join("run");
    let mut command = sprt();
    command.args([
        "run",
        "--candidate",
        "embedded",
        "futility.margin=80",
        "--baseline",
        "embedded",
    ]);
    begun(&mut command, &folder);
    let header = read(&folder, "journal");
    let signature = between(&header, "\"signature\":\"", "\"").to_owned();
    assert_eq!(signature.len(), 12, "{header}");
    // The same build goes on without a word.
    let (status, _, stderr) = output(&mut resume(&folder));
    assert!(matches!(status, Some(0..=2)) && !stderr.contains("engine"), "{stderr}");
    cut(&folder);
    change_header(&folder, |json| json.replacen(&signature, "0123456789ab", 1));
    let told = format!("plays otherwise ({signature}, not 0123456789ab)");
    refused_unless_allowed(&folder, &["embedded (candidate): ", &told]);
}

#[test]
fn a_run_that_does_not_say_which_engine_it_was_goes_on_with_a_warning() {
    let home = TempDir::new().expect("temporary folder");
    let folder = home.path().join("run");
    let mut command = sprt();
    begun(command.args(["run", "--candidate", "embedded", "--baseline", "random"]), &folder);
    change_header(&folder, |json| {
        let engine = between(json, ",\"engine\":{", "}").to_owned();
        json.replace(&format!(",\"engine\":{{{engine}}}"), "")
    });
    let (status, _, stderr) = output(&mut resume(&folder));
    assert!(matches!(status, Some(0..=2)), "{stderr}");
    assert!(stderr.contains("embedded: an earlier version of this program began this"), "{stderr}");
    assert!(!stderr.contains("random: "), "{stderr}");
}

/// A script that is the fake engine with another name, which it reads from a file beside it.
#[cfg(unix)]
fn engine(home: &Path) -> PathBuf {
    let path = home.join("engine");
    let name = home.join("name");
    fs::write(&name, "One").expect("writable");
    let script = format!(
        "#!/bin/sh\n'{SPRT}' fake-engine | sed -u \"s/Fake engine/$(cat '{}')/\"\n",
        name.display()
    );
    crate::files::write_program(&path, script);
    path
}

#[cfg(unix)]
#[test]
fn another_program_is_refused_by_its_file_and_by_what_it_says() {
    let home = TempDir::new().expect("temporary folder");
    let program = engine(home.path());
    let begin = |name: &str| {
        let folder = home.path().join(name);
        let mut command = sprt();
        command.arg("run").arg("--candidate").arg(&program).args(["--baseline", "random"]);
        begun(&mut command, &folder);
        folder
    };
    let (named, filed, same) = (begin("named"), begin("filed"), begin("same"));
    assert!(matches!(output(&mut resume(&same)).0, Some(0..=2)));
    fs::write(home.path().join("name"), "Two").expect("writable");
    refused_unless_allowed(&named, &["engine: ", "its name (\"Two\", not \"One\")"]);
    fs::write(home.path().join("name"), "One").expect("writable");
    let script = fs::read_to_string(&program).expect("readable");
    crate::files::write_program(&program, script + "# another build\n");
    refused_unless_allowed(&filed, &["engine: ", "the program's file ("]);
}

/// A script that is the fake engine. The handling of each line before it is passed on decides
/// whether it writes a file that it is told of.
#[cfg(unix)]
fn engine_that(home: &Path, what: &str) -> PathBuf {
    let path = home.join("engine");
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do {what}; echo \"$line\"; done | exec '{SPRT}' fake-engine\n"
    );
    crate::files::write_program(&path, script);
    path
}

/// A begun run of an engine that is told of a file by an argument and of another by an option.
#[cfg(unix)]
fn begun_with_files(home: &Path, what: &str) -> PathBuf {
    let (program, folder) = (engine_that(home, what), home.join("run"));
    for name in ["net", "numbers"] {
        fs::write(home.join(name), "one").expect("writable");
    }
    let mut command = sprt();
    command.current_dir(home).arg("run").arg("--candidate").arg(&program);
    command.args(["arg=--net=net", "option.ParametersFile=numbers"]);
    command.arg(format!("dir={}", home.display()));
    command.args(["--allow-unknown-options", "--baseline", "random"]);
    begun(&mut command, &folder);
    folder
}

#[cfg(unix)]
#[test]
fn a_file_that_an_engine_reads_is_part_of_it() {
    for name in ["net", "numbers"] {
        let home = TempDir::new().expect("temporary folder");
        let folder = begun_with_files(home.path(), ":");
        fs::write(home.path().join(name), "two").expect("writable");
        refused_unless_allowed(&folder, &["engine: ", &format!("what it reads, {name} (")]);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_an_engine_writes_is_named_and_not_compared() {
    // From its start on, and only in games.
    let in_games = "case \"$line\" in position*moves*) echo x >> numbers;; esac";
    for (what, begins) in [("echo x >> numbers", true), (in_games, false)] {
        let home = TempDir::new().expect("temporary folder");
        let folder = begun_with_files(home.path(), what);
        let journal = read(&folder, "journal");
        let noted: Vec<bool> =
            journal.lines().map(|line| line.contains("\"written\":[\"numbers\"]")).collect();
        assert_eq!(noted, [begins, !begins, false], "{journal}");
        fs::write(home.path().join("numbers"), "other").expect("writable");
        let (status, _, stderr) = output(&mut resume(&folder));
        assert!(matches!(status, Some(0..=2)), "{stderr}");
        cut(&folder);
        fs::write(home.path().join("net"), "two").expect("writable");
        refused_unless_allowed(&folder, &["what it reads, net ("]);
    }
}
