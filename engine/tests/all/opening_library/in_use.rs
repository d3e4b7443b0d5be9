//! Sessions that play from a library, and the command line that makes and shows them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use chess::Position;
use chess::opening_book::Book;
use chess::opening_library::Library;

use super::damage::small_library;
use super::{GAMES, games, grown, played};
use crate::child::{Guarded, output};
use crate::driver::Session;

/// A session that plays from a file of these bytes, and what it said of them.
fn session_with(bytes: &[u8], folder: &Path) -> (Session, Vec<String>) {
    let path = folder.join("my own.library");
    fs::write(&path, bytes).expect("writable");
    let mut session = Session::start();
    session.send("setoption name OwnBook value true");
    session.send(&format!("setoption name BookFile value {}", path.display()));
    let said = session.until_ready();
    (session, said)
}

#[test]
fn a_session_plays_from_its_library() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let bytes = grown(&games(GAMES), 20, 1).to_bytes();
    let (mut session, said) = session_with(&bytes, folder.path());
    assert_eq!(said, ["info string library: 4 variations of 11 moves"]);
    let answer = |session: &mut Session, position: &str| {
        session.send(&format!("position {position}"));
        session.send("go nodes 100");
        let (best, infos) = session.best_move();
        (best.expect("a move"), infos.iter().any(|info| info.depth.is_some()))
    };
    let of_library = |text: &str| (text.to_owned(), false);
    assert_eq!(answer(&mut session, "startpos"), of_library("e2e4"));
    let fen = Position::start().to_fen(false);
    assert_eq!(answer(&mut session, &format!("fen {fen}")), of_library("e2e4"));
    assert_eq!(answer(&mut session, "startpos moves e2e4 e7e5"), of_library("g1f3"));
    // Black's two replies are equal: the seed decides, and always the same way.
    let mut seen = Vec::new();
    for seed in 1..=20 {
        session.send(&format!("setoption name BookSeed value {seed}"));
        let line = "startpos moves e2e4 e7e5 g1f3";
        let first = answer(&mut session, line);
        assert_eq!(answer(&mut session, line), first);
        assert!(!first.1);
        seen.push(first.0);
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen, ["b8c6", "g8f6"]);
    session.send("position startpos");
    session.send("go nodes 100");
    let told = session.until("info string library: ").pop().expect("a line");
    assert_eq!(told, "info string library: e2e4, assessment 1, 3 games");
    session.best_move();
    // Handed over: the variation ends, a reply is missing, the game began elsewhere, nobody asked.
    for position in ["startpos moves e2e4 e7e5 g1f3 b8c6 f1b5", "startpos moves a2a3"] {
        assert!(answer(&mut session, position).1, "{position}");
    }
    let (_, elsewhere) = played("e2e4 e7e5");
    assert!(answer(&mut session, &format!("fen {}", elsewhere.to_fen(false))).1);
    session.send("setoption name OwnBook value false");
    assert!(answer(&mut session, "startpos").1);
}

/// Each that says it has learned has learned.
#[test]
fn learning_at_once_loses_no_game() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (library, pgn) = (folder.path().join("own.library"), folder.path().join("games.pgn"));
    fs::write(&library, grown(&games(GAMES), 20, 1).to_bytes()).expect("writable");
    fs::write(&pgn, "[Result \"1-0\"]\n\n1. e4 c5 1-0\n\n".repeat(3000)).expect("writable");
    let start = |_| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kamerton"));
        command.args(["library", "learn", "--library"]).arg(&library).arg("--pgn").arg(&pgn);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Guarded::spawn(&mut command)
    };
    let learning: Vec<Guarded> = (0..4).map(start).collect();
    let mut learned = 0;
    for ended in learning.into_iter().map(Guarded::finish) {
        match ended {
            (Some(0), ..) => learned += 1,
            (status, _, told) => {
                assert!(told.contains("another process is writing"), "{status:?} {told}");
            }
        }
    }
    let library = Library::parse(&fs::read(&library).expect("there")).expect("whole");
    assert!(learned > 0);
    assert_eq!(library.start().0.games(), 4 + 3000 * learned);
}

