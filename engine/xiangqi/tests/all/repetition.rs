//! Verdicts on cycles, which pyffish judges alike.

use playable::{Color, Ending, GameResult};
use xiangqi::rules::{Board, Cause, ENDINGS, Judgement, Move, Position, Square};

/// A cycle of moves that leads from a position to itself, and the verdict on it.
struct Cycle {
    what: &'static str,
    board: Board,
    moves: Vec<Move>,
    judgement: Judgement,
}

fn square(name: &str) -> Square {
    Square::all().find(|square| square.to_string() == name).expect("a square")
}

fn moves(text: &str) -> Vec<Move> {
    text.split(' ').map(|mv| Move::new(square(&mv[..2]), square(&mv[2..]))).collect()
}

fn cycles() -> Vec<Cycle> {
    let text = include_str!("../../../../data/repetition/xiangqi.csv");
    let parsed = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [what, fen, cycle, loser, cause] = fields[..] else { panic!("five fields: {line}") };
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let loser = match loser {
            "white" => Some(Color::White),
            "black" => Some(Color::Black),
            _ => None,
        };
        let cause = match cause {
            "check" => Cause::Check,
            "chase" => Cause::Chase,
            _ => Cause::None,
        };
        let judgement = Judgement { loser, cause };
        Cycle { what, board: *position.board(), moves: moves(cycle), judgement }
    });
    parsed.collect()
}

fn play(position: &mut Position, moves: &[Move]) {
    for &mv in moves {
        assert!(position.is_legal(mv), "{mv} in {}", position.to_fen());
        position.play(mv);
    }
}

/// Plays a cycle three times.
fn check(what: &str, board: Board, moves: &[Move], judgement: Judgement) {
    let mut position = Position::from_board(board);
    let plies = moves.len();
    play(&mut position, moves);
    assert_eq!(position.repetition_in_game(), None, "{what}");
    assert_eq!(position.outcome(), None, "{what}");
    assert!(position.has_occurred(), "{what}");
    // A root that was the first occurrence is not strictly before it.
    assert_eq!(position.repetition_in_search(plies), None, "{what}");
    assert_eq!(position.repetition_in_search(plies + 1), Some((judgement, false)), "{what}");
    for _ in 0..2 {
        play(&mut position, moves);
        assert_eq!(position.repetition_in_game(), Some(judgement), "{what}");
        assert_eq!(position.repetition_in_search(0), Some((judgement, true)), "{what}");
        let (result, ending) = position.outcome().expect("an outcome");
        let expected = match judgement.cause {
            Cause::None => Ending::REPETITION,
            Cause::Check => Ending::new("perpetual_check"),
            Cause::Chase => Ending::new("perpetual_chase"),
        };
        assert!(ENDINGS.contains(&ending));
        assert_eq!(ending, expected, "{what}");
        let won = judgement.loser.map_or(GameResult::Draw, |it| GameResult::win_of(!it));
        assert_eq!(result, won, "{what}");
    }
}

#[test]
fn verdicts_are_those_of_pyffish() {
    let cycles = cycles();
    assert!(cycles.len() >= 20);
    for Cycle { what, board, moves, judgement } in cycles {
        check(what, board, &moves, judgement);
        let moved = |by: fn(Square) -> Square| -> Vec<Move> {
            moves.iter().map(|mv| Move::new(by(mv.from()), by(mv.to()))).collect()
        };
        check(what, board.mirrored(), &moved(Square::mirrored), judgement);
        let other = Judgement { loser: judgement.loser.map(|it| !it), ..judgement };
        check(what, board.turned(), &moved(Square::turned), other);
    }
}

#[test]
fn the_move_into_the_cycle_counts() {
    // The rook comes along the file: it attacks nobody newly then.
    let fen = "5k3/9/9/9/9/9/9/2c6/9/2R1K4 w";
    let mut position = Position::from_fen(fen).expect("a position");
    play(&mut position, &moves("c0c1"));
    for _ in 0..2 {
        play(&mut position, &moves("c2d2 c1d1 d2c2 d1c1"));
    }
    assert_eq!(position.repetition_in_game(), Some(Judgement::DRAW));
    play(&mut position, &moves("c2d2"));
    let lost = Judgement { loser: Some(Color::White), cause: Cause::Chase };
    assert_eq!(position.repetition_in_game(), Some(lost));
}

#[test]
fn captures_and_passes_end_what_can_be_repeated() {
    let mut position = Position::start();
    play(&mut position, &moves("h2h9 i9h9 h0g2 h9h8"));
    assert_eq!(position.repeatable(), 2);
    position.pass();
    assert_eq!(position.repeatable(), 0);
    play(&mut position, &moves("h8h9"));
    assert_eq!(position.repeatable(), 1);
    position.undo();
    position.undo();
    assert_eq!(position.repeatable(), 2);
    position.forget_past();
    assert_eq!(position.repeatable(), 0);
    assert!(!position.has_occurred());
}

#[test]
fn games_end_by_the_first_rule_that_applies() {
    let outcome = |fen: &str| Position::from_fen(fen).expect("a position").outcome();
    let cases = [
        ("3k5/9/9/9/9/9/9/9/2p6/4K4 b - - 0 1", None),
        // Mated, and without a move: both lose, at the limit, too.
        ("3k4R/8R/9/9/9/9/9/9/9/4K4 b - - 120 90", Some((GameResult::WhiteWins, "checkmate"))),
        ("3k5/R8/9/9/4R4/9/9/9/9/5K3 b - - 120 90", Some((GameResult::WhiteWins, "no_move"))),
        ("3k5/9/9/9/4R4/9/9/9/9/5K3 b - - 119 90", None),
        ("3k5/9/9/9/4R4/9/9/9/9/5K3 b - - 120 90", Some((GameResult::Draw, "natural_limit"))),
        ("3k5/9/9/9/4C4/9/9/9/9/5K3 b - - 3 90", Some((GameResult::Draw, "dead_position"))),
    ];
    for (fen, expected) in cases {
        let expected = expected.map(|(result, name)| (result, Ending::new(name)));
        assert_eq!(outcome(fen), expected, "{fen}");
    }
}
