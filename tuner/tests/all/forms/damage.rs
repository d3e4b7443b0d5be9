//! Damage of every kind: each is refused with file, place and reason, and nothing is left behind.

use std::fs;
use std::path::Path;

use bulletformat::{BulletFormat, ChessBoard};
use positions::{Filter, Form, Source, expand_sources};
use proptest::prelude::*;

use super::{assert_alone, convert, read, try_read};
use crate::child::ended;
use crate::command_line::tuner;
use crate::store::{random_game, scratch, settings, write};

const RECORD: usize = 32;

/// The bytes of five sound records.
fn records() -> Vec<u8> {
    let line = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 | 35 | 1.0";
    let board: ChessBoard = line.parse().expect("a line of bullet");
    ChessBoard::as_bytes_slice(&[board; 5]).to_vec()
}

/// The record of a board that may be impossible.
fn record(board: &str) -> Vec<u8> {
    let board: ChessBoard =
        format!("{board} w - - 0 1 | 0 | 0.5").parse().expect("bullet is lenient");
    ChessBoard::as_bytes_slice(&[board]).to_vec()
}

/// Tries a file that must be refused, in this process and by the program; the message.
fn refusal(bytes: &[u8], name: &str) -> String {
    let folder = scratch();
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("writable");
    let message = format!("{:#}", try_read(&path, None).expect_err(name));
    let mut command = tuner();
    command.args(["positions", "--per-game", "0", "--keep-noisy"]).arg(&path);
    ended(3, command.arg("--output").arg(folder.path().join("out.csv")));
    assert_alone(&path);
    assert!(message.contains(name), "{message}");
    message
}

#[test]
fn damaged_bulletformat_is_named() {
    let with = |at: usize, byte: u8| {
        let mut bytes = records();
        bytes[2 * RECORD + at] = byte;
        bytes
    };
    let with_record = |board: &str| {
        let mut bytes = records();
        bytes[2 * RECORD..3 * RECORD].copy_from_slice(&record(board));
        bytes
    };
    let of_its_pieces = "record 3 at byte 64: its pieces are not those of its occupied squares";
    for (bytes, reason) in [
        (records()[..2 * RECORD + 17].to_vec(), "record 3 at byte 64 has 17 of its 32 bytes"),
        (with(8, 0x16), of_its_pieces),
        (with(8, 0xf3), of_its_pieces),
        // All squares of the fifth rank are free, and those of no rank are all taken.
        (with(0, 0xfe), of_its_pieces),
        (with(4, 0xff), "pieces, more than the 32 of a game"),
        (with(26, 3), "record 3 at byte 64: its result is 3, not 0, 1 or 2"),
        (with(27, 5), "record 3 at byte 64: the squares of its kings are not those on the board"),
        (with(28, 60), "record 3 at byte 64: the squares of its kings are not those on the board"),
        (with_record("8/8/8/8/8/8/8/4K3"), "king"),
        (with_record("4k3/8/8/8/8/8/8/4KK2"), "king"),
        (with_record("4k3/8/8/4R3/8/8/8/4K3"), "check"),
        (with_record("P3k3/8/8/8/8/8/8/4K3"), "pawn"),
        (Vec::new(), "holds no positions"),
        (b"8/8/8/4k3/8/3K4/3P4/8 w - - [1.0]\n".to_vec(), "not bulletformat"),
    ] {
        let message = refusal(&bytes, "damaged.bullet");
        assert!(message.contains(reason), "{reason}: {message}");
        assert!(bytes.is_empty() || message.contains(" at byte "), "{message}");
    }
}

/// Three sound games of 56 bytes: 1. e4 e5 2. Qh5 Ke7 3. Qxe5#.
fn games() -> Vec<u8> {
    let mut game = 0xffff_0000_0000_ffff_u64.to_le_bytes().to_vec();
    game.extend([
        0x16, 0x42, 0x25, 0x61, 0, 0, 0, 0, 0x88, 0x88, 0x88, 0x88, 0x9e, 0xca, 0xad, 0xe9,
    ]);
    game.extend([64, 0, 1, 0, 0, 0, 2, 0]);
    for (played, score) in
        [(0x070c, 10i16), (0x0934, 20), (0x09c3, -30), (0x0d3c, 32767), (0x0927, 32767)]
    {
        game.extend(u16::to_le_bytes(played));
        game.extend(score.to_le_bytes());
    }
    game.extend([0; 4]);
    game.repeat(3)
}

