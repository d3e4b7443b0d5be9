//! `tuner spsa` as users meet it: killed, resumed, extended, damaged, and with engines over pipes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rand::RngExt;
use random::stream;

use crate::child::{ended, kill_in_the_middle, output};
use crate::command_line::tuner;
use crate::files::{LEFTOVERS, assert_same, files, with_version};

/// A small run of two margins in the folder `run` below this one.
fn spsa(folder: &Path, extra: &[&str]) -> Command {
    let mut command = tuner();
    command.current_dir(folder).args(["spsa", "--start", "textbook", "--nodes", "60"]);
    command.args(["--only", "futility.margin,razoring", "--rate", "0.05", "--seed", "5"]);
    command.args(["--output", "run"]).args(test_pairs(extra)).args(extra);
    command
}

/// Short tests, where there is one.
fn test_pairs(extra: &[&str]) -> &'static [&'static str] {
    if extra.contains(&"--no-test") { &[] } else { &["--test-pairs", "8"] }
}

fn resume(folder: &Path, extra: &[&str]) -> Command {
    let mut command = tuner();
    command.current_dir(folder).args(["spsa", "--resume", "--output", "run"]);
    command.args(test_pairs(extra)).args(extra);
    command
}

fn succeed(command: &mut Command) -> String {
    let (stdout, _) = ended(0, command);
    stdout
}

/// Bytes of the journals of the run and of its test.
fn written(folder: &Path) -> u64 {
    let journals = ["run/journal", "run/test-24/journal"];
    let length = |name: &str| fs::metadata(folder.join(name)).map_or(0, |file| file.len());
    journals.iter().map(|name| length(name)).sum()
}

#[test]
fn a_killed_run_ends_as_an_uninterrupted_one_with_any_threads() {
    let folders = [1, 2].map(|_| tempfile::tempdir().expect("temporary folder"));
    let [whole, killed] = folders.each_ref().map(tempfile::TempDir::path);
    let options = ["--pairs", "24", "--batch", "2", "--window", "3"];
    let stdout = succeed(spsa(whole, &options).args(["--threads", "1"]));
    assert!(stdout.contains("futility.margin") && stdout.contains("\nTest: "), "{stdout}");
    let most = written(whole) / 4;
    let mut random = stream(3, 0);
    // Threads are no matter, from the first line of each file on.
    let next = |kills: u32| {
        let mut command = if kills == 0 { spsa(killed, &options) } else { resume(killed, &[]) };
        command.args(["--threads", &(2 + kills % 2).to_string()]);
        command
    };
    let step = || random.random_range(1..=most);
    assert_eq!(kill_in_the_middle(next, || written(killed), step), Some(0));
    assert_same(whole, killed, LEFTOVERS);
    // A run that is over is told again, and stays as it is.
    assert_eq!(succeed(&mut resume(killed, &[])), stdout);
    assert_same(whole, killed, LEFTOVERS);
    // Its games are positions to learn from like those of any other run.
    let mut import = tuner();
    import.arg("import").arg(whole.join("run")).arg("--output").arg(whole.join("games.kgames"));
    let table = succeed(&mut import);
    let recorded = table.lines().find(|line| line.starts_with("  recorded")).expect("a row");
    assert!(recorded.ends_with(" 48"), "{table}");
    assert!(!table.contains("with a score                                       0"), "{table}");
}

/// The test of what came out is as long as the tuning unless another is asked for, and only an accepted
/// candidate is called a gain.
#[test]
fn a_test_is_as_long_as_its_tuning() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut command = tuner();
    command.current_dir(folder.path()).args(["spsa", "--start", "textbook", "--nodes", "60"]);
    command.args(["--only", "futility.margin,razoring", "--rate", "0.05", "--seed", "5"]);
    let stdout = succeed(command.args(["--pairs", "9", "--output", "run"]));
    assert!(stdout.contains("\nTest: no gain shown: undecided after 18 games: "), "{stdout}");
    let page = fs::read_to_string(folder.path().join("run/report.html")).expect("the page");
    assert!(page.contains(">no gain shown</p>") && page.contains("id=\"paths\""), "{page}");
}

