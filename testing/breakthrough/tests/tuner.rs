//! The tuner records a second game, reads what was recorded, and tunes the numbers of its search.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SPRT: &str = env!("CARGO_BIN_EXE_breakthrough-sprt");
const ENGINE: &str = env!("CARGO_BIN_EXE_breakthrough-engine");
const TUNER: &str = env!("CARGO_BIN_EXE_breakthrough-tuner");

/// The output of a program, with whether it succeeded.
fn said(program: &str, arguments: &str) -> (bool, String) {
    let words = arguments.split_whitespace();
    let output = Command::new(program).args(words).output().expect("the program starts");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).expect("text"))
}

fn tuner(arguments: &str) -> String {
    let (success, text) = said(TUNER, arguments);
    assert!(success, "{arguments}: {text}");
    text
}

/// A store of some games.
fn record(place: &Path, name: &str, more: &str) -> PathBuf {
    let store = place.join(name);
    tuner(&format!(
        "record --game breakthrough --games 12 --nodes 100 --seed 4 --output {} {more}",
        store.display()
    ));
    store
}

#[test]
fn its_games_are_recorded_the_same_however_often_that_is_interrupted() {
    let place = tempfile::tempdir().expect("a folder");
    let whole = record(place.path(), "whole.kgames", "--threads 1");
    let cut = place.path().join("cut.kgames");
    let begun = "record --game breakthrough --games 5 --nodes 100 --seed 4 --threads 2";
    tuner(&format!("{begun} --output {}", cut.display()));
    let cut = record(place.path(), "cut.kgames", "--threads 2 --resume");
    assert!(fs::read(&whole).expect("a store") == fs::read(&cut).expect("a store"));
}

#[test]
fn what_was_recorded_is_read_in_every_form_that_has_no_chess_in_it() {
    let place = tempfile::tempdir().expect("a folder");
    let store = record(place.path(), "games.kgames", "");
    let count = |file: &Path| {
        tuner(&format!("positions --game breakthrough {} --count --per-game 0", file.display()))
    };
    let counted = count(&store);
    assert!(counted.contains("ended by breakthrough"), "{counted}");
    for form in ["csv", "txt"] {
        let file = place.path().join(format!("positions.{form}"));
        let (from, to) = (store.display(), file.display());
        tuner(&format!("positions --game breakthrough {from} --per-game 0 --output {to}"));
        let lines = fs::read_to_string(&file).expect("text").lines().count();
        let again = place.path().join(format!("again.{form}"));
        let (from, to) = (file.display(), again.display());
        tuner(&format!(
            "positions --game breakthrough {from} --per-game 0 --min-ply 0 --keep-noisy --output {to}"
        ));
        let text = fs::read_to_string(&again).expect("text");
        assert!(lines > 50 && text.lines().count() == lines, "{form}: {lines} lines\n{text}");
    }
    for (arguments, words) in [
        (
            format!("positions {} --count", store.display()),
            "positions of breakthrough, not of chess",
        ),
        (format!("positions --game breakthrough {} --output a.bullet", store.display()), "chess"),
    ] {
        let (success, text) = said(TUNER, &arguments);
        assert!(!success && text.contains(words), "{arguments}: {text}");
    }
}

#[test]
fn games_of_runs_and_of_files_are_imported() {
    let place = tempfile::tempdir().expect("a folder");
    let run = place.path().join("run");
    said(
        SPRT,
        &format!(
            "run --game breakthrough --candidate embedded --baseline random --nodes 100 --pairs 5 \
             --output {}",
            run.display()
        ),
    );
    for (name, source) in [("run", run.clone()), ("pgn", run.join("games.pgn"))] {
        let store = place.path().join(format!("{name}.kgames"));
        let (from, to) = (source.display(), store.display());
        let text = tuner(&format!("import --game breakthrough {from} --output {to}"));
        assert!(text.contains("recorded"), "{text}");
        let refused = place.path().join("refused.kgames");
        let (success, text) = said(TUNER, &format!("import {from} --output {}", refused.display()));
        assert!(!success && !refused.exists(), "{text}");
    }
}

