//! `sprt regress` on an engine of somebody else that knows the clock alone and has no bench: a shell
//! script that speaks UCI through a player of ours.

use std::fs;

use crate::child::{ended, output};
use crate::helpers::{SPRT, read};
use crate::regress::Site;

/// The move in a position where one gives mate: what plays otherwise plays another. The
/// input stays open until it comes.
const BENCH: &str = "\
    folder=$(mktemp -d); mkfifo $folder/input; {engine} < $folder/input | ( \
    exec 3> $folder/input; echo uci >&3; \
    echo 'position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1' >&3; echo 'go movetime 50' >&3; \
    while read -r line; do case $line in bestmove*) echo \"$line\"; break;; esac; done \
    ) | cksum; rm -r $folder";

/// Writes an engine that thinks until `stop` where it is limited by nodes or depth, and tells nothing
/// of its search; commits it.
pub fn commit(site: &Site, player: &str, comment: &str) -> String {
    let text = format!(
        "#!/bin/sh\n# {comment}\n\
         while read -r line; do\n\
         case $line in\n\
         'go '*nodes*|'go '*depth*) waits=yes ;;\n\
         stop) if [ \"$waits\" ]; then echo 'go movetime 1'; waits=; fi ;;\n\
         *) printf '%s\\n' \"$line\" ;;\n\
         esac\n\
         done | '{SPRT}' fake-engine {player} | while read -r line; do\n\
         case $line in info*) ;; *) printf '%s\\n' \"$line\" ;; esac\n\
         done\n"
    );
    fs::write(site.repository().join("engine.sh"), text).expect("writable");
    site.git("add --all");
    site.git(&format!("commit --quiet --message={comment}"));
    site.git("rev-parse HEAD")
}

const RANDOM: &str = "--seed 3";
const GOOD: &str = "--parameters embedded";

#[test]
fn an_engine_that_knows_the_clock_alone_gets_every_verdict() {
    let site = Site::new();
    commit(&site, RANDOM, "random");
    commit(&site, RANDOM, "comment");
    let good = commit(&site, GOOD, "good");
    let run = |options: &str| {
        let mut command = site.regress(options);
        command.args(["--bench-pattern", "^([0-9]+) ", "--bench-command", BENCH]);
        output(&mut command)
    };
    // The clock alone is asked for: nobody is limited by nodes.
    let games = "--tc 2+0.03 --elo0 0 --elo1 600";
    let (status, stdout, stderr) = run(&format!("--base HEAD~1 --candidate HEAD {games}"));
    assert_eq!(status, Some(0), "{stdout}{stderr}");
    let result = site.result();
    assert_eq!(result["decision"], "accepted");
    assert_eq!(result["change"], "functional");
    assert_eq!(result["candidate"]["revision"]["commit"], good.as_str());
    assert_eq!(result["games"].as_array().map(Vec::len), Some(1), "{result}");
    assert_eq!(result["games"][0]["name"], "time");
    assert!(!site.output().join("nodes").exists());
    fs::remove_dir_all(site.output()).expect("removable");

    let (status, stdout, stderr) = run(&format!("--base HEAD --candidate HEAD~1 {games}"));
    assert_eq!(status, Some(1), "{stdout}{stderr}");
    assert_eq!(site.result()["decision"], "rejected");
    fs::remove_dir_all(site.output()).expect("removable");

    let loose = "--speed-tolerance 90 --speed-precision 80";
    let (status, stdout, stderr) =
        run(&format!("--base HEAD~2 --candidate HEAD~1 {loose} {games}"));
    assert_eq!(status, Some(0), "{stdout}{stderr}");
    let result = site.result();
    assert_eq!(result["change"], "non_functional");
    assert_eq!(result["base"]["bench"]["nodes"], result["candidate"]["bench"]["nodes"]);
    assert_eq!(result["games"].as_array().map(Vec::len), Some(0));
    site.assert_clean();
}

#[test]
fn the_limits_say_which_games_are_played() {
    let site = Site::of_a_change();
    for (limits, names) in [
        ("", &["nodes"][..]),
        ("--nodes 7", &["nodes"]),
        ("--movetime 1", &["time"]),
        ("--nodes 7 --tc 5+0.1", &["nodes", "time"]),
    ] {
        let options = format!("--base HEAD~1 --candidate HEAD --elo0 -1500 --elo1 -900 {limits}");
        ended(0, &mut site.regress(&options));
        let result = site.result();
        let games = result["games"].as_array().expect("a list");
        let played: Vec<&str> = games.iter().filter_map(|it| it["name"].as_str()).collect();
        assert_eq!(played, names, "{limits}");
        fs::remove_dir_all(site.output()).expect("removable");
    }
    let (_, stderr) =
        ended(64, &mut site.regress("--history 1 --base HEAD~1 --nodes 7 --tc 5+0.1"));
    assert!(stderr.contains("a history is played with one limit"), "{stderr}");
    ended(0, &mut site.regress("--history 1 --history-pairs 2 --tc 5+0.1"));
    let csv = read(&site.output(), "history.csv");
    assert!(csv.lines().nth(1).is_some_and(|row| row.contains(",played,")), "{csv}");
}
