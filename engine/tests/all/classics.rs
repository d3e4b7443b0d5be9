//! Methods of the literature as switches of the search: each changes what is searched, none breaks it,
//! and each does what its source says.

use std::path::Path;
use std::sync::Arc;

use chess::Position;
use chess::engine::{Control, Limits, Outcome, mate_in};
use chess::game::ChessGame;
use chess::{Engine, Margins, Parameters};
use parameters::Switch;
use search::Game as _;

use crate::frozen::frozen;

/// Middlegames, sharp and quiet, and an ending.
const POSITIONS: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// All switches of the literature, with those that make one of them matter.
pub const METHODS: [(&str, &[&str]); 41] = [
    ("negascout.enabled", &[]),
    ("negascout.first_move", &[]),
    ("mtd.enabled", &[]),
    ("mtd.bisects", &["mtd.enabled"]),
    ("last_mover_first.enabled", &[]),
    ("lightest_attacker.enabled", &[]),
    ("quiet_lists.enabled", &[]),
    ("piece_order.enabled", &[]),
    ("piece_order.light_first", &["piece_order.enabled"]),
    ("piece_order.retreats_last", &["piece_order.enabled"]),
    ("two_tables.enabled", &[]),
    ("line_repetition.enabled", &[]),
    ("null_move_rules.enabled", &[]),
    (
        "null_move_rules.once",
        &["null_move_rules.enabled", "null_move.reduction_base", "null_move.depth_min"],
    ),
    ("null_threat.enabled", &[]),
    ("frontier.enabled", &[]),
    ("frontier.reduces", &["frontier.enabled"]),
    ("static_search.enabled", &[]),
    ("static_search.raises_alpha", &["static_search.enabled"]),
    ("static_search.spares_captures", &["static_search.enabled"]),
    ("static_search.spares_extended", &["static_search.enabled"]),
    ("static_search.spares_answers", &["static_search.enabled"]),
    ("static_search.dynamic", &["static_search.enabled"]),
    ("static_search.dynamic_strong", &["static_search.enabled"]),
    ("static_search.reduces", &["static_search.enabled"]),
    ("static_search.sees_threats", &["static_search.enabled"]),
    ("lazy_eval.enabled", &[]),
    ("internal_deepening.enabled", &[]),
    ("internal_deepening.lazy_cut", &["internal_deepening.enabled"]),
    ("quiescence_cap.enabled", &[]),
    ("forced_checks.enabled", &[]),
    ("single_reply.enabled", &[]),
    ("single_reply.by_material", &["single_reply.enabled"]),
    ("recapture_extension.enabled", &[]),
    ("capture_extension.enabled", &[]),
    ("pawn_extension.enabled", &[]),
    ("queen_approach.enabled", &[]),
    ("king_safety_extension.enabled", &[]),
    ("score_change_extension.enabled", &[]),
    ("fractional_extension.enabled", &[]),
    ("principal_tree.enabled", &[]),
];