#[test]
fn a_session_names_a_library_that_it_does_not_use() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut bytes = small_library();
    bytes[30] ^= 4;
    let (mut session, said) = session_with(&bytes, folder.path());
    assert_eq!(said.len(), 1);
    assert!(said[0].starts_with("info string book: none is used: "), "{said:?}");
    assert!(said[0].ends_with("my own.library: the checksum is wrong: damaged"), "{said:?}");
    session.send("position startpos");
    session.send("go nodes 100");
    let (best, infos) = session.best_move();
    assert!(best.is_some() && infos.iter().any(|info| info.depth.is_some()));
}

fn run(arguments: &[&str], folder: &Path) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kamerton"));
    output(command.arg("library").args(arguments).current_dir(folder))
}

/// What a call that must succeed prints.
fn printed(arguments: &[&str], folder: &Path) -> String {
    let (status, stdout, errors) = run(arguments, folder);
    assert_eq!(status, Some(0), "{arguments:?}: {errors}");
    stdout
}

/// The last line that a call says which must fail with status 1.
fn refused(arguments: &[&str], folder: &Path) -> String {
    let (status, _, errors) = run(arguments, folder);
    assert_eq!(status, Some(3), "{arguments:?}");
    errors.lines().last().expect("a line").to_owned()
}

