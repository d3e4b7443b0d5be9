//! `kamerton play`: games over a pipe.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::child::Guarded;

/// Its output for this input.
fn play(arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kamerton"));
    command.arg("play").args(["--nodes", "2000"]).args(arguments);
    let child = Guarded::spawn(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
    child.take_stdin().write_all(input.as_bytes()).expect("it reads");
    let (status, text, _) = child.finish();
    assert_eq!(status, Some(0), "{arguments:?}");
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest.is_some_and(|widest| widest <= 80), "{text}");
    text
}

/// After Rg1 Black has one move, and is mated two moves later; Rh8 mates at once.
const LADDER: [&str; 2] = ["--fen", "k7/8/K7/8/8/8/8/7R w - - 0 1"];

const START: &str = "
  8  ♚ · · · · · · ·
  7  · · · · · · · ·
  6  ♔ · · · · · · ·
  5  · · · · · · · ·
  4  · · · · · · · ·
  3  · · · · · · · ·
  2  · · · · · · · ·
  1  · · · · · · · ♖
     a b c d e f g h
";

#[test]
fn a_game_is_played_in_both_notations() {
    let text = play(&LADDER, "Rg1\nb8a8\ng1g2\nnonsense\n");
    assert!(text.starts_with("You play White against 2000 nodes a move; `help` lists"), "{text}");
    assert_eq!(text.matches(START).count(), 1, "{text}");
    assert_eq!(text.matches("Kamerton plays 1... Kb8\n").count(), 1, "{text}");
    assert!(text.contains("  8  · ♚ · · · · · ·\n"), "{text}");
    assert!(text.contains("b8a8") && text.contains("nonsense"), "refused by name: {text}");
    assert!(text.contains("Kamerton plays 2... "), "{text}");
    // Small letters do for a piece where no pawn is meant.
    let mate = play(&LADDER, "rh8\nboard\nrh7\n");
    assert!(mate.contains("The game is over, 1-0: checkmate.\n"), "{mate}");
    assert!(mate.ends_with("`new` begins again, `back` takes a move back.\n"), "{mate}");
}

#[test]
fn moves_are_taken_back_and_games_given_up() {
    let text = play(&LADDER, "back\nRg1\nback\nRh8\nback\nresign\nRg1\nnew\nRg1\nquit\nRh1\n");
    assert!(text.contains("You have made no move yet.\n"), "{text}");
    // At first, after both moves taken back, and in the new game.
    assert_eq!(text.matches(START).count(), 4, "{text}");
    assert_eq!(text.matches("1-0: checkmate").count(), 1, "{text}");
    assert_eq!(
        text.matches("0-1: you resigned").count(),
        2,
        "told again when a move is tried: {text}"
    );
    assert_eq!(text.matches("Kamerton plays 1... Kb8\n").count(), 2, "nothing after quit: {text}");
}

#[test]
fn the_engine_says_why() {
    let text = play(&LADDER, "why\nRg1\nwhy\n");
    assert!(text.contains("It has not moved yet.\n"), "{text}");
    let why = text.split("Black is mated in 2, seen ").nth(1).unwrap_or_else(|| panic!("{text}"));
    assert!(why.contains("\nIt expects 1... Kb8 2. "), "{why}");
    assert!(why.contains("\n  evaluation "), "{why}");
    // A queen that can be taken is what changes most.
    let taken = ["--fen", "3qk3/ppp2ppp/8/3Q4/8/8/PPP2PPP/4K3 w - - 0 1"];
    let text = play(&taken, "Kf1\nwhy\n");
    assert!(text.contains("Kamerton plays 1... Qxd5\n"), "{text}");
    let terms = text.split("for it:\n").nth(1).unwrap_or_else(|| panic!("{text}"));
    assert!(terms.lines().nth(1).is_some_and(|line| line.contains("material.queen")), "{terms}");
}

