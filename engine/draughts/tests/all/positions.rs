//! Positions as text, and moves in squares.

use draughts::GAME;
use draughts::rules::Position;
use playable::Position as AnyPosition;

#[test]
fn both_forms_of_a_position_are_one() {
    for (pdn, fen) in [
        ("W:W1-12:B21-32", "1m1m1m1m/m1m1m1m1/1m1m1m1m/8/8/M1M1M1M1/1M1M1M1M/M1M1M1M1 w 0 0 1"),
        ("W:Wa1-h2,g3:B29", "1m6/8/8/8/8/6M1/1M1M1M1M/M1M1M1M1 w 0 0 1"),
        ("B:Wd4,Kg3:BKh6,g5.", "8/8/7k/6m1/3M4/6K1/8/8 b 0 0 1"),
        ("W:Bh6,Kd8:Wg1 7 19 30", "3k4/8/7m/8/8/8/8/6M1 w 7 19 30"),
    ] {
        let position = Position::from_fen(pdn).unwrap_or_else(|error| panic!("{pdn}: {error}"));
        assert_eq!(position.to_fen(), fen);
        let again = Position::from_fen(&position.to_pdn()).expect("a text that was written");
        assert_eq!(again.board(), position.board());
        assert_eq!(GAME.position(fen).expect("a FEN").uci_fen(), position.to_pdn());
    }
    let start = GAME.start();
    assert_eq!(
        start.uci_fen(),
        "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"
    );
    assert_eq!(start.to_fen(), GAME.position("W:W1-12:B21-32").expect("the start").to_fen());
}

#[test]
fn other_texts_are_refused_with_the_reason() {
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
        ("8/8/8/8/8/8/8/M7 w 0 0 1 2", "\"2\" behind the end"),
        ("8/8/8/8/8/8/8/m7 w", "a man of Black on its last row, on a1, where it is a king"),
        ("B:Wb8:Bd8", "a man of White on its last row, on b8, where it is a king"),
        ("B:Wc3", "the men of Black are named 0 times"),
        ("B:Wc3:Bd6:We3", "the men of White are named 2 times"),
        ("B:Wc3:Bc3", "two men on c3"),
        ("B:W33:Bd6", "\"33\" is no dark square, by name or by a number from 1 to 32"),
        ("B:Wc4:Bd6", "\"c4\" is no dark square, by name or by a number from 1 to 32"),
        ("B:c3:Bd6", "\"c3\" is no side with its squares, as in Wc3,Kf2"),
        ("X:Wc3:Bd6", "the turn is \"X\", neither w nor b"),
        ("B:W1-14:Bd8", "White has 14 men, more than 12"),
    ] {
        let error = GAME.position(text).expect_err(text).to_string();
        assert_eq!(error, reason, "{text}");
    }
}

fn position(text: &str) -> AnyPosition {
    GAME.position(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The moves as UCI and PDN have them, in the order of the first.
fn texts(position: &AnyPosition) -> Vec<(String, String)> {
    let text = |&mv| (position.uci(mv), position.to_san(mv));
    let mut texts: Vec<(String, String)> = position.legal_moves().iter().map(text).collect();
    texts.sort();
    texts
}

#[test]
fn several_ways_over_the_same_men_are_one_move() {
    // A king goes round four men and comes back, either way; it may stop before or behind.
    let round = position("W:WKd2:Bc3,c5,e3,e5");
    let expected = [("d2b4d6f4c1", "d2xc1"), ("d2b4d6f4d2", "d2xd2"), ("d2f4d6b4e1", "d2xe1")];
    assert_eq!(texts(&round), expected.map(|(uci, pdn)| (uci.to_owned(), pdn.to_owned())));
    let mv = round.parse_uci("d2b4d6f4d2").expect("one way round");
    assert_eq!(round.parse_uci("d2f4d6b4d2"), Ok(mv));
    for text in ["d2xf4xd6xb4xd2", "d2:d2", "6x15x22x13x6", "d2d2"] {
        assert_eq!(round.parse_san(text), Ok(mv), "{text}");
    }
    let part = round.parse_uci("d2d2").expect_err("a part of the squares").to_string();
    assert_eq!(part, "\"d2d2\" is no legal move here");
}

#[test]
fn captures_of_different_men_are_told_apart() {
    let position = position("W:WKh6:BKa1,Kc3,Ke5,Ke7,Kg5");
    let both = ["h6d2b4f8", "h6f4d6f8"];
    let pdn = ["h6xd2xb4xf8", "h6xf4xd6xf8"];
    let expected = [0, 1].map(|at| (both[at].to_owned(), pdn[at].to_owned()));
    assert_eq!(texts(&position), expected);
    let error = position.parse_san("h6xf8").expect_err("two meanings").to_string();
    assert_eq!(error, format!("\"h6xf8\" may mean {} or {}", both[0], both[1]));
    let start = GAME.start();
    for (text, reason) in [
        ("c3-d4x", "\"c3-d4x\" is not written as a move"),
        ("c3", "\"c3\" is not written as a move"),
        ("c3d", "\"c3d\" is not written as a move"),
        ("c3c4", "\"c3c4\" is not written as a move"),
        ("0-1", "\"0-1\" is not written as a move"),
        ("10-33", "\"10-33\" is not written as a move"),
        ("c3f4", "\"c3f4\" is no legal move here"),
        ("c3d4e5", "\"c3d4e5\" is no legal move here"),
        ("h8c3", "\"h8c3\" is no legal move here"),
    ] {
        assert_eq!(start.parse_san(text).expect_err(text).to_string(), reason);
    }
    assert_eq!(start.parse_san("10-14"), start.parse_uci("c3d4"));
    assert_eq!(start.parse_san("c3:d4"), start.parse_uci("c3d4"));
    let error = start.parse_uci("c3-d4").expect_err("a sign").to_string();
    assert_eq!(error, "\"c3-d4\" is not written as a move");
}

#[test]
fn captures_follow_the_rules() {
    for (fen, expected) in [
        // A man captures behind, too, and need not take the most.
        ("W:Wd6:Bc5,e5,e7", "d6b4 d6f4 d6f8"),
        ("W:Wc5:Bb6,d6,f6", "c5a7 c5e7g5"),
        // A man that becomes a king goes on as one, and must.
        ("W:Wb6:Bc7,g5", "b6d8h4"),
        ("B:Bb4:Wc3,e3,g3", "b4d2f4h2"),
        // A king lands where it can go on, if it can anywhere.
        ("W:WKa1:Bb2,c5", "a1d4a7 a1d4b6"),
        ("W:WKa1:Bc3,f6", "a1d4g7 a1d4h8"),
    ] {
        let moves: Vec<String> = texts(&position(fen)).into_iter().map(|(uci, _)| uci).collect();
        assert_eq!(moves.join(" "), expected, "{fen}");
    }
}
