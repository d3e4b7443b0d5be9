//! Mates, found by the search and proved by trying all moves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chess::Engine;
use chess::engine::{Control, Limits, MATE, Outcome, mate_in};
use chess::{Board, Position};
use chess::{Margins, Parameters};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Positions from games of random openings that Kamerton played against itself with few nodes, each
/// with its shortest mate (`dm`, in moves); [`write_positions`] makes the file.
fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/mates.epd")
}

/// The positions with the length of their mates, in the order of the file.
fn positions() -> Vec<(Position, u32)> {
    let text = std::fs::read_to_string(file()).expect("data/mates.epd is in place");
    let position = |line: &str| {
        let (fen, moves) = line.strip_suffix(';')?.split_once(" dm ")?;
        Some((Position::from_fen(fen).ok()?, moves.parse().ok()?))
    };
    text.lines().map(|line| position(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

fn engine() -> Engine {
    Engine::new(Parameters::embedded().clone(), 1)
}

/// True if the side to move mates in at most so many moves, whatever is answered. False as well
/// once `budget`, which counts the moves tried, is used up.
pub fn mates(board: &Board, moves: u32, budget: &mut u64) -> bool {
    let after = |mv| {
        let mut next = *board;
        next.play(mv);
        next
    };
    let legal = board.legal_moves();
    let (checks, others): (Vec<Board>, Vec<Board>) =
        legal.iter().map(|&mv| after(mv)).partition(Board::in_check);
    let quiet = if moves == 1 { &[][..] } else { &others[..] };
    checks.iter().chain(quiet).any(|next| {
        *budget = budget.saturating_sub(1);
        let answers = next.legal_moves();
        if answers.is_empty() {
            return next.in_check();
        }
        moves > 1
            && *budget > 0
            && answers.iter().all(|&answer| {
                let mut board = *next;
                board.play(answer);
                mates(&board, moves - 1, budget)
            })
    })
}

#[test]
fn the_positions_are_mates_of_their_length() {
    let positions = positions();
    for length in 1..=3 {
        let count = positions.iter().filter(|(_, moves)| *moves == length).count();
        assert!(count >= 20, "{count} mates in {length}");
    }
    for (position, moves) in positions {
        let fen = position.to_fen(false);
        assert!(mates(position.board(), moves, &mut u64::MAX.clone()), "{fen}: no mate in {moves}");
        let shorter = moves > 1 && mates(position.board(), moves - 1, &mut u64::MAX.clone());
        assert!(!shorter, "{fen}: shorter than {moves}");
    }
}

/// Nodes for a mate in so many moves, and the share of them that must be found, in percent.
const NODES_AND_SHARES: [(u64, usize); 3] = [(2_000, 100), (100_000, 95), (200_000, 90)];

/// No mate is claimed that is shorter than possible, nearly all are found, and the line that comes
/// with one ends in mate.
#[test]
fn mates_are_found_and_their_distances_are_right() {
    assert_finds_mates(1);
}

/// With as many nodes each, two threads find as many, and claim none that is not there.
#[test]
fn mates_of_two_threads_are_right() {
    assert_finds_mates(2);
}

/// Where all lines are looked at, the answer is one, however many threads there are.
#[test]
fn two_threads_find_the_same_mates() {
    let [mut one, mut two] = [engine(), engine()];
    two.set_threads(2);
    for (position, moves) in positions() {
        let limits = Limits { mate: Some(moves), ..Limits::default() };
        let [alone, together] = [&mut one, &mut two]
            .map(|engine| engine.search(&position, &limits, &Control::new(), &mut |_| {}));
        assert_eq!(mate_in(alone.score), Some(moves as i32));
        assert_eq!(alone, together, "{}", position.to_fen(false));
    }
}

fn assert_finds_mates(threads: usize) {
    let positions = positions();
    for (length, (nodes, least)) in (1u32..).zip(NODES_AND_SHARES) {
        let (mut count, mut found, mut whole) = (0, 0, 0);
        for (position, moves) in positions.iter().filter(|(_, moves)| *moves == length) {
            let fen = position.to_fen(false);
            let limits = Limits { mate: Some(*moves), ..Limits::nodes(nodes * threads as u64) };
            let mut engine = engine();
            engine.set_threads(threads);
            let outcome = engine.search(position, &limits, &Control::new(), &mut |_| {});
            let mate = mate_in(outcome.score);
            let possible = mate.is_none_or(|mate| mate >= *moves as i32);
            assert!(possible, "{fen}: {mate:?} is shorter than possible");
            count += 1;
            if mate == Some(*moves as i32) {
                found += 1;
                // What several threads have found when their nodes run out is not the same each time: it
                // may be that a move failed high, which is a line by itself.
                if threads == 1 || outcome.pv.len() > 1 || *moves == 1 {
                    whole += 1;
                    assert_mates(position, &outcome);
                }
            }
        }
        assert!(10 * whole >= 9 * found, "{whole} whole lines of {found} mates in {length}");
        assert!(count > 0 && 100 * found >= least * count, "{found} of {count} mates in {length}");
    }
}

/// Whatever rules are on, and however far their margins go.
#[test]
fn no_rule_hides_a_mate_that_is_looked_for_in_all_lines() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let positions = positions();
    for round in 0..6 {
        let mut parameters = (**Parameters::embedded()).clone();
        for number in Margins::numbers() {
            let (low, high) = number.range();
            let value = match round {
                _ if number.is_switch() => 1,
                0 => low,
                1 => high,
                _ => random.random_range(low..=high),
            };
            number.set(&mut parameters, value.into()).expect("a value of its range");
        }
        let mut engine = Engine::new(Arc::new(parameters), 1);
        for (position, moves) in positions.iter().skip(round).step_by(3) {
            let limits = Limits { mate: Some(*moves), ..Limits::default() };
            let outcome = engine.search(position, &limits, &Control::new(), &mut |_| {});
            let fen = position.to_fen(false);
            assert_eq!(mate_in(outcome.score), Some(*moves as i32), "round {round}: {fen}");
            assert_mates(position, &outcome);
        }
    }
}

/// Asked for without another limit, none is missed, whatever an earlier search has left in the table.
#[test]
fn mates_in_few_moves_are_looked_for_in_all_lines() {
    let mut engine = engine();
    for (position, moves) in positions() {
        let fen = position.to_fen(false);
        engine.search(&position, &Limits::nodes(5_000), &Control::new(), &mut |_| {});
        let limits = Limits { mate: Some(moves), ..Limits::default() };
        let outcome = engine.search(&position, &limits, &Control::new(), &mut |_| {});
        assert_eq!(mate_in(outcome.score), Some(moves as i32), "{fen}");
        assert_mates(&position, &outcome);
    }
}

fn assert_mates(position: &Position, outcome: &Outcome) {
    let mut position = position.clone();
    for &mv in &outcome.pv {
        assert!(position.is_legal(mv), "{mv} in {}", position.to_fen(false));
        position.play(mv);
    }
    assert_eq!(outcome.pv.len() as i32, MATE - outcome.score, "a whole line");
    assert!(position.in_check() && !position.has_legal_move(), "the line ends in mate");
}

/// Makes `data/mates.epd`: `KAMERTON_BLESS=1 cargo test -p engine --test all -- --ignored
/// mates::write_positions`.
#[test]
#[ignore = "writes data/mates.epd"]
fn write_positions() {
    if std::env::var_os("KAMERTON_BLESS").is_none() {
        return eprintln!("skipped: only KAMERTON_BLESS=1 writes data/mates.epd");
    }
    /// Positions of each length; of a game at most one of each is taken.
    const WANTED: [usize; 3] = [60, 60, 30];
    let mut lines: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let enough = |lines: &BTreeMap<u32, Vec<String>>, length: u32| {
        lines.get(&length).is_some_and(|lines| lines.len() >= WANTED[length as usize - 1])
    };
    while !(1..=3).all(|length| enough(&lines, length)) {
        let game = play_to_mate(&mut random);
        for (length, back) in [(1, 1), (2, 3), (3, 5)] {
            let Some(board) = game.len().checked_sub(back + 1).map(|at| &game[at]) else {
                continue;
            };
            let shorter = length > 1 && mates(board, length - 1, &mut u64::MAX.clone());
            if enough(&lines, length) || shorter || !mates(board, length, &mut 200_000) {
                continue;
            }
            let fen = board.to_fen(false);
            let fields: Vec<&str> = fen.split_whitespace().take(4).collect();
            let line = format!("{} dm {length};", fields.join(" "));
            let of_length = lines.entry(length).or_default();
            if !of_length.contains(&line) {
                of_length.push(line);
            }
        }
    }
    let text: Vec<String> = lines.into_values().flatten().collect();
    std::fs::write(file(), text.join("\n") + "\n").expect("the folder is writable");
}

/// The boards of a game that ends in mate; one side thinks with more nodes than the other.
fn play_to_mate(random: &mut ChaCha8Rng) -> Vec<Board> {
    loop {
        let mut position = Position::start();
        let mut boards = vec![*position.board()];
        let mut players = [engine(), engine()];
        while position.outcome().is_none() {
            let ply = boards.len();
            let mv = if ply <= 8 {
                let moves = position.legal_moves();
                moves[random.random_range(0..moves.len())]
            } else {
                let limits = Limits::nodes([1_000, 60][ply % 2]);
                let player = &mut players[ply % 2];
                player.search(&position, &limits, &Control::new(), &mut |_| {}).best
            };
            position.play(mv);
            boards.push(*position.board());
        }
        if position.in_check() && !position.has_legal_move() {
            return boards;
        }
    }
}