#[test]
fn damaged_viriformat_is_named() {
    const GAME: usize = 56;
    assert_eq!(games().len(), 3 * GAME);
    let with = |at: usize, bytes: &[u8]| {
        let mut all = games();
        all[GAME + at..GAME + at + bytes.len()].copy_from_slice(bytes);
        all
    };
    let mut shifted = games();
    shifted.remove(GAME + 40);
    let mut inserted = games();
    inserted.insert(GAME + 3, 0x55);
    for (bytes, reason) in [
        (games()[..GAME + 20].to_vec(), "ends within a game, beyond byte 64"),
        (games()[..2 * GAME - 4].to_vec(), "ends within a game, beyond byte 108"),
        (with(30, &[3]), "game 2 at byte 56: its result is 3, not 0, 1 or 2"),
        (with(24, &[12]), "game 2 at byte 56: no pawn can be taken en passant on square 12"),
        (with(8, &[0x17]), "game 2 at byte 56: impossible start position (unknown piece 7)"),
        (with(2, &[0xff]), "game 2 at byte 56: impossible start position (40 pieces"),
        (with(10, &[0x24]), "game 2 at byte 56: impossible start position ("),
        (with(32, &[0x0c, 0x08]), "game 2 at byte 56: illegal move"),
        (with(32, &[0, 0, 1, 0]), "game 2 at byte 56: illegal move 0x0000 at ply 0"),
        (with(36, &[0x34, 0x89]), "game 2 at byte 56: illegal move"),
        (with(0, &[0; 8]), "ends within a game, beyond byte 68"),
        (
            with(0, &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 4, 0]),
            "at byte 56 is neither a game nor an extension",
        ),
        (shifted, " byte "),
        (inserted, " byte "),
        (Vec::new(), "holds no games"),
        (b"8/8/8/4k3/8/3K4/3P4/8 w - - [1.0]\n".to_vec(), "not viriformat"),
    ] {
        let message = refusal(&bytes, "damaged.vf");
        assert!(message.contains(reason), "{reason}: {message}");
        // A record that cannot be read goes into no store either.
        let folder = scratch();
        let path = folder.path().join("damaged.vf");
        fs::write(&path, &bytes).expect("writable");
        let mut command = tuner();
        command.arg("import").arg(&path).arg("--output").arg(folder.path().join("out.kgames"));
        let (_, stderr) = ended(3, &mut command);
        assert!(stderr.contains(reason), "{reason}: {stderr}");
        assert_alone(&path);
    }
}

/// A share of bad records or games is left out and counted, as of lines.
#[test]
fn a_share_of_damage_is_borne() {
    let folder = scratch();
    let read_with = |path: &Path, bad_lines_max| {
        let filter = Filter { bad_lines_max, ..Filter::everything() };
        expand_sources(&[Source::new(path, None, &filter)], &chess::GAME.embedded(), 1)
    };
    let mut bytes = records();
    bytes[2 * RECORD + 26] = 3;
    let path = folder.path().join("records.bullet");
    fs::write(&path, &bytes).expect("writable");
    let found = read_with(&path, 0.2).expect("one of five");
    assert_eq!((found.samples.len(), found.counts.bad_lines.count), (4, 1));
    assert!(found.counts.bad_lines.shown[0].ends_with("its result is 3, not 0, 1 or 2"));
    let message = read_with(&path, 0.19).expect_err("too many").to_string();
    assert!(message.contains("1 of 5 records are unusable, more than 19 %"), "{message}");

    let mut bytes = games();
    bytes[32] = 0;
    let path = folder.path().join("games.vf");
    fs::write(&path, &bytes).expect("writable");
    let found = read_with(&path, 0.4).expect("one of three");
    assert_eq!((found.samples.len(), found.counts.bad_lines.count), (5, 1));
    // The third game repeats the second.
    assert_eq!((found.counts.games, found.counts.repeated_games), (2, 1));
    let message = read_with(&path, 0.3).expect_err("too many").to_string();
    assert!(message.contains("1 of 3 games are unusable, more than 30 %"), "{message}");
}

/// Wherever a packed file is damaged, it is refused, or what was damaged is no content (the name in the
/// head of gzip, say); never is other content read.
#[test]
fn damaged_packing_is_named() {
    let folder = scratch();
    let store = folder.path().join("games.kgames");
    let games: Vec<_> = (0..40).map(|index| random_game(29, index)).collect();
    write(&store, &settings(300), &games);
    for name in ["packed.txt.gz", "packed.txt.zst"] {
        let path = folder.path().join(name);
        convert(&store, &path);
        let (bytes, samples) = (fs::read(&path).expect("written"), read(&path).samples);
        let mut refused = 0;
        let mut try_damaged = |damaged: &[u8], what: &str| {
            fs::write(&path, damaged).expect("writable");
            match try_read(&path, None) {
                Ok(found) => assert!(found.samples == samples, "{name}: {what}: other content"),
                Err(error) => {
                    let message = format!("{error:#}");
                    assert!(message.contains(name), "{message}");
                    refused += 1;
                }
            }
        };
        for index in 0..40 {
            let at = index * (bytes.len() - 1) / 39;
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (index % 8);
            try_damaged(&flipped, &format!("bit flipped at {at} of {}", bytes.len()));
            if at > 0 && at + 1 < bytes.len() {
                try_damaged(&bytes[..at], &format!("cut off at {at}"));
                let removed = [&bytes[..at], &bytes[at + 1..]].concat();
                try_damaged(&removed, &format!("byte {at} removed"));
            }
        }
        try_damaged(&[&bytes[..], b"beyond"].concat(), "text beyond the end");
        try_damaged(&[], "empty");
        assert!(refused >= 110, "{name}: {refused} of 118 refused");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn garbage_is_refused_without_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        form in proptest::sample::select(vec![Form::Bulletformat, Form::Viriformat, Form::Text, Form::Csv]),
        prefix in proptest::sample::select(vec![0usize, 32, 56]),
        is_packed: bool,
    ) {
        let folder = scratch();
        let path = folder.path().join("garbage");
        let mut content = if is_packed { vec![0x28, 0xb5, 0x2f, 0xfd] } else { Vec::new() };
        let sound = if form == Form::Viriformat { games() } else { records() };
        if !is_packed {
            content.extend(&sound[..prefix]);
        }
        content.extend(&bytes);
        fs::write(&path, content).expect("writable");
        if let Err(error) = try_read(&path, Some(form)) {
            prop_assert!(format!("{error:#}").contains("garbage"), "{error:#}");
        }
    }
}
