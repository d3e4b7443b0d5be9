//! Positions as text, and moves in numbers of squares.

use draughts::GAME;
use draughts::rules::{Color, Position};

#[test]
fn both_forms_of_a_position_are_one() {
    for (pdn, fen) in [
        ("B:W21-32:B1-12", "1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 b 0 1"),
        ("W:W18,K24:BK12,16.", "8/8/7k/6m1/3M4/6K1/8/8 w 0 1"),
        ("W:B12,K1:W32 7 30", "1k6/8/7m/8/8/8/8/6M1 w 7 30"),
    ] {
        let position = Position::from_fen(pdn).unwrap_or_else(|error| panic!("{pdn}: {error}"));
        assert_eq!(position.to_fen(), fen);
        let again = Position::from_fen(&position.to_pdn()).expect("what was written");
        assert_eq!(again.of(Color::White), position.of(Color::White));
        assert_eq!(again.key(), Position::from_fen(fen).expect("a FEN").key());
    }
    assert_eq!(Position::start().to_fen(), GAME.position("B:W21-32:B1-12").expect("it").to_fen());
}

#[test]
fn what_is_no_position_is_refused_with_its_reason() {
    for (text, reason) in [
        ("8/8/8/8/8/8/8 w", "the board has 7 ranks, not 8"),
        ("8/8/8/8/8/8/8/7 w", "rank 1 has 7 squares, not 8"),
        (
            "8/8/8/8/8/8/8/p7 w",
            "'p' is no man: M, K, m, k or a number of empty squares is expected",
        ),
        ("8/8/8/8/8/8/8/1M6 w", "a man on the light square b1"),
        ("8/8/8/8/8/8/8/M7 x", "the turn is \"x\", neither w nor b"),
        ("8/8/8/8/8/8/8/M7 w one", "the counter \"one\" is no number"),
        ("8/8/8/8/8/8/8/M7 w 0 1 2", "\"2\" behind the end"),
        ("8/8/8/8/8/8/8/m7 w", "a man of Black on its last row, square 29, where it is a king"),
        ("B:W1:B2", "a man of White on its last row, square 1, where it is a king"),
        ("B:W18", "the men of Black are named 0 times"),
        ("B:W18:B3:W5", "the men of White are named 2 times"),
        ("B:W18:B18", "two men on square 18"),
        ("B:W33:B1", "\"33\" is no square from 1 to 32"),
        ("B:18:B1", "\"18\" is no side with its squares, as in W18,K24"),
        ("X:W18:B1", "the turn is \"X\", neither w nor b"),
        ("B:W18-31:B1", "White has 14 men, more than 12"),
    ] {
        let error = GAME.position(text).expect_err(text).to_string();
        assert_eq!(error, reason, "{text}");
    }
}

#[test]
fn captures_that_begin_and_end_alike_are_written_in_full() {
    // A king goes round four men, either way.
    let position = GAME.position("W:WK31:B18,19,26,27").expect("a position");
    let mut texts: Vec<(String, String)> =
        position.legal_moves().iter().map(|&mv| (position.to_san(mv), position.uci(mv))).collect();
    texts.sort();
    let both = ["31x22x15x24x31", "31x24x15x22x31"];
    assert_eq!(texts, both.map(|text| (text.to_owned(), text.to_owned())));
    let error = position.parse_san("31x31").expect_err("two meanings").to_string();
    assert_eq!(error, format!("\"31x31\" may mean {} or {}", both[0], both[1]));
    let position = GAME.position("W:WK32:B18,27").expect("a position");
    let mv = position.legal_moves()[0];
    assert_eq!((position.to_san(mv), position.uci(mv)), ("32x14".into(), "32x23x14".into()));
    let start = GAME.start();
    for (text, reason) in [
        ("11-16x", "\"11-16x\" is not written as a move"),
        ("11", "\"11\" is not written as a move"),
        ("0-1", "\"0-1\" is not written as a move"),
        ("11-33", "\"11-33\" is not written as a move"),
        ("11-14", "\"11-14\" is no legal move here"),
        ("11x16", "\"11x16\" is no legal move here"),
    ] {
        assert_eq!(start.parse_uci(text).expect_err(text).to_string(), reason);
    }
}

#[test]
fn a_man_that_becomes_a_king_ends_its_move() {
    // From square 1 a king could go on over 6; the man stops there.
    let position = GAME.position("W:W10:B6,7,15").expect("a position");
    let moves: Vec<String> = position.legal_moves().iter().map(|&mv| position.uci(mv)).collect();
    assert_eq!(moves, ["10x1", "10x3"]);
}
