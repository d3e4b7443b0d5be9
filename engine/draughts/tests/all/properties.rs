//! The properties of every game, and those of draughts besides.

use std::sync::Arc;

use draughts::evaluation::{evaluate, trace};
use draughts::game::DraughtsGame;
use draughts::rules::{Board, Position};
use draughts::{GAME, Parameters};
use parameters::Score;
use playable::Searched;
use search::Game as _;

use crate::game_suite::{check_ends, check_rules, check_search, ends, positions};

const GAMES: usize = if cfg!(debug_assertions) { 20 } else { 200 };

fn boards() -> Vec<Board> {
    let boards = positions(GAME, GAMES, 120);
    boards.iter().map(|position| *position.typed::<Position>().board()).collect()
}

#[test]
fn rules_texts_and_bytes_agree() {
    check_rules(GAME, &positions(GAME, GAMES, 120));
}

#[test]
fn the_search_s_game_agrees_with_the_rules() {
    check_search(&positions(GAME, GAMES, 120), searched);
    check_ends(&ends(GAME, GAMES, 400), searched);
}

fn searched(position: &playable::Position) -> DraughtsGame {
    let mut game = DraughtsGame::new(Arc::clone(Parameters::embedded()));
    game.set_position(position.typed());
    game
}

#[test]
fn sides_are_alike() {
    let weights = &Parameters::embedded().weights;
    for board in boards() {
        let turned = board.turned();
        assert_eq!(evaluate(&board, weights), evaluate(&turned, weights), "{}", board.to_fen());
        assert_eq!(board.legal_moves().len(), turned.legal_moves().len(), "{}", board.to_fen());
    }
}

#[test]
fn traces_are_the_evaluation() {
    let weights = &Parameters::embedded().weights;
    let mut reached = vec![false; weights.cells().len()];
    for board in boards() {
        let trace = trace(&board, weights);
        let (mut middlegame, mut endgame) = (0.0, 0.0);
        for (cell, count) in trace.counts {
            reached[usize::from(cell)] = true;
            let score: Score = bytemuck::cast(weights.cells()[usize::from(cell)]);
            middlegame += f32::from(count) * score.middlegame() as f32;
            endgame += f32::from(count) * score.endgame() as f32;
        }
        let value = trace.phase * middlegame + (1.0 - trace.phase) * endgame;
        let value = if board.side_to_move() == playable::Color::White { value } else { -value };
        assert!((value - evaluate(&board, weights) as f32).abs() < 1.1, "{}", board.to_fen());
    }
    assert!(reached.iter().filter(|it| !*it).count() <= 8, "weights that nothing reaches");
}

#[test]
fn a_side_without_a_move_has_lost_in_leaves_too() {
    let stuck = Position::from_fen("B:Wb6,c5,Kh2:Ba7").expect("a position");
    assert!(!stuck.has_legal_move());
    let mut game = DraughtsGame::new(Arc::clone(Parameters::embedded()));
    game.set_position(&stuck);
    assert_eq!(game.ruling(1, 0), search::Ruling::Exact(search::value::mated_at(1)));
    // Any move of the king leaves Black without one.
    let position = GAME.position("W:Wb6,c5,Kh2:Ba7").expect("a position");
    let mut engine = GAME.embedded().engine(1);
    let (limits, control) = (playable::Limits::depth(1), playable::Control::new());
    let found = engine.search(&position, &limits, &control, &mut |_| {});
    assert!(search::value::is_mate(found.score), "{found:?}");
}

/// The counters of a position are part of its key where a draw is near, and only there.
#[test]
fn keys_differ_near_a_draw() {
    let key = |fen: &str| {
        let mut game = DraughtsGame::new(Arc::clone(Parameters::embedded()));
        game.set_position(&Position::from_fen(fen).expect(fen));
        game.table_key()
    };
    for (men, counters, is_same) in [
        ("W:WKa3,Kc1:BKh8,Kb8", ["0 5 1", "9 40 9"], true),
        ("W:WKa3,Kc1:BKh8,Kb8", ["9 9 1", "20 20 9"], false),
        ("W:WKa3,Kc1:BKh8", ["0 0 1", "8 8 9"], false),
        ("W:Wa3,g1,e1,Kc1:BKh8,b6,f6,h6", ["0 5 1", "0 40 9"], true),
        ("W:Wa3,g1,e1,Kc1:BKh8,b6,f6,h6", ["0 5 1", "0 55 9"], false),
    ] {
        let [near, far] = counters.map(|counters| key(&format!("{men} {counters}")));
        assert_eq!(near == far, is_same, "{men} {counters:?}");
    }
}

/// A leaf is no place to stop where something must be captured.
#[test]
fn captures_are_played_to_their_end() {
    let mut judge = GAME.judge(&GAME.embedded());
    let mut longest = 0;
    for mut position in positions(GAME, GAMES, 120) {
        let (value, line) = judge.quiescence(&position);
        let is_forced = position.in_check();
        assert_eq!(line.is_empty(), !is_forced, "{}", position.to_fen());
        longest = longest.max(line.len());
        let mover = position.side_to_move();
        line.into_iter().for_each(|mv| position.play(mv));
        assert!(!position.in_check(), "{}", position.to_fen());
        if position.has_legal_move() {
            let sign = if position.side_to_move() == mover { 1 } else { -1 };
            assert_eq!(value, sign * judge.evaluate(&position), "{}", position.to_fen());
        }
    }
    assert!(longest >= 3, "{longest} captures in turn");
}
