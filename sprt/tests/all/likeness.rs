//! `--like`: the line that repeats a run, and runs that differ from an earlier one in what is said.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::child::{ended, output};
use crate::files::assert_same;
use crate::helpers::{read, sprt_line};

/// The first line of the journal.
fn header(folder: &Path) -> Value {
    let journal = read(folder, "journal");
    let line = journal.lines().next().expect("a header");
    serde_json::from_str(&line[9..]).expect("JSON behind the checksum")
}

/// The command line that a finished run says would repeat it, into a folder.
fn repetition(stdout: &str, folder: &Path) -> Command {
    let line = stdout.lines().find_map(|line| line.strip_prefix("Repeat      sprt "));
    sprt_line(&line.expect("it is said").replace("FOLDER", &folder.display().to_string()))
}

/// Openings as only PGN can give them.
fn write_openings(home: &Path) -> String {
    let game = |moves: &str| format!("[Event \"?\"]\n[Result \"*\"]\n\n{moves} *\n\n");
    let games = ["1. e4 e5 2. Nf3 Nc6 3. Bb5", "1. d4 d5 2. c4 e6 3. Nc3", "1. c4 c5 2. g3 g6"];
    let path = home.join("openings.pgn");
    fs::write(&path, games.map(game).concat()).expect("writable");
    path.display().to_string()
}

/// Every setting but those of time differs from its default, so that none can be forgotten.
const ODD_SETTINGS: &str = "--nodes 80 --hash 1 --seed 7 --memory pair --max-faults 7,2% \
     --draw never --resign 2,300 --resign-one-sided --max-plies 90 --audit-adjudication 20% --opening-order sequential --opening-start 3 --opening-plies 4 \
     --chess960";

#[test]
fn the_line_that_repeats_a_run_gives_the_same_bytes() {
    let home = tempfile::tempdir().expect("temporary folder");
    let first = home.path().join("the first");
    let line = format!(
        "run --candidate embedded material.bishop_pair.middlegame=60 name=x nodes=50 --baseline \
         random name=y {ODD_SETTINGS} --pairs 3 --no-early-stop --model logistic --elo0 -3 --elo1 \
         60 --alpha 0.1 --beta 0.2 --batch 2 --overshoot-correction --decide-at-limit --openings {} \
         --output",
        write_openings(home.path())
    );
    let (status, stdout, stderr) = output(sprt_line(&line).arg(&first));
    assert!(matches!(status, Some(0..=2)), "{stderr}");
    let again = home.path().join("again");
    let (repeated, _, stderr) = output(&mut repetition(&stdout, &again));
    assert_eq!(repeated, status, "{stderr}");
    assert_same(&first, &again, &[]);
}

#[test]
fn the_line_that_repeats_a_tournament_gives_the_same_bytes() {
    let home = tempfile::tempdir().expect("temporary folder");
    let first = home.path().join("first");
    let line = format!(
        "tournament --player random name=a --player embedded name=b --player random name=c \
         --format gauntlet --seeds 2 --rounds 2 --anchor b=1234 {ODD_SETTINGS} --openings {} \
         --output",
        write_openings(home.path())
    );
    let (stdout, _) = ended(0, sprt_line(&line).arg(&first));
    let again = home.path().join("again");
    ended(0, &mut repetition(&stdout, &again));
    assert_same(&first, &again, &[]);
    // The plan of a tournament is none of a test.
    let test = home.path().join("test");
    let (_, stderr) = ended(3, sprt_line("run --like").arg(&first).arg("--output").arg(&test));
    assert!(stderr.contains("tournament"), "{stderr}");
    assert!(!test.exists());
}

#[test]
fn what_is_said_comes_before_the_earlier_run() {
    let home = tempfile::tempdir().expect("temporary folder");
    let first = home.path().join("first");
    let line = "run --candidate random nodes=5 hash=2 --baseline random name=other --nodes 7 \
                --pairs 1 --seed 3 --max-plies 20 --no-early-stop --output";
    ended(2, sprt_line(line).arg(&first));

    let second = home.path().join("second");
    let mut command = sprt_line("run --candidate embedded name=new --pairs 2 --elo1 99 --like");
    let (_, _, stderr) = output(command.arg(&first).arg("--output").arg(&second));
    let (before, mut after) = (header(&first), header(&second));
    assert_eq!(after["players"][0]["identity"]["name"], "new", "{stderr}");
    // Its limits are those of the contestant in whose place it plays.
    assert_eq!(after["players"][0]["contestant"]["limits"]["nodes"], 5);
    assert_eq!(after["players"][0]["contestant"]["hash"], 2);
    assert_eq!(after["players"][1], before["players"][1]);
    assert_eq!(
        (&after["rules"]["pairs"], &after["rules"]["hypotheses"]["elo1"]),
        (&2.into(), &99.0.into())
    );
    after["rules"]["pairs"] = 1.into();
    after["rules"]["hypotheses"]["elo1"] = before["rules"]["hypotheses"]["elo1"].clone();
    assert_eq!(after["rules"], before["rules"]);

    let third = home.path().join("third");
    let mut command = sprt_line("run --depth 1 --tc 90 --margin 9 --max-time-losses 3 --like");
    let (_, _, stderr) = output(command.arg(&second).arg("--output").arg(&third));
    let fourth = home.path().join("fourth");
    let (_, _, error) = output(sprt_line("run --like").arg(&third).arg("--output").arg(&fourth));
    let (third, fourth) = (header(&third), header(&fourth));
    for player in third["players"].as_array().expect(&stderr) {
        let limits = &player["contestant"]["limits"];
        assert_eq!((&limits["depth"], &limits["margin"]), (&1.into(), &9.into()), "{stderr}");
        assert!(limits["clock"].is_object() || limits["clock"].is_string(), "{limits}");
    }
    assert_eq!(third["rules"]["play"]["most_time_losses"], 3, "{stderr}");
    assert_eq!(third, fourth, "{error}");
}
