//! Counting the leaves of the tree of legal moves.

use super::generate::Count;
use super::{Board, Color, Move, MoveList, Position};

/// The number of ways to play `depth` plies. The last ply is counted without being played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match position.side_to_move() {
        Color::White => count::<true>(position.board(), depth),
        Color::Black => count::<false>(position.board(), depth),
    }
}

/// The number of ways to play `depth` plies, apart for each first move. Empty at depth 0.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let divide = |&mv: &Move| {
        let mut next = position.clone();
        next.play(mv);
        (mv, perft(&next, depth - 1))
    };
    position.legal_moves().iter().map(divide).collect()
}

fn count<const WHITE: bool>(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        let mut count = Count::default();
        board.collect::<WHITE, true, true, _>(&mut count);
        return count.0;
    }
    let mut moves = MoveList::new();
    board.collect::<WHITE, true, true, _>(&mut moves);
    let mut total = 0;
    for &mv in &moves {
        let mut next = *board;
        next.play_as::<WHITE>(mv);
        total +=
            if WHITE { count::<false>(&next, depth - 1) } else { count::<true>(&next, depth - 1) };
    }
    total
}
