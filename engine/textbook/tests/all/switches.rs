//! Each method by itself: it changes what is searched, breaks nothing, and keeps to limits.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use chess::game::ChessGame;
use chess::{Parameters, Position};
use engine::toys::corners::Corners;
use engine::toys::tic_tac_toe::TicTacToe;
use search::{ClockSide, Control, Game, Limits, Value};
use textbook::{Memory, Methods};

use crate::{ask, with};

/// Middlegames, sharp and quiet, and an ending.
const POSITIONS: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Philidor's legacy: 1. Nf7+ Kg8 2. Nh6+ Kh8 3. Qg8+ Rxg8 4. Nf7 mate.
pub const MATE_OF_CHECKS: &str = "r6k/6pp/8/4N3/8/1Q6/6PP/6K1 w - - 0 1";

/// A search with which all methods have something to do.
pub const BASE: [&str; 6] =
    ["alpha_beta", "fail_soft", "iterative_deepening", "ordering", "quiescence", "negascout"];

pub fn game(fen: &str) -> ChessGame {
    let mut game = ChessGame::new(Parameters::embedded().clone());
    game.set_position(&Position::from_fen(fen).expect("a correct position"));
    game
}

/// Nodes and score of each iteration in a middlegame and, deeper, in an ending and before a mate of checks,
/// as far as so many nodes are allowed.
fn iterations(methods: &Methods) -> Vec<(u64, Value)> {
    let mut found = Vec::new();
    for (fen, depth) in [(POSITIONS[0], 4), (POSITIONS[3], 6), (MATE_OF_CHECKS, 5)] {
        let limits = Limits { depth: Some(depth), ..Limits::nodes(100_000) };
        let (mut game, mut memory, control) = (game(fen), Memory::default(), Control::new());
        textbook::search(&mut game, methods, &mut memory, &limits, &control, &mut |progress| {
            found.push((progress.nodes, progress.score));
        });
    }
    found
}

/// The settings that a switch needs beside the base to make a difference.
fn companions(path: &str) -> &'static [&'static str] {
    match path {
        "principal_variation.enabled" => &["negascout=0"],
        "table_cutoff.enabled" => &["table"],
        "two_tables.enabled" => &["table", "table_cutoff"],
        "frontier.reduces" => &["frontier.futility_depth=0", "frontier.razoring_margin=200"],
        "static_search.spares_extended" => &["recapture_extension"],
        "single_reply.by_material" => &["single_reply.depth_min=2"],
        "null_move_rules.enabled" | "null_threat.enabled" => &["null_move"],
        "null_move_rules.once" => &["null_move", "null_move_rules", "null_move.reduction=0"],
        "quiescence_cap.enabled" => &["quiescence_cap.plies_max=2"],
        _ => &[],
    }
}

#[test]
fn every_method_changes_the_search_when_it_is_on() {
    let mut idle = Vec::new();
    for info in Methods::INFO.iter().filter(|info| info.is_switch()) {
        let path = crate::name_of(info);
        let group = [info.group];
        let needs_group: &[&str] = if info.name == "enabled" { &[] } else { &group };
        let mut methods = with(&[&BASE[..], companions(&path), needs_group].concat());
        let off_and_on = [0, 1].map(|value| {
            methods.cells_mut()[info.first_cell] = value;
            iterations(&methods)
        });
        // So small a search fills no table, and no root has an only move: these are seen by themselves.
        let is_seen =
            ["two_tables.enabled", "iterative_deepening.plays_only_move"].contains(&&*path);
        if off_and_on[0] == off_and_on[1] && !is_seen {
            idle.push(path);
        }
    }
    assert_eq!(idle, [""; 0], "they change nothing");
}

#[test]
fn all_methods_together_search_and_keep_to_their_nodes() {
    let mut methods = Methods::declared();
    for info in Methods::INFO.iter().filter(|info| info.is_switch()) {
        methods.cells_mut()[info.first_cell] = 1;
    }
    for fen in POSITIONS {
        let mut game = game(fen);
        let outcome = ask(&mut game, &methods, &Limits::nodes(20_000));
        assert_eq!(outcome.nodes, 20_000, "{fen}");
        assert!(game.legal_moves().contains(&outcome.best), "{fen}");
    }
}

