//! Minimax: what the search is with every method off, and what it finds with each that only saves nodes.

use chess::Parameters;
use chess::game::ChessGame;
use engine::toys::corners::Corners;
use engine::toys::tic_tac_toe::TicTacToe;
use textbook::{Methods, TextbookGame};

use crate::countdown::Countdown;
use crate::plain_minimax::minimax;
use crate::{ask_to, next_below, wander};

/// Methods that claim to keep the value of every position.
const KEEPING: [&[&str]; 24] = [
    &[],
    &["alpha_beta"],
    &["fail_soft"],
    &["alpha_beta", "fail_soft"],
    &["alpha_beta", "principal_variation"],
    &["alpha_beta", "fail_soft", "principal_variation"],
    &["alpha_beta", "negascout"],
    &["alpha_beta", "fail_soft", "negascout", "negascout.first_move"],
    &["alpha_beta", "aspiration", "aspiration.margin=4"],
    &["alpha_beta", "fail_soft", "aspiration", "iterative_deepening"],
    &["alpha_beta", "mtd"],
    &["alpha_beta", "mtd", "mtd.bisects"],
    &["alpha_beta", "iterative_deepening", "principal_line"],
    &["alpha_beta", "table", "table_cutoff"],
    &["alpha_beta", "fail_soft", "mtd", "table", "table_cutoff", "two_tables"],
    &["alpha_beta", "fail_soft", "ordering", "ordering.losing_last", "killer", "history"],
    &["alpha_beta", "last_mover_first", "lightest_attacker", "quiet_lists"],
    &["alpha_beta", "piece_order", "piece_order.light_first", "piece_order.retreats_last"],
    &["alpha_beta", "iterative_deepening", "principal_tree"],
    &["alpha_beta", "killer", "killer.slots=4", "history", "history.by_depth"],
    &["alpha_beta", "table", "table_cutoff", "table.slots_power=10"],
    &["alpha_beta", "fail_soft", "internal_deepening"],
    &["iterative_deepening", "table", "table_cutoff", "ordering", "killer"],
    &[
        "alpha_beta",
        "fail_soft",
        "negascout",
        "aspiration",
        "iterative_deepening",
        "principal_line",
        "principal_tree",
        "table",
        "table_cutoff",
        "two_tables",
        "internal_deepening",
        "ordering",
        "last_mover_first",
        "lightest_attacker",
        "killer",
        "history",
        "quiet_lists",
        "piece_order",
    ],
];

fn assert_agree<G: TextbookGame>(game: &mut G, depth: u32, methods: &[&[&str]]) {
    let expected = minimax(game, depth);
    let legal = game.legal_moves();
    for methods in methods {
        let outcome = ask_to(game, methods, depth);
        assert_eq!(outcome.score, expected, "{methods:?} at depth {depth}");
        assert!(legal.contains(&outcome.best) || legal.is_empty(), "{methods:?}");
    }
}

#[test]
fn chess_is_worth_what_minimax_says() {
    let mut game = ChessGame::new(Parameters::embedded().clone());
    let mut seed = 1;
    let starts: Vec<_> = chess::bench::positions().map(|(_, position)| position).collect();
    for number in 0..600 {
        game.set_position(&starts[number % starts.len()]);
        wander(&mut game, next_below(&mut seed, 12), &mut seed);
        let depth = if number < 10 { 3 } else { 1 + number as u32 % 2 };
        assert_agree(&mut game, depth, &KEEPING);
    }
}

#[test]
fn corners_is_worth_what_minimax_says() {
    let mut seed = 2;
    for number in 0..100 {
        let mut board = Corners::new();
        wander(&mut board, next_below(&mut seed, 40), &mut seed);
        assert_agree(&mut board, 1 + number % 3, &KEEPING);
    }
}

#[test]
fn tic_tac_toe_is_worth_what_minimax_says() {
    let mut seed = 3;
    for _ in 0..140 {
        let mut board = TicTacToe::new();
        while !board.is_over() && (board.men() < 3 || next_below(&mut seed, 3) > 0) {
            wander(&mut board, 1, &mut seed);
        }
        if !board.is_over() {
            let depth = 9 - board.men();
            assert_agree(&mut board, depth, &KEEPING);
        }
    }
}

/// There the rules bound values on one side; and positions come again at other depths, so that a table
/// knows them deeper than was asked.
#[test]
fn countdown_is_worth_what_minimax_says() {
    let without_table: Vec<_> = KEEPING.into_iter().filter(|it| !it.contains(&"table")).collect();
    for heap in 1..=20 {
        for depth in 1..=8 {
            assert_agree(&mut Countdown::new(heap), depth, &without_table);
        }
    }
}

#[test]
fn every_method_is_off_until_it_is_named() {
    let methods = Methods::declared();
    for info in Methods::INFO {
        let value = methods.cells()[info.first_cell];
        assert!(info.range.0 <= value && value <= info.range.1, "{}", info.path());
        assert!(!info.is_switch() || value == 0, "{} is on", info.path());
    }
    // Without a switch stand the clock's shares and a limit that nothing meets by itself.
    for group in Methods::INFO.chunk_by(|one, next| one.group == next.group) {
        let has_switch = group.iter().any(|info| info.name == "enabled");
        assert!(has_switch || ["time", "extension_limit"].contains(&group[0].group));
    }
}
