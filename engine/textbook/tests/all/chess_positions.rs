//! Single methods in chess: each sees the thing that its source says.

use chess::game::ChessGame;
use std::path::Path;
use std::sync::Arc;

use chess::{Parameters, Position};
use search::Game;
use search::value::mate_in;
use textbook::TextbookGame;

use crate::ask_to;
use crate::switches::{BASE, MATE_OF_CHECKS, game};

/// A mate by checks alone whose answers are forced lies beyond the nominal depth, but within the
/// forced search.
#[test]
fn checks_in_the_forced_search_find_a_mate_of_checks() {
    let mate = |methods: &[&str]| {
        mate_in(ask_to(&mut game(MATE_OF_CHECKS), &[&BASE[..], methods].concat(), 2).score)
    };
    assert_eq!(mate(&[]), None);
    assert_eq!(mate(&["forced_checks"]), Some(4));
}

#[test]
fn extensions_see_a_mate_of_checks_sooner() {
    let first_depth = |methods: &[&str]| {
        let methods = [&BASE[..], methods].concat();
        (1..=8).find(|&depth| {
            mate_in(ask_to(&mut game(MATE_OF_CHECKS), &methods, depth).score).is_some()
        })
    };
    let plain = first_depth(&[]);
    for method in ["check_extension", "single_reply"] {
        let extended = first_depth(&[method]);
        assert!(extended < plain, "{method}: {extended:?} {plain:?}");
    }
}

/// Where every node is cut by its evaluation, a quiet move that mates is found only if the answers at
/// the root, which is the tree's first position, are searched.
#[test]
fn answers_at_positions_of_the_tree_are_not_cut() {
    // A rook against three knights: 1. Kc7, and 2. Ra1 mates whatever Black plays.
    let fen = "k5nn/8/2K4n/8/8/8/8/1R6 w - - 0 1";
    // The rook has its turn first, so that there is a value to cut by.
    let cuts = ["piece_order", "static_search", "static_search.ply_min=1"];
    // The book's evaluation counts the knights.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/parameters/power.toml");
    let parameters = Arc::new(Parameters::load(Path::new(path)).expect("a file"));
    let position = Position::from_fen(fen).expect("a correct position");
    for (tree, found) in [(&[][..], None), (&["principal_tree"], Some(2))] {
        let mut game = ChessGame::new(Arc::clone(&parameters));
        game.set_position(&position);
        let outcome = ask_to(&mut game, &[&BASE[..], &cuts, tree].concat(), 5);
        assert_eq!(mate_in(outcome.score), found, "{tree:?}");
    }
}

/// Program B's way: no iterations, the root finds its first move at depth two, then at four.
#[test]
fn internal_deepening_gives_the_root_an_answer_early() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let bare = ["alpha_beta", "ordering", "quiescence", "internal_deepening"];
    let limits = search::Limits { depth: Some(20), ..search::Limits::nodes(300_000) };
    let outcome = crate::ask(&mut game(fen), &crate::with(&bare), &limits);
    assert!((2..20).contains(&outcome.depth) && outcome.depth % 2 == 0, "{}", outcome.depth);
}

#[test]
fn a_pass_orders_a_table_and_late_cuts_save_nodes() {
    let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    let nodes = |methods: &[&str]| ask_to(&mut game(fen), &[&BASE[..], methods].concat(), 6).nodes;
    let plain = nodes(&[]);
    for method in ["null_move", "killer", "history", "table", "futility", "razoring"] {
        assert!(nodes(&[method]) < plain, "{method}");
    }
}

/// The traits of single moves are those that the source names.
#[test]
fn traits_of_moves_are_those_of_the_source() {
    let mut position = Position::from_fen("4k3/3p4/8/4P3/8/8/2Q5/4K3 b - - 0 1").unwrap();
    position.play(position.parse_uci("d7d5").unwrap());
    let mut game = ChessGame::new(Parameters::embedded().clone());
    game.set_position(&position);
    let traits = |text: &str| game.traits_of(position.parse_uci(text).unwrap());
    let en_passant = traits("e5d6");
    assert!(en_passant.takes_last_mover && en_passant.prize == 1);
    // From three king steps to two, and from three to three along the other way.
    assert_eq!(traits("c2c6").approach, Some(2));
    assert_eq!(traits("c2c1").approach, None);
    assert!(traits("c2c1").retreats && !traits("c2c6").retreats);
    assert_eq!((traits("c2c6").weight, traits("e1d1").weight, en_passant.weight), (5, 1, 0));
    assert_eq!((traits("c2c6").price, traits("e1d1").price, en_passant.price), (4, 5, 0));
    let advanced = Position::from_fen("4k3/8/4P3/8/8/8/8/4K3 w - - 0 1").unwrap();
    game.set_position(&advanced);
    assert!(game.traits_of(advanced.parse_uci("e6e7").unwrap()).reaches_seventh);
    assert!(!game.traits_of(advanced.parse_uci("e1e2").unwrap()).reaches_seventh);
}

/// By the keys of the line alone, two occurrences are no draw, and three are one.
#[test]
fn line_repetition_waits_for_the_third_occurrence() {
    let mut position = Position::from_fen("3q2k1/6pp/8/8/8/8/6PP/Q5K1 w - - 0 1").unwrap();
    let mut game = ChessGame::new(Parameters::embedded().clone());
    for (number, text) in ["a1a2", "g8f8", "a2a1", "f8g8"].iter().cycle().take(8).enumerate() {
        position.play(position.parse_uci(text).unwrap());
        game.set_position(&position);
        let is_drawn = game.ruling_by_line(number + 1, 1) != search::Ruling::Open;
        assert_eq!(is_drawn, number == 7, "after {} plies", number + 1);
    }
    assert_ne!(game.ruling(8, 1), search::Ruling::Open);
}

#[test]
fn after_a_pass_the_last_mover_is_known() {
    let mut position = Position::from_fen("4k3/8/8/3p4/8/8/8/1N2K1R1 w - - 0 1").unwrap();
    position.play(position.parse_uci("b1c3").unwrap());
    position.pass();
    let mut game = ChessGame::new(Parameters::embedded().clone());
    game.set_position(&position);
    let by_last_mover =
        |text: &str| game.traits_of(position.parse_uci(text).unwrap()).by_last_mover;
    assert!(by_last_mover("c3d5") && by_last_mover("c3e4"));
    assert!(!by_last_mover("g1g8") && !by_last_mover("e1e2"));
}
