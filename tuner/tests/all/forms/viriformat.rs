//! viriformat: whole games.

use std::fs;
use std::path::Path;

use chess::Position;
use playable::Ending;
use positions::Sample;
use positions::store::{Game, Ply};
use proptest::prelude::*;

use super::{convert, read};
use crate::child::{ended, output};
use crate::command_line::tuner;
use crate::store::{games, random_game, scratch, settings, write};

/// The game that the specification of the form shows: 1. e4 e5 2. Qh5 Ke7 3. Qxe5#.
const EXAMPLE: &str = "
    ffff 0000 0000 ffff 1642 2561 0000 0000 8888 8888 9eca ade9 40 00 0100 0000 02 00
    0c07 0a00  3409 1400  c309 e2ff  3c0d ff7f  2709 ff7f  0000 0000";

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    let pairs = digits.chunks(2).map(|pair| std::str::from_utf8(pair).expect("digits"));
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("digits")).collect()
}

/// Brings a file into a store.
fn import(from: &Path, to: &Path) {
    ended(0, tuner().arg("import").arg(from).arg("--output").arg(to));
}

#[test]
fn the_example_of_the_specification_is_read_and_written() {
    let folder = scratch();
    let file = folder.path().join("example.vf");
    fs::write(&file, bytes_of(EXAMPLE)).expect("writable");
    let store = folder.path().join("example.kgames");
    import(&file, &store);
    let game = games(&store).pop().expect("a game");
    let start = game.start.unpack().expect("legal");
    assert_eq!(start.typed::<Position>().to_fen(false), Position::start().to_fen(false));
    let moves: Vec<String> = game.plies.iter().map(|ply| start.uci(ply.played)).collect();
    assert_eq!(moves, ["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"]);
    let scores: Vec<i16> = game.plies.iter().map(|ply| ply.score).collect();
    assert_eq!(scores, [10, 20, -30, 32767, 32767]);
    assert_eq!(game.result, matches::game::GameResult::WhiteWins);
    assert_eq!(game.termination, matches::game::Termination::Rules(Ending::CHECKMATE));

    let again = folder.path().join("again.vf");
    let table = convert(&store, &again);
    assert!(table.contains("positions written"), "{table}");
    let mut expected = bytes_of(EXAMPLE);
    // The score of the start, which may be left at zero, is that of the first move.
    expected[28] = 10;
    assert_eq!(fs::read(&again).expect("written"), expected);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 6,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn games_go_out_and_come_back(seed: u64) {
        let folder = scratch();
        let store = folder.path().join("games.kgames");
        let recorded: Vec<Game> = (0..12)
            .map(|index| random_game(seed, index))
            .filter(|game| !game.plies.is_empty())
            .collect();
        write(&store, &settings(300), &recorded);
        let file = folder.path().join("games.vf");
        convert(&store, &file);

        let (ours, theirs) = (read(&store), read(&file));
        let facts = |sample: &Sample| {
            let fen = sample.position().typed::<Position>().to_fen(true);
            (fen, sample.game(), sample.ply(), sample.score(), sample.result())
        };
        prop_assert!(ours.samples.iter().map(facts).eq(theirs.samples.iter().map(facts)));

        let imported = folder.path().join("imported.kgames");
        import(&file, &imported);
        let again = folder.path().join("again.viri");
        convert(&imported, &again);
        prop_assert!(fs::read(&again).expect("written") == fs::read(&file).expect("written"));
        for (ours, theirs) in recorded.iter().zip(games(&imported)) {
            prop_assert_eq!(&ours.plies, &theirs.plies);
            prop_assert_eq!(ours.result, theirs.result);
            let fen = |game: &Game| {
                game.start.unpack().expect("legal").typed::<Position>().to_fen(true)
            };
            prop_assert_eq!(fen(ours), fen(&theirs));
        }
    }
}

