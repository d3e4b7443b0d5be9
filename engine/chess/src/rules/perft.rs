//! Counting the leaves of the tree of legal moves.

use super::generate::{Count, Each};
use super::{Board, Move, Position};

/// The number of ways to play `depth` plies. The last ply is counted without being played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    count(position.board(), depth, &|| false)
}

/// The number of ways to play `depth` plies, apart for each first move. Empty at depth 0.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    perft_divide_until(position, depth, &|| false).unwrap_or_default()
}

/// [`perft_divide`], unless `is_stopped` says so before all is counted: then none.
pub fn perft_divide_until(
    position: &Position,
    depth: u32,
    is_stopped: &dyn Fn() -> bool,
) -> Option<Vec<(Move, u64)>> {
    if depth == 0 {
        return Some(Vec::new());
    }
    let divide = |&mv: &Move| {
        let mut next = position.clone();
        next.play(mv);
        (mv, count(next.board(), depth - 1, is_stopped))
    };
    let counts = position.legal_moves().iter().map(divide).collect();
    (!is_stopped()).then_some(counts)
}

/// Fewest plies below a node at which it is worth asking whether to stop.
const ASK_FROM: u32 = 4;

/// The number of ways to play `depth` plies; any number once `is_stopped` says so.
fn count(board: &Board, depth: u32, is_stopped: &dyn Fn() -> bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        let mut count = Count::default();
        board.collect::<true, true, _>(&mut count);
        return count.0;
    }
    if depth >= ASK_FROM && is_stopped() {
        return 0;
    }
    let mut total = 0;
    board.collect::<true, true, _>(&mut Each(|mv| {
        let mut next = *board;
        next.play(mv);
        total += count(&next, depth - 1, is_stopped);
    }));
    total
}
