//! Engines that write the moves of a game otherwise than we do, over pipes.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::child::{ended, output};
use crate::helpers::{fake, read, sprt};
use crate::skipping::skip;

/// `sprt run` of xiangqi between two players.
fn run(folder: &Path, candidate: &[String], baseline: &[String]) -> Command {
    let mut command = sprt();
    command.args(["run", "--game", "xiangqi", "--no-early-stop", "--pairs", "2", "--nodes", "100"]);
    command.arg("--candidate").args(candidate).arg("name=one");
    command.arg("--baseline").args(baseline).arg("name=two");
    command.arg("--output").arg(folder);
    command
}

/// The games of a run that has ended well, as its journal has them.
fn games(command: &mut Command, folder: &Path) -> Vec<Value> {
    let (status, _, stderr) = output(command);
    assert!(matches!(status, Some(0..=2)), "{stderr}");
    let pair = |line: &str| {
        let (_, json) = line.split_once(' ').expect("a checksum");
        serde_json::from_str::<Value>(json).expect("JSON")["games"].clone()
    };
    let pairs: Vec<Value> = read(folder, "journal").lines().skip(1).map(pair).collect();
    assert_eq!(pairs.len(), 2);
    pairs
}

#[test]
fn chance_is_the_same_in_all_dialects() {
    let home = TempDir::new().expect("temporary folder");
    let [here, ours, other] = ["here", "ours", "other"].map(|name| home.path().join(name));
    let random = ["random".to_owned()];
    let dialect = |arguments| fake(&format!("--game xiangqi {arguments}"), "");
    let expected = games(&mut run(&here, &random, &random), &here);
    let both = [dialect(""), dialect("--misbehave other-dialect")];
    for (folder, player) in [ours, other].iter().zip(&both) {
        assert!(games(&mut run(folder, player, &random), folder) == expected, "{player:?}");
    }
}

#[test]
fn an_engine_whose_first_move_is_legal_in_no_dialect_does_not_start() {
    let home = TempDir::new().expect("temporary folder");
    let player = fake("--game xiangqi --misbehave illegal-move --after-moves 0", "");
    let mut command = run(&home.path().join("run"), &player, &["random".to_owned()]);
    let (_, stderr) = ended(3, &mut command);
    assert!(stderr.contains("with `bestmove e3e3`, which is not legal"), "{stderr}");
}

/// Another program that plays xiangqi among other games, if there is one.
fn fairy_stockfish() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/games".into()]);
    folders.map(|folder| folder.join("fairy-stockfish")).find(|file| file.is_file())
}

#[test]
fn fairy_stockfish_plays_xiangqi() {
    let Some(program) = fairy_stockfish() else {
        return skip("fairy-stockfish is not there, which plays xiangqi");
    };
    let home = TempDir::new().expect("temporary folder");
    let folder = home.path().join("run");
    let player = [format!("cmd={}", program.display()), "hash=4".to_owned()];
    for pair in games(&mut run(&folder, &player, &["random".to_owned()]), &folder) {
        for game in pair.as_array().expect("two games") {
            assert!(game["faults"].as_array().is_none_or(Vec::is_empty), "{game}");
            // Its variations are read, too.
            assert!(!game["warnings"].to_string().contains("illegal move"), "{game}");
        }
    }
    // A game that the user has chosen stays, and shows at the first move.
    let player = [player[0].clone(), "option.UCI_Variant=chess".to_owned()];
    let mut command = run(&home.path().join("chess"), &player, &["random".to_owned()]);
    let (_, stderr) = ended(3, &mut command);
    assert!(stderr.contains("which is not legal"), "{stderr}");
}