#[test]
fn its_numbers_are_fitted_to_its_games_and_tested() {
    let place = tempfile::tempdir().expect("a folder");
    let store = place.path().join("games.kgames").display().to_string();
    tuner(&format!(
        "record --game breakthrough --games 400 --nodes 60 --seed 7 --random-plies 4..6 --output {store}"
    ));
    let fitted = |name: &str, threads: u32| {
        let output = place.path().join(name).display().to_string();
        let report = place.path().join("report").display().to_string();
        let text = tuner(&format!(
            "fit --game breakthrough --positions {store} --start textbook --min-ply 0 --output {output} \
             --report {report} --threads {threads}"
        ));
        assert!(text.contains("Tuned parameters"), "{text}");
        (output, fs::read_to_string(Path::new(&report).join("report.json")).expect("a report"))
    };
    let (tuned, report) = fitted("tuned.toml", 1);
    let (again, _) = fitted("again.toml", 2);
    let read = |file: &str| fs::read_to_string(file).expect("numbers");
    assert_eq!(read(&tuned).replace("tuned.toml", "again.toml"), read(&again));
    assert!(read(&tuned).contains("[weights.men]") && read(&tuned).contains("Fitted by"));
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    let error = |when: &str| report[when]["training"].as_f64().expect("an error");
    assert!(error("after") < error("before"), "{report}");
    assert!(report["disagreement"].as_f64().is_some_and(|it| it < 1e-3), "{report}");
    let (success, text) = said(
        SPRT,
        &format!(
            "run --game breakthrough --candidate {tuned} --baseline textbook --nodes 60 --pairs 10 \
             --output {}",
            place.path().join("test").display()
        ),
    );
    assert!(text.contains("Verdict"), "{success} {text}");
    let (success, text) = said(
        TUNER,
        &format!(
            "fit --game breakthrough --positions {store} --start textbook --output {tuned} \
             --k-by-material"
        ),
    );
    assert!(!success && text.contains("--k-by-material needs positions of chess"), "{text}");
}

#[test]
fn numbers_of_its_search_are_tuned_by_games_and_by_positions() {
    let place = tempfile::tempdir().expect("a folder");
    let tuned = place.path().join("tuned").display().to_string();
    tuner(&format!(
        "spsa --game breakthrough --start textbook --only men.man,men.guarded --nodes 50 --pairs 12 \
         --output {tuned}"
    ));
    let result = fs::read_to_string(Path::new(&tuned).join("tuned.toml")).expect("numbers");
    assert!(result.contains("[weights.men]"), "{result}");
    let store = record(place.path(), "games.kgames", "").display().to_string();
    let judgements = place.path().join("judgements.csv").display().to_string();
    let text = tuner(&format!(
        "regret --game breakthrough --positions {store} --start textbook --change \
         null_move.enabled=0 --count 20 --nodes 60 --judge-nodes 300 --judgements {judgements}"
    ));
    assert!(text.contains("null_move.enabled=0"), "{text}");
    let text = tuner(&format!(
        "audit --game breakthrough --positions {store} --start textbook --count 20 --nodes 300"
    ));
    assert!(!text.is_empty());
}