#[test]
fn an_extension_leaves_what_was_planned_as_it_is() {
    let folders = [1, 2].map(|_| tempfile::tempdir().expect("temporary folder"));
    let [planned, extended] = folders.each_ref().map(tempfile::TempDir::path);
    for folder in [planned, extended] {
        succeed(&mut spsa(folder, &["--pairs", "20", "--no-test"]));
    }
    assert_same(planned, extended, &[]);
    succeed(&mut resume(extended, &["--pairs", "30", "--no-test"]));
    let lines = |folder: &Path, name: &str| {
        let text = fs::read_to_string(folder.join("run").join(name)).expect("readable");
        text.lines().map(str::to_string).collect::<Vec<_>>()
    };
    for (name, planned_lines) in [("path.csv", 22), ("journal", 21)] {
        let (before, after) = (lines(planned, name), lines(extended, name));
        assert_eq!((before.len(), after.len()), (planned_lines, planned_lines + 10), "{name}");
        assert_eq!(before, after[..planned_lines], "{name}");
    }
    // One that is killed on the way goes on to where it was to end.
    let whole = files(extended, &[]);
    let journal = lines(extended, "journal");
    let cut = journal[..26].join("\n") + "\n";
    fs::write(extended.join("run/journal"), cut).expect("ours");
    succeed(&mut resume(extended, &["--no-test"]));
    assert_eq!(whole, files(extended, &[]));
    // Fewer than there are: that is said, and nothing is lost.
    let before = files(extended, &[]);
    let (_, stderr) = ended(64, &mut resume(extended, &["--pairs", "10", "--no-test"]));
    assert!(stderr.contains("--pairs 10: 30 pairs were played already"), "{stderr}");
    assert_eq!(before, files(extended, &[]));
}

/// Without a rate the plan decides it, and an extension that names all of the beginning's words again
/// is still the same run.
#[test]
fn rates_and_steps_suit_the_plan() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let run = |extra: &[&str]| {
        let mut command = tuner();
        command.current_dir(folder.path()).args(["spsa", "--start", "textbook", "--nodes", "40"]);
        command.args(["--only", "razoring", "--no-test", "--output", "run"]).args(extra);
        output(&mut command)
    };
    assert_eq!(run(&["--pairs", "6"]).0, Some(0));
    let settings = fs::read_to_string(folder.path().join("run/settings.json")).expect("readable");
    assert!(settings.contains("\"rate\": 0.012\n"), "{settings}");
    assert!(settings.contains("\"step\": 50.0,\n"), "two declared steps of 25: {settings}");
    let (status, _, stderr) = run(&["--pairs", "9", "--resume"]);
    assert_eq!(status, Some(0), "{stderr}");
    let (status, _, stderr) = run(&["--pairs", "9", "--rate", "0.01", "--resume"]);
    assert!(status == Some(64) && stderr.contains("--rate: 0.01, but"), "{stderr}");
}

