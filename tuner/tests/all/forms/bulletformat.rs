//! bulletformat and bullet's text.

use bulletformat::{BulletFormat, ChessBoard};
use chess::Color;
use playable::Position;
use positions::{Filter, Sample};
use proptest::prelude::*;

use super::{convert, read};
use crate::child::{ended, output};
use crate::command_line::tuner;
use crate::store::{random_game, scratch, settings, write};

/// The board as its mover sees it: of a position that Black moves in, the mirrored one.
fn turned(position: &Position) -> String {
    let fen = position.to_fen();
    let board = fen.split(' ').next().expect("a board").to_owned();
    if position.side_to_move() == Color::White {
        return board;
    }
    let swap = |letter: char| match letter {
        letter if letter.is_ascii_uppercase() => letter.to_ascii_lowercase(),
        letter => letter.to_ascii_uppercase(),
    };
    let ranks: Vec<String> =
        board.split('/').rev().map(|rank| rank.chars().map(swap).collect()).collect();
    ranks.join("/")
}

/// The mover's score and points.
fn of_mover(sample: &Sample) -> (i16, f64) {
    let score = sample.score().expect("recorded");
    match sample.position().side_to_move() {
        Color::White => (score, sample.result()),
        Color::Black => (-score, 1.0 - sample.result()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 6,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn positions_go_out_and_come_back(seed: u64) {
        let folder = scratch();
        let store = folder.path().join("games.kgames");
        let games: Vec<_> = (0..12).map(|index| random_game(seed, index)).collect();
        write(&store, &settings(300), &games);
        let recorded = read(&store).samples;

        let text = folder.path().join("games.txt");
        convert(&store, &text);
        let lines = read(&text).samples;
        prop_assert_eq!(lines.len(), recorded.len());
        for (ours, theirs) in recorded.iter().zip(&lines) {
            prop_assert_eq!(ours.position().key(), theirs.position().key());
            prop_assert_eq!((ours.score(), ours.result()), (theirs.score(), theirs.result()));
        }

        let records = folder.path().join("games.bullet");
        convert(&store, &records);
        let bytes = std::fs::read(&records).expect("written");
        // The records that bullet makes of the same lines.
        let text = std::fs::read_to_string(&text).expect("written");
        let boards: Vec<ChessBoard> =
            text.lines().map(|line| line.parse().expect("bullet reads the line")).collect();
        prop_assert!(bytes == ChessBoard::as_bytes_slice(&boards));

        let found = read(&records);
        prop_assert_eq!(found.samples.len(), recorded.len());
        for (ours, theirs) in recorded.iter().zip(&found.samples) {
            prop_assert_eq!(turned(&ours.position()), turned(&theirs.position()));
            prop_assert_eq!(theirs.position().side_to_move(), Color::White);
            prop_assert_eq!(of_mover(ours), of_mover(theirs));
            prop_assert!(theirs.game_is_guessed());
        }
        // A second turn changes nothing any more.
        let again = folder.path().join("again.data");
        convert(&records, &again);
        prop_assert!(std::fs::read(&again).expect("written") == bytes);
    }
}

/// Results of one game alternate where boards are turned, which tells nobody that it has ended.
#[test]
fn turned_boards_of_a_game_are_kept_together() {
    let folder = scratch();
    let store = folder.path().join("games.kgames");
    let games: Vec<_> = (0..200).map(|index| random_game(41, index)).collect();
    write(&store, &settings(3000), &games);
    let records = folder.path().join("games.bullet");
    convert(&store, &records);
    let counts = read(&records).counts;
    let share = counts.continued_positions as f64 / counts.guessed_positions as f64;
    assert!(share > 0.9, "{share}");
}

#[test]
fn positions_without_score_are_not_written() {
    let folder = scratch();
    let book = folder.path().join("book.epd");
    let fen = "6k1/1rq1pp1p/1p1p2p1/1BnP4/1R1QP3/r4P2/P5PP/1R4K1 w - - 3 40";
    std::fs::write(&book, format!("{fen} [1.0]\n{} [0.5] 35\n", fen.replace('w', "b")))
        .expect("writable");
    for name in ["out.bullet", "out.txt.gz"] {
        let out = folder.path().join("out").join(name);
        std::fs::create_dir_all(out.parent().expect("a folder")).expect("writable");
        let mut command = tuner();
        command.args(["positions", "--keep-noisy"]).arg(&book);
        let (_, stderr) = ended(3, command.arg("--output").arg(&out));
        assert!(stderr.contains("1 of 2 positions have no score") && stderr.contains("--scored"));
        let left = std::fs::read_dir(out.parent().expect("a folder")).expect("readable").count();
        assert_eq!(left, 0, "nothing is left");
        ended(0, command.arg("--scored"));
        assert_eq!(read(&out).samples.len(), 1);
        std::fs::remove_file(&out).expect("written");
    }
}

/// A mean of results becomes the nearest of loss, draw and win; kept apart, each stays what it is.
#[test]
fn means_are_rounded_and_duplicates_may_be_kept() {
    let folder = scratch();
    let book = folder.path().join("book.txt");
    let fen = "6k1/1rq1pp1p/1p1p2p1/1BnP4/1R1QP3/r4P2/P5PP/1R4K1 w - - 3 40";
    let lines: Vec<String> =
        ["1.0", "1.0", "0.0"].iter().map(|result| format!("{fen} | 20 | {result}")).collect();
    std::fs::write(&book, lines.join("\n")).expect("writable");
    let out = folder.path().join("out.bullet");
    let mut command = tuner();
    command.args(["positions", "--keep-noisy"]).arg(&book);
    assert_eq!(output(command.arg("--output").arg(&out)).0, Some(0));
    let results = |filter: &Filter| -> Vec<f64> {
        let source = positions::Source::new(&out, None, filter);
        let found = positions::expand_sources(&[source], &chess::GAME.embedded(), 1);
        found.expect("readable").samples.iter().map(Sample::result).collect()
    };
    assert_eq!(results(&Filter::everything()), [0.5]);
    convert(&book, &out);
    assert_eq!(results(&Filter::everything()), [1.0, 1.0, 0.0]);
    let mean = results(&Filter { keep_duplicates: false, ..Filter::everything() });
    assert!((mean[0] - 2.0 / 3.0).abs() < 1e-6 && mean.len() == 1, "{mean:?}");
}