#[test]
fn a_search_ends_at_each_of_its_limits() {
    let methods = with(&BASE);
    let mut game = game(POSITIONS[1]);
    assert_eq!(ask(&mut game, &methods, &Limits::nodes(1)).nodes, 1);
    assert_eq!(ask(&mut game, &methods, &Limits::depth(3)).depth, 3);
    let stopped = Control::new();
    stopped.stop.store(true, Ordering::Relaxed);
    let mut memory = Memory::default();
    let limits = Limits { infinite: true, ..Limits::default() };
    let outcome =
        textbook::search(&mut game, &methods, &mut memory, &limits, &stopped, &mut |_| {});
    assert!(game.legal_moves().contains(&outcome.best));
    let clock = ClockSide { time: Duration::from_millis(500), increment: Duration::ZERO };
    for limits in [
        Limits { move_time: Some(Duration::from_millis(30)), ..Limits::default() },
        Limits { clock: [Some(clock); 2], ..Limits::default() },
    ] {
        let started = Instant::now();
        let outcome = ask(&mut game, &methods, &limits);
        assert!(outcome.nodes > 1 && started.elapsed() > Duration::ZERO);
    }
}

#[test]
fn iterations_begin_where_they_are_told_to_and_an_only_move_needs_none() {
    let depths = |fen, settings: &[&str]| {
        let methods = with(&[&BASE[..], settings].concat());
        let (mut game, mut memory, mut depths) = (game(fen), Memory::default(), Vec::new());
        let (limits, control) = (Limits::depth(5), Control::new());
        textbook::search(&mut game, &methods, &mut memory, &limits, &control, &mut |progress| {
            depths.push(progress.depth);
        });
        depths
    };
    let first = ["iterative_deepening.first=4", "iterative_deepening.plays_only_move"];
    assert_eq!(depths(POSITIONS[3], &[]), [1, 2, 3, 4, 5]);
    assert_eq!(depths(POSITIONS[3], &first), [4, 5]);
    let only_move = "k7/8/8/8/8/8/7r/K7 w - - 0 1";
    assert_eq!(depths(only_move, &first[..1]), [4, 5]);
    assert_eq!(depths(only_move, &first), [1]);
}

#[test]
fn leaf_noise_is_the_same_for_a_seed_and_keeps_to_its_mask() {
    let score = |settings: &[&str]| {
        let methods = with(&[&["alpha_beta"], settings].concat());
        ask(&mut game(POSITIONS[0]), &methods, &Limits::depth(1)).score
    };
    let noisy = |seed: usize| score(&["leaf_noise", &format!("leaf_noise.seed={seed}")]);
    let plain = score(&[]);
    let scores: Vec<Value> = (0..20).map(noisy).collect();
    assert_eq!(scores, (0..20).map(noisy).collect::<Vec<_>>());
    assert!(scores.iter().all(|score| score.abs_diff(plain) <= 7), "{plain}: {scores:?}");
    assert!(scores.iter().any(|&score| score != scores[0]), "{scores:?}");
    assert_eq!(score(&["leaf_noise", "leaf_noise.mask=0"]), plain);
}

#[test]
fn several_lines_begin_with_different_moves() {
    let methods = with(&BASE);
    let limits = Limits { multi_pv: 3, ..Limits::depth(3) };
    let (mut memory, mut lines) = (Memory::default(), Vec::new());
    let mut game = game(POSITIONS[0]);
    textbook::search(&mut game, &methods, &mut memory, &limits, &Control::new(), &mut |progress| {
        if progress.depth == 3 {
            lines.push((progress.multi_pv, progress.score, progress.pv[0]));
        }
    });
    assert_eq!(lines.iter().map(|line| line.0).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(lines.is_sorted_by(|one, next| one.1 >= next.1 && one.2 != next.2), "{lines:?}");
}

/// The whole set plays the small games as well.
#[test]
fn the_search_plays_the_toy_games() {
    let methods = with(&[&BASE[..], &["table", "table_cutoff", "killer", "history"]].concat());
    let mut board = TicTacToe::new();
    while !board.is_over() {
        let outcome = ask(&mut board, &methods, &Limits::nodes(20_000));
        board.play(outcome.best);
    }
    assert!(!board.is_won(), "both sides play well");
    let mut board = Corners::new();
    for _ in 0..20 {
        let outcome = ask(&mut board, &methods, &Limits::depth(3));
        board.play(outcome.best);
    }
    assert!(board.progress() > 60, "both sides go forward: {}", board.progress());
}
