//! Nodes that are known from the book, and from the algorithms in their plainest form.

use engine::toys::corners::Corners;
use engine::toys::tic_tac_toe::{Cell, TicTacToe};
use search::Game;

use crate::ask_to;

const CENTER_FIRST: [u8; 9] = [4, 0, 2, 6, 8, 1, 3, 5, 7];

/// The methods of each row of `kamerton toy`.
const ROWS: [(&str, &[&str]); 6] = [
    ("minimax", &[]),
    ("alpha-beta", &["alpha_beta", "fail_soft"]),
    ("alpha-beta with a table", &["alpha_beta", "fail_soft", "table", "table_cutoff"]),
    ("principal-variation search", &["alpha_beta", "fail_soft", "principal_variation"]),
    ("NegaScout", &["alpha_beta", "fail_soft", "negascout"]),
    ("MTD(f)", &["alpha_beta", "mtd"]),
];

#[test]
fn tic_tac_toe_has_the_known_counts() {
    let nodes = |order| {
        ROWS.map(|(name, methods)| {
            let outcome = ask_to(&mut TicTacToe::with_order(order), methods, 9);
            assert_eq!(outcome.score, 0, "{name}");
            outcome.nodes
        })
    };
    assert_eq!(nodes(TicTacToe::ORDER), [549_946, 18_297, 4_769, 18_016, 17_082, 17_125]);
    assert_eq!(nodes(CENTER_FIRST), [549_946, 7_275, 1_981, 6_378, 6_356, 6_359]);
}

#[test]
fn each_first_cross_has_the_known_reply() {
    let counts = [2338, 2869, 3275, 3574, 2316, 3590, 3809, 4981, 3957];
    let replies = [4, 0, 4, 0, 0, 2, 4, 1, 4];
    for (cell, (nodes, reply)) in counts.into_iter().zip(replies).enumerate() {
        let mut board = TicTacToe::new();
        board.play(Cell::new(cell));
        let outcome = ask_to(&mut board, &["alpha_beta"], 8);
        assert_eq!((outcome.best.number(), outcome.nodes), (reply, nodes), "after {cell}");
    }
}

/// In the source's table some positions give way to others: one that forgets nothing visits 6,360.
#[test]
fn corners_has_the_known_counts() {
    let nodes = |board: fn() -> Corners| {
        ROWS.map(|(_, methods)| ask_to(&mut board(), methods, 4)).map(|outcome| outcome.nodes)
    };
    let plain = nodes(Corners::new);
    assert_eq!(plain, [104_220, 7_111, 6_408, 9_316, 8_637, 4_626]);
    let ordered = nodes(|| Corners::new().best_first());
    assert_eq!(ordered, [104_220, 1_858, 1_734, 2_762, 1_972, 1_382]);
}
