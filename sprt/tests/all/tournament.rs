//! Tournaments by the binary: same bytes whatever happens, fair openings, the table.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use rand::RngExt;
use sprt::random::stream;

fn sprt() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sprt"))
}

/// `sprt tournament` of two random movers and two searchers; `extra` holds further options.
fn tournament(folder: &Path, extra: &str) -> Command {
    let mut command = sprt();
    command.arg("tournament");
    for words in ["random name=a", "random name=b", "embedded name=c", "embedded name=d nodes=20"] {
        command.arg("--player").args(words.split(' '));
    }
    command.args(["--nodes", "60", "--hash", "1", "--output"]).arg(folder);
    command.args(extra.split_whitespace());
    command
}

fn output(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).expect("the run has finished")
}

fn assert_same(one: &Path, other: &Path) {
    for name in ["journal", "games.pgn", "result.json"] {
        assert!(read(one, name) == read(other, name), "{name} differs");
    }
}

#[test]
fn neither_threads_nor_kills_matter() {
    let home = tempfile::tempdir().expect("temporary folder");
    let whole = home.path().join("whole");
    let (status, report, stderr) = output(&mut tournament(&whole, "--rounds 5 --threads 1"));
    assert_eq!(status, Some(0), "{stderr}");
    let threaded = home.path().join("threaded");
    let (status, _, stderr) = output(&mut tournament(&threaded, "--rounds 5 --threads 3"));
    assert_eq!(status, Some(0), "{stderr}");
    assert_same(&whole, &threaded);

    let killed = home.path().join("killed");
    let mut random = stream(3, 0);
    let next = || {
        let mut resume = sprt();
        resume.arg("resume").arg(&killed);
        let has_begun = killed.join("journal").exists();
        if has_begun { resume } else { tournament(&killed, "--rounds 5") }
    };
    for _ in 0..8 {
        let child = next().stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = child.expect("the binary starts");
        std::thread::sleep(Duration::from_millis(random.random_range(1..120)));
        child.kill().expect("a child");
        child.wait().expect("a child");
    }
    let (status, _, stderr) = output(&mut next());
    assert_eq!(status, Some(0), "{stderr}");
    assert_same(&whole, &killed);

    let (status, again, _) = output(sprt().arg("resume").arg(&whole));
    assert_eq!((status, again), (Some(0), report));
}

#[test]
fn every_pairing_of_a_round_plays_the_same_opening() {
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("run");
    let (status, _, stderr) = output(&mut tournament(&folder, "--rounds 2"));
    assert_eq!(status, Some(0), "{stderr}");
    let journal = String::from_utf8(read(&folder, "journal")).expect("text");
    let pairs: Vec<serde_json::Value> = journal
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(&line[9..]).expect("JSON behind the checksum"))
        .collect();
    assert_eq!(pairs.len(), 12);
    for round in pairs.chunks(6) {
        let players: Vec<String> = round
            .iter()
            .map(|pair| match &pair["players"] {
                serde_json::Value::Null => "[0,1]".to_owned(),
                players => players.to_string(),
            })
            .collect();
        assert_eq!(players, ["[0,1]", "[0,2]", "[0,3]", "[1,2]", "[1,3]", "[2,3]"]);
        assert!(round.iter().all(|pair| pair["opening"] == round[0]["opening"]));
    }
    assert_ne!(pairs[0]["opening"], pairs[6]["opening"]);
}

#[test]
fn a_gauntlet_is_rated_from_its_anchor() {
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("run");
    let options = "--format gauntlet --seeds 1 --rounds 3 --anchor a=1500";
    let (status, stdout, stderr) = output(&mut tournament(&folder, options));
    assert_eq!(status, Some(0), "{stderr}");
    assert!(stdout.contains("gauntlet of the first player, 3 rounds: 18 games"), "{stdout}");
    let result: serde_json::Value =
        serde_json::from_slice(&read(&folder, "result.json")).expect("JSON");
    let ratings = result["ratings"]["players"].as_array().expect("a list");
    let elo = |name: &str| {
        let found = ratings.iter().find(|rating| rating["player"] == name);
        found.expect("a player")["elo"].as_f64().expect("a number")
    };
    assert_eq!(elo("a"), 1500.0);
    assert!(elo("c") > 1600.0 && elo("d") > 1600.0);
    // Who never met has no results.
    assert_eq!(result["crosstable"][1][2]["draw_draw"], 0);
}

#[test]
fn wrong_tournaments_are_refused() {
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("run");
    let check = |options: &str, message: &str| {
        let (status, _, stderr) = output(&mut tournament(&folder, options));
        assert_eq!(status, Some(64), "{stderr}");
        assert!(stderr.contains(message), "{stderr} does not contain {message}");
        assert!(!folder.exists());
    };
    check("--anchor nobody=1", "the anchor \"nobody\" is none of the players");
    check("--anchor a", "as in old=3000");
    check("--format gauntlet --seeds 4", "a gauntlet of 4 among 4 players has no games");
    check("--rounds 0", "--rounds");
    // A test cannot be resumed as a tournament, and the other way round nothing is mixed up.
    let mut command = sprt();
    command.args(["run", "--candidate", "random", "--baseline", "random", "--nodes", "1"]);
    let test = home.path().join("test");
    let (status, _, stderr) = output(command.args(["--pairs", "1", "--output"]).arg(&test));
    assert_eq!(status, Some(2), "{stderr}");
    let (status, stdout, _) = output(sprt().arg("resume").arg(&test));
    assert_eq!(status, Some(2));
    assert!(stdout.contains("Verdict     undecided"), "{stdout}");
}
