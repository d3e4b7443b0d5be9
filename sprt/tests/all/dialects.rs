//! Engines that write the moves of a game otherwise than we do, over pipes.

use std::path::{Path, PathBuf};
use std::process::Command;

use pgn::Games;
use playable::Game;
use serde_json::Value;
use tempfile::TempDir;

use crate::child::{ended, output};
use crate::helpers::{fake, read, sprt, sprt_line};
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

/// The words of a page that are seen.
fn seen(page: &str) -> String {
    let unseen = regex::Regex::new("(?s)<(style|script).*?</(style|script)>").expect("a pattern");
    unseen.replace_all(page, "").into_owned()
}

#[test]
fn reports_of_xiangqi_call_the_sides_red_and_black() {
    let home = TempDir::new().expect("temporary folder");
    let (test, page) = (home.path().join("test"), home.path().join("page.html"));
    let mut command = sprt_line(
        "run --game xiangqi --candidate embedded --baseline random --nodes 50 --hash 1 --pairs 12 \
         --no-early-stop",
    );
    let (_, terminal, _) = output(command.arg("--output").arg(&test).arg("--report").arg(&page));
    let words = seen(&read(home.path(), "page.html"));
    assert!(words.contains("Red's advantage") && words.contains("Candidate with Red"), "{words}");
    assert!(!words.contains("White"), "{words}");
    assert!(terminal.contains("\nRed         "), "{terminal}");
    let games = read(&test, "games.pgn");
    assert!(games.contains(" wins by ") && !games.contains("White wins"), "{games}");

    let (tournament, page) = (home.path().join("tournament"), home.path().join("page-2.html"));
    let mut command =
        sprt_line("tournament --game xiangqi --player random --player random name=two");
    command.args(["--nodes", "1", "--rounds", "6", "--output"]).arg(&tournament);
    let (_, terminal, _) = output(command.arg("--report").arg(&page));
    let words = seen(&read(home.path(), "page-2.html"));
    assert!(words.contains("with Red") && !words.contains("White"), "{words}");
    assert!(!terminal.contains("White"), "{terminal}");
}

/// FENs after each move of all games of a run, as its PGN tells them.
fn positions(game: Game, folder: &Path) -> Vec<String> {
    let mut fens = Vec::new();
    for read in Games::open(&folder.join("games.pgn")).expect("readable") {
        let read = read.expect("a game");
        let last = read.replay(game, |position, _, _| fens.push(position.to_fen()));
        fens.push(last.expect("legal moves").to_fen());
    }
    fens
}

#[test]
fn games_in_every_notation_are_read_back() {
    let home = TempDir::new().expect("temporary folder");
    let (game, random) = (engine::GAMES[0], ["random".to_owned()]);
    let mut all = Vec::new();
    for notation in game.notations() {
        let folder = home.path().join(notation);
        games(run(&folder, &random, &random).args(["--notation", notation]), &folder);
        all.push(positions(game, &folder));
        let first = read(&folder, "games.pgn").split("\n1. ").nth(1).map(str::to_owned);
        let first = first.unwrap_or_else(|| read(&folder, "games.pgn"));
        let has = |signs: &str| first.chars().any(|sign| signs.contains(sign));
        assert_eq!(has("进退平"), *notation == "chinese", "{first}");
    }
    assert!(all[0].len() > 100 && all.iter().all(|fens| *fens == all[0]));
    let mut command = run(&home.path().join("bad"), &random, &random);
    let (_, stderr) = ended(64, command.args(["--notation", "san"]));
    assert!(stderr.contains("xiangqi has no notation \"san\"; expected wxf, "), "{stderr}");
    let mut command = run(&home.path().join("bad"), &random, &random);
    let (_, stderr) = ended(64, command.args(["--notation", "klingon"]));
    assert!(stderr.contains("wxf") && stderr.contains("san"), "{stderr}");
}
