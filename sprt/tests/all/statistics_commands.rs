//! `sprt calculate`, `plan` and `simulate` as programs.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::child::{Guarded, ended, output};
use crate::helpers::{sprt, sprt_line};

/// Standard output of a command that succeeds.
fn printed(arguments: &[&str]) -> String {
    let (stdout, _) = ended(0, sprt().args(arguments));
    stdout
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).expect("JSON")
}

fn refused(arguments: &[&str]) -> String {
    let (status, stdout, stderr) = output(sprt().args(arguments));
    assert_eq!((status, stdout.as_str()), (Some(64), ""));
    stderr
}

fn game(white: &str, black: &str, opening: u32, result: &str) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
         [FEN \"4k3/8/8/8/8/8/8/{opening}K{} w - - 0 1\"]\n\n{result}\n\n",
        7 - opening
    )
}

#[test]
fn figures_from_pgn_are_those_of_its_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let mut text = String::new();
    for (opening, [as_white, as_black]) in
        [(1, ["1-0", "0-1"]), (2, ["1-0", "1-0"]), (3, ["1/2-1/2", "1/2-1/2"]), (4, ["0-1", "*"])]
    {
        text += &game("new", "old", opening, as_white);
        text += &game("old", "new", opening, as_black);
    }
    fs::write(&path, &text).expect("writable");
    let path = path.to_str().expect("UTF-8");
    let from_pgn = json(&["calculate", "--json", "--candidate", "new", "--pgn", path]);
    let from_counts = json(&["calculate", "--json", "--pentanomial", "0,0,1,1,0,1"]);
    for name in ["llr", "elo", "elo_error", "nelo", "los", "draw_ratio", "book_bias", "pairs"] {
        assert_eq!(from_pgn[name], from_counts[name], "{name}");
    }
    let source = &from_pgn["source"];
    assert_eq!(
        (&source["finished_games"], &source["single_games"], &source["unfinished_games"]),
        (&7.into(), &1.into(), &1.into())
    );
    let message = refused(&["calculate", "--candidate", "newer", "--pgn", path]);
    assert_eq!(message, "error: --candidate \"newer\" did not play; \"new\", \"old\" did\n");

    // A third player makes it a tournament.
    fs::write(path, text + &game("third", "old", 5, "1-0")).expect("writable");
    let table = json(&["calculate", "--json", "--anchor", "old=2500", "--pgn", path]);
    let old = table["players"].as_array().expect("players").iter().find(|p| p["player"] == "old");
    assert_eq!(old.expect("rated")["elo"], 2500.0);
    let words = printed(&["calculate", "--pgn", path]);
    assert!(words.contains("third") && words.contains("LOS %"), "{words}");
}

#[test]
fn plans_and_simulations_can_be_read_by_programs() {
    let plan = json(&["plan", "--json", "--elo1", "5", "--games-per-hour", "1000"]);
    let pairs = plan["worst_case_pairs"].as_f64().expect("a number");
    assert!((pairs - 20_931.0).abs() < 1.0, "{pairs}");
    assert_eq!(plan["worst_case_hours"].as_f64(), Some(2.0 * pairs / 1000.0));
    let design = ["simulate", "--json", "--elo1", "60", "--batch", "4", "--runs", "200"];
    let simulation = json(&design);
    let again = json(&[&design[..], &["--threads", "3"]].concat());
    assert_eq!(simulation, again);
    let accepted = &simulation["strengths"][2]["corrected"]["accepted"]["value"];
    assert!(accepted.as_f64().expect("a share") > 0.85, "{simulation}");
    let message = refused(&["plan", "--draw-ratio", "0.9", "--book-bias", "200"]);
    assert!(message.contains("it must be from 0 to below 0.481"), "{message}");
    assert!(
        refused(&["simulate", "--elo", "nan"]).contains("a number from -2000 to 2000 is expected")
    );
}

#[test]
fn counts_without_end_keep_their_sign() {
    for (counts, sign) in [("0,0,0,0,1000000000000", 1.0), ("1000000000000,0,0,0,0", -1.0)] {
        let found = json(&["calculate", "--json", "--pentanomial", counts]);
        for name in
            ["llr", "elo", "elo_if_fixed", if sign > 0.0 { "elo_lower" } else { "elo_upper" }]
        {
            let value = found[name].as_f64().expect("a number");
            assert!(value * sign > 1.0, "{counts}: {name} {value}");
        }
    }
    let won = ["calculate", "--json", "--model", "bayes", "--trinomial", "0,0,1000000000000000"];
    assert!(json(&won)["llr"].as_f64().is_some_and(|ratio| ratio > 1.0));
}