/// The frozen numbers with these switches on, and other numbers so named at their least.
fn with(switches: &[&str], change: impl FnOnce(&mut Margins)) -> Engine {
    let mut parameters = (**frozen()).clone();
    for name in switches {
        let (least, _) = Parameters::find(name).expect("a declared name").range();
        parameters
            .set(name, i64::from(least.max(1)))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    change(&mut parameters.margins);
    Engine::new(Arc::new(parameters), 1)
}

fn ask(engine: &mut Engine, fen: &str, limits: &Limits) -> Outcome {
    let position = Position::from_fen(fen).expect("a correct position");
    let outcome = engine.search(&position, limits, &Control::new(), &mut |_| {});
    assert!(position.is_legal(outcome.best), "{fen}");
    outcome
}

/// Nodes of each position at a depth, as far as so many are allowed.
fn nodes(engine: &mut Engine, depth: u32) -> Vec<u64> {
    let limits = Limits { depth: Some(depth), ..Limits::nodes(200_000) };
    POSITIONS
        .iter()
        .map(|fen| {
            engine.new_game();
            ask(engine, fen, &limits).nodes
        })
        .collect()
}

#[test]
fn every_method_is_off_and_changes_the_search_when_it_is_on() {
    let default = nodes(&mut with(&[], |_| ()), 11);
    for (name, companions) in METHODS {
        let number = Parameters::find(name).expect("a declared name");
        assert_eq!(number.value(Parameters::embedded()), 0, "{name} is off by default");
        let without = match companions {
            [] => default.clone(),
            _ => nodes(&mut with(companions, |_| ()), 11),
        };
        let with_it = nodes(&mut with(&[companions, &[name]].concat(), |_| ()), 11);
        assert_ne!(without, with_it, "{name} changes nothing");
    }
}

/// A list by hand would forget the next one.
#[test]
fn every_switch_of_the_literature_is_tested() {
    let first = Margins::INFO.iter().position(|info| info.group == "negascout").expect("a group");
    for info in Margins::INFO[first..].iter().filter(|info| info.is_switch()) {
        let path = info.path();
        assert!(METHODS.iter().any(|(name, _)| *name == path), "{path} is in no test");
    }
}

#[test]
fn all_methods_together_search_and_keep_to_their_nodes() {
    let all: Vec<&str> = METHODS.iter().map(|(name, _)| *name).collect();
    for fen in POSITIONS {
        let outcome = ask(&mut with(&all, |_| ()), fen, &Limits::nodes(20_000));
        assert_eq!(outcome.nodes, 20_000, "{fen}");
    }
}

/// A mate by checks alone whose answers are forced lies beyond the nominal depth, but within the
/// forced search.
#[test]
fn checks_in_the_forced_search_find_a_mate_of_checks() {
    // Philidor's legacy: 1. Nf7+ Kg8 2. Nh6+ Kh8 3. Qg8+ Rxg8 4. Nf7 mate.
    let fen = "r6k/6pp/8/4N3/8/1Q6/6PP/6K1 w - - 0 1";
    let bare = |margins: &mut Margins| {
        margins.check_extension.enabled = Switch::OFF;
        margins.singular_extension.enabled = Switch::OFF;
    };
    let plain = ask(&mut with(&[], bare), fen, &Limits::depth(2));
    assert_eq!(mate_in(plain.score), None);
    let found = ask(&mut with(&["forced_checks.enabled"], bare), fen, &Limits::depth(2));
    assert!(mate_in(found.score).is_some_and(|moves| moves > 0), "{}", found.score);
}

/// Where every node is cut by its evaluation, a quiet move that mates is found only if the answers at
/// the root, which is the tree's first position, are searched.
#[test]
fn answers_at_positions_of_the_tree_are_not_cut() {
    // A rook against three knights: 1. Kc7, and 2. Ra1 mates whatever Black plays.
    let fen = "k5nn/8/2K4n/8/8/8/8/1R6 w - - 0 1";
    let power = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/parameters/power.toml");
    for (tree, found) in [(0, None), (1, Some(2))] {
        let mut parameters = Parameters::load(Path::new(power)).unwrap();
        for (name, value) in [
            ("static_search.enabled", 1),
            ("static_search.ply_min", 1),
            ("principal_tree.enabled", tree),
        ] {
            parameters.set(name, value).unwrap();
        }
        let mut engine = Engine::new(Arc::new(parameters), 1);
        let outcome = ask(&mut engine, fen, &Limits::depth(5));
        assert_eq!(mate_in(outcome.score), found, "tree {tree}");
    }
}

/// What the source says of single moves, on the board.
#[test]
fn traits_of_moves_are_those_of_the_source() {
    let mut position = Position::from_fen("4k3/3p4/8/4P3/8/8/2Q5/4K3 b - - 0 1").unwrap();
    position.play(position.parse_uci("d7d5").unwrap());
    let mut game = ChessGame::new(Parameters::embedded().clone());
    game.set_position(&position);
    let traits = |text: &str| game.traits(position.parse_uci(text).unwrap());
    let en_passant = traits("e5d6");
    assert!(en_passant.takes_last_mover && en_passant.prize == 1);
    // From three king steps to two, and from three to three along the other way.
    assert_eq!(traits("c2c6").approach, 2);
    assert_eq!(traits("c2c1").approach, search::MoveTraits::FAR);
    assert!(traits("c2c1").retreats && !traits("c2c6").retreats);
    assert_eq!((traits("c2c6").weight, traits("e1d1").weight, en_passant.weight), (5, 1, 0));
    assert_eq!((traits("c2c6").price, traits("e1d1").price, en_passant.price), (4, 5, 0));
    let advanced = Position::from_fen("4k3/8/4P3/8/8/8/8/4K3 w - - 0 1").unwrap();
    game.set_position(&advanced);
    assert!(game.traits(advanced.parse_uci("e6e7").unwrap()).reaches_seventh);
    assert!(!game.traits(advanced.parse_uci("e1e2").unwrap()).reaches_seventh);
}

/// Whoever moves on after a pass is the piece that moved before it.
#[test]
fn after_a_pass_the_last_mover_is_known() {
    let mut position = Position::from_fen("4k3/8/8/3p4/8/8/8/1N2K1R1 w - - 0 1").unwrap();
    position.play(position.parse_uci("b1c3").unwrap());
    position.pass();
    let mut game = ChessGame::new(Parameters::embedded().clone());
    game.set_position(&position);
    let by_last_mover = |text: &str| game.traits(position.parse_uci(text).unwrap()).by_last_mover;
    assert!(by_last_mover("c3d5") && by_last_mover("c3e4"));
    assert!(!by_last_mover("g1g8") && !by_last_mover("e1e2"));
}

/// By the keys of the line alone, two occurrences are no draw, and three are one.
#[test]
fn line_repetition_counts_every_fourth_ply() {
    let mut position = Position::from_fen("3q2k1/6pp/8/8/8/8/6PP/Q5K1 w - - 0 1").unwrap();
    for (number, text) in ["a1a2", "g8f8", "a2a1", "f8g8"].iter().cycle().take(8).enumerate() {
        assert!(!position.is_line_repetition(), "after {number} plies");
        position.play(position.parse_uci(text).unwrap());
    }
    assert!(position.is_line_repetition());
}
