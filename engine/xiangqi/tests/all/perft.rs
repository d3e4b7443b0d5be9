//! Counts of positions on which several programs agree.

use xiangqi::rules::{Board, Position, perft};

/// Nodes of a position that are counted at most: all of them take minutes.
const MOST: u64 = if cfg!(debug_assertions) { 100_000 } else { 6_000_000 };

/// Positions with their counts by depth.
fn counted() -> Vec<(Board, Vec<(u32, u64)>)> {
    let text = include_str!("../../../../data/perft/xiangqi.epd");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let parsed = lines.map(|line| {
        let (fen, counts) = line.split_once(';').expect("counts");
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let count = |text: &str| {
            let (depth, count) = text.trim().split_once(' ').expect("a depth and a count");
            (depth[1..].parse().expect("a depth"), count.parse().expect("a count"))
        };
        (*position.board(), counts.split(';').map(count).collect())
    });
    parsed.collect()
}

#[test]
fn counts_are_those_of_other_programs() {
    let all = counted();
    assert!(all.len() >= 18);
    for (board, counts) in all {
        for (depth, count) in counts.into_iter().filter(|(_, count)| *count <= MOST) {
            assert_eq!(perft(&board, depth), count, "{} at depth {depth}", board.to_fen());
            assert_eq!(perft(&board.mirrored(), depth), count, "mirrored {}", board.to_fen());
            assert_eq!(perft(&board.turned(), depth), count, "turned {}", board.to_fen());
        }
    }
}

/// All of them, to nine hundred million positions.
#[test]
#[ignore = "takes minutes"]
fn counts_are_those_of_other_programs_to_the_last() {
    for (board, counts) in counted() {
        for (depth, count) in counts {
            assert_eq!(perft(&board, depth), count, "{} at depth {depth}", board.to_fen());
        }
    }
}