#[test]
fn a_run_that_is_damaged_is_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    succeed(&mut spsa(folder, &["--pairs", "6", "--no-test"]));
    let good = files(folder, &[]);
    let settings = "run/settings.json";
    let cut = |name: &str| good[name].len() / 2;
    type Damage<'a> = &'a dyn Fn(&mut Vec<u8>);
    let replace = |from: &'static str, to: &'static str| {
        move |bytes: &mut Vec<u8>| {
            let text = String::from_utf8(bytes.clone()).expect("text");
            assert!(text.contains(from), "{from}");
            *bytes = text.replacen(from, to, 1).into_bytes();
        }
    };
    let line_cut = |bytes: &mut Vec<u8>| {
        let text = String::from_utf8(bytes.clone()).expect("text");
        let lines = text.split_inclusive('\n').enumerate().filter(|(number, _)| *number != 2);
        *bytes = lines.map(|(_, line)| line).collect::<String>().into_bytes();
    };
    let cases: [(&str, Damage<'_>, &str); 12] = [
        (settings, &|bytes| bytes.truncate(cut(settings)), "holds no settings of a run"),
        (settings, &replace("\"seed\": 5", "\"seed\": 6"), "begun with other settings"),
        (settings, &replace("\"futility.margin\"", "\"futility.mar\""), "has no such number"),
        (settings, &replace("\"step\": 20.0", "\"step\": -1.0"), "its step -1 is not above 0"),
        ("run/start.toml", &|bytes| bytes.truncate(5000), "start.toml:"),
        ("run/start.toml", &replace("depth_max = 9", "depth_max = 8"), "is not what the run was"),
        ("run/openings.epd", &line_cut, "was changed after the run had begun"),
        (
            "run/journal",
            &replace("\"pair\":3", "\"pair\":4"),
            "journal:5: damaged journal: the checksum",
        ),
        ("run/journal", &|bytes| *bytes = with_version(bytes, 1, 2), "another version of this"),
        ("run/journal", &line_cut, "damaged journal: pair 2 is out of order"),
        ("run/journal", &|bytes| bytes.drain(..9).for_each(drop), "journal:1: damaged journal"),
        ("run/journal", &|bytes| bytes.clear(), "damaged journal: there is no header"),
    ];
    for (name, damage, message) in cases {
        let mut bytes = good[name].clone();
        damage(&mut bytes);
        fs::write(folder.join(name), &bytes).expect("writable");
        let (status, _, stderr) = output(&mut resume(folder, &["--pairs", "8", "--no-test"]));
        assert!(status == Some(3) || status == Some(64), "{stderr}");
        assert!(stderr.contains(message), "{message}: {stderr}");
        assert_eq!(fs::read(folder.join(name)).expect("readable"), bytes, "{name} was changed");
        fs::write(folder.join(name), &good[name]).expect("writable");
    }
    // A torn last line is what a kill leaves: its pair is played again.
    let journal = &good["run/journal"];
    fs::write(folder.join("run/journal"), &journal[..journal.len() - 40]).expect("writable");
    succeed(&mut resume(folder, &["--no-test"]));
    assert_eq!(files(folder, &[]), good);
}

/// An engine that does not know `go nodes` would play games of hours.
#[cfg(unix)]
#[test]
fn an_engine_must_keep_the_limit() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    let options = ["option name A type spin default 1 min 0 max 2"];
    scripted_engine(folder, &options, "info depth 9 nodes 900000\nbestmove a2a3");
    let lines = "A, int, 1, 0, 2, 1, 0.1";
    let (_, stderr) = ended(3, foreign(folder, lines).args(["--pairs", "3"]));
    let message = "engine.sh does not keep its limit: `go nodes 9` was answered after 900000 nodes";
    assert!(stderr.contains(message), "{stderr}");
    assert!(!folder.join("run").exists());
}

#[test]
fn wrong_use_is_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    let refused = |command: &mut Command, message: &str| {
        let (status, _, stderr) = output(command);
        assert_eq!(status, Some(64), "{message}: {stderr}");
        assert!(stderr.contains(message), "{message}: {stderr}");
        assert!(!folder.join("run/journal").exists());
    };
    let bare = |arguments: &[&str]| {
        let mut command = tuner();
        command.current_dir(folder).args(["spsa", "--output", "run"]).args(arguments);
        command
    };
    refused(&mut resume(folder, &[]), "--resume: run holds no run");
    refused(&mut spsa(folder, &[]), "say how long to tune: --pairs N");
    refused(&mut bare(&["--start", "textbook", "--pairs", "3"]), "say how long a move may take");
    refused(&mut bare(&["--nodes", "9", "--pairs", "3"]), "say who is tuned: --start FILE");
    refused(&mut bare(&["--engine", "x"]), "--parameters <FILE>");
    fs::write(folder.join("options.txt"), "A, int, 1, 0, 2, 1, 0.1").expect("writable");
    let random = ["--engine", "random", "--parameters", "options.txt", "--nodes", "9"];
    refused(bare(&random).args(["--pairs", "3"]), "--engine names a program");
    refused(
        &mut bare(&["--start", "textbook", "--nodes", "9", "--pairs", "3", "--only", "futile"]),
        "no number that can be tuned is called \"futile\"",
    );
    refused(&mut spsa(folder, &["--pairs", "3", "--alpha", "-1"]), "must be from 0 to 2");
    refused(&mut spsa(folder, &["--tc", "1+0.1"]), "cannot be used with");
    succeed(&mut spsa(folder, &["--pairs", "3", "--no-test"]));
    let other = |options: &[&str]| resume(folder, options);
    for (mut command, message) in [
        (spsa(folder, &["--pairs", "3"]), "holds a run already: go on with it by --resume"),
        (other(&["--seed", "6"]), "--seed: 6, but the run was begun with 5"),
        (other(&["--rate", "0.1"]), "--rate: 0.1, but the run was begun with 0.05"),
        (other(&["--batch", "2"]), "--batch: 2, but the run was begun with 1"),
        (other(&["--start", "default"]), "--start: "),
        (spsa(folder, &["--resume", "--freeze", "razoring.base"]), "numbers to tune: "),
        (other(&["--only", "razoring"]), "goes on with the numbers that it was begun with"),
    ] {
        let (_, stderr) = ended(64, &mut command);
        assert!(stderr.contains(message), "{message}: {stderr}");
    }
    // The whole command line again is no contradiction.
    succeed(&mut spsa(folder, &["--pairs", "3", "--no-test", "--resume"]));
}

