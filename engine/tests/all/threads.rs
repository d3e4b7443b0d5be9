//! Several threads at one root: limits, signals, what is forgotten, and what a panic does.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use chess::engine::{Control, Limits, Outcome, mate_in};
use chess::game::ChessGame;
use chess::{Engine, Parameters};
use chess::{Move, Position};
use search::{self, Helper, Memory};
use uci::ScoreValue;

use super::driver::Session;

const POSITIONS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn engine(threads: usize) -> Engine {
    let mut engine = Engine::new(Parameters::embedded().clone(), 1);
    engine.set_threads(threads);
    engine
}

fn ask(engine: &mut Engine, position: &Position, limits: &Limits) -> Outcome {
    engine.search(position, limits, &Control::new(), &mut |_| {})
}

#[test]
fn all_threads_together_visit_no_more_nodes_than_allowed() {
    for threads in [2, 4, 9] {
        let mut engine = engine(threads);
        for fen in POSITIONS {
            let position = position(fen);
            for nodes in [1, 2, 7, 100, 1023, 5_000, 40_000] {
                let mut reported = 0;
                let limits = Limits::nodes(nodes);
                let outcome = engine.search(&position, &limits, &Control::new(), &mut |found| {
                    assert!(found.nodes >= reported, "what is reported never falls");
                    reported = found.nodes;
                });
                assert!(position.is_legal(outcome.best), "{} of {threads} threads", outcome.best);
                let range = nodes / 2..=nodes;
                assert!(range.contains(&outcome.nodes), "{} of {nodes} nodes", outcome.nodes);
                assert!(reported <= outcome.nodes);
            }
        }
    }
}

#[test]
fn a_thread_alone_is_not_changed_by_others_before_it() {
    let (mut fresh, mut used) = (engine(1), engine(4));
    for fen in POSITIONS {
        ask(&mut used, &position(fen), &Limits::nodes(20_000));
    }
    used.new_game();
    used.set_threads(1);
    assert_eq!(used.threads(), 1);
    for fen in POSITIONS {
        let limits = Limits::nodes(20_000);
        let expected = ask(&mut fresh, &position(fen), &limits);
        assert_eq!(ask(&mut used, &position(fen), &limits), expected, "{fen}");
    }
}

#[test]
fn a_new_game_is_one_for_all_threads() {
    let parameters = Parameters::embedded().clone();
    let mut engine = engine(3);
    let mut full = 0;
    let mut search = |engine: &mut Engine, nodes| {
        let limits = Limits::nodes(nodes);
        engine.search(&position(POSITIONS[1]), &limits, &Control::new(), &mut |found| {
            full = found.hash_full;
        });
        std::mem::take(&mut full)
    };
    assert!(search(&mut engine, 100_000) > 100);
    engine.new_game();
    assert!(search(&mut engine, 100) < 100, "the table is empty");
    engine.set_hash(2);
    engine.set_parameters(parameters);
    assert!(search(&mut engine, 100) < 100, "the new table is empty");
    assert!(search(&mut engine, 100_000) > 50);
}

#[test]
fn limits_hold_for_several_threads() {
    let mut engine = engine(4);
    let start = position(POSITIONS[0]);
    for depth in [1, 4, 7] {
        let mut depths = Vec::new();
        let limits = Limits::depth(depth);
        let outcome = engine.search(&start, &limits, &Control::new(), &mut |found| {
            depths.push(found.depth);
        });
        assert!(depths.contains(&depth), "the depth asked for is finished: {depths:?}");
        assert!(depths.iter().all(|&found| found <= depth), "{depths:?}");
        assert!((1..=depth).contains(&outcome.depth), "{outcome:?}");
    }
    for text in ["a2a3", "g1h3"] {
        let mv = start.parse_uci(text).expect("a legal move");
        let limits = Limits { search_moves: vec![mv], ..Limits::nodes(20_000) };
        assert_eq!(ask(&mut engine, &start, &limits).best, mv);
    }
    // Nothing to play, and one move only.
    let over = position("7k/5K2/6P1/8/8/8/8/8 b - - 0 1");
    assert_eq!(ask(&mut engine, &over, &Limits::nodes(1_000)).best, Move::NONE);
    let forced = position("7k/8/8/8/8/8/r7/1r5K w - - 0 1");
    assert_eq!(mate_in(ask(&mut engine, &forced, &Limits::depth(3)).score), Some(0));
    let ladder = position("7k/8/8/8/8/8/R7/1R5K w - - 0 1");
    let limits = Limits { mate: Some(5), infinite: false, ..Limits::nodes(2_000_000) };
    let outcome = ask(&mut engine, &ladder, &limits);
    let found = mate_in(outcome.score);
    assert!(found.is_some_and(|found| (1..=5).contains(&found)), "{found:?}");
    assert!(outcome.nodes < 2_000_000, "a mate that is short enough ends the search");
}