#[test]
fn libraries_are_built_shown_and_exported_from_the_command_line() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    fs::write(folder.join("all.pgn"), GAMES).expect("writable");
    let second = GAMES.find("[Result \"0-1\"]").expect("there is one");
    fs::write(folder.join("first.pgn"), &GAMES[..second]).expect("writable");
    fs::write(folder.join("second.pgn"), &GAMES[second..]).expect("writable");
    let build = ["build", "--min-games", "1", "--output"];
    let text =
        printed(&[&build[..], &["all", "--pgn", "first.pgn", "second.pgn"]].concat(), folder);
    assert_eq!(
        text,
        "4 variations, 11 moves, 11 positions, 5 plies at most\n\
         from 4 games to 20 plies, moves of at least 1 games; 0 more moves are kept\n\
         the start is assessed 1; moves by assessment -2 to +2: 0, 4, 0, 7, 0\n"
    );
    assert_eq!(printed(&["check", "all"], folder), text);
    printed(&[&build[..], &["one", "--pgn", "all.pgn"]].concat(), folder);
    printed(&[&build[..], &["two", "--pgn", "second.pgn"]].concat(), folder);
    printed(&["learn", "--library", "two", "--pgn", "first.pgn"], folder);
    let bytes = |name: &str| fs::read(folder.join(name)).expect("readable");
    assert_eq!(bytes("one"), bytes("all"));
    assert_eq!(bytes("two"), bytes("all"));
    printed(&["learn", "--library", "two", "--pgn", "first.pgn", "--output", "three"], folder);
    assert_eq!(bytes("two"), bytes("all"));
    assert_ne!(bytes("three"), bytes("all"));
    let shown = printed(&["show", "--library", "all", "1. e4 e5"], folder);
    let lines: Vec<Vec<&str>> =
        shown.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        lines,
        [
            vec!["1.", "e4", "e5", "+1", "3", "games", "+2", "=0", "-1"],
            vec!["2.", "Nf3*", "+1", "2", "games", "+2", "=0", "-0"],
            vec!["2...", "Nc6*", "+1", "1", "games", "+1", "=0", "-0"],
            vec!["2...", "Nf6*", "+1", "1", "games", "+1", "=0", "-0"],
            vec!["2.", "f4", "-1", "1", "games", "+0", "=0", "-1"],
            vec!["2...", "exf4*", "-1", "1", "games", "+0", "=0", "-1"],
        ]
    );
    let start = printed(&["show", "--library", "all", "--plies", "0"], folder);
    assert!(start.starts_with("The start ") && start.lines().count() == 1, "{start}");
    // Of eleven moves two have a better sibling.
    assert_eq!(
        printed(&["export", "--library", "all", "--output", "book.bin"], folder),
        "9 moves\n"
    );
    let book = Book::parse(&bytes("book.bin")).expect("a sound book");
    assert_eq!(book.moves(&Position::start()).len(), 1);
    let names = fs::read_dir(folder).expect("readable").count();
    assert_eq!(names, 3 + 4 + 1, "no temporary file is left");
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let folder = folder.path();
    let mut bytes = small_library();
    fs::write(folder.join("good"), &bytes).expect("writable");
    bytes[50] ^= 1;
    fs::write(folder.join("bad"), &bytes).expect("writable");
    fs::write(folder.join("games.pgn"), GAMES).expect("writable");
    fs::write(folder.join("broken.pgn"), "1. e4 Ke4 1-0\n\n1. e4 e5 1-0\n").expect("writable");
    let reason = "error: bad: the checksum is wrong: damaged";
    assert_eq!(refused(&["check", "bad"], folder), reason);
    assert_eq!(refused(&["show", "--library", "bad"], folder), reason);
    assert_eq!(refused(&["export", "--library", "bad", "--output", "book"], folder), reason);
    assert_eq!(refused(&["learn", "--library", "bad", "--pgn", "games.pgn"], folder), reason);
    assert_eq!(fs::read(folder.join("bad")).expect("readable"), bytes, "it stays as it is");
    let reason = "error: cannot read none: No such file or directory (os error 2)";
    assert_eq!(refused(&["check", "none"], folder), reason);
    assert_eq!(
        refused(&["show", "--library", "good", "1. e4 e6"], folder),
        "error: the library does not know `1. e4 e6`"
    );
    assert_eq!(
        refused(&["show", "--library", "good", "1. e5"], folder),
        "error: \"e5\" is no legal move here"
    );
    let build = ["build", "--output", "new", "--pgn"];
    assert_eq!(
        refused(&[&build[..], &["broken.pgn"]].concat(), folder),
        "error: 1 of 2 games are broken, more than one in 10: nothing is written"
    );
    let told = run(&[&build[..], &["broken.pgn"]].concat(), folder).2;
    assert!(told.starts_with("left out: broken.pgn:1: game 1: 1... "), "{told}");
    assert_eq!(
        refused(&[&build[..], &["games.pgn", "--openings", "games.pgn"]].concat(), folder),
        "error: games.pgn: an opening begins elsewhere than a game does"
    );
    assert!(!folder.join("new").exists());
    // Nothing is written over what is read, and nothing learned is no library.
    for arguments in [
        &["build", "--pgn", "games.pgn", "--output", "games.pgn"][..],
        &["build", "--pgn", "games.pgn", "--openings", "broken.pgn", "--output", "broken.pgn"],
        &["learn", "--library", "good", "--pgn", "games.pgn", "--output", "./games.pgn"],
        &["export", "--library", "good", "--output", "good"],
    ] {
        let output = arguments.last().expect("the output");
        let before = fs::read(folder.join(output)).expect("readable");
        let reason = format!("error: {output} is read: choose another file to write");
        assert_eq!(refused(arguments, folder), reason);
        assert!(fs::read(folder.join(output)).expect("readable") == before, "{arguments:?}");
    }
    let elsewhere = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[Result \"1-0\"]\n\n1. Rh8+ 1-0\n";
    fs::write(folder.join("elsewhere.pgn"), elsewhere).expect("writable");
    assert_eq!(
        refused(&["build", "--output", "good", "--pgn", "elsewhere.pgn"], folder),
        "error: there is nothing to learn: nothing is written; --openings FILE.pgn says where games \
         may begin"
    );
    printed(&["check", "good"], folder);
}