#[test]
fn levels_and_colors_are_chosen() {
    let text = play(&[], "level\nlevel elo 1585\nlevel 77\nlevel elo 9\nlevel best\nhelp\n");
    assert!(text.contains("It plays with 2000 nodes a move.\n"), "{text}");
    assert!(text.contains("It plays with elo 1585, 128 nodes a move.\n"), "{text}");
    assert!(text.contains("It plays with 77 nodes a move.\n"), "{text}");
    assert_eq!(text.matches("Write `level nodes N`").count(), 2, "{text}");
    assert!(text.contains("take back your last move"), "{text}");
    let black = play(&[&LADDER[..], &["--black"]].concat(), "");
    assert!(black.starts_with("You play Black"), "{black}");
    assert!(black.contains("Kamerton plays 1. Rh8#\n"), "it begins: {black}");
    assert!(black.contains("\n  1  ♖ · · · · · · ·\n"), "{black}");
    assert!(black.contains("     h g f e d c b a\n"), "{black}");
    assert!(black.ends_with("The game is over, 1-0: checkmate.\n"), "{black}");
}

const XIANGQI: &str = "
  9  r n b a k a b n r
  8  · · · + + + · · ·
  7  · c · + + + · c ·
  6  p · p · p · p · p
  5  · · · · · · · · ·
     ~ ~ ~ ~ ~ ~ ~ ~ ~
  4  · · · · · · · · ·
  3  P · P · P · P · P
  2  · C · + + + · C ·
  1  · · · + + + · · ·
  0  R N B A K A B N R
     a b c d e f g h i
";

#[test]
fn xiangqi_is_played_in_all_its_notations() {
    let game = ["--game", "xiangqi"];
    for first in ["C2=5", "h2e2", "Ch2-e2", "H2-E2", "c2.5", "62.5", "炮二平五"] {
        let text = play(&game, &format!("{first}\n"));
        assert!(text.starts_with("You play Red against 2000 nodes a move; `help` lists"), "{text}");
        assert_eq!(text.matches(XIANGQI).count(), 1, "{text}");
        assert!(text.contains("  2  · C · + C + · · ·\n"), "{first}: {text}");
        assert!(text.contains("Kamerton plays 1... "), "{first}: {text}");
    }
    let text = play(&game, "C2=9\nhelp\nback\nC2=5\nwhy\nback\nlevel elo 1500\nresign\n");
    assert!(text.contains("\"C2=9\" is no legal move here"), "{text}");
    assert!(text.contains("Give a move as ") && text.contains("`level elo 1500`"), "{text}");
    assert!(text.contains(" for Black, seen ") && text.contains("\n  evaluation "), "{text}");
    assert_eq!(text.matches(XIANGQI).count(), 2, "{text}");
    assert!(text.contains("It plays with elo 1500, 75 nodes a move.\n"), "{text}");
    assert!(text.ends_with("The game is over, 0-1: you resigned.\n"), "{text}");
}

#[test]
fn a_game_that_nobody_has_rated_is_played_by_nodes() {
    let text = play(&["--game", "draughts"], "help\nlevel elo 1500\n");
    assert!(text.contains("set it by `level nodes 5000`\n"), "{text}");
    assert!(text.contains("Write `level nodes N`.\n"), "{text}");
    for (words, reason) in [
        (
            ["--game", "draughts", "--elo", "1500"],
            "--elo: nobody has rated the engine's play of draughts",
        ),
        (["--game", "xiangqi", "--elo", "1200"], "--elo: 1200 is not in 1295..=2730"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kamerton"));
        let output = command.arg("play").args(words).output().expect("it runs");
        assert!(!output.status.success());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(reason), "{stderr}");
    }
}

#[test]
fn xiangqi_ends_by_its_rules() {
    let end = |fen, mv| {
        let text = play(&["--game", "xiangqi", "--fen", fen], &format!("{mv}\n"));
        text.lines().last().unwrap_or_default().to_owned()
    };
    let mate = end("4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1", "R8+2");
    assert_eq!(mate, "The game is over, 1-0: checkmate.");
    let stuck = end("3k5/9/R8/9/9/9/9/9/9/4K4 w - - 0 1", "a7a8");
    assert_eq!(stuck, "The game is over, 1-0: no move.");
    let black = play(&["--game", "xiangqi", "--black"], "");
    assert!(black.starts_with("You play Black"), "{black}");
    let last = "\n  9  r n b a k a b n r\n     i h g f e d c b a\n";
    assert!(black.contains(last), "seen from the other side: {black}");
}