#[test]
fn sessions_of_several_threads_hear_what_is_said() {
    let mut session = Session::start();
    session.send("setoption name Threads value 4");
    session.send("go infinite");
    session.until("info depth 5");
    assert!(session.until_ready().iter().all(|line| line.starts_with("info ")));
    session.send("stop");
    assert!(session.best_move().0.is_some());
    // A depth that is reached does not answer what must be asked for first.
    session.send("position startpos moves e2e4 e7e5");
    session.send("go ponder wtime 50 btime 50 depth 3");
    session.until("info depth 3");
    assert!(session.until_ready().iter().all(|line| !line.starts_with("bestmove")));
    session.send("ponderhit");
    assert!(session.best_move().0.is_some());
    session.send("go wtime 60 btime 60 winc 1 binc 1");
    assert!(session.best_move().0.is_some());

    session.send("setoption name MultiPV value 3");
    session.send("go depth 6 searchmoves d2d4 g1f3 b1c3");
    let (best, infos) = session.best_move();
    assert!(["d2d4", "g1f3", "b1c3"].contains(&best.expect("a move").as_str()));
    let shown = infos.iter().rev().take(3).map(|info| info.multi_pv).collect::<Vec<_>>();
    assert_eq!(shown, [Some(3), Some(2), Some(1)]);

    session.send("setoption name MultiPV value 1");
    session.send("position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1");
    session.send("go mate 3");
    let (_, infos) = session.best_move();
    let score = infos.iter().rev().find_map(|info| info.score);
    assert!(matches!(score, Some(ScoreValue::Mate(1..=3))), "{score:?}");

    session.send("setoption name Threads value 40");
    session.send("ucinewgame");
    session.send("go nodes 30000");
    assert!(session.best_move().0.is_some());
    session.send("go infinite");
    session.send("quit");
    assert!(session.wait().1.success());
}

/// What the main thread has to say is the last thing that the search does: a panic in its report
/// must not leave the others searching for ever.
#[test]
#[should_panic(expected = "nobody listens")]
fn a_panic_of_the_main_thread_ends_the_others() {
    let limits = Limits { infinite: true, ..Limits::default() };
    let listen = &mut |found: &chess::engine::Progress| assert!(found.depth < 4, "nobody listens");
    engine(3).search(&position(POSITIONS[0]), &limits, &Control::new(), listen);
}

/// A helper whose position is another's does not know the moves it is told to search: it has nothing
/// to say, and that is no harm.
#[test]
fn helpers_are_no_more_than_help() {
    let parameters = Parameters::embedded();
    let mut memory = Memory::new(1);
    let table = Arc::clone(&memory.table);
    let [mut game, mut other] = [0, 1].map(|_| ChessGame::new(parameters.clone()));
    let start = Position::start();
    game.set_position(&start);
    other.set_position(&position("7k/5K2/6P1/8/8/8/8/8 b - - 0 1"));
    let control = Control::new();
    let limits = Limits::depth(6);
    let outcome = search::search_together(
        &mut game,
        &parameters.margins,
        &mut memory,
        &mut [Helper::new(other, table)],
        &limits,
        &control,
        &mut |_| {},
    );
    assert!(start.is_legal(outcome.best) && outcome.depth == 6);
    assert!(!control.stop.load(Ordering::Relaxed), "signals are the caller's alone");
}
