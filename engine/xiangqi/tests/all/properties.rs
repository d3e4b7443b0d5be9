//! The properties of every game, and those of xiangqi besides.

use std::sync::Arc;

use playable::{Color, GameResult, Searched};
use search::Game as _;
use xiangqi::game::XiangqiGame;
use xiangqi::rules::{Board, Position, Stage};
use xiangqi::{GAME, Parameters};

use crate::game_suite::{check_ends, check_rules, check_search, ends, positions};

const GAMES: usize = if cfg!(debug_assertions) { 4 } else { 30 };

#[test]
fn rules_texts_and_bytes_agree() {
    check_rules(GAME, &positions(GAME, GAMES, 200));
}

#[test]
fn the_search_s_game_agrees_with_the_rules() {
    check_search(&positions(GAME, GAMES, 200), searched);
    check_ends(&ends(GAME, GAMES, 1500), searched);
}

fn searched(position: &playable::Position) -> XiangqiGame {
    let mut game = XiangqiGame::new(Arc::clone(Parameters::embedded()));
    game.set_position(position.typed());
    game
}

/// Checks are told before the move as they are seen after it.
#[test]
fn checks_are_foreseen_exactly() {
    let mut checks = 0;
    for position in positions(GAME, GAMES, 200) {
        let board: &Board = position.typed::<Position>().board();
        let mut quiet = 0;
        for mv in board.legal_moves() {
            let mut after = Position::from_board(*board);
            after.play(mv);
            assert_eq!(board.gives_check(mv), after.in_check(), "{mv} {}", board.to_fen());
            checks += u32::from(after.in_check());
            quiet += u32::from(after.in_check() && !board.is_capture(mv));
        }
        let mut found = 0;
        board.each_move(Stage::QuietChecks, |_| found += 1);
        assert_eq!(found, quiet, "{}", board.to_fen());
    }
    assert!(checks > 1000 || cfg!(debug_assertions), "{checks} checks");
}

/// No move loses, check or not, and a leaf one ply before it sees that.
#[test]
fn a_side_without_a_move_has_lost_in_leaves_too() {
    let stuck = Position::from_fen("3k5/R8/9/9/4R4/9/9/9/9/5K3 b - - 0 1").expect("a position");
    let mut game = XiangqiGame::new(Arc::clone(Parameters::embedded()));
    game.set_position(&stuck);
    assert!(!stuck.in_check() && !stuck.has_legal_move());
    assert_eq!(game.ruling(1, 0), search::Ruling::Exact(search::value::mated_at(1)));
    // A rook's quiet move takes the last move away: the search sees it with one ply.
    let before = "3k5/1R7/9/9/4R4/9/9/9/9/5K3 w - - 0 1";
    let position = GAME.position(before).expect("a position");
    let mut engine = GAME.embedded().engine(1);
    let limits = playable::Limits::depth(1);
    let control = playable::Control::new();
    let found = engine.search(&position, &limits, &control, &mut |_| {});
    assert!(search::value::is_mate(found.score), "{found:?}");
}

/// At the natural limit, too, a side without a move has lost, and so has a chaser.
#[test]
fn the_last_ply_before_the_limit_is_judged_as_the_runner_does() {
    let chase = "d1c1 c2d2 c1d1 d2c2 d1c1 c2d2 c1d1";
    for (fen, moves, last) in [
        ("3k5/9/R8/9/4R4/9/9/9/9/5K3 w - - 119 90", "", "a7a8"),
        ("5k3/9/9/9/9/9/9/2c6/3R5/4K4 w - - 112 60", chase, "d2c2"),
    ] {
        let mut position = GAME.position(fen).expect("a position");
        for text in moves.split_whitespace().chain([last]) {
            let mv = position.parse_uci(text).expect("a legal move");
            position.play(mv);
        }
        let mut game = XiangqiGame::new(Arc::clone(Parameters::embedded()));
        let position = position.typed::<Position>();
        assert!(position.is_at_limit(), "{fen}");
        game.set_position(position);
        let lost = search::Ruling::Exact(search::value::mated_at(1));
        assert_eq!(game.ruling(1, 1), lost, "{fen}");
        let winner = GameResult::win_of(!position.side_to_move());
        assert_eq!(position.outcome().map(|it| it.0), Some(winner), "{fen}");
    }
}

#[test]
fn shares_of_terms_add_up_to_the_evaluation() {
    let numbers = GAME.embedded();
    let mut judge = GAME.judge(&numbers);
    for position in positions(GAME, GAMES, 80) {
        let terms = GAME.terms(&numbers, &position).expect("they are told");
        let value = judge.evaluate(&position);
        let value = if position.side_to_move() == Color::White { value } else { -value };
        assert_eq!(terms.value, value, "{}", position.to_fen());
        // Each share is rounded.
        let sum: i32 = terms.shares.iter().map(|(_, share)| share).sum();
        assert!((sum - value).unsigned_abs() as usize <= terms.shares.len(), "{terms:?}");
    }
}
