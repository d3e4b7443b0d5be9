//! Tests told as lines of JSON.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::child::output;
use crate::helpers::{fake, read, sprt, sprt_line};
use crate::json_schema::check_line;

/// A command's report of the run in a folder: its status, the lines on standard output, standard
/// error.
fn lines(command: &mut Command, folder: &Path) -> (Option<i32>, Vec<Value>, String) {
    let (status, stdout, stderr) = output(command.arg(folder));
    let lines: Vec<Value> = stdout
        .lines()
        .map(|line| {
            check_line("stream", line);
            serde_json::from_str(line).expect("JSON")
        })
        .collect();
    (status, lines, stderr)
}

fn counts(lines: &[Value]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for line in lines {
        *counts.entry(line["event"].as_str().expect("a name")).or_default() += 1;
    }
    counts
}

const RUN: &str = "run --candidate embedded --baseline random --nodes 40 --hash 1 --pairs 12 \
                   --no-early-stop --json-stream --output";

#[test]
fn a_test_is_told_as_lines() {
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("run");
    let (status, told, stderr) = lines(&mut sprt_line(RUN), &folder);
    assert!(matches!(status, Some(0..=2)), "{stderr}");
    // The text for people is on standard error.
    assert!(stderr.contains("Verdict     ") && stderr.contains("Repeat      "), "{stderr}");
    let expected = BTreeMap::from([
        ("start", 1),
        ("game", 24),
        ("checkpoint", 13),
        ("verdict", 1),
        ("end", 1),
    ]);
    let mut found = counts(&told);
    found.remove("warning");
    assert_eq!(found, expected);
    assert_eq!(
        (&told[0]["event"], &told[0]["schema"]),
        (&"start".into(), &"kamerton-stream/2".into())
    );
    let end = told.last().expect("an end");
    assert_eq!((&end["event"], &end["outcome"]), (&"end".into(), &"finished".into()));
    assert_eq!(end["exit_status"].as_i64(), status.map(i64::from));

    // The verdict and the last checkpoint are those of the result.
    let result: Value = serde_json::from_str(&read(&folder, "result.json")).expect("JSON");
    let verdict = told.iter().find(|line| line["event"] == "verdict").expect("a verdict");
    assert_eq!(verdict["verdict"], result["verdict"]);
    let last = told.iter().rfind(|line| line["event"] == "checkpoint").expect("a checkpoint");
    assert_eq!(last["counts"], result["assessment"]["counts"]);
    assert_eq!(last["elo"], result["assessment"]["elo"]);
    // Games are told in the order of the schedule.
    let games = told.iter().filter(|line| line["event"] == "game");
    let order: Vec<_> = games.map(|it| (it["pair"].as_u64(), it["game"].as_u64())).collect();
    let expected: Vec<_> =
        (1..=12).flat_map(|pair| [1, 2].map(|game| (Some(pair), Some(game)))).collect();
    assert_eq!(order, expected);

    // A run that is over tells where it stands, and that it is.
    let (again, told, _) = lines(&mut sprt_line("resume --json-stream"), &folder);
    assert_eq!(again, status);
    let expected = BTreeMap::from([("start", 1), ("checkpoint", 1), ("verdict", 1), ("end", 1)]);
    assert_eq!((counts(&told), &told[0]["resumed_pairs"]), (expected, &12.into()));
}

#[test]
fn faults_and_failures_are_told() {
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("run");
    let run = || {
        let mut command = sprt();
        command.args(["run", "--baseline", "random", "--nodes", "1", "--pairs", "9"]);
        command.arg("--candidate").args(fake("--misbehave illegal-move", "name=bad"));
        command.args(["--max-faults", "3", "--json-stream", "--output"]);
        command
    };
    let (status, told, _) = lines(&mut run(), &folder);
    assert_eq!(status, Some(3));
    let faults: Vec<&Value> = told.iter().filter(|line| line["event"] == "fault").collect();
    assert!(faults.len() > 3);
    assert_eq!((&faults[0]["player"], &faults[0]["kind"]), (&"bad".into(), &"illegal_move".into()));
    let end = told.last().expect("an end");
    assert_eq!((&end["outcome"], &end["exit_status"]), (&"failed".into(), &3.into()));
    assert!(end["message"].as_str().is_some_and(|text| text.contains("more than the 3 allowed")));

    // A command that fails before the start has an end, too.
    let (status, told, stderr) = lines(&mut run(), &folder);
    assert_eq!((status, told.len()), (Some(3), 1), "{stderr}");
    assert_eq!(told[0]["event"], "end");
}

/// The start comes first, also where there is something to say of it.
#[test]
fn remarks_come_behind_the_start() {
    let home = tempfile::tempdir().expect("temporary folder");
    let run = "run --candidate embedded --baseline random --nodes 20 --pairs 2 --json-stream \
               --max-plies 4 --output";
    let (status, told, stderr) = lines(&mut sprt_line(run), &home.path().join("run"));
    assert_eq!(status, Some(2), "{stderr}");
    let events: Vec<&str> = told.iter().filter_map(|line| line["event"].as_str()).collect();
    assert_eq!(events[..3], ["start", "remark", "checkpoint"]);
    let message = told[1]["message"].as_str().expect("a text");
    assert!(message.contains("2 pairs can hardly decide"), "{message}");
}

/// A copy of an earlier pair is told as such, without its games.
#[test]
fn a_copy_is_told_without_its_games() {
    let home = tempfile::tempdir().expect("temporary folder");
    let book = home.path().join("book.epd");
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    std::fs::write(&book, line).expect("writable");
    let run = "run --candidate embedded --baseline embedded quiet_history.enabled=0 --nodes 20 --pairs 3 \
               --no-early-stop --max-plies 20 --json-stream --openings";
    let mut command = sprt_line(run);
    let (status, told, stderr) =
        lines(command.arg(&book).arg("--output"), &home.path().join("run"));
    assert_eq!(status, Some(2), "{stderr}");
    assert_eq!(counts(&told)["game"], 2);
    assert_eq!((counts(&told)["copy"], counts(&told)["checkpoint"]), (2, 2));
    let copy = told.iter().find(|line| line["event"] == "copy").expect("one");
    assert_eq!((&copy["pair"], &copy["opening"]), (&2.into(), &1.into()));
}
