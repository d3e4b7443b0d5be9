//! The search on chess: draws, limits, determinism, and every margin and switch.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::time::Duration;

use chess::Engine;
use chess::engine::{ClockSide, Control, Limits, Outcome, is_mate, mate_in};
use chess::game::ChessGame;
use chess::{Margins, Parameters};
use chess::{Move, Position};
use parameters::Switch;
use search::{self, Bound, Game as _, Memory, TableEntry};

use crate::frozen::frozen;

/// Middlegames and endgames, quiet and sharp, the last one a mate.
const POSITIONS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "3k4/5p2/8/3q4/8/8/2P1Q3/4K3 w - - 0 1",
    "7k/8/8/8/8/8/R7/1R5K w - - 0 1",
];

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn engine() -> Engine {
    Engine::new(Parameters::embedded().clone(), 1)
}

fn ask(engine: &mut Engine, position: &Position, limits: &Limits) -> Outcome {
    engine.search(position, limits, &Control::new(), &mut |_| {})
}

fn with_margins(change: impl FnOnce(&mut Margins)) -> Engine {
    changed(Parameters::embedded(), change)
}

fn changed(parameters: &Parameters, change: impl FnOnce(&mut Margins)) -> Engine {
    let mut parameters = parameters.clone();
    change(&mut parameters.margins);
    Engine::new(Arc::new(parameters), 1)
}

#[test]
fn a_mate_found_is_kept_whatever_the_history_of_the_table() {
    let mut engine = engine();
    let mut position = position("7k/8/8/8/8/8/R7/1R5K w - - 0 1");
    let mut last = i32::MAX;
    while position.outcome().is_none() {
        let outcome = ask(&mut engine, &position, &Limits::nodes(20_000));
        let mate = mate_in(outcome.score).expect("a rook ladder is a mate");
        assert!(mate < last, "mate in {mate} after mate in {last}");
        last = mate;
        position.play(outcome.best);
        if position.outcome().is_none() {
            position.play(position.legal_moves()[0]);
        }
    }
    assert!(position.in_check());
}

#[test]
fn draws_are_seen() {
    // Stalemate is the only way out.
    let outcome =
        ask(&mut engine(), &position("7k/5K2/6P1/8/8/8/8/8 b - - 0 1"), &Limits::depth(6));
    assert_eq!((outcome.score, outcome.best), (0, Move::NONE));

    // Perpetual check saves the side that is far behind and about to be mated.
    let perpetual = position("6k1/6p1/8/7Q/8/8/rq6/7K w - - 0 1");
    assert_eq!(ask(&mut engine(), &perpetual, &Limits::depth(8)).score, 0);

    // On the last ply of the fifty-move rule only a capture, a pawn move or mate wins.
    let late = position("8/8/8/8/8/k7/7R/K7 w - - 99 100");
    assert_eq!(ask(&mut engine(), &late, &Limits::depth(6)).score, 0);
    let mate_first = position("k7/8/1K6/8/8/8/8/7R w - - 99 100");
    assert_eq!(mate_in(ask(&mut engine(), &mate_first, &Limits::depth(6)).score), Some(1));
    // Mated on the hundredth ply is mated.
    let mated = position("R6k/8/6K1/8/8/8/8/8 b - - 100 120");
    assert_eq!(mate_in(ask(&mut engine(), &mated, &Limits::depth(2)).score), Some(0));

    // Neither side can mate.
    let bare = position("8/8/4k3/8/8/3KB3/8/8 w - - 0 1");
    assert_eq!(ask(&mut engine(), &bare, &Limits::depth(6)).score, 0);
}

/// White is far behind and has a perpetual check of quiet moves, below nodes where all others are
/// futile. What else would see it, or change the order of moves, is off.
#[test]
fn quiet_checks_are_not_futile() {
    let perpetual = position("6k1/5p1p/8/3Q4/8/8/1qr2PPP/6K1 w - - 0 1");
    let score_where = |ends_quiets| {
        let mut engine = changed(frozen(), |margins| {
            margins.futility.ends_quiets = ends_quiets;
            margins.late_move_pruning.spares_checks = Switch::OFF;
            margins.upcoming_repetition.enabled = Switch::OFF;
            margins.evaluation_history.enabled = Switch::OFF;
        });
        ask(&mut engine, &perpetual, &Limits::depth(4)).score
    };
    assert_eq!(score_where(Switch::OFF), 0);
    assert!(score_where(Switch::ON) < -200);
}