/// Writes an engine that is a script, which Unix alone starts: it declares these options and answers
/// every `go` so.
#[cfg(unix)]
pub fn scripted_engine(folder: &Path, options: &[&str], answer: &str) -> PathBuf {
    let declared: String = options.iter().map(|line| format!("echo '{line}'; ")).collect();
    let script = format!(
        "#!/bin/sh\nwhile read -r word rest; do case $word in uci) {declared}echo uciok;; \
         isready) echo readyok;; go) echo '{answer}';; quit) exit;; esac; done\n"
    );
    let path = folder.join("engine.sh");
    crate::files::write_program(&path, script);
    path
}

#[cfg(unix)]
fn foreign(folder: &Path, lines: &str) -> Command {
    fs::write(folder.join("options.txt"), lines).expect("writable");
    let mut command = tuner();
    command.current_dir(folder).args(["spsa", "--engine", "./engine.sh", "--parameters"]);
    command.args(["options.txt", "--nodes", "9", "--output", "run"]);
    command
}

#[cfg(unix)]
#[test]
fn engines_that_cannot_be_tuned_are_named_before_the_first_game() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    let options = ["option name Margin type spin default 50 min 0 max 100"];
    scripted_engine(folder, &options, "bestmove 0000");
    for (lines, message) in [
        (
            "Margins, int, 50, 0, 100, 5, 0.002",
            "has no option \"Margins\", did you mean \"Margin\"",
        ),
        ("Margin, int, 50, 0, 120, 5, 0.002", "120"),
        ("Margin, float, 50, 0.5, 100, 5, 0.002", "0.5"),
        ("Margin, float, 50, 0, 100, 5, 0.002", "an integer from 0 to 100, not `38.1966"),
        ("Margin, int, 50, 0, 100, 5", "options.txt:1: 6 fields where seven are expected"),
        ("Margin, int, 150, 0, 100, 5, 0.002", "options.txt:1: Margin: its value 150"),
        ("{\"Margin\": {\"value\": 50}}", "options.txt:1: missing field `min_value`"),
    ] {
        let (_, stderr) = ended(3, foreign(folder, lines).args(["--pairs", "40"]));
        assert!(stderr.contains(message), "{message}: {stderr}");
        assert!(!folder.join("run").exists(), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn an_engine_that_cheats_loses_until_the_run_fails() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    let options = ["option name Margin type spin default 50 min 0 max 100"];
    scripted_engine(folder, &options, "bestmove e1e9");
    let lines = "Margin, int, 50, 0, 100, 5, 0.002";
    let (_, stderr) = ended(3, foreign(folder, lines).args(["--pairs", "40"]));
    assert!(stderr.contains("26 faults, more than the 25 allowed"), "{stderr}");
    let page = fs::read_to_string(folder.join("run/report.html")).expect("the page");
    assert!(page.contains("more than the 25 allowed"));
}

/// The games in the journal are judged as they were when they were played.
#[cfg(unix)]
#[test]
fn a_run_of_forfeits_stays_failed() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    let options = ["option name Margin type spin default 50 min 0 max 100"];
    scripted_engine(folder, &options, "bestmove e1e9");
    let lines = "Margin, int, 50, 0, 100, 5, 0.002";
    let message = "8 of 8 games were forfeited: too many for a verdict; the last: ";
    let (_, stderr) = ended(3, foreign(folder, lines).args(["--pairs", "4"]));
    assert!(stderr.contains(message) && stderr.contains("e1e9"), "{stderr}");
    let (_, stderr) = ended(3, &mut resume(folder, &["--no-test"]));
    assert!(stderr.contains(message), "{stderr}");
    assert!(!folder.join("run/tuned.txt").exists());
}

