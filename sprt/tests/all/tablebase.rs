//! Endgame tables.

use std::fs;
use std::path::PathBuf;

use engine::chess::Position;
use sprt::game::GameResult;
use sprt::playing::{Tablebase, TablebaseError, TablebaseRule, Wdl};

use crate::shared_data::shared_data;

fn tables() -> Option<Tablebase> {
    Some(Tablebase::open(&[shared_data("syzygy")?]).expect("good tables"))
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a good position")
}

#[test]
fn tables_say_what_another_library_reads_in_them() {
    let Some(tables) = tables() else { return };
    assert_eq!(tables.pieces(), 4);
    let reference = include_str!("../data/tablebase.txt");
    let mut checked = 0;
    for line in reference.lines().filter(|line| !line.starts_with('#')) {
        let (fen, value) = line.split_once(';').expect("two columns");
        let expected = match value {
            "2" => Wdl::Win,
            "0" => Wdl::Draw,
            "-2" => Wdl::Loss,
            _ => panic!("unknown value {value}"),
        };
        assert_eq!(tables.probe(&position(fen)), Some(expected), "{fen}");
        checked += 1;
    }
    assert_eq!(checked, 1040);
}

#[test]
fn what_tables_cannot_know() {
    let Some(tables) = tables() else { return };
    for fen in [
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "4k3/pppp4/8/8/8/8/8/4K3 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert_eq!(tables.probe(&position(fen)), None, "{fen}");
    }
}

#[test]
fn wins_are_sure_after_a_capture_or_pawn_move_only() {
    let Some(tables) = tables() else { return };
    let strict = TablebaseRule { pieces: 4, ignore_fifty_moves: false };
    let judge = |fen: &str, rule| tables.judge(&position(fen), rule);
    let won = "4k3/8/8/8/8/8/8/Q3K3 b - -";
    assert_eq!(judge(&format!("{won} 0 50"), strict), Some(GameResult::WhiteWins));
    assert_eq!(judge(&format!("{won} 7 50"), strict), None);
    let lenient = TablebaseRule { ignore_fifty_moves: true, ..strict };
    assert_eq!(judge(&format!("{won} 7 50"), lenient), Some(GameResult::WhiteWins));
    let few = TablebaseRule { pieces: 2, ..strict };
    assert_eq!(judge(&format!("{won} 0 50"), few), None);
    // A draw stays one.
    let drawn = "4k3/8/8/8/8/8/8/B3K1n1 w - - 9 50";
    assert_eq!(judge(drawn, strict), Some(GameResult::Draw));
}

#[test]
fn threads_ask_at_once() {
    let Some(tables) = tables() else { return };
    let position = position("8/8/8/8/8/2k5/2p5/2K1R3 w - - 0 1");
    let expected = tables.probe(&position);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!((0..1000).all(|_| tables.probe(&position) == expected)));
        }
    });
}

#[test]
fn unusable_tables_are_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let open = |folders: &[PathBuf]| Tablebase::open(folders).map(|_| ()).expect_err("unusable");
    let path = folder.path().to_path_buf();
    // Another test may have opened tables: the process has room for one set.
    let is_other = |error: &TablebaseError| matches!(error, TablebaseError::Other { .. });
    let check = |error: TablebaseError, expected: &str| {
        assert!(is_other(&error) || error.to_string().contains(expected), "{error}");
    };
    check(open(&[path.join("nothing")]), "cannot read ");
    check(open(std::slice::from_ref(&path)), "no Syzygy table");
    fs::write(path.join("KQvK.rtbw"), b"\x71\xe8\x23\x5d cut off").expect("writable");
    check(open(&[path]), "KQvK.rtbw: not a whole Syzygy table");
    check(open(&[PathBuf::from("a:b")]), "a:b: no folder of tables may have a colon");
}