/// With king and pawns alone a bad move says nothing of the others: none may be skipped, or what is
/// left looks like zugzwang.
#[test]
fn a_mover_without_pieces_tries_all_its_moves() {
    for (fen, deepest) in
        [("8/8/4k3/8/8/3K4/3P4/8 w - - 0 1", 9), ("8/3p4/3k4/8/8/4K3/8/8 b - - 0 1", 9)]
    {
        for depth in 1..=deepest {
            let outcome = ask(&mut engine(), &position(fen), &Limits::depth(depth));
            assert!(outcome.score > 0, "{fen}: {} at depth {depth}", outcome.score);
        }
    }
}

#[test]
fn a_shuffle_that_completes_a_threefold_repetition_is_a_draw() {
    let mut game = position("3q2k1/6pp/8/8/8/8/6PP/Q5K1 w - - 0 1");
    for text in ["a1a2", "g8f8", "a2a1", "f8g8", "a1a2", "g8f8", "a2a1"] {
        let mv = game.parse_uci(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        game.play(mv);
    }
    let back = game.parse_uci("f8g8").expect("a legal move");
    let limits = Limits { search_moves: vec![back], ..Limits::depth(5) };
    assert_eq!(ask(&mut engine(), &game, &limits).score, 0);
}

#[test]
fn nodes_are_counted_exactly() {
    let mut engine = engine();
    // The mate is searched to the greatest depth before its nodes are used up.
    for fen in &POSITIONS[..6] {
        for nodes in [1, 2, 7, 100, 1023, 1024, 1025, 5_000, 33_333] {
            engine.new_game();
            let outcome = ask(&mut engine, &position(fen), &Limits::nodes(nodes));
            assert_eq!(outcome.nodes, nodes, "{fen}");
            assert!(position(fen).is_legal(outcome.best));
        }
    }
}

#[test]
fn the_same_search_twice_is_the_same() {
    let limits = Limits::nodes(20_000);
    let mut one = engine();
    for fen in POSITIONS {
        let fresh = ask(&mut engine(), &position(fen), &limits);
        one.new_game();
        assert_eq!(ask(&mut one, &position(fen), &limits), fresh, "after new_game: {fen}");
    }
}

#[test]
fn quiescence_depends_on_the_position_alone() {
    let mut used = engine();
    for fen in POSITIONS {
        let fresh = engine().quiescence(&position(fen));
        ask(&mut used, &position(fen), &Limits::nodes(5_000));
        assert_eq!(used.quiescence(&position(fen)), fresh);
    }
    // A hanging queen is taken, a guarded pawn is not.
    let hanging = position("4k3/8/8/3q4/8/8/8/3QK3 w - - 0 1");
    assert!(used.quiescence(&hanging) > used.evaluate(&hanging) + 500);
    let guarded = position("4k3/2p5/3p4/8/8/8/8/3QK3 w - - 0 1");
    assert_eq!(used.quiescence(&guarded), used.evaluate(&guarded));
}

#[test]
fn extreme_limits_are_harmless() {
    let start = Position::start();
    let clock = |time| ClockSide { time: Duration::from_millis(time), increment: Duration::ZERO };
    let all = [
        Limits { depth: Some(255), ..Limits::nodes(3_000) },
        Limits::depth(0),
        Limits::nodes(0),
        Limits { move_time: Some(Duration::ZERO), ..Limits::default() },
        Limits { clock: [Some(clock(0)), None], ..Limits::default() },
        Limits { clock: [Some(clock(1)); 2], moves_to_go: Some(0), ..Limits::default() },
        Limits { multi_pv: 0, ..Limits::depth(2) },
        Limits { multi_pv: 500, ..Limits::depth(2) },
        Limits { mate: Some(0), ..Limits::nodes(2_000) },
    ];
    for limits in all {
        let outcome = ask(&mut engine(), &start, &limits);
        assert!(start.is_legal(outcome.best), "{limits:?}");
        assert_eq!(outcome.pv[0], outcome.best);
    }
    // Nearly nothing on the board lets the depth run to its end.
    let outcome =
        ask(&mut engine(), &position("8/8/4k3/8/8/3K4/8/8 w - - 0 1"), &Limits::depth(255));
    assert_eq!(outcome.score, 0);
}

#[test]
fn a_stop_at_once_still_gives_a_move() {
    let control = Control::new();
    control.stop.store(true, Ordering::Relaxed);
    let start = Position::start();
    let limits = Limits { infinite: true, ..Limits::default() };
    let outcome = engine().search(&start, &limits, &control, &mut |_| {});
    assert!(start.is_legal(outcome.best));
}

#[test]
fn no_answer_comes_while_pondering() {
    let control = Arc::new(Control::new());
    let remote = control.clone();
    let start = Position::start();
    let limits = Limits { ponder: true, ..Limits::depth(2) };
    let (sender, infos) = channel();
    let thread = std::thread::spawn(move || {
        engine().search(&start, &limits, &control, &mut |info| {
            let _ = sender.send(info.depth);
        });
        control.is_ponder_hit()
    });
    // All that it was asked for is done; there is time for a wrong answer.
    while infos.recv().expect("it still searches") < 2 {}
    std::thread::sleep(Duration::from_millis(30));
    remote.ponder_hit.store(true, Ordering::Relaxed);
    assert!(thread.join().expect("the search ends"), "the answer came before the ponder hit");
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let start = Position::start();
    let moves: Vec<Move> = ["a2a3", "h2h4"].map(|text| start.parse_uci(text).unwrap()).to_vec();
    let limits = Limits { search_moves: moves.clone(), multi_pv: 5, ..Limits::depth(4) };
    let mut firsts = Vec::new();
    let outcome = engine().search(&start, &limits, &Control::new(), &mut |info| {
        if info.depth == 4 {
            firsts.push((info.multi_pv, info.pv[0]));
        }
    });
    assert!(moves.contains(&outcome.best));
    assert_eq!(firsts.len(), 2);
    assert_ne!(firsts[0].1, firsts[1].1);
}

/// A search that is broken off shows all lines once more, each move in one of them.
#[test]
fn several_lines_are_whole_at_the_end() {
    for nodes in (300..2_000).step_by(100) {
        let mut lines = Vec::new();
        let limits = Limits { multi_pv: 3, ..Limits::nodes(nodes) };
        let outcome = engine().search(&Position::start(), &limits, &Control::new(), &mut |info| {
            lines.push((info.multi_pv, info.pv[0]));
        });
        let last = &lines[lines.len() - 3..];
        assert_eq!(last.iter().map(|line| line.0).collect::<Vec<_>>(), [1, 2, 3], "{nodes}");
        assert_eq!(last[0].1, outcome.best);
        assert!(last[1].1 != last[0].1 && last[2].1 != last[0].1 && last[1].1 != last[2].1);
    }
}

/// What a mate that is looked for in all lines has cost counts with what follows.
#[test]
fn nodes_and_time_do_not_go_back() {
    let limits = Limits { mate: Some(2), ..Limits::depth(6) };
    let mut seen = [0; 2];
    let outcome = engine().search(&Position::start(), &limits, &Control::new(), &mut |info| {
        let now = [info.nodes, info.time.as_nanos() as u64];
        assert!(now >= seen && now[1] >= seen[1], "{now:?} after {seen:?}");
        seen = now;
    });
    assert!(outcome.nodes >= seen[0]);
}

#[test]
fn several_lines_come_in_order() {
    let mut lines = Vec::new();
    let limits = Limits { multi_pv: 4, ..Limits::depth(6) };
    engine().search(&position(POSITIONS[1]), &limits, &Control::new(), &mut |info| {
        if info.depth == 6 {
            lines.push((info.multi_pv, info.score, info.pv[0]));
        }
    });
    assert_eq!(lines.iter().map(|line| line.0).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(lines.is_sorted_by_key(|line| -line.1), "{lines:?}");
}

#[test]
fn lines_can_be_played() {
    for fen in POSITIONS {
        engine().search(&position(fen), &Limits::nodes(30_000), &Control::new(), &mut |info| {
            let mut position = position(fen);
            for &mv in &info.pv {
                assert!(position.is_legal(mv), "{fen}: {:?}", info.pv);
                position.play(mv);
            }
        });
    }
}

/// A search that is broken off after a move that failed high has no moves to show after it, least
/// of all those after another move.
#[test]
fn what_a_search_that_was_broken_off_shows_can_be_played() {
    let start = position("1Q6/3B4/2P5/2bkNp2/R2Pn3/6rp/6nK/2RN1b2 w - - 0 1");
    let limits = Limits { mate: Some(2), ..Limits::nodes(100_000) };
    let mut position = start.clone();
    let pv = ask(&mut engine(), &start, &limits).pv;
    assert!(!pv.is_empty());
    for mv in pv {
        assert!(position.is_legal(mv), "{mv} after {}", position.to_fen(false));
        position.play(mv);
    }
}

/// A table full of moves from elsewhere under the right keys never makes the search play them.
#[test]
fn forged_table_moves_are_not_played() {
    let parameters = Parameters::embedded();
    let table = &parameters.margins.table;
    for fen in POSITIONS {
        for bits in (1..=u16::MAX).step_by(997) {
            let mut game = ChessGame::new(parameters.clone());
            game.set_position(&position(fen));
            let mut memory = Memory::<ChessGame>::new(1);
            let forged = TableEntry {
                mv: Move::from_bits(bits),
                value: 10,
                bound: Bound::Upper,
                evaluation: 0,
                depth: 1,
                tt_pv: false,
            };
            memory.table.store(table, game.table_key(), 0, forged);
            for mv in game.legal_moves() {
                game.play(mv);
                memory.table.store(table, game.table_key(), 1, forged);
                game.undo();
            }
            let margins = &parameters.margins;
            let limits = Limits::nodes(300);
            let control = Control::new();
            let outcome =
                search::search(&mut game, margins, &mut memory, &limits, &control, &mut |_| {});
            assert!(position(fen).is_legal(outcome.best));
        }
    }
}

fn nodes_of(engine: &mut Engine, depth: u32) -> u64 {
    let searches = POSITIONS.iter().map(|fen| {
        engine.new_game();
        ask(engine, &position(fen), &Limits::depth(depth)).nodes
    });
    searches.sum()
}

/// Every technique that shapes the tree does so, and its switch really turns it off.
#[test]
fn every_switch_changes_the_tree() {
    let usual_engine = || Engine::new(frozen().clone(), 1);
    let depth = 11;
    let usual = nodes_of(&mut usual_engine(), depth);
    for info in Margins::INFO.iter().filter(|info| info.is_switch()) {
        // The clock has no part in a search to a fixed depth.
        let about_time = info.group.starts_with("time");
        let mut other = changed(frozen(), |margins| {
            let value = &mut margins.cells_mut()[info.first_cell];
            *value = 1 - *value;
        });
        // Without the basic techniques the tree is too large for the same depth.
        let slow = ["quiescence", "table", "late_move_reduction"];
        if slow.contains(&info.group) {
            let usual = nodes_of(&mut usual_engine(), 5);
            assert_ne!(nodes_of(&mut other, 5), usual, "{} changes nothing", info.path());
            continue;
        }
        let nodes = nodes_of(&mut other, depth);
        assert_eq!(nodes == usual, about_time, "{}: {nodes} and {usual} nodes", info.path());
    }
}

/// The numbers beside the switches shape the tree as well: at one end of its range each makes
/// another one.
#[test]
fn shares_limits_and_counts_change_the_tree() {
    let usual_engine = || Engine::new(frozen().clone(), 1);
    let depth = 10;
    let usual = nodes_of(&mut usual_engine(), depth);
    for name in [
        "aspiration.upper_share",
        "aspiration.margin_max",
        "correction_history.limit",
        "correction_history.learning_max",
        "correction_history.learning_divisor",
        "internal_reduction.plies",
        "late_move_pruning.worsening_share",
        "singular_extension.table_depth_margin",
        "singular_extension.verification_share",
        "singular_extension.reduction",
        "extension_limit.ply_factor",
        "late_move_reduction.move_min",
        "late_move_reduction.principal_move_min",
    ] {
        let number = Parameters::find(name).expect("a declared name");
        let changes = [number.range().0, number.range().1].into_iter().any(|value| {
            let mut parameters = (**frozen()).clone();
            number.set(&mut parameters, value.into()).expect("an end of its range");
            nodes_of(&mut Engine::new(Arc::new(parameters), 1), depth) != usual
        });
        assert!(changes, "{name} changes nothing");
    }
}

/// At each end of each range the search keeps its limit, shows lines that can be played, does the same
/// when it is asked again, and mates in one.
#[test]
fn every_margin_works_at_both_ends_of_its_range() {
    let mate = position("k7/8/1K6/8/8/8/8/7R w - - 0 1");
    for info in Margins::INFO {
        for value in [info.range.0, info.range.1] {
            let what = format!("{} = {value}", info.path());
            let mut engine = with_margins(|margins| margins.cells_mut()[info.first_cell] = value);
            for start in [POSITIONS[1], POSITIONS[2]].map(position) {
                engine.new_game();
                let outcome = ask(&mut engine, &start, &Limits::nodes(3_000));
                assert_eq!(outcome.nodes, 3_000, "{what}");
                assert!(outcome.depth > 1 && !is_mate(outcome.score), "{what}: {outcome:?}");
                assert_eq!(outcome.pv.first(), Some(&outcome.best), "{what}");
                let mut position = start.clone();
                for &mv in &outcome.pv {
                    assert!(position.is_legal(mv), "{what}: {:?}", outcome.pv);
                    position.play(mv);
                }
                engine.new_game();
                assert_eq!(ask(&mut engine, &start, &Limits::nodes(3_000)), outcome, "{what}");
            }
            let found = ask(&mut engine, &mate, &Limits::nodes(3_000));
            assert_eq!(mate_in(found.score), Some(1), "{what}");
            let clock = ClockSide { time: Duration::from_millis(20), increment: Duration::ZERO };
            if info.group.starts_with("time") {
                let limits = Limits { clock: [Some(clock); 2], ..Limits::default() };
                let outcome = ask(&mut engine, &Position::start(), &limits);
                assert!(Position::start().is_legal(outcome.best), "{what}");
            }
        }
    }
}

/// Everything at its lowest, then everything at its highest.
#[test]
fn all_margins_work_at_the_ends_together() {
    for highest in [false, true] {
        let mut engine = with_margins(|margins| {
            for info in Margins::INFO {
                let (low, high) = info.range;
                margins.cells_mut()[info.first_cell] = if highest { high } else { low };
            }
        });
        for fen in POSITIONS {
            let outcome = ask(&mut engine, &position(fen), &Limits::nodes(20_000));
            assert!(position(fen).is_legal(outcome.best));
            assert!(outcome.nodes == 20_000 || outcome.score.abs() > 30_000, "{fen}");
        }
    }
}

/// With all pruning off, order and remembered moves must not change the value.
#[test]
fn order_does_not_change_the_value() {
    let plain = |margins: &mut Margins| {
        for info in Margins::INFO.iter().filter(|info| info.is_switch()) {
            margins.cells_mut()[info.first_cell] = 0;
        }
    };
    let (mut nodes, mut ordered_nodes) = (0, 0);
    for fen in POSITIONS {
        for depth in 1..=3 {
            let limits = Limits::depth(depth);
            let expected = ask(&mut with_margins(plain), &position(fen), &limits);
            let mut ordered = with_margins(|margins| {
                plain(margins);
                margins.table.enabled = Switch::ON;
                margins.killer.enabled = Switch::ON;
                margins.counter_move.enabled = Switch::ON;
                margins.quiet_history.enabled = Switch::ON;
                margins.capture_history.enabled = Switch::ON;
                margins.continuation_history.enabled = Switch::ON;
                margins.mate_distance.enabled = Switch::ON;
            });
            let outcome = ask(&mut ordered, &position(fen), &limits);
            assert_eq!(outcome.score, expected.score, "{fen} at depth {depth}");
            nodes += expected.nodes;
            ordered_nodes += outcome.nodes;
        }
    }
    assert!(ordered_nodes < nodes, "order saves nodes: {ordered_nodes} of {nodes}");
}

#[test]
fn what_some_moves_alone_are_worth_is_not_remembered_of_the_position() {
    let start = Position::start();
    let mut after = start.clone();
    after.play(start.parse_uci("e2e4").expect("legal"));
    let bad = after.parse_uci("g7g5").expect("legal");
    let mut engine = engine();
    let limits = Limits { search_moves: vec![bad], ..Limits::depth(10) };
    let refuted = ask(&mut engine, &after, &limits);
    let asked = ask(&mut engine, &start, &Limits::depth(1));
    assert!(asked.score < -refuted.score, "{} {}", asked.score, refuted.score);
    // Nor are the later ones of several answers.
    engine.new_game();
    let limits = Limits { multi_pv: 20, ..Limits::depth(8) };
    let best = ask(&mut engine, &after, &limits);
    let asked = ask(&mut engine, &after, &Limits::depth(1));
    assert!((asked.score - best.score).abs() < 30, "{} {}", asked.score, best.score);
}