#[test]
fn plans_assume_no_more_than_they_are_told() {
    let many_draws = json(&["plan", "--json", "--draw-ratio", "0.95"]);
    let bias = many_draws["book_bias"].as_f64().expect("a number");
    assert!(bias > 1.0 && bias < 72.0, "{bias}");
    let five = ["plan", "--json", "--pentanomial", "127,4883,10712,5150,104"];
    assert!(json(&five)["draw_ratio"].is_null() && json(&five)["book_bias"].is_null());
}

#[test]
fn the_end_of_whoever_reads_is_no_panic() {
    for line in ["calculate --pentanomial 1,2,3,4,5", "plan"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = Guarded::spawn(sprt_line(line).stdout(writer).stderr(Stdio::piped()));
        assert_eq!(child.finish(), (Some(0), String::new(), String::new()));
    }
}

#[test]
fn counts_and_scales_may_be_written_in_several_ways() {
    let plain = json(&["calculate", "--json", "--pentanomial", "13,37,50,25,3"]);
    let spaced = ["--pentanomial", " 13, 37, 50, 25, 3", "--model", "normalised"];
    assert_eq!(json(&[&["calculate", "--json"], &spaced[..]].concat()), plain);
    let refused_counts = |counts| refused(&["calculate", "--pentanomial", counts]);
    assert!(refused_counts("1,x,3,4,5").contains("not a whole number"));
    assert!(refused_counts("1,-2,3,4,5").contains("not a whole number"));
    let both = ["calculate", "--pentanomial", "1,2,3,4,5", "--trinomial", "1,2,3"];
    assert!(refused(&both).contains("cannot be used with"), "{}", refused(&both));
    let even = printed(&["calculate", "--pentanomial", "0,10,50,10,0"]);
    assert!(even.contains("\nElo         0.000 [") && !even.contains("-0.000"), "{even}");
}

#[test]
fn games_may_come_from_the_standard_input() {
    let mut command = sprt_line("calculate --json --pgn - --anchor old=2500");
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    let text = game("new", "old", 1, "1-0") + &game("old", "new", 1, "1/2-1/2");
    writer.write_all(text.as_bytes()).expect("it fits into the pipe");
    drop(writer);
    let child = Guarded::spawn(command.stdin(reader).stdout(Stdio::piped()));
    let (_, stdout, _) = child.finish();
    // An anchor asks for a rating table, even of two players.
    let table: Value = serde_json::from_str(&stdout).expect("JSON");
    let players = table["players"].as_array().expect("players");
    assert_eq!((&players[1]["player"], &players[1]["elo"]), (&"old".into(), &2500.0.into()));
    assert_eq!(table["source"]["paired_by"], "round and opening");
}

#[test]
fn below_ten_pairs_no_figure_is_printed() {
    let printed = |source: &[&str]| printed(&[&["calculate"], source].concat());
    for few in [["--pentanomial", "0,0,0,0,9"], ["--trinomial", "0,0,19"]] {
        let text = printed(&few);
        assert!(text.ends_with("\nElo         too few pairs to say: fewer than 10\n"), "{text}");
    }
    for enough in [["--pentanomial", "0,0,0,0,10"], ["--trinomial", "0,0,20"]] {
        let text = printed(&enough);
        assert!(text.contains("\nLOS  ") && !text.contains("too few"), "{text}");
    }
}

/// Names of players are other people's text: shown as they may be shown, and whole in JSON.
#[test]
fn names_in_pgn_steer_no_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let name = "\u{1b}]0;a\u{7}\u{9b}31m\u{202e}b\u{7f}";
    let long = "x".repeat(100_000);
    let text = [game(name, &long, 1, "1-0"), game(&long, name, 1, "1/2-1/2")].concat();
    fs::write(&path, text).expect("writable");
    let calculate = |json: &[&str]| {
        let mut command = sprt();
        command.args(["calculate", "--pgn"]).arg(&path).args(json).env("CLICOLOR_FORCE", "1");
        let (stdout, _) = ended(0, &mut command);
        stdout
    };
    let shown = calculate(&[]);
    assert!(shown.contains("?]0;a??31m?b?") && shown.len() < 5000, "{shown:?}");
    let json = calculate(&["--json"]);
    for text in [&shown, &json] {
        assert!(!text.contains(|letter| letter != '\n' && foreign::is_sign(letter)));
    }
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["source"]["players"][0], name);
}
