//! Endgame tables: what they say, and that no damaged one is read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use chess::Position;
use chess::endgame_tables::{EndgameTables, EndgameTablesError, Wdl, verify_table};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::child::output;
use crate::shared_data::shared_data;

/// Tables small enough to lie with the tests.
fn small_tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy")
}

/// The folder of all tables of three and four pieces, if it is there.
fn shared_tables() -> Option<PathBuf> {
    shared_data("syzygy")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    files
}

fn tables() -> Option<EndgameTables> {
    Some(EndgameTables::open(&[shared_tables()?]).expect("good tables"))
}

fn probe(tables: &EndgameTables, fen: &str) -> Option<Wdl> {
    let position = Position::from_fen(fen).expect("a good position");
    tables.probe(&position).expect("good tables")
}

#[test]
fn tables_say_what_another_library_reads_in_them() {
    let Some(tables) = tables() else { return };
    assert_eq!(tables.pieces(), 4);
    let reference = include_str!("../data/endgame_tables.txt");
    let mut checked = 0;
    for line in reference.lines().filter(|line| !line.starts_with('#')) {
        let (fen, value) = line.split_once(';').expect("two columns");
        let expected = match value {
            "2" => Wdl::Win,
            "0" => Wdl::Draw,
            "-2" => Wdl::Loss,
            _ => panic!("unknown value {value}"),
        };
        assert_eq!(probe(&tables, fen), Some(expected), "{fen}");
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
        assert_eq!(probe(&tables, fen), None, "{fen}");
    }
}

#[test]
fn threads_ask_at_once() {
    let Some(tables) = tables() else { return };
    let fen = "8/8/8/8/8/2k5/2p5/2K1R3 w - - 0 1";
    let expected = probe(&tables, fen);
    assert!(expected.is_some());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!((0..1000).all(|_| probe(&tables, fen) == expected)));
        }
    });
}

#[test]
fn whole_tables_are_accepted() {
    for folder in [Some(small_tables()), shared_tables()].into_iter().flatten() {
        for path in files(&folder) {
            assert_eq!(verify_table(&path), Ok(()));
        }
    }
}

/// What is wrong with a table of this name and these bytes, written to a folder.
fn reason(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("writable");
    let damaged = verify_table(&path).expect_err("it is damaged");
    assert_eq!(damaged.path, path);
    assert!(damaged.to_string().starts_with(&format!("{}: ", path.display())), "{damaged}");
    damaged.reason
}

#[test]
fn every_wrong_bit_of_a_table_is_noticed() {
    let home = tempfile::tempdir().expect("temporary folder");
    for path in files(&small_tables()) {
        let bytes = fs::read(&path).expect("readable");
        let name = path.file_name().expect("a file").to_string_lossy();
        for bit in 0..8 * bytes.len() {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let reason = reason(home.path(), &name, &bytes);
            assert!(reason.ends_with("download it again"), "{name}, bit {bit}: {reason}");
        }
    }
}

#[test]
fn wrong_bits_of_larger_tables_are_noticed() {
    let Some(folder) = shared_tables() else { return };
    let home = tempfile::tempdir().expect("temporary folder");
    let mut random = ChaCha8Rng::seed_from_u64(9);
    for path in files(&folder) {
        let bytes = fs::read(&path).expect("readable");
        let name = path.file_name().expect("a file").to_string_lossy();
        for _ in 0..5 {
            let bit = random.random_range(0..8 * bytes.len());
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let reason = reason(home.path(), &name, &bytes);
            assert!(reason.ends_with("download it again"), "{name}, bit {bit}: {reason}");
        }
    }
}

#[test]
fn tables_that_are_cut_off_or_of_other_pieces_are_noticed() {
    let read = |name: &str| fs::read(small_tables().join(name)).expect("readable");
    let home = tempfile::tempdir().expect("temporary folder");
    let reason = |name: &str, bytes: &[u8]| reason(home.path(), name, bytes);
    let queen = read("KQvK.rtbw");
    for length in 0..queen.len() {
        assert!(reason("KQvK.rtbw", &queen[..length]).ends_with("download it again"), "{length}");
    }
    let longer = [&queen[..], &[0; 64]].concat();
    assert!(reason("KQvK.rtbw", &longer).ends_with("its checksum is wrong: download it again"));
    assert_eq!(reason("KRvK.rtbw", &queen), "a table of other pieces than its name says");
    assert_eq!(reason("KQvKB.rtbw", &queen), "a table of other pieces than its name says");
    assert_eq!(reason("queen.rtbw", &queen), "its name is not one of a Syzygy table");
    // Of the other kind.
    assert!(reason("KQvK.rtbz", &queen).starts_with("not a whole Syzygy table"));
    assert!(reason("KBvK.rtbw", &read("KBvK.rtbz")).starts_with("not a whole Syzygy table"));
    let missing = verify_table(Path::new("/no/KQvK.rtbw")).expect_err("it is missing");
    assert!(missing.reason.starts_with("cannot be read: "), "{missing}");
}

/// In a process of its own: there is room for one set of tables, which other tests open.
#[test]
fn unusable_folders_are_named() {
    if std::env::var_os("KAMERTON_TEST_ALONE").is_none() {
        let mut alone = Command::new(std::env::current_exe().expect("a path"));
        alone.args(["--exact", "endgame_tables::unusable_folders_are_named"]);
        let (status, stdout, stderr) = output(alone.env("KAMERTON_TEST_ALONE", "1"));
        assert_eq!(status, Some(0), "{stdout}{stderr}");
        assert!(stdout.contains("1 passed"), "{stdout}");
        return;
    }
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = folder.path().to_path_buf();
    let check = |folder: &Path, expected: &str| {
        let error = EndgameTables::open(&[folder.to_path_buf()]).map(|_| ()).expect_err("unusable");
        assert!(error.to_string().contains(expected), "{error}");
    };
    check(&path.join("nothing"), "cannot read ");
    check(&path, "no Syzygy table");
    fs::write(path.join("KQvK.rtbw"), b"\x71\xe8\x23\x5d cut off").expect("writable");
    check(&path, "KQvK.rtbw: not a whole Syzygy table");
    check(Path::new("a:b"), "a:b: no folder of tables may have a colon");
    // None of these has taken the room.
    let tables = EndgameTables::open(&[small_tables()]).expect("good tables");
    fs::copy(small_tables().join("KQvK.rtbw"), path.join("KQvK.rtbw")).expect("writable");
    let error = EndgameTables::open(&[path]).map(|_| ()).expect_err("there are others");
    assert!(matches!(error, EndgameTablesError::Other { .. }), "{error}");
    drop(tables);
}
