//! FEN, SAN and coordinates.

use chess::{Color, FenError, MoveError, Position, perft};
use proptest::prelude::*;

use crate::chess_rules::random_game;

fn fen(text: &str) -> Position {
    Position::from_fen(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn fen_is_written_as_read() {
    for text in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 12 34",
        "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
        // X-FEN: the inner rook's right needs its file.
        "4k3/8/8/8/8/8/8/2R1KRR1 w F - 0 1",
        "1rk2r1r/8/8/8/8/8/8/1RK2R1R b QKqf - 0 1",
    ] {
        let position = Position::from_fen(text).unwrap_or_else(|error| panic!("{error}"));
        let again = fen(&position.to_fen(false));
        assert_eq!(position.board(), again.board());
        assert_eq!(position.board(), fen(&position.to_fen(true)).board());
    }
    let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 12 34";
    assert_eq!(fen(text).to_fen(false), text);
    assert_eq!(fen(text).to_fen(true), text.replace("Kq", "Ha"));
    assert_eq!(fen("4k3/8/8/8/8/8/8/2R1KRR1 w F - 0 1").to_fen(false).split(' ').nth(2), Some("F"));
    assert_eq!(fen("4k3/8/8/8/8/8/8/4K3 w - -").to_fen(false), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

/// Fields that a FEN lacks at its end are filled in, but for a side that may not be to move.
#[test]
fn missing_fields_are_filled_from_the_right() {
    let board = "r3k2r/8/8/8/8/8/8/R3K2R";
    for (text, filled) in [
        ("b KQkq - 3", "b KQkq - 3 1"),
        ("b KQkq -", "b KQkq - 0 1"),
        ("b Kq", "b Kq - 0 1"),
        ("b", "b - - 0 1"),
        ("", "w - - 0 1"),
    ] {
        let whole = fen(&format!("{board} {text}")).to_fen(false);
        assert_eq!(whole, format!("{board} {filled}"), "{text:?}");
    }
    let in_check = fen("4k3/8/8/8/8/8/8/K3R3").to_fen(false);
    assert_eq!(in_check, "4k3/8/8/8/8/8/8/K3R3 b - - 0 1", "White would capture the king");
}

#[test]
fn operations_of_epd_end_a_fen_wherever_fields_are_missing() {
    let board = "4k3/8/8/8/8/8/8/R3K2R";
    for (fields, operations) in [
        ("w KQ - 5 9", "bm O-O; id \"a b\";"),
        ("w KQ - 5", "acd 9;"),
        ("w KQ -", "bm Ra8+"),
        ("w KQ -", "; id \"x\""),
        ("w KQ", "hmvc 3; fmvn 7;"),
        ("w", "c0 \"b KQ -\";"),
        ("", "id \"bare\";"),
        ("w KQ - 0 1", ""),
        ("w", ""),
        ("", ""),
    ] {
        let position = format!("{board} {fields}");
        let text = format!("  {position} {operations} ");
        let (found, rest) = Position::split_operations(&text);
        assert_eq!((found.trim(), rest.trim()), (position.trim(), operations), "{text:?}");
        fen(found);
    }
    for wrong in ["x KQ - 0 1", "w KX - 0 1", "w KQ e9", "w KQ - -1 1", "w KQ - 0 1 more"] {
        let text = format!("{board} {wrong}");
        assert_eq!(Position::split_operations(&text), (&text[..], ""), "what is wrong stays");
        assert!(Position::from_fen(&text).is_err(), "{text}");
    }
}

#[test]
fn rights_show_whether_it_is_chess960() {
    assert!(!Position::start().chess960());
    assert!(!fen("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1").chess960());
    assert!(!fen("1k6/8/8/8/8/8/8/1KR5 w - - 0 1").chess960());
    assert!(fen("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1").chess960());
    assert!(fen("1k5r/8/8/8/8/8/8/4K3 w k - 0 1").chess960());
}

#[test]
fn bad_fens_are_refused_with_the_reason() {
    for (text, message) in [
        ("", "FEN: it is empty; it begins with the board"),
        ("8/8/8/8/8/8/8/8", "White has 0 kings"),
        ("3qk3/8/8/8/8/8/8/3QK3 bm", "FEN side to move \"bm\": must be \"w\" or \"b\""),
        ("4r1k1/8/8/8/8/8/8/4RK2 w KQ", "no rook for \"K\""),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "7 ranks instead of 8"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "rank 1 (\"4K2\") has fewer than 8 squares"),
        ("4k3/8/9/8/8/8/8/4K3 w - - 0 1", "\"9\" in rank 6 is no piece"),
        ("4k3/8/8p/8/8/8/8/4K3 w - - 0 1", "rank 6 (\"8p\") has more than 8 squares"),
        ("4k3/8/44/8/8/8/8/4K3 w - - 0 1", "rank 6 (\"44\") has two digits side by side"),
        ("4k3/8/8/8/8/8/8/4K12 w - - 0 1", "rank 1 (\"4K12\") has two digits side by side"),
        ("4k3/8/x7/8/8/8/8/4K3 w - - 0 1", "\"x\" in rank 6 is no piece"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 0 kings"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "Black has 9 pawns"),
        ("4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1", "White has 17 men"),
        ("4k3/nnnnnnnn/nnnnnnnn/8/8/8/8/4K3 w - - 0 1", "Black has 17 men"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on h8"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "a pawn stands on a1"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "FEN side to move \"x\": must be \"w\" or \"b\""),
        ("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "\"w\": the other side's king on e8 is in check"),
        ("8/8/8/8/8/8/8/4kK2 w - - 0 1", "king on e1 is in check"),
        ("4k3/8/8/8/8/8/8/4K2R w KX - 0 1", "\"X\" is none of KQkq, A-H and a-h"),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "FEN castling rights \"Q\": no rook for \"Q\""),
        ("4k3/8/8/8/8/8/8/4K2R w G - 0 1", "no rook for \"G\""),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "\"K\", but the king is on e2"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "\"K\" repeats a right"),
        ("4k3/8/8/8/8/8/8/4KR1R w HF - 0 1", "\"F\" is a second rook on the king's one side"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e9 0 1", "\"e9\": is neither a square nor \"-\""),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e4 0 1", "is not on the rank"),
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "is not on the rank"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - d3 0 1", "no pawn stands before it"),
        ("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", "its way is occupied"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock \"x\": must be a whole number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock \"-1\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999", "move number \"99999\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 +1", "move number \"+1\""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 more", "\"more\" after the move number"),
    ] {
        let error = Position::from_fen(text).err().unwrap_or_else(|| panic!("{text} is accepted"));
        assert!(error.to_string().contains(message), "{text}: {error}");
    }
    let error = Position::from_fen("4k3/8/8/8/8/8/8/8 w - - 0 1").expect_err("no white king");
    assert!(matches!(error, FenError::Pieces { .. }));
}

#[test]
fn san_tells_moves_apart() {
    for (text, uci, san) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", "O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
        ("5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O+"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
        ("4k3/8/8/R7/8/8/4K3/R7 w - - 0 1", "a1a3", "R1a3"),
        ("Q7/6k1/8/8/Q6Q/8/4K3/8 w - - 0 1", "a4e4", "Qa4e4"),
        // The knight on c3 is pinned, so the other needs no distinction.
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", "bxa8=Q+"),
        ("7k/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8n", "b8=N"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2", "Ke2"),
    ] {
        let position = fen(text);
        let mv = position.parse_uci(uci).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(position.to_san(mv), san);
        assert_eq!(position.parse_san(san), Ok(mv));
    }
}

#[test]
fn lenient_san_is_read() {
    let promotion = fen("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1");
    for text in ["bxa8=Q+", "ba8Q", "bxa8Q", "b7xa8=Q", "bxa8(Q)", "bxa8=Q!?", "ba8q", "b7a8q"] {
        let mv = promotion.parse_san(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(mv.to_string(), "b7a8q");
    }
    let castling = fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    for text in ["O-O", "0-0", "o-o", "O-O+", "OO"] {
        assert_eq!(castling.parse_san(text).map(|mv| mv.to_string()), Ok("e1h1".to_owned()));
    }
    for text in ["O-O-O", "0-0-0", "0-0-0!"] {
        assert_eq!(castling.parse_san(text).map(|mv| mv.to_string()), Ok("e1a1".to_owned()));
    }
    let start = Position::start();
    for text in ["Nf3", "Ng1f3", "Ng1-f3", "Nxf3", "N1f3", " Nf3+ "] {
        assert_eq!(start.parse_san(text).map(|mv| mv.to_string()), Ok("g1f3".to_owned()));
    }
    for text in ["e4", "Pe4", "e2e4", "e2-e4", "P2e4"] {
        assert_eq!(start.parse_san(text).map(|mv| mv.to_string()), Ok("e2e4".to_owned()));
    }
    // A bishop on the b-file is no pawn.
    let both = fen("4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1");
    assert_eq!(both.parse_san("Bxc4").map(|mv| mv.to_string()), Ok("d3c4".to_owned()));
    assert_eq!(both.parse_san("bxc4").map(|mv| mv.to_string()), Ok("b3c4".to_owned()));
}

#[test]
fn wrong_moves_are_refused_with_the_text() {
    let start = Position::start();
    for text in ["", "x", "e", "e9", "Ze4", "e4e5e6", "éé", "♘f3", "N", "=Q", "O-O-O-O"] {
        let error = start.parse_san(text).expect_err("malformed");
        assert_eq!(error, MoveError::Malformed(text.to_owned()));
    }
    for text in ["e5", "Nd4", "O-O", "exd5", "e8=Q"] {
        assert_eq!(start.parse_san(text), Err(MoveError::Illegal(text.to_owned())));
    }
    let knights = fen("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1");
    assert!(matches!(knights.parse_san("Ne2"), Err(MoveError::Ambiguous { .. })));
    for text in ["", "e2", "e2e9", "e2e4qq", "e2e4x", "éééé", "e2é4"] {
        assert_eq!(start.parse_uci(text), Err(MoveError::Malformed(text.to_owned())));
    }
    for text in ["e2e5", "e7e5", "e2e4q", "a1a1", "e1g1"] {
        assert_eq!(start.parse_uci(text), Err(MoveError::Illegal(text.to_owned())));
    }
}

#[test]
fn castling_in_coordinates() {
    let standard = fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let castling = standard.parse_uci("e1g1").expect("legal");
    assert_eq!(standard.parse_uci("e1h1"), Ok(castling));
    assert_eq!(standard.uci(castling, false), "e1g1");
    assert_eq!(standard.uci(castling, true), "e1h1");
    // The king's step to the next file is a step, not castling.
    let near = fen("4k3/8/8/8/8/8/8/5K1R w K - 0 1");
    assert!(!near.parse_uci("f1g1").expect("legal").is_castling());
    assert!(near.parse_uci("f1h1").expect("legal").is_castling());
}

/// A legal FEN with a few characters replaced, dropped or doubled.
fn damaged_fen() -> impl Strategy<Value = String> {
    let characters = "12345678/pnbrqkPNBRQKw-ab ehAH9x0é";
    let edits = prop::collection::vec((any::<usize>(), any::<usize>(), 0..3), 1..5);
    (any::<u64>(), 0..80_usize, edits).prop_map(move |(seed, plies, edits)| {
        let mut text = String::new();
        random_game(seed, plies, |position| text = position.to_fen(seed % 2 == 0));
        let mut text: Vec<char> = text.chars().collect();
        for (place, letter, kind) in edits {
            let place = place % text.len();
            let letter = characters.chars().nth(letter % characters.chars().count());
            match kind {
                0 => text[place] = letter.unwrap_or('x'),
                1 => text.insert(place, letter.unwrap_or('x')),
                _ => drop(text.remove(place)),
            }
        }
        text.into_iter().collect()
    })
}

/// Whatever is accepted must be a position like any other.
fn check_if_accepted(text: &str) {
    if let Ok(position) = Position::from_fen(text) {
        assert!(position.legal_moves().len() <= 218);
        perft(&position, 2);
        let again = fen(&position.to_fen(true));
        assert_eq!(again.board(), position.board(), "{text}");
        assert_eq!(fen(&position.to_fen(false)).board(), position.board(), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn garbage_fens_never_panic(text in ".{0,100}") {
        check_if_accepted(&text);
        let _ = Position::start().parse_san(&text);
        let _ = Position::start().parse_uci(&text);
    }

    #[test]
    fn damaged_fens_never_panic(text in damaged_fen()) {
        check_if_accepted(&text);
    }

    #[test]
    fn gaps_are_written_as_one_digit(seed: u64, plies in 0..80_usize, choice: usize, part: u8) {
        let mut text = String::new();
        random_game(seed, plies, |position| text = position.to_fen(false));
        let board = text.split(' ').next().expect("a board").to_owned();
        let gaps: Vec<(usize, u8)> = board
            .bytes()
            .enumerate()
            .filter(|(_, byte)| (b'2'..=b'8').contains(byte))
            .map(|(place, byte)| (place, byte - b'0'))
            .collect();
        prop_assume!(!gaps.is_empty());
        let (place, gap) = gaps[choice % gaps.len()];
        let first = 1 + part % (gap - 1);
        let split = format!("{}{first}{}{}", &text[..place], gap - first, &text[place + 1..]);
        prop_assert!(Position::from_fen(&text).is_ok());
        let error = Position::from_fen(&split).expect_err("two digits side by side");
        prop_assert!(error.to_string().contains("two digits side by side"), "{}: {}", split, error);
    }

    #[test]
    fn sixteen_men_a_side_are_the_most(seed: u64, plies in 0..80_usize, men in 14..20_u32) {
        // Knights of the side to move fill the board from a8 on until there are so many men.
        let (mut text, mut is_white) = (String::new(), true);
        random_game(seed, plies, |position| {
            text = position.to_fen(false);
            is_white = position.side_to_move() == Color::White;
        });
        let (board, rest) = text.split_once(' ').expect("a board");
        let squares: String = board
            .chars()
            .flat_map(|letter| match letter.to_digit(10) {
                Some(gap) => vec!['1'; gap as usize],
                None => vec![letter],
            })
            .collect();
        let is_own = |letter: &char| {
            letter.is_ascii_alphabetic() && letter.is_ascii_uppercase() == is_white
        };
        let present = squares.chars().filter(is_own).count() as u32;
        let knight = if is_white { 'N' } else { 'n' };
        let crowded = squares.replacen('1', &knight.to_string(), men.saturating_sub(present) as usize);
        let mut crowded: String = crowded;
        for gap in (2..=8).rev() {
            crowded = crowded.replace(&"1".repeat(gap), &gap.to_string());
        }
        let men = men.max(present);
        // Knights may check the king that is not to move or stand in the way of a right.
        let verdict = Position::from_fen(&format!("{crowded} {rest}")).map_err(|it| it.to_string());
        let is_refused = verdict.is_err_and(|reason| reason.contains(&format!("has {men} men")));
        prop_assert_eq!(is_refused, men > 16, "{}", crowded);
    }

    #[test]
    fn scattered_pieces_never_panic(
        board in "[pnbrqkPNBRQK1-8]{4,8}(/[pnbrqPNBRQ1-8]{1,8}){7}",
        side in "[wb]",
        rights in "(-|[KQkqA-Ha-h]{1,4})",
        square in "(-|[a-h][36])",
    ) {
        check_if_accepted(&format!("{board} {side} {rights} {square} 0 1"));
    }

    #[test]
    fn garbage_moves_never_panic(text in "[a-hNBRQKO0-9x=+#-]{0,8}") {
        let _ = Position::start().parse_san(&text);
        let _ = Position::start().parse_uci(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn moves_are_read_as_written(seed: u64) {
        random_game(seed, 120, |position| {
            let chess960 = position.chess960();
            for &mv in &position.legal_moves() {
                assert_eq!(position.parse_uci(&position.uci(mv, chess960)), Ok(mv));
                assert_eq!(position.parse_uci(&position.uci(mv, true)), Ok(mv));
                assert_eq!(position.parse_san(&position.to_san(mv)), Ok(mv));
            }
        });
    }
}
