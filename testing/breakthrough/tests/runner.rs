//! The runner and the engine play a second game: in this process, over pipes, after a kill.

#[path = "../../game_suite.rs"]
mod game_suite;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use breakthrough::GAME;
use playable::{Color, Ending, GameResult};
use serde_json::Value;

const SPRT: &str = env!("CARGO_BIN_EXE_breakthrough-sprt");
const ENGINE: &str = env!("CARGO_BIN_EXE_breakthrough-engine");

fn done(program: &str, arguments: &str) -> Output {
    let words = arguments.split_whitespace();
    Command::new(program).args(words).output().expect("the program starts")
}

/// The output of a program that succeeds.
fn said(program: &str, arguments: &str) -> String {
    let output = done(program, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    // A verdict, or none, is no failure.
    let ended = output.status.code().expect("it ends by itself");
    assert!(ended <= 2 && !errors.contains("error:"), "{arguments}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// A run in a folder below `place`, of 6 pairs; the folder.
fn run(place: &Path, name: &str, players: &str) -> String {
    let folder = place.join(name).display().to_string();
    said(
        SPRT,
        &format!(
            "run --game breakthrough {players} --nodes 200 --pairs 6 --seed 5 --threads 2 \
             --no-early-stop --output {folder}"
        ),
    );
    folder
}

/// The games of a run's pairs, as its journal has them.
fn games(folder: &str) -> Vec<Value> {
    let text = fs::read_to_string(Path::new(folder).join("journal")).expect("a journal");
    let pair = |line: &str| {
        let (_, json) = line.split_once(' ').expect("a checksum");
        serde_json::from_str::<Value>(json).expect("JSON")["games"].clone()
    };
    text.lines().skip(1).map(pair).collect()
}

#[test]
fn positions_are_read_back_as_they_are_written() {
    for text in
        ["pppppp/pppppp/6/6/PPPPPP/PPPPPP w 1", "p5/6/2P3/6/6/5P b 31", "6/6/6/3p2/6/5P w 9"]
    {
        let position = GAME.position(text).expect("a position");
        assert_eq!(position.to_fen(), text);
        for mv in position.legal_moves() {
            let (uci, san) = (position.uci(mv), position.to_san(mv));
            assert_eq!(position.parse_uci(&uci).as_ref(), Ok(&mv), "{uci}");
            assert_eq!(position.parse_san(&san).as_ref(), Ok(&mv), "{san}");
        }
    }
    for wrong in ["", "6/6/6/6/6 w 1", "7/6/6/6/6/6 w 1", "6/6/6/6/6/6 x 1", "6/6/6/6/6/6 w 1 2"] {
        assert!(GAME.position(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn games_end_by_its_own_rules() {
    for (text, winner, rule) in [
        ("3P2/6/6/6/6/p5 b 20", Color::White, "breakthrough"),
        ("6/p5/6/6/6/1p4 w 20", Color::Black, "breakthrough"),
        ("6/p5/6/6/6/6 w 20", Color::Black, "all_captured"),
        ("6/6/6/p5/P5/6 w 20", Color::White, ""),
    ] {
        let found = GAME.position(text).expect("a position").outcome();
        let expected = (!rule.is_empty()).then(|| (GameResult::win_of(winner), Ending::new(rule)));
        assert_eq!(found.is_some(), expected.is_some(), "{text}");
        assert_eq!(found, expected, "{text}");
    }
    // No man captures straight ahead.
    let blocked = GAME.position("6/6/6/P5/p5/6 b 20").expect("a position");
    assert_eq!(blocked.legal_moves().len(), 2);
}

#[test]
fn it_is_the_same_in_process_and_over_pipes() {
    let place = tempfile::tempdir().expect("a folder");
    let players = "--candidate embedded men.guarded=40 --baseline embedded";
    let inside = run(place.path(), "inside", players);
    let engine = format!("cmd={ENGINE} arg=--game arg=breakthrough option.Hash=4");
    let players = format!(
        "--candidate {engine} option.men.guarded=40 name=candidate --baseline {engine} name=baseline"
    );
    let pipes = run(place.path(), "pipes", &players);
    let found = games(&inside);
    assert!(found == games(&pipes), "{found:?}");
    assert_eq!(found.len(), 6);
    let known = ["breakthrough", "all_captured", "no_move"];
    for game in found.iter().flat_map(|pair| pair.as_array().expect("two games")) {
        let termination = game["termination"].as_str().expect("a rule");
        assert!(known.contains(&termination) || termination == "resignation", "{termination}");
    }
}

#[test]
fn chance_is_the_same_in_process_and_over_pipes() {
    let place = tempfile::tempdir().expect("a folder");
    let inside = run(place.path(), "inside", "--candidate random --baseline random");
    let fake = format!("cmd={SPRT} arg=fake-engine arg=--game arg=breakthrough");
    let players = format!("--candidate {fake} name=one --baseline {fake} name=other");
    assert!(games(&inside) == games(&run(place.path(), "pipes", &players)));
}

#[test]
fn a_run_goes_on_where_it_was_cut_off() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = run(place.path(), "run", "--candidate embedded --baseline random");
    let read = |name: &str| fs::read(Path::new(&folder).join(name)).expect("a file");
    let names = ["journal", "games.pgn", "result.json"];
    let whole = names.map(read);
    let journal = &whole[0];
    fs::write(Path::new(&folder).join("journal"), &journal[..journal.len() * 2 / 3]).expect("cut");
    said(SPRT, &format!("resume {folder} --threads 1"));
    assert_eq!(names.map(read), whole);
}

#[test]
fn its_games_are_looked_at_and_begun_from() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = run(place.path(), "run", "--candidate embedded --baseline random");
    let page = place.path().join("page.html").display().to_string();
    said(SPRT, &format!("report {folder} --output {page}"));
    let text = fs::read_to_string(&page).expect("a page");
    assert!(text.contains("breakthrough") && text.contains("-b3"), "its moves are in the page");
    assert!(text.contains(r#""files":6,"ranks":6,"first":1,"fields":2,"#), "and so is its board");
    assert!(text.contains(r#"id="viewer-board" viewBox="0 0 60 60""#), "{text}");
    // Its games are openings, and so are positions that a search thinks well of.
    let games = format!("{folder}/games.pgn");
    let made = place.path().join("made.epd").display().to_string();
    let line = format!("--game breakthrough --count 8 --nodes 50 --balance 400 --output {made}");
    said(SPRT, &format!("openings {line} --plies 2-6"));
    let openings = fs::read_to_string(&made).expect("openings");
    assert_eq!(openings.lines().count(), 8);
    for (name, file) in [("again", &games), ("from-made", &made)] {
        let options = if name == "again" { "--opening-plies 2" } else { "" };
        let players = format!("--candidate embedded --baseline random --openings {file} {options}");
        assert_eq!(self::games(&run(place.path(), name, &players)).len(), 6);
    }
}

#[test]
fn tournaments_and_ablations_play_it() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = run(place.path(), "run", "--candidate embedded --baseline random");
    let at = |name: &str| place.path().join(name).display().to_string();
    let tournament = at("tournament");
    said(
        SPRT,
        &format!(
            "tournament --game breakthrough --player embedded --player random \
             --player embedded men.man=300 name=third --rounds 2 --nodes 100 --output {tournament}"
        ),
    );
    assert_eq!(games(&tournament).len(), 6);
    let ablation = at("ablation");
    said(
        SPRT,
        &format!(
            "ablate --game breakthrough --parameters {folder}/candidate.toml --only null_move \
             men.guarded --pairs 4 --nodes 100 --bench-depth 3 --output {ablation}"
        ),
    );
    let table = fs::read_to_string(Path::new(&ablation).join("table.csv")).expect("a table");
    assert!(table.lines().any(|line| line.starts_with("men.guarded,")), "{table}");
}

#[test]
fn the_game_must_be_known_and_meant() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = run(place.path(), "run", "--candidate embedded --baseline random");
    let refused = |program: &str, arguments: &str, words: &str| {
        let output = done(program, arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(words), "{arguments}: {errors}");
    };
    refused(ENGINE, "--game go", "unknown game \"go\"; expected chess, breakthrough");
    refused(ENGINE, "--game breakthrough toy tic-tac-toe", "no game but chess");
    let numbers = format!("{folder}/candidate.toml");
    refused(ENGINE, &format!("bench 1 --parameters {numbers}"), "candidate.toml:");
    let output = place.path().join("other").display().to_string();
    let line = format!("run --candidate {numbers} --baseline random --nodes 9 --pairs 1");
    refused(SPRT, &format!("{line} --output {output}"), "candidate.toml:");
}

#[test]
fn it_holds_what_every_game_holds() {
    let positions = game_suite::positions(GAME, 20, 60);
    game_suite::check_rules(GAME, &positions);
    game_suite::check_search(&positions, breakthrough::searched);
    game_suite::check_ends(&game_suite::ends(GAME, 20, 200), breakthrough::searched);
}
