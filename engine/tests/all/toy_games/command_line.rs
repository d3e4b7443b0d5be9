//! `kamerton toy`: what it counts, and games played over its input.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::child::Guarded;

/// What it prints when it is given this input.
fn toy(arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kamerton"));
    command.arg("toy").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let child = Guarded::spawn(&mut command);
    child.take_stdin().write_all(input.as_bytes()).expect("it reads");
    let (status, text, _) = child.finish();
    assert_eq!(status, Some(0), "{arguments:?}");
    text
}

/// The words of the line that begins so.
fn words<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.trim_start().starts_with(start));
    line.unwrap_or_else(|| panic!("no line {start}: {text}")).split_whitespace().collect()
}

#[test]
fn tic_tac_toe_is_counted() {
    let text = toy(&["tic-tac-toe"], "");
    assert_eq!(words(&text, "minimax"), ["minimax", "0", "549946"]);
    assert_eq!(words(&text, "alpha-beta  "), ["alpha-beta", "0", "18297"]);
    assert_eq!(words(&text, "0  "), ["0", "4", "0", "2338"]);
    assert_eq!(words(&text, "7  "), ["7", "1", "0", "4981"]);
    assert!(text.ends_with("it wins 498, draws 183 and loses 0 games\n"), "{text}");
    let other = toy(&["tic-tac-toe", "--order", "402681357"], "");
    assert_eq!(words(&other, "minimax"), ["minimax", "0", "549946"]);
    assert_ne!(words(&other, "alpha-beta  ")[2], "18297");
    assert!(other.contains("loses 0 games"));
}

#[test]
fn tic_tac_toe_is_played() {
    // Wrong cells are refused; the program wins against whoever does not look.
    let text = toy(&["tic-tac-toe", "--play"], "0\n0\n9\nx\n8\n2\n5\n");
    assert!(text.starts_with("0 1 2\n3 4 5\n6 7 8\n4 after 2338 nodes\nx 1 2\n3 o 5\n"), "{text}");
    for refused in ["`0` is no free cell", "`9` is no free cell", "`x` is no free cell"] {
        assert!(text.contains(refused), "{text}");
    }
    // A careless player loses the middle column; the refused `1` is the program's.
    let lost = toy(&["tic-tac-toe", "--play"], "0\n8\n1\n2\n3\n5\n");
    assert!(lost.ends_with("\nx o x\nx o o\n6 o x\nthe noughts win\n"), "{lost}");
    assert!(lost.contains("`1` is no free cell"), "{lost}");
    // A careful one has a draw, and so has the program.
    let drawn = toy(&["tic-tac-toe", "--play"], "0\n8\n7\n2\n3\n6\n");
    let answers: Vec<&str> = drawn.lines().filter(|line| line.contains(" after ")).collect();
    let cells: Vec<&str> = answers.iter().map(|line| &line[..1]).collect();
    assert_eq!(cells, ["4", "1", "6", "5"], "{drawn}");
    assert!(drawn.ends_with("\nx o x\nx o o\no x x\na draw\n"), "{drawn}");
    let left = toy(&["tic-tac-toe", "--play"], "4\n-1\n0\n");
    assert_eq!(left.matches("after").count(), 1, "{left}");
    assert_eq!(toy(&["tic-tac-toe", "--play"], "").lines().count(), 3);
}

#[test]
fn corners_is_counted_and_played() {
    let text = toy(&["corners", "--depth", "2"], "");
    let [plain, ordered] = ["minimax", "alpha-beta  "].map(|name| words(&text, name));
    assert_eq!((plain[1], plain[2]), (ordered[1], plain[3]), "order changes nothing of these");
    assert!(text.contains("the other side passing: gain 49, 8341 nodes\n"), "{text}");
    assert!(text.ends_with("changed camps after 32 moves\n"), "{text}");
    // The program begins; a man that is not one's own, and no move at all, are refused.
    let text = toy(&["corners", "--play"], "a1a2\nsomewhere\ne6 e5\n\n");
    assert_eq!(text.matches("  a b c d e f g h\n").count(), 2, "{text}");
    assert!(text.contains("no man of yours can go a1a2\n"), "{text}");
    assert!(text.contains("`somewhere` is not written as a move such as d3d4\n"), "{text}");
    let men = |board: &str, side: &str| board.matches(side).count();
    let first = text.split("  a b c").next().expect("a board");
    assert_eq!((men(first, " x"), men(first, " o")), (12, 12), "{text}");
}
