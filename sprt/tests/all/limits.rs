//! Engines that do not keep limits of nodes or depth are known before the first game, and what shows
//! it changes no game.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::child::{ended, output};
use crate::helpers::sprt_line;
use crate::regress::Site;

fn sprt(folder: &Path, words: &str) -> (Option<i32>, String, String) {
    output(sprt_line(words).current_dir(folder))
}

/// The fake engine with these arguments, as a player.
fn fake(arguments: &str) -> String {
    crate::helpers::fake(arguments, "").join(" ")
}

const GREEDY: &str = "--misbehave many-nodes --after-moves 0";

#[test]
fn who_searches_many_more_nodes_than_asked_plays_no_game() {
    let home = TempDir::new().expect("temporary folder");
    let greedy = fake(GREEDY);
    for command in ["run --pairs 1 --candidate", "tournament --rounds 1 --player"] {
        let other = if command.starts_with("run") { "--baseline" } else { "--player" };
        let words =
            format!("{command} {greedy} name=greedy {other} random --max-plies 20 --output x");
        let (status, _, stderr) = sprt(home.path(), &format!("{words} --nodes 100"));
        assert_eq!(status, Some(3), "{stderr}");
        let said = "greedy does not keep its limit: `go nodes 100` was answered after 100000 nodes, \
                    1000.0 times as many as asked. Play on a clock (--tc 8+0.08)";
        assert!(stderr.contains(said), "{stderr}");
        assert!(stderr.contains("--movetime") && stderr.contains("--no-probe"), "{stderr}");
        assert!(!home.path().join("x").exists());
        // On a clock nothing is tried, and who wants games nevertheless gets them.
        for limits in ["--tc 30", "--nodes 100 --no-probe"] {
            let (status, _, stderr) = sprt(home.path(), &format!("{words} {limits}"));
            assert!(matches!(status, Some(0..=2)), "{stderr}");
            fs::remove_dir_all(home.path().join("x")).expect("removable");
        }
    }
}

#[test]
fn what_cannot_be_judged_is_said() {
    let home = TempDir::new().expect("temporary folder");
    for (arguments, limit, remark) in [
        ("", "--depth 3", "`go depth 3` was answered and tells no depth: whether it keeps"),
        (
            "--misbehave abort --after-moves 0",
            "--nodes 5",
            "`go nodes 5` could not be tried: crash",
        ),
    ] {
        let words = format!(
            "run --candidate {} --baseline random {limit} --pairs 1 --max-plies 20 --output x",
            fake(arguments)
        );
        let (_, _, stderr) = sprt(home.path(), &words);
        assert!(stderr.contains(remark), "{stderr}");
        // The run was begun.
        fs::remove_dir_all(home.path().join("x")).expect("removable");
    }
}

#[test]
fn games_are_the_same_with_and_without_the_trial() {
    let home = TempDir::new().expect("temporary folder");
    let files = ["", "--no-probe"].map(|option| {
        // An earlier search in the same process would leave another table.
        let words = format!(
            "run --candidate {} --baseline embedded --nodes 400 --pairs 2 --max-plies 60 \
             --memory pair --hash 1 --threads 1 --output x {option}",
            fake("--parameters embedded")
        );
        let (status, _, stderr) = sprt(home.path(), &words);
        assert!(matches!(status, Some(0..=2)), "{stderr}");
        let folder = home.path().join("x");
        let files = ["journal", "games.pgn", "result.json"]
            .map(|name| fs::read_to_string(folder.join(name)).expect("written"));
        fs::remove_dir_all(folder).expect("removable");
        files
    });
    assert!(files[0][0].lines().count() > 2);
    assert_eq!(files[0], files[1]);
}

#[test]
fn a_regression_test_by_nodes_names_an_engine_that_waits_for_stop() {
    let site = Site::new();
    crate::regress_foreign::commit(&site, "--seed 1", "first");
    crate::regress_foreign::commit(&site, "--seed 2", "second");
    let (_, stderr) = ended(3, &mut site.regress("--no-bench --nodes 7"));
    assert!(stderr.contains("`go nodes 7` was not answered within 10 s and tells no nodes"));
    assert!(stderr.contains("Play on a clock (--tc 8+0.08)"), "{stderr}");
    assert_eq!(site.result()["decision"], "failed");
}
