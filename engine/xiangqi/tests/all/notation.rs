//! Moves in all notations.

use playable::MoveError;
use xiangqi::notation::Notation;
use xiangqi::rules::{Board, Move, Position};

/// Men that share files: rooks, horses, cannons, advisors, elephants; and pawns, two to five.
pub const CROWDED: [&str; 12] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/4P4/1NB6/P1P1P3P/1C1A3C1/9/RNBAK4 w",
    "rnbakabnr/9/1c5c1/p1p1P1p1p/4P4/9/P3P3P/1C5C1/9/RNBAKABNR w",
    "5k3/9/3P5/3P1P1P1/5P3/9/9/9/9/4K4 w",
    "5k3/9/3P5/3P1P3/3P1P3/9/9/9/9/4K4 w",
    "5k3/3P5/3P5/3P5/3P5/9/9/9/9/4K4 w",
    "5k3/2P6/2P6/2P6/2P6/2P6/9/9/9/4K4 w",
    "5k3/3P5/3P5/3P5/1P5P1/9/9/9/9/4K4 w",
    "5k3/9/9/2p6/2p1p4/2p1p4/9/9/9/3K5 b",
    "5k3/9/9/9/2p1p4/2p1p3p/9/9/9/3K5 b",
    "3k5/9/3a5/r7n/2b1c4/r7n/4c4/9/9/5K3 b",
    "3ak4/9/3a5/r7n/r7n/4c4/4c4/9/9/5K3 b",
    "5k3/9/9/9/9/2B1R1N2/4R1N2/5A3/7C1/2BK1A1C1 w",
];

/// A small generator of numbers.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn each_move_is_read(board: &Board) {
    for mv in board.legal_moves() {
        for notation in Notation::ALL {
            let text = notation.text(board, mv);
            assert_eq!(notation.parse(board, &text), Ok(mv), "{text} on {}", board.to_fen());
        }
    }
}

#[test]
fn every_move_is_read_as_it_is_written() {
    let mut numbers = Numbers(1);
    for start in [Position::start()].iter().chain(&CROWDED.map(position)).cycle().take(40) {
        let mut position = start.clone();
        for _ in 0..60 {
            each_move_is_read(&position);
            let moves = position.legal_moves();
            let Some(mv) = moves.get(numbers.below(moves.len().max(1))) else { break };
            position.play(*mv);
        }
    }
}

#[test]
fn other_notations_are_refused_or_mean_the_same() {
    for fen in CROWDED {
        let board = position(fen);
        for mv in board.legal_moves() {
            let text = Notation::Wxf.text(&board, mv);
            for other in [Notation::Coordinates, Notation::Iccs, Notation::Chinese, Notation::Piece]
            {
                assert_eq!(other.parse(&board, &text), Err(MoveError::Malformed(text.clone())));
            }
        }
    }
}

/// The line that explains the notations in their source.
#[test]
fn a_line_is_that_of_the_source() {
    let line = [
        ("炮二平五", "Ch2-e2", "H2-E2", "C2=5", "C2.5", "62.5"),
        ("炮8平5", "Ch7-e7", "H7-E7", "C8=5", "C8.5", "68.5"),
        ("炮五进四", "Ce2-e6", "E2-E6", "C5+4", "C5+4", "65+4"),
        ("士4进5", "Ad9-e8", "D9-E8", "A4+5", "A4+5", "24+5"),
        ("马二进三", "Nh0-g2", "H0-G2", "H2+3", "N2+3", "42+3"),
        ("马8进7", "Nh9-g7", "H9-G7", "H8+7", "N8+7", "48+7"),
        ("炮八平五", "Cb2-e2", "B2-E2", "C8=5", "C8.5", "68.5"),
        ("马2进3", "Nb9-c7", "B9-C7", "H2+3", "N2+3", "42+3"),
        ("前炮退二", "Ce6-e4", "E6-E4", "C+-2", "C+-2", "6+-2"),
        ("车9平8", "Ri9-h9", "I9-H9", "R9=8", "R9.8", "59.8"),
    ];
    let mut position = Position::start();
    for (chinese, piece, iccs, wxf, letters, keypad) in line {
        let mv = Notation::Chinese.parse(&position, chinese).expect("a legal move");
        let all = [(Notation::Chinese, chinese), (Notation::Piece, piece), (Notation::Iccs, iccs)];
        let signs =
            [(Notation::Wxf, wxf), (Notation::Letters, letters), (Notation::Keypad, keypad)];
        for (notation, text) in all.into_iter().chain(signs) {
            assert_eq!(notation.text(&position, mv), text);
            assert_eq!(notation.parse(&position, text), Ok(mv));
        }
        position.play(mv);
    }
}