/// A program that was rebuilt is another: its games do not go with those of the one before.
#[cfg(unix)]
#[test]
fn another_program_goes_on_only_where_that_is_allowed() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    let options = ["option name Margin type spin default 50 min 0 max 100"];
    scripted_engine(folder, &options, "bestmove e1e9");
    let lines = "Margin, int, 50, 0, 100, 5, 0.002";
    ended(3, foreign(folder, lines).args(["--pairs", "4"]));
    let before = files(&folder.join("run"), &[]);
    scripted_engine(folder, &[options[0], "option name Other type button"], "bestmove e1e8");
    let (_, stderr) = ended(3, &mut resume(folder, &["--no-test"]));
    assert!(stderr.contains("engine.sh: another engine than this was begun with"), "{stderr}");
    for part in ["the program's file (", "its option Other (", "--allow-changed-engine"] {
        assert!(stderr.contains(part), "{stderr}");
    }
    assert!(files(&folder.join("run"), &[]) == before);
    let allowed = ["--no-test", "--allow-changed-engine"];
    let (_, _, stderr) = output(&mut resume(folder, &allowed));
    assert!(stderr.contains("warning: engine.sh: another engine"), "{stderr}");
    assert!(stderr.contains("games were forfeited"), "it goes on: {stderr}");
    // The flag says nothing of a run that begins.
    ended(64, &mut spsa(folder, &["--pairs", "6", allowed[1]]));
}

/// The engine in this program, rebuilt, is another, too.
#[test]
fn another_build_goes_on_only_where_that_is_allowed() {
    use sha2::{Digest, Sha256};

    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    succeed(&mut spsa(folder, &["--pairs", "6", "--no-test"]));
    let text = fs::read_to_string(folder.join("run/settings.json")).expect("readable");
    let journal = fs::read_to_string(folder.join("run/journal")).expect("readable");
    let (_, pairs) = journal.split_once('\n').expect("a header");
    let header = &journal[9..journal.len() - pairs.len() - 1];
    let change = |settings: &str| {
        let [old, new] = [&text, settings].map(|text| hex::encode(Sha256::digest(text)));
        let header = header.replace(&old, &new);
        let sum = crc32fast::hash(header.as_bytes());
        fs::write(folder.join("run/settings.json"), settings).expect("writable");
        fs::write(folder.join("run/journal"), format!("{sum:08x} {header}\n{pairs}"))
            .expect("writable");
    };
    let place = text.find("\"signature\": \"").expect("the engine is named") + 14;
    let (begin, end) = (&text[..place], &text[place + 12..]);
    change(&format!("{begin}0123456789ab{end}"));
    let (_, stderr) = ended(3, &mut resume(folder, &["--no-test"]));
    assert!(stderr.contains("textbook: another engine") && stderr.contains("not 0123456789ab"));
    succeed(&mut resume(folder, &["--no-test", "--allow-changed-engine"]));
    // An earlier version did not note which engine it was.
    let begin = text.find("  \"engine\": {").expect("the engine is named");
    let end = begin + text[begin..].find("},\n").expect("its end") + 3;
    change(&format!("{}{}", &text[..begin], &text[end..]));
    let (_, stderr) = ended(0, &mut resume(folder, &["--no-test"]));
    assert!(stderr.contains("an earlier version of this program began this"), "{stderr}");
}