#[test]
fn the_whole_loop_tunes_it_and_ends_in_a_binary() {
    let place = tempfile::tempdir().expect("a folder");
    let run = |output: &Path, threads: u32| {
        let line = format!(
            "auto --game breakthrough --generations 2 --record-games 900 --record-nodes 60 --nodes 60 \
             --pairs 60 --check-nodes 0 --margin-positions 100 --margin-rounds 2 --k 1 --whole \
             --threads {threads} --output {}",
            output.display()
        );
        let words = line.split_whitespace();
        let ran = Command::new(TUNER).args(words).current_dir(place.path()).output();
        let ran = ran.expect("the program starts");
        let text = String::from_utf8([ran.stdout, ran.stderr].concat()).expect("text");
        assert!(ran.status.success() && text.contains("accepted"), "{text}");
        place.path().join(output)
    };
    // A folder is named from where the program is started, too.
    let (folder, again) = (run(&place.path().join("run"), 2), run(Path::new("again"), 1));
    for file in ["champion.toml", "ledger.csv"] {
        let read = |folder: &Path| fs::read_to_string(folder.join(file)).expect(file);
        assert_eq!(read(&folder), read(&again), "{file}");
    }
    // A run goes on in its own game alone: settings that name none are those of chess.
    let settings = again.join("settings.json");
    let text = fs::read_to_string(&settings).expect("settings");
    let of_chess = text.replacen("\"game\": \"breakthrough\",", "", 1);
    fs::write(&settings, of_chess).expect("writable");
    let resume = format!("auto --resume --game breakthrough --output {}", again.display());
    let (success, text) = said(TUNER, &resume);
    assert!(!success && text.contains("game: \"breakthrough\", not"), "{text}");
    let page = fs::read_to_string(folder.join("report.html")).expect("a page");
    assert!(page.contains("men.") && page.contains("accepted"), "{page}");
    let manifest = fs::read_to_string(folder.join("kamerton-tuned.json")).expect("a manifest");
    assert!(manifest.contains("\"game\": \"breakthrough\""), "{manifest}");
    let binary = folder.join("kamerton-tuned").display().to_string();
    let (success, carried) = said(&binary, "params --manifest");
    assert!(success && carried == manifest, "{carried}");
    // It starts in its game, with its numbers.
    let (_, numbers) = said(&binary, "params --format toml");
    let champion = folder.join("champion.toml").display().to_string();
    let (_, read) = said(&binary, &format!("params --format toml --parameters {champion}"));
    assert!(numbers.starts_with("# Every") && numbers.contains("game = \"breakthrough\""));
    assert_eq!(numbers, read);
}

#[test]
fn a_binary_carries_numbers_of_one_game_and_leaves_those_of_others() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name).display().to_string();
    let mine = "game = \"breakthrough\"\n\n[weights.men]\nguarded = 20\n";
    fs::write(path("mine.toml"), mine).expect("writable");
    tuner(&format!(
        "export --game breakthrough --parameters {} --output {}",
        path("mine.toml"),
        path("mine")
    ));
    let bench = |words: &str| said(&path("mine"), words);
    let nodes = |(success, text): (bool, String)| {
        assert!(success, "{text}");
        let last = text.lines().find(|line| line.contains("nodes")).expect("a count").to_owned();
        last.split_whitespace().next().expect("a number").to_owned()
    };
    let loaded = format!("bench --game breakthrough --parameters {}", path("mine.toml"));
    assert_eq!(nodes(bench("bench")), nodes(said(ENGINE, &loaded)));
    let plain = nodes(said(ENGINE, "bench --game chess 3"));
    assert_eq!(nodes(bench("bench --game chess 3")), plain);
    for (arguments, words) in [
        (format!("export --parameters {} --output {}", path("mine.toml"), path("no")), "`game` is"),
        (
            format!("export --game breakthrough --parameters default --output {}", path("no")),
            "there is no such file",
        ),
    ] {
        let (success, text) = said(TUNER, &arguments);
        assert!(!success && text.contains(words), "{arguments}: {text}");
    }
    let chess = "[weights.material]\nbishop_pair = [40, 60]\n";
    fs::write(path("chess.toml"), chess).expect("writable");
    tuner(&format!(
        "export --parameters {} --engine {ENGINE} --output {}",
        path("chess.toml"),
        path("chess")
    ));
    let (success, text) = said(&path("chess"), "params --manifest");
    assert!(success && !text.contains("breakthrough"), "{text}");
    let (success, text) = said(&path("chess"), "--game breakthrough params --manifest");
    assert!(!success && text.contains("no manifest"), "{text}");
}