fn mv(board: &Board, text: &str) -> Move {
    Notation::Coordinates.parse(board, text).expect("a legal move")
}

#[test]
fn pawns_on_shared_files_are_told_apart() {
    let facts = [
        // Two on one file.
        (CROWDED[0], "e5e6", "前兵进一", "P++1", "7++1"),
        (CROWDED[0], "e3e4", "后兵进一", "P-+1", "7-+1"),
        // Three.
        (CROWDED[1], "e6d6", "前兵平六", "P+.6", "7+.6"),
        (CROWDED[1], "e5d5", "中兵平六", "P..6", "7..6"),
        (CROWDED[1], "e3e4", "后兵进一", "P-+1", "7-+1"),
        // Two files of two, and a pawn elsewhere that does not count.
        (CROWDED[2], "f6g6", "一兵平三", "Pa.3", "7a.3"),
        (CROWDED[2], "f5e5", "二兵平五", "Pb.5", "7b.5"),
        (CROWDED[2], "d7e7", "三兵平五", "Pc.5", "7c.5"),
        (CROWDED[2], "d6e6", "四兵平五", "Pd.5", "7d.5"),
        (CROWDED[2], "h6h7", "兵二进一", "P2+1", "72+1"),
        // Files of two and of three, one of four, one of five.
        (CROWDED[3], "f5e5", "二兵平五", "Pb.5", "7b.5"),
        (CROWDED[3], "d5e5", "五兵平五", "Pe.5", "7e.5"),
        (CROWDED[4], "d6c6", "三兵平七", "Pc.7", "7c.7"),
        (CROWDED[5], "c5b5", "四兵平八", "Pd.8", "7d.8"),
        // Three on a file, others elsewhere.
        (CROWDED[6], "d6c6", "后兵平七", "P-.7", "7-.7"),
        // Black counts from its own right, and writes the counts as Red does.
        (CROWDED[7], "c4b4", "一卒平2", "Pa.2", "7a.2"),
        (CROWDED[7], "e4f4", "四卒平6", "Pd.6", "7d.6"),
        (CROWDED[8], "e4d4", "三卒平4", "Pc.4", "7c.4"),
        (CROWDED[8], "i4i3", "卒9进1", "P9+1", "79+1"),
    ];
    for (fen, coordinates, chinese, letters, keypad) in facts {
        let board = position(fen);
        let mv = mv(&board, coordinates);
        assert_eq!(Notation::Chinese.text(&board, mv), chinese, "{coordinates} on {fen}");
        assert_eq!(Notation::Letters.text(&board, mv), letters, "{coordinates} on {fen}");
        assert_eq!(Notation::Keypad.text(&board, mv), keypad, "{coordinates} on {fen}");
    }
}

#[test]
fn advisors_and_elephants_are_named_by_their_file() {
    let board = position("3k5/9/9/9/9/2B6/9/3A5/9/2BA1K3 w");
    for (coordinates, text) in
        [("c4e2", "相七退五"), ("c0e2", "相七进五"), ("d0e1", "仕六进五"), ("d2e1", "仕六退五")]
    {
        let mv = mv(&board, coordinates);
        assert_eq!(Notation::Chinese.text(&board, mv), text);
        assert_eq!(Notation::Chinese.parse(&board, text), Ok(mv));
    }
}