/// A score that a game does not have must not be made up, and an extension is passed over.
#[test]
fn games_without_scores_and_extensions_are_left_out() {
    let folder = scratch();
    let store = folder.path().join("games.kgames");
    let games = (0..).map(|index| random_game(1, index)).filter(|game| game.plies.len() > 2);
    let mut games: Vec<Game> = games.take(3).collect();
    games[1].plies[2].score = Ply::NO_SCORE;
    write(&store, &settings(1000), &games);
    let file = folder.path().join("games.vf");
    let table = convert(&store, &file);
    assert!(
        table.contains("left out: plies without a score") && table.contains("  written"),
        "{table}"
    );
    assert_eq!(read(&file).counts.games, 2);

    let mut bytes = vec![0; 8];
    bytes.extend([7, 0, 3, 0, 1, 2, 3, 0, 0, 0, 0]);
    bytes.extend(fs::read(&file).expect("written"));
    let extended = folder.path().join("extended.vf");
    fs::write(&extended, &bytes).expect("writable");
    assert_eq!(read(&extended).samples, read(&file).samples);
}

/// Zeros that a disk left are the end of a game and an extension, wherever they begin.
#[test]
fn bytes_that_were_lost_are_told_of() {
    let folder = scratch();
    let file = folder.path().join("games.vf");
    let whole = bytes_of(EXAMPLE);
    let two = [whole.clone(), whole.clone()].concat();
    // Of the first game four plies and its end.
    let mut lost = two.clone();
    lost[whole.len() - 20..whole.len()].fill(0);
    fs::write(&file, &lost).expect("writable");
    let (stdout, stderr) = ended(0, tuner().args(["positions", "--count"]).arg(&file));
    assert!(
        stderr.contains("1 extensions of viriformat (or places where the file is damaged)"),
        "{stderr}"
    );
    assert!(stderr.contains("games.vf: number 0 at byte 40, 0 bytes"), "{stderr}{stdout}");
    let (_, _, stderr) = output(
        tuner().arg("import").arg(&file).arg("--output").arg(folder.path().join("a.kgames")),
    );
    assert!(stderr.contains("games.vf: number 0 at byte 40"), "{stderr}");
    fs::write(&file, two).expect("writable");
    let (_, _, stderr) = output(tuner().args(["positions", "--count"]).arg(&file));
    assert!(!stderr.contains("extension"), "{stderr}");
}

/// Single positions are no games, and games are not weighted.
#[test]
fn only_games_become_games() {
    let folder = scratch();
    let book = folder.path().join("book.epd");
    fs::write(&book, "8/8/8/4k3/8/3K4/3P4/8 w - - [1.0]\n").expect("writable");
    let out = folder.path().join("out.vf");
    let (_, stderr) = ended(64, tuner().arg("positions").arg(&book).arg("--output").arg(&out));
    assert!(stderr.contains("book.epd is neither a store nor viriformat"), "{stderr}");
    assert!(!out.exists());
    let out = folder.path().join("out.kgames");
    let (_, stderr) = ended(64, tuner().arg("positions").arg(&book).arg("--output").arg(&out));
    assert!(stderr.contains("tuner import"), "{stderr}");
}

#[test]
fn options_that_whole_games_do_not_feel_are_refused() {
    let folder = scratch();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/positions/sample.kgames");
    let convert = |extra: &[&str]| {
        let mut command = tuner();
        command.args(["positions", games, "--output"]).arg(folder.path().join("games.vf"));
        output(command.args(extra))
    };
    for extra in [&["--lookahead", "20"][..], &["--syzygy", "none"], &["--parameters", "textbook"]]
    {
        let (status, _, stderr) = convert(extra);
        assert_eq!(status, Some(64), "{stderr}");
        let reason = format!("{} says nothing to viriformat", extra[0]);
        assert!(stderr.contains(&reason), "{stderr}");
    }
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
    assert_eq!(convert(&["--bad-lines-max", "0.5"]).0, Some(0));
}
