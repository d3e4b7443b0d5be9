//! Tournaments by the binary: same bytes whatever happens, fair openings, the table.

use std::path::Path;
use std::process::Command;

use rand::RngExt;
use random::stream;

use crate::child::{ended, kill_in_the_middle, output};
use crate::files::{LEFTOVERS, assert_same};
use crate::helpers::{journal_length, read, resume, sprt, sprt_line};

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

#[test]
fn neither_threads_nor_kills_matter() {
    let home = tempfile::tempdir().expect("temporary folder");
    let whole = home.path().join("whole");
    let (report, _) = ended(0, &mut tournament(&whole, "--rounds 5 --threads 1"));
    let threaded = home.path().join("threaded");
    ended(0, &mut tournament(&threaded, "--rounds 5 --threads 3"));
    assert_same(&whole, &threaded, &[]);

    let killed = home.path().join("killed");
    let mut random = stream(3, 0);
    let most = journal_length(&whole) / 5;
    let next = |kills| if kills == 0 { tournament(&killed, "--rounds 5") } else { resume(&killed) };
    let step = || random.random_range(1..=most);
    let status = kill_in_the_middle(next, || journal_length(&killed), step);
    assert_eq!(status, Some(0));
    assert_same(&whole, &killed, LEFTOVERS);

    let (status, again, _) = output(&mut resume(&whole));
    assert_eq!((status, again), (Some(0), report));
}

#[test]
fn every_pairing_of_a_round_plays_the_same_opening() {
    let home = tempfile::tempdir().expect("temporary folder");
    let folder = home.path().join("run");
    ended(0, &mut tournament(&folder, "--rounds 2"));
    let journal = read(&folder, "journal");
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
    let (stdout, _) = ended(0, &mut tournament(&folder, options));
    assert!(stdout.contains("gauntlet of the first player, 3 rounds: 18 games"), "{stdout}");
    let result: serde_json::Value =
        serde_json::from_str(&read(&folder, "result.json")).expect("JSON");
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
        let (_, stderr) = ended(64, &mut tournament(&folder, options));
        assert!(stderr.contains(message), "{stderr} does not contain {message}");
        assert!(!folder.exists());
    };
    check("--anchor nobody=1", "the anchor \"nobody\" is none of the players");
    check("--anchor a", "as in old=3000");
    check("--format gauntlet --seeds 4", "a gauntlet of 4 among 4 players has no games");
    check("--rounds 0", "--rounds");
    // A test cannot be resumed as a tournament, and the other way round nothing is mixed up.
    let test = home.path().join("test");
    let line = "run --candidate random --baseline random --nodes 1 --pairs 1 --output";
    ended(2, sprt_line(line).arg(&test));
    let (stdout, _) = ended(2, &mut resume(&test));
    assert!(stdout.contains("Verdict     undecided"), "{stdout}");
}