#[test]
fn characters_of_other_kinds_are_read() {
    let start = Position::start();
    for text in ["砲二平五", "包2平5", "炮２平５", " 炮二平五 "] {
        assert_eq!(Notation::Chinese.parse(&start, text), Ok(mv(&start, "h2e2")), "{text}");
    }
    for text in ["馬二進三", "傌２進３", "马2进3"] {
        assert_eq!(Notation::Chinese.parse(&start, text), Ok(mv(&start, "h0g2")), "{text}");
    }
    for (text, coordinates) in
        [("俥一進一", "i0i1"), ("車一進二", "i0i2"), ("帥五進一", "e0e1"), ("將五進一", "e0e1")]
    {
        assert_eq!(Notation::Chinese.parse(&start, text), Ok(mv(&start, coordinates)), "{text}");
    }
    let shared = position(CROWDED[0]);
    assert_eq!(Notation::Chinese.parse(&shared, "後兵進一"), Ok(mv(&shared, "e3e4")));
}

#[test]
fn what_may_mean_two_moves_is_reported() {
    let board = position("3k5/9/9/9/4R4/9/4R4/9/9/4K4 w");
    let ambiguous = |text: &str| {
        let (text, first, second) = (text.to_owned(), "e3d3".to_owned(), "e5d5".to_owned());
        Err(MoveError::Ambiguous { text, first, second })
    };
    for (notation, text) in [
        (Notation::Wxf, "R5=6"),
        (Notation::Letters, "R5.6"),
        (Notation::Keypad, "55.6"),
        (Notation::Chinese, "车五平六"),
    ] {
        assert_eq!(notation.parse(&board, text), ambiguous(text));
    }
    // The file will do where one of the two can go only.
    assert_eq!(Notation::Wxf.parse(&board, "R5+3"), Ok(mv(&board, "e5e8")));
    let error = Notation::Wxf.parse(&board, "R5=6").expect_err("two rooks");
    assert_eq!(error.to_string(), "\"R5=6\" may mean e3d3 or e5d5");
}

#[test]
fn texts_that_name_no_legal_move_are_refused() {
    let start = Position::start();
    for (notation, text) in [
        (Notation::Wxf, "C3=5"),
        (Notation::Wxf, "H2=3"),
        (Notation::Wxf, "R9-1"),
        (Notation::Wxf, "R9+9"),
        (Notation::Wxf, "H2+9"),
        (Notation::Wxf, "95=5"),
        (Notation::Wxf, "P++1"),
        (Notation::Letters, "Pa.6"),
        (Notation::Letters, "Pe+1"),
        (Notation::Keypad, "72-1"),
        (Notation::Chinese, "中兵进一"),
        (Notation::Chinese, "九兵进一"),
        (Notation::Chinese, "仕五进四"),
    ] {
        let illegal = Err(MoveError::Illegal(text.to_owned()));
        assert_eq!(notation.parse(&start, text), illegal, "{notation:?}");
    }
    for (notation, text) in [
        (Notation::Wxf, ""),
        (Notation::Wxf, "C2"),
        (Notation::Wxf, "C2=0"),
        (Notation::Wxf, "C2=55"),
        (Notation::Wxf, "X2=5"),
        (Notation::Letters, "C2=5"),
        (Notation::Letters, "Pf.5"),
        (Notation::Keypad, "02.5"),
        (Notation::Keypad, "82.5"),
        (Notation::Chinese, "炮二平"),
        (Notation::Chinese, "炮二五平"),
        (Notation::Chinese, "炮〇平五"),
        (Notation::Chinese, "二炮五平"),
    ] {
        let malformed = Err(MoveError::Malformed(text.to_owned()));
        assert_eq!(notation.parse(&start, text), malformed, "{notation:?}");
    }
}
