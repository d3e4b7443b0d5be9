//! Properties of the rules over random games.

use std::collections::HashSet;
use std::sync::Arc;

use chess::game::ChessGame;
use chess::{
    Board, Color, Ending, Move, MoveList, Parameters, PieceType, Position, Square, Stage, attacks,
    chess960_start,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::game_suite;

/// Plays random legal moves from a random start, standard or Chess960, and shows each position.
pub fn random_game(seed: u64, plies: usize, mut visit: impl FnMut(&mut Position)) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut position = match random.random_range(0..3) {
        0 => Position::start(),
        _ => chess960_start(random.random_range(0..960)),
    };
    for _ in 0..plies {
        visit(&mut position);
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        position.play(moves[random.random_range(0..moves.len())]);
    }
    visit(&mut position);
}

fn fen(text: &str) -> Position {
    Position::from_fen(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays moves given in coordinates.
fn play(position: &mut Position, moves: &str) {
    for text in moves.split_whitespace() {
        position.play(position.parse_uci(text).unwrap_or_else(|error| panic!("{error}")));
    }
}

/// Each index must pick the move that the list of all has there.
fn check_picks(board: &Board) {
    let moves = board.legal_moves();
    for (index, &mv) in moves.iter().enumerate() {
        let picked = board.pick_legal_move(|count| {
            assert_eq!(count, moves.len());
            index
        });
        assert_eq!(picked, Some(mv), "{}", board.to_fen(true));
    }
}

fn stage(board: &Board, stage: Stage) -> Vec<Move> {
    let mut moves = MoveList::new();
    board.generate(stage, &mut moves);
    moves.to_vec()
}

/// Pinned by definition: a piece without which its king would be attacked by one more slider.
fn pinned_by_definition(board: &Board, color: Color) -> Vec<Square> {
    let king = board.king(color);
    let sliders = board.diagonal_sliders(!color) | board.straight_sliders(!color);
    let attackers = |occupied| board.attackers_to(king, occupied) & sliders;
    board
        .color(color)
        .into_iter()
        .filter(|&square| {
            let without = attackers(board.occupied() - square.bitboard());
            square != king && (without - attackers(board.occupied())).any()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn incremental_state_is_that_of_the_fen(seed: u64) {
        random_game(seed, 150, |position| {
            let fresh = fen(&position.to_fen(true));
            assert_eq!(position.board(), fresh.board());
            for color in Color::ALL {
                let pinned: Vec<_> = position.pinned(color).into_iter().collect();
                assert_eq!(pinned, pinned_by_definition(position, color));
            }
            let us = position.side_to_move();
            let king = position.king(us);
            let attackers = position.attackers_to(king, position.occupied());
            assert_eq!(position.checkers(), attackers & position.color(!us));
        });
    }

    #[test]
    fn undo_restores_everything(seed: u64) {
        random_game(seed, 60, |position| {
            let before = *position.board();
            for &mv in &position.legal_moves() {
                position.play(mv);
                if !position.in_check() {
                    let inner = *position.board();
                    position.pass();
                    assert_ne!(position.key(), inner.key());
                    position.undo();
                    assert_eq!(*position.board(), inner);
                }
                position.undo();
                assert_eq!(*position.board(), before);
            }
        });
    }

    #[test]
    fn stages_together_are_the_legal_moves(seed: u64) {
        random_game(seed, 150, |position| {
            let noisy = stage(position, Stage::Noisy);
            let quiet = stage(position, Stage::Quiet);
            assert!(noisy.iter().all(|&mv| position.is_noisy(mv)));
            assert!(quiet.iter().all(|&mv| !position.is_noisy(mv)));
            let both: HashSet<Move> = noisy.iter().chain(&quiet).copied().collect();
            assert_eq!(both.len(), noisy.len() + quiet.len());
            let all: HashSet<Move> = position.legal_moves().iter().copied().collect();
            assert_eq!(both, all);
            assert_eq!(position.count_legal_moves(), all.len() as u64);
            assert_eq!(position.has_legal_move(), !all.is_empty());
        });
    }

    #[test]
    fn quiet_checks_are_the_quiet_moves_that_give_check(seed: u64) {
        random_game(seed, 150, |position| {
            if position.in_check() {
                return;
            }
            let mut checks = stage(position, Stage::QuietChecks);
            let mut expected = stage(position, Stage::Quiet);
            expected.retain(|&mv| {
                let mut next = *position.board();
                next.play(mv);
                next.in_check() && !mv.is_castling() && mv.promotion().is_none()
            });
            checks.sort_by_key(|mv| mv.bits());
            expected.sort_by_key(|mv| mv.bits());
            assert_eq!(checks, expected, "{}", position.to_fen(true));
        });
    }

    #[test]
    fn any_legal_move_can_be_picked(seed: u64) {
        random_game(seed, 150, |position| check_picks(position));
    }

    #[test]
    fn legal_moves_leave_no_king_attacked(seed: u64) {
        random_game(seed, 80, |position| {
            for &mv in &position.legal_moves() {
                let mut next = *position.board();
                next.play(mv);
                let mover = position.side_to_move();
                assert!(!next.is_attacked(next.king(mover), !mover, next.occupied()), "{mv}");
            }
        });
    }

    #[test]
    fn en_passant_is_known_exactly_when_it_is_legal(seed: u64) {
        random_game(seed, 100, |position| {
            let possible = position.legal_moves().iter().any(|mv| mv.is_en_passant());
            assert_eq!(position.en_passant().is_some(), possible);
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn is_legal_agrees_with_the_move_list(seed: u64) {
        random_game(seed, 90, |position| {
            let legal: HashSet<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
            for bits in 0..=u16::MAX {
                let mv = Move::from_bits(bits);
                assert_eq!(position.is_legal(mv), legal.contains(&bits), "{mv} ({bits:#06x})");
            }
        });
    }
}

#[test]
fn moves_are_picked_by_their_index() {
    for text in [
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
        "rn1qk1nr/1P4P1/8/8/8/8/1p4p1/RN1QK1NR b KQkq - 0 1",
        "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
        "QQQQQQQQ/QQQQQQ2/8/8/8/8/pp6/kB3K2 w - - 0 1",
    ] {
        check_picks(&fen(text));
    }
    let stalemate = fen("7k/5Q2/8/8/8/8/8/K7 b - - 0 1");
    assert_eq!(stalemate.pick_legal_move(|_| unreachable!("there is none")), None);
}

#[test]
fn special_positions_agree_with_every_16_bits() {
    for text in [
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
        "r1k3r1/8/8/8/8/8/8/1R1K2R1 b GBga - 0 1",
        "4k3/PPP1P1PP/8/8/8/8/ppp1p1pp/4K3 w - - 0 1",
        "rn1qk1nr/1P4P1/8/8/8/8/1p4p1/RN1QK1NR b KQkq - 0 1",
        "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
        "4k3/8/8/8/1b5q/8/3P1P2/2R1K2R w KC - 0 1",
    ] {
        let position = fen(text);
        let legal: HashSet<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
        for bits in 0..=u16::MAX {
            assert_eq!(position.is_legal(Move::from_bits(bits)), legal.contains(&bits), "{text}");
        }
    }
}

#[test]
fn keys_tell_what_matters() {
    let key = |text: &str| fen(text).key();
    let start = key("4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1");
    assert_eq!(start, key("4k3/8/8/8/8/8/4P3/R3K2R w KQ - 7 30"));
    assert_eq!(start, key("4k3/8/8/8/8/8/4P3/R3K2R w HA - 0 1"));
    for other in [
        "4k3/8/8/8/8/8/4P3/R3K2R b KQ - 0 1",
        "4k3/8/8/8/8/8/4P3/R3K2R w K - 0 1",
        "4k3/8/8/8/8/8/4P3/R3K2R w - - 0 1",
        "4k3/8/8/8/8/8/3P4/R3K2R w KQ - 0 1",
    ] {
        assert_ne!(start, key(other), "{other}");
    }
    // En passant counts only where a pawn can legally capture.
    let possible = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    assert_ne!(key(possible), key("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"));
    let alone = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1";
    assert_eq!(key(alone), key("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"));
    let pinned = "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1";
    assert_eq!(key(pinned), key("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"));
}

#[test]
fn partial_keys_tell_their_part() {
    let one = fen("2n1k3/2p5/8/8/8/8/4P3/R3K3 w - - 0 1");
    let two = fen("2n1k3/2p5/8/8/8/8/4P3/3RK3 w - - 0 1");
    assert_eq!(one.pawn_key(), two.pawn_key());
    assert_eq!(one.non_pawn_key(Color::Black), two.non_pawn_key(Color::Black));
    assert_ne!(one.non_pawn_key(Color::White), two.non_pawn_key(Color::White));
    let three = fen("4k1n1/8/2p5/8/8/8/4P3/R3K3 w - - 0 1");
    assert_ne!(one.pawn_key(), three.pawn_key());
    assert_ne!(one.non_pawn_key(Color::Black), three.non_pawn_key(Color::Black));
    assert_eq!(one.non_pawn_key(Color::White), three.non_pawn_key(Color::White));
    assert_eq!(one.census(), three.census());
    for other in
        ["4k3/2p5/8/8/8/8/4P3/R3K3", "2n1k3/8/8/8/8/2p5/4P3/RR2K3", "2n1k3/2p5/8/8/8/8/4P3/N3K3"]
    {
        assert_ne!(one.census(), fen(&format!("{other} w - - 0 1")).census(), "{other}");
    }
}

#[test]
fn repetition_counts_occurrences_of_the_whole_position() {
    let mut position = Position::start();
    let shuffle = "g1f3 g8f6 f3g1 f6g8";
    play(&mut position, shuffle);
    assert_eq!(position.repetitions(), 1);
    assert!(position.is_repetition(5));
    assert!(!position.is_repetition(4), "the earlier one was the root");
    assert_eq!(position.outcome(), None);
    play(&mut position, shuffle);
    assert_eq!(position.repetitions(), 2);
    assert!(position.is_repetition(0));
    assert_eq!(position.outcome(), Some(Ending::Repetition));
    position.undo();
    assert_eq!(position.outcome(), None);
    // A lost castling right makes another position of it.
    let mut position = fen("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1");
    play(&mut position, "h1h2 a8a7 h2h1 a7a8");
    assert_eq!(position.repetitions(), 0);
    play(&mut position, "h1h2 a8a7 h2h1 a7a8");
    assert_eq!(position.repetitions(), 1);
}

/// What a shuttle's key says is what playing all moves says.
#[test]
fn a_repetition_is_foreseen_where_a_move_makes_one() {
    let (mut foreseen, mut none) = (0, 0);
    for seed in 0..60 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut position = fen("3rk3/4n3/8/1p6/8/8/4B3/2Q1K3 w - - 0 1");
        for _ in 0..120 {
            let root = random.random_range(0..12);
            let moves = position.legal_moves();
            let reversible = moves.iter().copied().filter(|&mv| {
                let piece = position.moved_piece(mv).kind();
                piece != PieceType::Pawn && position.captured(mv).is_none()
            });
            let repeats = |mv: Move| {
                let mut after = position.clone();
                after.play(mv);
                after.is_repetition(root + 1)
            };
            let expected = reversible.into_iter().any(repeats);
            let found = position.can_repeat(root);
            assert!(found || !expected, "{} {root}", position.to_fen(false));
            // A shuttle of a pinned piece, or into check, is no move, and seen all the same.
            let us = position.side_to_move();
            if !position.in_check() && position.pinned(us).is_empty() {
                let king = position.king(us);
                let steps = attacks::king(king) - position.occupied();
                let mut steps = steps.into_iter().map(|to| Move::new(king, to));
                // Debug assertions let no illegal move be played.
                if !cfg!(debug_assertions) || steps.clone().all(|mv| position.is_legal(mv)) {
                    let steps = steps.any(repeats);
                    assert_eq!(found, expected || steps, "{} {root}", position.to_fen(false));
                }
            }
            foreseen += u32::from(found && expected);
            none += u32::from(!found);
            let Some(&mv) = moves.get(random.random_range(0..moves.len().max(1))) else { break };
            position.play(mv);
        }
    }
    assert!(foreseen > 50 && none > 1000, "{foreseen} {none}");
}

#[test]
fn attacked_squares_are_those_with_an_attacker() {
    for seed in 0..20 {
        random_game(seed, 80, |position| {
            for color in Color::ALL {
                let attacked = position.attacked_by(color);
                for square in Square::all() {
                    let attackers = position.attackers_to(square, position.occupied());
                    let expected = (attackers & position.color(color)).any();
                    assert_eq!(attacked.contains(square), expected, "{}", position.to_fen(true));
                }
            }
        });
    }
}

#[test]
fn a_pass_is_no_part_of_a_repetition() {
    let mut position = Position::start();
    position.pass();
    play(&mut position, "g8f6 g1f3 f6g8 f3g1");
    assert_eq!(position.repetitions(), 1);
    position.pass();
    assert_eq!(position.key(), Position::start().key());
    assert_eq!(position.repetitions(), 0);
}

#[test]
fn games_end_as_the_rules_say() {
    let outcome = |text: &str| fen(text).outcome();
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(outcome(mate), Some(Ending::Checkmate));
    assert_eq!(outcome("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(Ending::Stalemate));
    assert_eq!(outcome("7k/8/6K1/8/8/8/8/R7 w - - 100 80"), Some(Ending::FiftyMoves));
    assert_eq!(outcome("7k/8/6K1/8/8/8/8/R7 w - - 99 80"), None);
    let mated_on_the_last_ply = "R6k/8/6K1/8/8/8/8/8 b - - 100 80";
    assert_eq!(outcome(mated_on_the_last_ply), Some(Ending::Checkmate));
}

#[test]
fn insufficient_material_is_where_nobody_can_mate() {
    for (text, expected) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/4K3 w - - 0 1", true),
        // f8 and c1 are dark squares, f1 is a light one.
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false),
        ("4kb2/8/8/8/8/B7/8/2B1K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", false),
        ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false),
        ("4kb2/8/8/8/8/8/8/4KN2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", false),
    ] {
        assert_eq!(fen(text).insufficient_material(), expected, "{text}");
    }
}

#[test]
fn castling_moves_both_pieces_even_where_they_overlap() {
    for (text, mv, after) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/2KR4 w D - 0 1", "c1d1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("1rk5/8/8/8/8/8/8/4K3 b b - 0 1", "c8b8", "2kr4/8/8/8/8/8/8/4K3 w - - 1 2"),
    ] {
        let mut position = fen(text);
        play(&mut position, mv);
        assert_eq!(position.to_fen(true), after);
    }
    // The rook shields its king from the rook in the corner.
    let shield = fen("4k3/8/8/8/8/8/8/rRK5 w B - 0 1");
    assert!(shield.legal_moves().iter().all(|mv| !mv.is_castling()));
}

#[test]
fn chess960_starts_are_numbered_as_usual() {
    let back_rank = |number| chess960_start(number).to_fen(true)[35..43].to_owned();
    assert_eq!(back_rank(0), "BBQNNRKR");
    assert_eq!(back_rank(518), "RNBQKBNR");
    assert_eq!(back_rank(959), "RKRNNQBB");
    let all: HashSet<String> = (0..960).map(back_rank).collect();
    assert_eq!(all.len(), 960);
    assert_eq!(chess960_start(518).key(), Position::start().key());
    for number in 0..960 {
        let position = chess960_start(number);
        assert_eq!(*fen(&position.to_fen(true)).board(), *position.board());
        let bishops = position.pieces(Color::White, PieceType::Bishop);
        assert_eq!((bishops & chess::Bitboard::LIGHT_SQUARES).count(), 1);
    }
}

#[test]
fn geometry_of_lines() {
    let square = |text: &str| text.parse::<Square>().expect("a square");
    let set =
        |squares: &str| -> chess::Bitboard { squares.split_whitespace().map(square).collect() };
    assert_eq!(attacks::between(square("a1"), square("d4")), set("b2 c3"));
    assert_eq!(attacks::between(square("a1"), square("b3")), set(""));
    assert_eq!(attacks::line(square("b1"), square("c2")), set("b1 c2 d3 e4 f5 g6 h7"));
    assert_eq!(attacks::line(square("b1"), square("c3")), set(""));
    assert_eq!(attacks::distance(square("a1"), square("c8")), 7);
    assert_eq!(attacks::antidiagonal(square("b1")), set("a2 b1"));
}

#[test]
fn chess_holds_what_every_game_holds() {
    let games = if cfg!(debug_assertions) { 3 } else { 20 };
    let positions = game_suite::positions(chess::GAME, games, 120);
    game_suite::check_rules(chess::GAME, &positions);
    let searched = |position: &playable::Position| {
        let mut game = ChessGame::new(Arc::clone(Parameters::embedded()));
        game.set_position(position.typed());
        game
    };
    game_suite::check_search(&positions, searched);
    game_suite::check_ends(&game_suite::ends(chess::GAME, games, 600), searched);
}
